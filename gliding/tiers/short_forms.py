"""Closed tables of honest short forms: wordy phrases, words of one meaning, and verbs that hide in nouns.

An entry says the same as what it stands for, or less; none changes a degree, a modality or a direction. Verbs in
capitals stand for all their forms, the same form on both sides. What is on the left becomes what is on the right, never
back; words of one class stand for one another.
"""

from __future__ import annotations

from functools import cache

from gliding.tiers import plain_phrases, plain_words
from gliding.tiers.verbs import forms_of

# What is to be said > how it may be said in fewer words | in others still.
_PHRASES = """
    in connection with > over | about | for | in; in relation to > about | on | for | to;
    with regard to > about | on | regarding; with regards to > about | on | regarding;
    in regard to > about | on | regarding; with respect to > about | on | regarding | for;
    with reference to > about | regarding; in reference to > about | regarding; on the subject of > about | on;
    on the topic of > about | on; on the matter of > about | on; as regards > about | on;
    pertaining to > about | on | of; relating to > about | on; related to > about | on; concerning > about | on;
    regarding > about | on; due to the fact that > because | since | as;
    owing to the fact that > because | since | as; because of the fact that > because | since;
    in light of the fact that > because | since; in view of the fact that > because | since;
    on account of the fact that > because; by virtue of the fact that > because;
    given the fact that > because | since | given that; for the reason that > because | since;
    for the simple reason that > because; seeing that > because | since; inasmuch as > because | since;
    on the grounds that > because; as a result of > because of | due to | from | through | after | by;
    as a consequence of > because of | from; on account of > because of | for; owing to > because of | due to;
    due to > because of; by reason of > because of; on the basis of > by | from | based on | on;
    on the grounds of > for; in the event that > if; in the event of > if there is | in; in the case that > if;
    in a case where > if | when; in cases where > if | when; in cases in which > if | when;
    in situations in which > when | where; under circumstances in which > when | if;
    in circumstances where > when | if; on the condition that > if | provided that;
    on condition that > if | provided that; provided that > if; providing that > if; assuming that > if;
    in order that > so that | so; in order to > to; so as to > to; with a view to > to | for;
    for the benefit of > for; in support of > for | to support; in favour of > for; in favor of > for;
    in opposition to > against; in return for > for; in exchange for > for;
    at this point in time > now | at this time; at this moment in time > now; at the present time > now | today;
    at the present moment > now; at present > now; at the current time > now; as of now > now; right now > now;
    at that point in time > then | at that time; at that time > then; at the time when > when;
    at such time as > when; at the time that > when; during the time that > while;
    during the period when > when | while; over the course of > during | over | in;
    in the course of > during | in | while; during the course of > during | in;
    throughout the course of > throughout | during; for the duration of > during | throughout; for a period of > for;
    over a period of > over | in; within a period of > within; until such time as > until; up until > until;
    prior to > before; in advance of > before | ahead of; ahead of > before; preceding > before;
    subsequent to > after; following > after; in the aftermath of > after; during > in; on or before > by;
    ANNOUNCE that > SAY | SAY that; DECLARE that > SAY | SAY that; EXPLAIN that > SAY | SAY that;
    REPORT that > SAY | SAY that; MENTION that > SAY | SAY that; REMARK that > SAY | SAY that;
    is under an obligation to > must; are under an obligation to > must; is under a duty to > must;
    are under a duty to > must; MAKE it possible for > ENABLE | ALLOW; because there was > because of;
    because there were > because of; because there is > because of; because there are > because of;
    neither of the two > neither; each of the two > each; neither of the > neither; had the ability to > could;
    was not in a position to > could not; were not in a position to > could not; is not in a position to > cannot;
    are not in a position to > cannot; was in a position to > could; is in a position to > can;
    than what was expected > than expected; than was expected > than expected;
    than had been expected > than expected; COME into force > TAKE effect; ENTER into force > TAKE effect;
    COME into effect > TAKE effect; no later than > by; not later than > by; by no later than > by;
    because of > due to; for use in > for | in; for use by > for; for use with > for | with; if you want to > to;
    if you wish to > to; if you would like to > to; for the purpose of having > for; the number of >;
    a temperature of >; a speed of >; a height of >; a depth of >; a rate of >; a pressure of >; a price of >;
    a cost of >; a weight of >; a length of >; a width of >; an area of >; an altitude of >; an elevation of >;
    a level of >; the first one > the first; the second one > the second; the last one > the last;
    the other one > the other; the previous one > the previous; in the meantime > meanwhile;
    compared to > from | over | than; as compared with > than | from | over; in the amount of > of;
    at all times > always; at the time of > at | on | during; by the time of > by; from the time of > from;
    until the time of > until; BE sufficient to > SUFFICE to; BE enough to > SUFFICE to; in the wake of > after;
    at the conclusion of > after | at the end of; upon completion of > after; at a later date > later;
    at an earlier date > earlier; at a later time > later; at some point in the future > someday | later;
    in the near future > soon; in the not too distant future > soon; on a daily basis > daily | every day;
    on a weekly basis > weekly | every week; on a monthly basis > monthly | every month;
    on a quarterly basis > quarterly; on a yearly basis > yearly | annually;
    on an annual basis > annually | yearly | every year; on a regular basis > regularly;
    on a voluntary basis > voluntarily; on a temporary basis > temporarily; on a permanent basis > permanently;
    on a number of occasions > several times; on several occasions > several times;
    on many occasions > often | many times; on numerous occasions > often; in close proximity to > near | close to;
    in proximity to > near; in the vicinity of > near | around; in the neighbourhood of > near;
    adjacent to > beside | next to; in the direction of > toward | towards; in the middle of > amid;
    in the midst of > amid | during; on top of > on | atop; on the inside of > inside; on the outside of > outside;
    outside of > outside; inside of > inside; off of > off; in excess of > over | above | more than;
    upwards of > over | more than; no fewer than > at least; no less than > at least; not less than > at least;
    a minimum of > at least; no more than > at most | up to; not more than > at most | up to;
    a maximum of > at most | up to; a majority of > most | most of; the majority of > most | most of;
    the majority of the > most of the | most; a majority of the > most of the | most; most of the > most;
    the vast majority of > most; the great majority of > most; a large number of > many; a great number of > many;
    a significant number of > many; a considerable number of > many; a great many > many; a good many > many;
    a wide range of > many; a large amount of > much; a great deal of > much; a lot of > much | many; lots of > many;
    a number of > several | some; a small number of > a few | few; a handful of > a few; a pair of > two;
    all of the > all the | all; both of the > both the | both; half of the > half the; each and every > each | every;
    each of the > each; any and all > all | any; the entirety of > all of | all; the whole of > all of | all;
    the totality of > all; under the age of > under; over the age of > over; between the ages of > aged between;
    in the whole of > in; located in > in; located at > at; located on > on; located near > near; situated in > in;
    situated at > at; situated on > on; situated near > near; based in > in; in length > long; in width > wide;
    in height > high | tall; in depth > deep; in size >; in number >; in colour >; in color >; in nature >;
    per annum > a year | per year | yearly; over the course of the > over the | during the | in the;
    more than > over; fewer than > under; less than > under; in spite of > despite;
    in spite of the fact that > although | though; despite the fact that > although | though;
    notwithstanding > despite; regardless of the fact that > although; even though > though | although;
    in addition to > besides | and; as well as > and; along with > and | with; together with > and | with;
    coupled with > and | with; in conjunction with > with | and; in combination with > with;
    in collaboration with > with; in cooperation with > with; in accordance with > under | by | following | per;
    in compliance with > under; in conformity with > under; pursuant to > under; under the terms of > under;
    by means of > by | with | through; by way of > by | via | through;
    through the use of > with | by | through | using; with the use of > with | using; with the help of > with;
    with the aid of > with; with the assistance of > with; by the use of > by | with | using; in the form of > as;
    in the capacity of > as; in the role of > as; in terms of > in | by | for; in the field of > in;
    in the area of > in; in the case of > for | with; in the absence of > without; in the presence of > with;
    in comparison with > against | than; in comparison to > than | against; as compared to > than | against;
    compared with > than | against | from | over; in lieu of > instead of; in place of > instead of | for;
    with the exception of > except | except for; under the supervision of > under;
     as to whether > whether;
    whether or not > whether; the manner in which > how; the way in which > how; the reason why > why;
    the fact that > that; at the age of > at age | aged | at; years of age > years old | years; of the age of > aged;
    the month of >; the year of >; the city of >; the town of >; in the month of > in; in the year > in;
    in the city of > in; for the purpose of > for | to; for the purposes of > for | to; with the purpose of > to;
    BE in possession of > HAVE | OWN; BE in need of > NEED; BE in receipt of > HAVE;
    BE in agreement with > AGREE with; BE in agreement > AGREE; BE in favour of > SUPPORT; BE in favor of > SUPPORT;
    BE in support of > SUPPORT; BE in opposition to > OPPOSE; BE opposed to > OPPOSE; BE supportive of > SUPPORT;
    BE dependent on > DEPEND on; BE reliant on > RELY on; BE indicative of > INDICATE | SHOW;
    BE representative of > REPRESENT; BE a resident of > LIVE in; BE resident in > LIVE in; BE located in > BE in;
    BE located at > BE at; BE located on > BE on; BE located near > BE near; BE situated in > BE in;
    BE situated at > BE at; BE situated on > BE on; BE situated near > BE near; BE comprised of > COMPRISE;
    BE made up of > COMPRISE; BE composed of > COMPRISE; BE aware of > KNOW; BE the owner of > OWN;
    BE the cause of > CAUSE; BE the author of > WRITE; BE the head of > HEAD | LEAD; BE the leader of > LEAD;
    BE in charge of > RUN | HEAD | LEAD; BE a member of > BELONG to;
    BE of the opinion that > THINK | BELIEVE | THINK that | BELIEVE that;
    BE of the view that > THINK | BELIEVE | THINK that | BELIEVE that; HOLD the view that > THINK | BELIEVE;
    BE under the impression that > THINK; BE desirous of > WANT; HAVE possession of > HAVE; HAVE ownership of > OWN;
    HAVE knowledge of > KNOW; HAVE a tendency to > TEND to; HAVE a need for > NEED; HAVE an effect on > AFFECT;
    HAVE an impact on > AFFECT; HAVE an influence on > INFLUENCE; HAVE a preference for > PREFER;
    HAVE doubts about > DOUBT; HAVE a discussion about > DISCUSS; HAVE the intention of > INTEND to | INTEND;
    HAVE plans to > PLAN to; HAVE the aim of > AIM to; GIVE rise to > CAUSE; GIVE an indication of > INDICATE | SHOW;
    BRING about > CAUSE; BRING to an end > END; COME to an end > END;
    COME to the conclusion that > CONCLUDE that | CONCLUDE; COME to a decision > DECIDE;
    COME to an agreement > AGREE; REACH an agreement > AGREE; REACH the conclusion that > CONCLUDE that | CONCLUDE;
    REACH a conclusion > CONCLUDE; REACH a decision > DECIDE; REACH a settlement with > SETTLE with;
    PUT an end to > END | STOP; PUT a stop to > STOP; PUT in place > INTRODUCE; PUT forward > PROPOSE;
    PUT off > POSTPONE; CALL off > CANCEL; CARRY out > DO | CONDUCT | PERFORM; SET up > FOUND | ESTABLISH;
    TAKE place > HAPPEN | OCCUR | BE held; TAKE part in > JOIN; TAKE into account > CONSIDER;
    TAKE into consideration > CONSIDER; TAKE the view that > THINK that; HAVE a meeting with > MEET | MEET with;
    HOLD a meeting with > MEET | MEET with; MAKE use of > USE; MAKE mention of > MENTION;
    MAKE reference to > MENTION; MAKE the claim that > CLAIM that | CLAIM; MAKE an attempt to > TRY to | ATTEMPT to;
    MAKE an effort to > TRY to; MAKE a contribution to > CONTRIBUTE to; MAKE the decision to > DECIDE to;
    MAKE a decision to > DECIDE to; MAKE provision for > PROVIDE for; MAKE contact with > CONTACT;
    GET in touch with > CONTACT; GET in contact with > CONTACT; GET rid of > REMOVE; FIND out > LEARN;
    POINT out > NOTE; GO up > RISE; GO down > FALL; GO on > CONTINUE; CONTINUE to be > REMAIN | STAY;
    PROVIDE assistance to > HELP | ASSIST; PROVIDE support to > SUPPORT; PROVIDE support for > SUPPORT;
    PROVIDE help to > HELP;  EXPRESS support for > SUPPORT;
    EXPRESS opposition to > OPPOSE; CONDUCT an investigation into > INVESTIGATE;
    CARRY out an investigation into > INVESTIGATE; LAUNCH an investigation into > INVESTIGATE; SERVE as > BE;
    is able to > can; are able to > can; is not able to > cannot; was not able to > could not;
    were not able to > could not; was unable to > could not; were unable to > could not;
    is not allowed to > may not | must not | cannot; are not allowed to > may not | must not | cannot;
    is not permitted to > may not | must not | cannot; are not permitted to > may not | must not | cannot;
    is not required to > need not; are not required to > need not; i would like to say that >;
    i would like to point out that >; i would like to inform you that >; we would like to inform you that >;
    we would like to point out that >; we wish to inform you that >; i want to say that >;
    i just wanted to say that >; please be informed that >; just a quick note to let you know that >;
    just a quick note to say that >; just a quick note to remind you that >; just a note to let you know that >;
    just a note to say that >; a quick note to let you know that >; just a quick reminder that >;
    just a reminder that >; a quick reminder that >; this is a reminder that >; this is just a reminder that >;
    this is to let you know that >; this is to inform you that >; just to let you know that >;
    just to let you know >; just letting you know that >; just a heads up that >;
    i just wanted to let you know that >; i just want to let you know that >; i wanted to let you know that >;
    i am writing to let you know that >; i'm writing to let you know that >; i am writing to inform you that >;
    i am writing to say that >; we are writing to inform you that >; we are writing to let you know that >;
    i am pleased to inform you that >; we are pleased to inform you that >; i am happy to report that >;
    we are happy to report that >; i am happy to say that >; it goes without saying that >; hope you're well >;
    hope you are well >; i hope you're well >; i hope you are well >; hope all is well >;
    i hope this email finds you well >; hope you are doing well >; hope you're doing well >; the thing is that >;
    the thing is >; i'm happy to say that >; i am glad to say that >; i'm pleased to say that >;
    i am pleased to say that >; we are pleased to say that >; we are proud to announce that >;
    we are pleased to announce that >; we are happy to announce that >; i am sorry to say that >; just so you know >;
    just so you know that >; hi all >; hi everyone >; hi everybody >; hi team >; hi there >; hello all >;
    hello everyone >; hello there >; hey all >; hey everyone >; dear all >; hi folks >; you should know that >;
    it should be noted that >; it must be noted that >; it should be pointed out that >; it has to be said that >;
    it is clear that >; it is obvious that >; it is evident that >; it turns out that >; it turned out that >;
    it so happens that >; in need of > needing; upon receipt of > on receiving | after receiving;
    receipt of > receiving; the amount of >; a period of >; a total of >; a distance of >; a total number of >;
    are not able to > cannot; is unable to > cannot; are unable to > cannot; has the ability to > can;
    have the ability to > can; has the capacity to > can; have the capacity to > can; has the opportunity to > can;
    have the opportunity to > can; is capable of > can; are capable of > can; has the right to > may;
    have the right to > may; is permitted to > may; are permitted to > may; is allowed to > may | can;
    are allowed to > may | can; is required to > must; are required to > must; is obliged to > must;
    are obliged to > must; is obligated to > must; are obligated to > must; has an obligation to > must;
    have an obligation to > must; has a duty to > must; have a duty to > must; has to > must; have to > must;
    is going to > will; are going to > will; there is no doubt that >; it is a fact that >; previous > last;
    because > since | as; it is > it's; that is > that's; there is > there's; a temperature below > below;
    a temperature above > above; send an e-mail to > e-mail | email; free of charge > free
"""

# Classes of words with one meaning, by sense: one word stands for another in the same form.
_CLASSES = """
    rise increase grow climb / fall drop decrease decline / close shut / start begin commence / end finish conclude /
    end terminate / buy purchase acquire / help assist aid / show reveal demonstrate / get obtain receive /
    use utilize utilise employ / need require / tell inform notify / ask request / think believe /
    make produce manufacture / build construct erect / fix repair mend / pick choose select / keep retain /
    let allow permit / send dispatch / happen occur / live reside dwell / try attempt / own possess / lead head /
    run operate / run manage / found establish / carry transport / hurt injure / injure wound / free release /
    quit resign / hire recruit employ / fire dismiss sack / wed marry / die perish / speed accelerate /
    slow decelerate / widen broaden / shrink contract / enlarge expand / shorten curtail / lower reduce cut decrease /
    raise increase boost / raise lift / lift hoist / mix blend / clean cleanse / empty drain / fill replenish /
    gather collect / assemble convene / meet convene / postpone defer delay / cancel scrap axe /
    reject refuse decline / forbid ban prohibit / revoke repeal / examine inspect /
    examine study / find discover / find locate / see notice / see spot /
    view regard / answer reply respond / talk speak / say state / declare announce / reveal disclose /
    explain clarify / describe depict / name call / name appoint / mention cite / note observe / warn caution /
    promise pledge vow / agree consent / argue contend / gain obtain / beat defeat / attack assault / guard protect /
    save rescue / kill slay / damage harm / break fracture / explode detonate / strike hit / leave depart /
    arrive come / go travel / follow succeed / replace supplant / alter change modify / amend revise /
    improve enhance / worsen deteriorate / fund finance / earn make / sell vend / rent lease / lend loan /
    hold possess / capture seize take / usage use / hold host / host stage / contain include /
    remain stay / continue proceed / cease stop halt / stop halt / avert prevent / cause trigger / cause prompt /
    affect influence / plan intend / want wish desire / like enjoy / fear dread / anticipate expect /
    complete finish / submit file / publish issue / teach instruct / learn discover / write author / draft write /
    photograph picture / big large / fast quick rapid swift /
    quickly rapidly swiftly fast / slowly gradually / old elderly / sick ill unwell / rich wealthy /
    poor impoverished / hard difficult / easy simple / main chief principal primary / entire whole / wrong incorrect /
    right correct / same identical / annual yearly / annually yearly / dangerous hazardous /
    famous renowned celebrated / empty vacant / lucky fortunate / adequate sufficient enough /
    additional extra / initial first / final last / immediately instantly / soon shortly /
    frequently often / rarely seldom / nearly almost / about approximately around roughly / about some /
    faulty defective / home residence / later subsequently afterwards / now currently presently / again anew /
    abroad overseas / also too / besides additionally / however but / therefore so / while whilst /
    although though / until till / upon on / among amongst / toward towards / under beneath below /
    above over / via through / despite notwithstanding / regarding concerning about /
    car automobile / doctor physician / lawyer attorney / teacher instructor / people persons individuals /
    child kid / baby infant / flat apartment / shop store / firm company / firm business / job post position /
    worker employee / staff employees workers personnel / chief head / talks negotiations / test examination exam /
    illness disease / medicine drug medication / wound injury / fire blaze / crash collision /
    storm tempest / error mistake / fault defect flaw / pay salary wages / rise increase growth /
    fall drop decrease decline reduction / cut reduction / start beginning / end conclusion / help assistance aid /
    goal aim objective / purpose aim / answer reply response / idea notion / way method / area region /
    border frontier / road street / village hamlet / country nation / autumn fall / operating running /
    expenses costs / profits earnings / holiday vacation / lift elevator / lorry truck / petrol gasoline
"""

# Verbs in nouns: "made an announcement" says "announced".
_NOUNS = """
    meeting meet / announcement announce / agreement agree / payment pay / statement state / appointment appoint /
    assessment assess / adjustment adjust / improvement improve / replacement replace / measurement measure /
    investment invest / judgment judge / commitment commit / amendment amend / settlement settle /
    arrangement arrange / treatment treat / enquiry enquire / decision decide / inspection inspect /
    examination examine / investigation investigate / evaluation evaluate / recommendation recommend /
    calculation calculate / observation observe / contribution contribute / selection select / correction correct /
    connection connect / reduction reduce / distinction distinguish / suggestion suggest / presentation present /
    application apply / donation donate / objection object / reservation reserve / explanation explain /
    confession confess / conclusion conclude / provision provide / revision revise / collection collect /
    comparison compare / demonstration demonstrate / description describe / discussion discuss / estimation estimate /
    introduction introduce / installation install / modification modify / operation operate /
    participation participate / preparation prepare / production produce / protection protect / verification verify /
    consultation consult / negotiation negotiate / choice choose / analysis analyse / analysis analyze /
    discovery discover / recovery recover / delivery deliver / complaint complain / assumption assume /
    attempt attempt / call call / change change / check check / claim claim / comment comment / effort try /
    estimate estimate / offer offer / promise promise / purchase purchase / purchase buy / repair repair /
    request request / review review / search search / start start / study study / survey survey / test test /
    visit visit / vote vote / walk walk / audit audit / look look / report report / reply reply / answer answer /
    speech speak / sale sell / approval approve / refusal refuse / proposal propose / denial deny / arrival arrive /
    removal remove / survival survive / assistance assist / resistance resist / reference refer / preference prefer /
    interference interfere / performance perform / mention mention / use use / sketch sketch / cleaning clean /
    testing test / cut cut / copy copy / list list / plan plan / record record / guess guess / bid bid /
    apology apologise / apology apologize / guarantee guarantee / warning warn / appeal appeal / protest protest /
    order order / demand demand / admission admit / permission permit / submission submit
"""
_LIGHT = frozenset(
    """make take give do have conduct perform undertake hold carry complete reach issue submit lodge file provide
    express voice raise launch""".split()
)

_AMOUNTS = frozenset("many|much|several|some|most|few|a few|a little|various".split("|"))
# The forms of a plural, and what its "be" is, by those of the singular.
_BE_MANY = {1: (0, "are"), 2: (2, "were")}


@cache
def phrases() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """(words, short forms) by the first word, longest first."""
    table: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for line in _entries(f"{_PHRASES};{plain_phrases.PHRASES}", ";"):
        left, _, right = line.partition(">")
        for form in range(5) if any(word.isupper() for word in left.split() if word != "I") else (0,):
            wordy = tuple(_formed(left, form).split())
            table.setdefault(wordy[0], []).append((wordy, tuple(_formed(option, form) for option in right.split("|"))))
            if left.startswith("BE ") and form in (1, 2):  # "are" and "were" go with "have" and "had"
                other = _BE_MANY[form]
                options = tuple(_formed(option, *other) for option in right.split("|"))
                table.setdefault(other[1], []).append((tuple(_formed(left, *other).split()), options))
    for found in table.values():
        for wordy, options in found[:]:
            of_the = tuple(f"{option} of the" for option in options if option in _AMOUNTS)
            if wordy[-1] == "of" and of_the:
                found.append(((*wordy, "the"), of_the))
        found.sort(key=lambda entry: -len(entry[0]))
    return table


def _entries(table: str, mark: str) -> list[str]:
    return [" ".join(entry.split()) for entry in table.split(mark)]


def _formed(phrase: str, form: int, be: str = "") -> str:
    words = phrase.split()
    return " ".join(be if be and w == "BE" else forms_of(w.lower())[form] if w.isupper() else w for w in words)


@cache
def synonyms() -> dict[str, frozenset[str]]:
    """All that a word may stand for, by the word; same form, same sense."""
    table: dict[str, set[str]] = {}
    for line in _entries(f"{_CLASSES}/{plain_words.CLASSES}", "/"):
        lemmas = line.split()
        for group in zip(*(forms_of(lemma) for lemma in lemmas), strict=True):
            for word in group:
                table.setdefault(word, set()).update(group)
    return {word: frozenset(group - {word}) for word, group in table.items()}


@cache
def hidden_verbs() -> dict[str, frozenset[str]]:
    """The verbs that a noun hides, by the noun."""
    table: dict[str, set[str]] = {}
    for pair in _entries(f"{_NOUNS}/{plain_words.NOUNS}", "/"):
        noun, _, verb = pair.partition(" ")
        table.setdefault(noun, set()).add(verb)
    return {noun: frozenset(verbs) for noun, verbs in table.items()}


@cache
def light_verbs() -> dict[str, str]:
    """The verbs that say little before such a noun, by their forms."""
    return {form: verb for verb in sorted(_LIGHT) for form in forms_of(verb)}

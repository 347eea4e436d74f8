"""Wordy phrases and plain ones, as data for ``short_forms``: ``wordy > plain | plain;``, one way.

Verbs in capitals stand for all their forms, the same form on both sides. Each entry says the same, or less, in every
sense in which it can be met.
"""

from __future__ import annotations

PHRASES = """
    BE in the process of > BE; in the process of >; START the process of > START | BEGIN; BEGIN the process of > BEGIN
    | START; START the process of >; COMPLETE the process of > FINISH | COMPLETE; you start the process of >; you
    begin the process of >; in an effort to > to; in an attempt to > to; in a bid to > to; in a drive to > to; with
    the aim of > to; with the goal of > to; with the intention of > to; with the intent to > to; with the object of >
    to; with the objective of > to; as a means of > to; as a way to > to; as a way of > to; as an attempt to > to; in
    the hope of > to | for; in the interest of > for; in the interests of > for; for reasons of > for; in pursuit of >
    for; by the name of > named | called; with the name of > named | called; which is called > called; that is called
    > called; which is known as > called | known as; known as > called; going by the name of > called | named; with a
    value of > worth; with a total value of > worth; valued at > worth; to the value of > worth; BE worth a total of >
    BE worth; HAVE a value of > BE worth; HAVE a total value of > BE worth; AMOUNT to > BE | TOTAL; BE equal to > BE |
    EQUAL; ADD up to > TOTAL; COME to a total of > TOTAL; HAVE a total of > HAVE; BE in existence > EXIST; BE in
    operation > OPERATE | BE operating; not in operation > not operating | not running; BE in use > BE used; BE on
    display > BE shown; BE on sale > BE sold; BE in attendance > ATTEND | BE present; BE in conflict with > CONFLICT
    with; BE in violation of > VIOLATE | BREAK; BE in breach of > BREACH | BREAK; BE in control of > CONTROL; BE in
    command of > COMMAND; BE in search of > SEEK; BE in contact with > CONTACT; BE in excess of > EXCEED; BE in danger
    of > RISK; BE on the increase > INCREASE; BE on the rise > RISE; BE on the decline > DECLINE; BE on strike >
    STRIKE; BE on loan > BE lent; BE lacking > LACK; BE without > LACK; BE of assistance to > HELP; BE of help to >
    HELP; BE of use to > HELP; BE of benefit to > BENEFIT | HELP; BE of importance to > MATTER to; BE of concern to >
    CONCERN | WORRY; BE beneficial to > BENEFIT | HELP; BE helpful to > HELP; BE harmful to > HARM; BE damaging to >
    DAMAGE | HARM; BE fearful of > FEAR; BE afraid of > FEAR; BE desirous of > WANT; BE fond of > LIKE; BE keen on >
    LIKE; BE envious of > ENVY; BE critical of > CRITICISE | CRITICIZE; BE suspicious of > SUSPECT; BE tolerant of >
    TOLERATE; BE respectful of > RESPECT; BE protective of > PROTECT; BE appreciative of > APPRECIATE; BE distrustful
    of > DISTRUST; BE descriptive of > DESCRIBE; BE reflective of > REFLECT; BE symbolic of > SYMBOLISE | SYMBOLIZE;
    BE typical of > TYPIFY; BE hopeful that > HOPE that | HOPE; BE of the belief that > BELIEVE that | BELIEVE; HOLD
    the opinion that > THINK | BELIEVE | THINK that | BELIEVE that; HOLD the belief that > BELIEVE that | BELIEVE; BE
    the result of > RESULT from; BE the product of > COME from; BE a native of > COME from; BE a citizen of > BE from;
    BE the winner of > WIN; BE the founder of > FOUND; BE the inventor of > INVENT; BE the creator of > CREATE; BE the
    designer of > DESIGN; BE the builder of > BUILD; BE the discoverer of > DISCOVER; BE the editor of > EDIT; BE the
    manager of > MANAGE; BE the director of > DIRECT; BE the producer of > PRODUCE; BE the host of > HOST; BE the user
    of > USE; BE the supplier of > SUPPLY; BE the seller of > SELL; BE the recipient of > RECEIVE | GET; BE a
    supporter of > SUPPORT; BE a participant in > PARTICIPATE in; BE a contributor to > CONTRIBUTE to; BE an employee
    of > WORK for; BE a critic of > CRITICISE | CRITICIZE; BE an opponent of > OPPOSE; BE an admirer of > ADMIRE; HAVE
    a dislike of > DISLIKE; HAVE a dislike for > DISLIKE; HAVE a liking for > LIKE; HAVE a love of > LOVE; HAVE a fear
    of > FEAR; HAVE a hatred of > HATE; HAVE a desire to > WANT to; HAVE a wish to > WISH to | WANT to; HAVE a desire
    for > WANT; HAVE trust in > TRUST; HAVE confidence in > TRUST; HAVE faith in > TRUST; HAVE respect for > RESPECT;
    HAVE admiration for > ADMIRE; HAVE pity on > PITY; HAVE a requirement for > REQUIRE | NEED; HAVE the need for >
    NEED; HAVE a belief in > BELIEVE in; HAVE an objection to > OBJECT to; HAVE an understanding of > UNDERSTAND; HAVE
    an awareness of > KNOW; HAVE control over > CONTROL; HAVE control of > CONTROL; HAVE power over > CONTROL; HAVE
    charge of > RUN; HAVE a resemblance to > RESEMBLE; BEAR a resemblance to > RESEMBLE; HAVE a bearing on > AFFECT;
    HAVE an adverse effect on > HARM; HAVE a negative effect on > HARM; HAVE a negative impact on > HARM; HAVE a
    positive effect on > HELP; HAVE a positive impact on > HELP; HAVE a beneficial effect on > HELP; HAVE a
    conversation with > TALK to | TALK with | SPEAK to; HAVE a talk with > TALK to | TALK with; HAVE a chat with >
    CHAT with | TALK to; HAVE an argument with > ARGUE with; HAVE a quarrel with > QUARREL with; HAVE a fight with >
    FIGHT; HAVE a look at > LOOK at; TAKE a look at > LOOK at; HAVE a word with > TALK to; HAVE a drink of > DRINK;
    HAVE a rest > REST; TAKE a rest > REST; HAVE a nap > NAP; HAVE regard to > CONSIDER; PAY a visit to > VISIT; PAY
    tribute to > PRAISE | HONOUR | HONOR; PAY a compliment to > COMPLIMENT; GIVE consideration to > CONSIDER; GIVE
    thought to > CONSIDER; GIVE attention to > HEED; GIVE help to > HELP; GIVE assistance to > HELP | ASSIST; GIVE aid
    to > HELP | AID; GIVE support to > SUPPORT; GIVE encouragement to > ENCOURAGE; GIVE advice to > ADVISE; GIVE
    permission to > ALLOW | PERMIT; GIVE approval to > APPROVE; GIVE authority to > AUTHORISE | AUTHORIZE; GIVE
    instructions to > INSTRUCT; GIVE an answer to > ANSWER; GIVE a reply to > ANSWER; GIVE a response to > ANSWER;
    GIVE a warning to > WARN; GIVE a promise to > PROMISE to; GIVE notice of > ANNOUNCE; GIVE a talk > SPEAK; GIVE a
    speech > SPEAK; GIVE birth to > BEAR | HAVE; GIVE up on > ABANDON; GIVE an explanation of > EXPLAIN; GIVE credit
    to > CREDIT; GIVE preference to > PREFER; GIVE emphasis to > STRESS; PLACE emphasis on > STRESS | EMPHASISE |
    EMPHASIZE; PUT emphasis on > STRESS | EMPHASISE | EMPHASIZE; PLACE an order for > ORDER; PLACE a bet on > BET on;
    PLACE a limit on > LIMIT; PLACE restrictions on > RESTRICT; PLACE a ban on > BAN; IMPOSE a ban on > BAN; IMPOSE a
    limit on > LIMIT; IMPOSE limits on > LIMIT; IMPOSE restrictions on > RESTRICT; IMPOSE a fine on > FINE; IMPOSE a
    tax on > TAX; LEVY a tax on > TAX; PLACE under arrest > ARREST; PUT under arrest > ARREST; PUT to death > KILL |
    EXECUTE; PUT a limit on > LIMIT; PUT up with > TOLERATE | BEAR; PUT together > ASSEMBLE; PLAY host to > HOST;
    CAUSE damage to > DAMAGE; CAUSE harm to > HARM; CAUSE injury to > INJURE; CAUSE a delay to > DELAY; CAUSE a delay
    in > DELAY; DO damage to > DAMAGE; DO harm to > HARM; DO research into > RESEARCH | STUDY; DO a study of > STUDY;
    PROVIDE a description of > DESCRIBE; PROVIDE an explanation of > EXPLAIN; PROVIDE an explanation for > EXPLAIN;
    PROVIDE a summary of > SUMMARISE | SUMMARIZE; PROVIDE an overview of > OUTLINE | SUMMARISE | SUMMARIZE; PROVIDE an
    account of > DESCRIBE; PROVIDE protection for > PROTECT; PROVIDE protection to > PROTECT; PROVIDE help for > HELP;
    PROVIDE assistance for > HELP; PROVIDE assistance with > HELP with; PROVIDE aid to > AID | HELP; PROVIDE advice to
    > ADVISE; PROVIDE training to > TRAIN; PROVIDE training for > TRAIN; PROVIDE funding for > FUND; PROVIDE finance
    for > FINANCE; PROVIDE food for > FEED; PROVIDE shelter to > SHELTER; PROVIDE housing for > HOUSE; PROVIDE proof
    of > PROVE; PROVIDE a response to > ANSWER; PROVIDE an answer to > ANSWER; PROVIDE a solution to > SOLVE; FIND a
    solution to > SOLVE; FIND an answer to > ANSWER; FIND fault with > CRITICISE; COME up with > DEVISE | PROPOSE;
    COME to an end > STOP | FINISH; COME to a halt > STOP; COME to a stop > STOP; COME into being > ARISE; COME into
    possession of > GET; COME to terms with > ACCEPT; COME across > FIND; COME to the realisation that > REALISE that;
    COME to the realization that > REALIZE that; REACH the decision to > DECIDE to; REACH a compromise regarding >
    COMPROMISE on; REACH a verdict > DECIDE; REACH an understanding > AGREE; REACH an agreement on > AGREE on; REACH
    an agreement to > AGREE to; REACH agreement on > AGREE on; ARRIVE at the conclusion that > CONCLUDE that |
    CONCLUDE; ARRIVE at a decision > DECIDE; ARRIVE at an agreement > AGREE; DRAW the conclusion that > CONCLUDE that
    | CONCLUDE; DRAW attention to > POINT out | HIGHLIGHT; DRAW a comparison between > COMPARE; DRAW up > DRAFT |
    WRITE; ENTER into an agreement > AGREE; ENTER into negotiations > NEGOTIATE; ENTER into discussions > TALK;
    EXPRESS a desire to > ASK to; EXPRESS doubts about > DOUBT | QUESTION; EXPRESS doubt about > DOUBT | QUESTION;
    EXPRESS concern about > WORRY about; EXPRESS concern over > WORRY about; EXPRESS approval of > APPROVE of; EXPRESS
    criticism of > CRITICISE | CRITICIZE; EXPRESS admiration for > ADMIRE | PRAISE; EXPRESS thanks to > THANK; EXPRESS
    gratitude to > THANK; EXPRESS the view that > SAY that | SAY; EXPRESS the opinion that > SAY that | SAY; EXPRESS
    the hope that > HOPE that | HOPE; EXPRESS the belief that > SAY that; EXPRESS fears that > FEAR that | FEAR; VOICE
    opposition to > OPPOSE; VOICE support for > SUPPORT; VOICE concern about > WORRY about; LODGE a complaint >
    COMPLAIN; FILE a complaint > COMPLAIN; RAISE an objection to > OBJECT to; RAISE objections to > OBJECT to; RAISE
    questions about > QUESTION; RAISE doubts about > QUESTION; LEND support to > SUPPORT; EXERT control over >
    CONTROL; EXERT an influence on > INFLUENCE; EXERCISE control over > CONTROL; TAKE possession of > GET; TAKE charge
    of > LEAD; TAKE advantage of > USE; TAKE aim at > TARGET; TAKE delivery of > RECEIVE; TAKE receipt of > RECEIVE;
    TAKE issue with > DISPUTE; TAKE note of > NOTE | NOTICE; TAKE notice of > NOTICE; TAKE cognisance of > NOTE; TAKE
    a photograph of > PHOTOGRAPH; TAKE a picture of > PHOTOGRAPH; TAKE photographs of > PHOTOGRAPH; TAKE pictures of >
    PHOTOGRAPH; TAKE a measurement of > MEASURE; TAKE up residence in > SETTLE in; TAKE the decision to > DECIDE to;
    TAKE a decision to > DECIDE to; TAKE apart > DISMANTLE; MAKE sure that > ENSURE that; MAKE sure > ENSURE; MAKE
    certain that > ENSURE that; MAKE certain > ENSURE; SEE to it that > ENSURE that; MAKE it clear that > MAKE clear
    that; MAKE it plain that > MAKE plain that; MAKE it known that > MAKE known that; MAKE an application for > APPLY
    for; MAKE a request for > REQUEST | ASK for; MAKE an inquiry about > ASK about; MAKE enquiries about > ASK about;
    MAKE inquiries about > ASK about; MAKE an appearance > APPEAR; MAKE an appearance at > ATTEND; MAKE a start on >
    START; MAKE allowance for > ALLOW for; MAKE amends for > ATONE for; MAKE changes to > CHANGE; MAKE alterations to
    > ALTER | CHANGE; MAKE improvements to > IMPROVE; MAKE adjustments to > ADJUST; MAKE modifications to > MODIFY |
    CHANGE; MAKE repairs to > REPAIR; MAKE additions to > ADD to; MAKE cuts to > CUT; MAKE reductions in > REDUCE;
    MAKE a reduction in > REDUCE; MAKE fun of > MOCK; MAKE preparations for > PREPARE for; MAKE plans to > PLAN to;
    MAKE arrangements for > ARRANGE; MAKE arrangements to > ARRANGE to; MAKE an agreement to > AGREE to; MAKE the
    acquaintance of > MEET; MAKE the discovery that > DISCOVER that; MAKE the assumption that > ASSUME that | ASSUME;
    MAKE the suggestion that > SUGGEST that | SUGGEST; MAKE the statement that > SAY that | STATE that; MAKE the
    observation that > OBSERVE that | NOTE that; MAKE the point that > SAY that | NOTE that; MAKE the recommendation
    that > RECOMMEND that; MAKE the argument that > ARGUE that | ARGUE; MAKE the choice to > CHOOSE to; UNDERGO a
    change > CHANGE; UNDERGO an increase > INCREASE; SHOW an increase > INCREASE | RISE; SHOW a decrease > DECREASE |
    FALL; SHOW a preference for > PREFER; SHOW up > APPEAR; EXPERIENCE an increase > INCREASE | RISE; EXPERIENCE a
    decline > DECLINE; OBTAIN access to > ACCESS; GAIN entry to > ENTER; GET out of > LEAVE; FALL asleep > SLEEP; FALL
    short of > MISS; GROW in size > GROW; INCREASE in size > GROW; INCREASE in number > INCREASE; DECREASE in size >
    SHRINK; REDUCE in size > SHRINK; RISE to a level of > RISE to; RETURN back > RETURN; REPEAT again > REPEAT; REVERT
    back > REVERT; MERGE together > MERGE; JOIN together > JOIN; COMBINE together > COMBINE; GATHER together > GATHER;
    CONNECT together > CONNECT; CONTINUE on > CONTINUE; REFER back > REFER; PROCEED further > PROCEED; CIRCLE around >
    CIRCLE; ENTER into > ENTER; MEET up with > MEET; MEET with > MEET; VISIT with > VISIT; SEEK out > SEEK; FOLLOW
    after > FOLLOW; RISE up > RISE; CLIMB up > CLIMB; LIFT up > LIFT; SPLIT up > SPLIT; OPEN up > OPEN; CLOSE down >
    CLOSE; SHUT down > CLOSE; START out > START; END up > END; FINISH up > FINISH; USE up > USE; EAT up > EAT; WRITE
    down > WRITE; NOTE down > NOTE; TURN down > REJECT | REFUSE; TURN up > APPEAR; HAND over > GIVE; HAND in > SUBMIT;
    SEND out > SEND; SEND back > RETURN; GIVE back > RETURN; LOOK into > INVESTIGATE | EXAMINE; LOOK for > SEEK;
    SEARCH for > SEEK; LOOK after > TEND; DEAL with > HANDLE; TALK about > DISCUSS; SPEAK about > DISCUSS; ASK for >
    REQUEST; WORK out > SOLVE; FIGURE out > SOLVE; BREAK down > FAIL; BLOW up > EXPLODE; TEAR down > DEMOLISH; KNOCK
    down > DEMOLISH; PULL down > DEMOLISH; SET aside > RESERVE; LEAVE out > OMIT; RULE out > EXCLUDE; STAND for >
    MEAN; SPEED up > ACCELERATE; SLOW down > SLOW; TRY out > TEST; TEST out > TEST; CHECK out > CHECK; CHECK on >
    CHECK; CHECK up on > CHECK; CUT down on > REDUCE | CUT; CUT back on > REDUCE | CUT; CUT back > CUT; CUT down >
    CUT; REDUCE down > REDUCE; BRING down > REDUCE | LOWER; BRING up > RAISE; BRING in > INTRODUCE; BRING together >
    UNITE; BRING to a close > END | CLOSE; BRING to a halt > STOP | HALT; BRING to an end > STOP; BRING into being >
    CREATE; BRING into effect > INTRODUCE; PUT into effect > APPLY; PUT into operation > START; PUT into practice >
    APPLY; CARRY out a study of > STUDY; CARRY out tests on > TEST; CARRY out repairs to > REPAIR; CARRY out repairs
    on > REPAIR; CARRY out an attack on > ATTACK; CARRY out work on > WORK on; CONDUCT a study of > STUDY; CONDUCT a
    survey of > SURVEY; CONDUCT tests on > TEST; CONDUCT an interview with > INTERVIEW; CONDUCT interviews with >
    INTERVIEW; CONDUCT research into > RESEARCH | STUDY; CONDUCT research on > RESEARCH | STUDY; HOLD a discussion
    about > DISCUSS; HOLD discussions with > TALK to | TALK with; HOLD a vote on > VOTE on; HOLD a conversation with >
    TALK to; KEEP a record of > RECORD; KEEP track of > TRACK; KEEP watch over > WATCH; KEEP an eye on > WATCH; STAND
    in opposition to > OPPOSE; ACT as a guide for > GUIDE; SERVE as a guide to > GUIDE; SERVE as host of > HOST; ACT
    as chair of > CHAIR; APPEAR to be > APPEAR | SEEM; PROVE to be > BE | PROVE; TURN out to be > BE; REMAIN to be >
    REMAIN; BE seen to be > BE; BE considered to be > BE considered; BE believed to be > BE believed; BE deemed to be
    > BE deemed; BE of the same > SHARE the same; BE equipped with > HAVE; BE fitted with > HAVE; BE furnished with >
    HAVE; BE provided with > GET | RECEIVE | HAVE; BE endowed with > HAVE; BE possessed of > HAVE; BE the holder of >
    HOLD; BE titled > BE called; BE named > BE called; BE employed by > WORK for; BE employed at > WORK at; BE
    employed as > WORK as | BE; WORK as > BE; BE enrolled at > ATTEND; BE educated at > ATTEND | STUDY at; BE born and
    raised in > COME from; BE present at > ATTEND; BE positioned > STAND | BE; BE located > BE | STAND | LIE; BE
    situated > BE | STAND | LIE; SUSTAIN damage > SUFFER damage; SUSTAIN injuries > SUFFER injuries; SUSTAIN losses >
    SUFFER losses; SUSTAIN an injury > SUFFER an injury; BE lacking in > LACK; BE entitled > BE called; BE under
    construction > BE being built; REQUEST > ASK for; SEEM to be > SEEM; BE held in > TAKE place in | HAPPEN in; BE
    held on > TAKE place on | HAPPEN on; BE held at > TAKE place at | HAPPEN at; on two occasions > twice | two times;
    on one occasion > once; on three occasions > three times; on two separate occasions > twice; on three separate
    occasions > three times; on four occasions > four times; on five occasions > five times; on six occasions > six
    times; on seven occasions > seven times; two times > twice; on eight occasions > eight times; on ten occasions >
    ten times; on 2 occasions > twice; one time > once; on more than one occasion > more than once | repeatedly; on
    rare occasions > rarely; on occasion > sometimes | occasionally; on the occasion of > at | on; on an hourly basis
    > hourly; on a monthly basis > every month; on a nightly basis > nightly; on a frequent basis > frequently |
    often; on a continuous basis > continuously; on a constant basis > constantly; on an ongoing basis > continually;
    on an individual basis > individually; on a national basis > nationally; on a part-time basis > part-time; on a
    full-time basis > full-time; on a provisional basis > provisionally; on an informal basis > informally; in a
    careful manner > carefully; in a timely manner > promptly | on time; in a timely fashion > promptly | on time; in
    an efficient manner > efficiently; in a safe manner > safely; in an effective manner > effectively; in a secure
    manner > securely; in an orderly manner > in order; in a similar manner > similarly; in a similar way > similarly;
    in a similar fashion > similarly; in a different manner > differently; in a different way > differently; in a
    friendly manner > kindly; in a hurried manner > hurriedly; in a polite manner > politely; in a quick manner >
    quickly; in a reckless manner > recklessly; in a responsible manner > responsibly; in a gradual manner >
    gradually; in a correct manner > correctly; in a public way > publicly; in an appropriate manner > appropriately |
    properly; in a proper manner > properly; in a consistent manner > consistently; in a fair manner > fairly; in a
    hasty manner > hastily; in private > privately; in public > publicly; in haste > hastily; in error > by mistake |
    mistakenly; by accident > accidentally; by mistake > mistakenly; on purpose > deliberately | intentionally; by
    hand > manually; by phone > over the phone; by telephone > by phone; by post > by mail; with care > carefully;
    with caution > cautiously; with ease > easily; with speed > quickly; with haste > hastily; with pride > proudly;
    with joy > joyfully; without delay > promptly | at once | immediately | quickly; for free > free; at a high speed
    > fast; at high speed > fast; at great speed > fast; at a slow pace > slowly; at a rapid pace > rapidly | fast |
    quickly; at a rapid rate > rapidly | fast | quickly; at a fast pace > fast | quickly; at the same time as > while
    | with; at the hour of > at; at the close of > at the end of; at the outset of > at the start of; at an early
    stage > early; at a late stage > late; at a future date > later; at a subsequent date > later; at the earliest
    opportunity > as soon as possible | soon; as soon as is possible > as soon as possible; at this time > now; at
    this stage > now; at this point > now; at this juncture > now; at this moment > now; at the moment > now |
    currently; as of today > now; as of this moment > now; as of this writing > now; at that moment > then; at that
    point > then; at that stage > then; at which time > when; at which point > when; by that time > by then; by this
    time > by now; during the night > at night | overnight; during the time when > while | when; during the same time
    that > while; in the time that > while; for the time being > for now; for the present > for now; for the moment >
    for now; in the interim > meanwhile; in due course > later | in time; in due time > later | in time; in the recent
    past > recently; in the early part of > early in; in the latter part of > late in; in the early hours of > early
    on; in the morning hours > in the morning; in the evening hours > in the evening; in the afternoon hours > in the
    afternoon; within the framework of > within | under; within the realm of > within; within the confines of > within
    | in; within the boundaries of > within | in; within the borders of > within | in; within the walls of > inside |
    in; within the space of > within | in; in the space of > within | in; within the bounds of > within; in the realm
    of > in; in the region of > about | around; in the order of > about; on the order of > about; in the context of >
    in; in the course of time > in time; in the domain of > in; in the sphere of > in; in the sector of > in; in the
    possession of > held by; on behalf of > for; in consequence of > because of; with the result that > so | so that;
    until the point where > until; in such a way that > so that; in such a way as to > to; in such a manner that > so
    that; in a way that > so that; in a manner that > so that; in a manner similar to > like; in a way similar to >
    like; in the same way as > like | as; in the same manner as > like | as; in the same way that > as; as opposed to
    > rather than | not; in light of > given | because of; in view of > given | because of; taking into account >
    given | considering; taking into consideration > given | considering; in defiance of > despite | against; in
    violation of > against; contrary to > against; in contravention of > against; in agreement with > with; in
    association with > with; in partnership with > with; in concert with > with; in the company of > with; in
    connection to > about; in respect of > about | for | on; with respect of > about; on the question of > about | on;
    on the issue of > about | on; over the issue of > over; on the subject > about; in search of > seeking; in
    possession of > with | holding; in aid of > for; to the benefit of > for; in receipt of > receiving; in the event
    > if; in the case where > if | when; in case of > if there is; in instances where > when | if; in those cases
    where > when | if; in the instance of > for; in the circumstance that > if; if it is the case that > if; if it
    should happen that > if; if it happens that > if; should it be the case that > if; on the assumption that > if; on
    the understanding that > if; under the condition that > if; subject to the condition that > if; in so far as > as
    far as; insofar as > as far as; except if > unless; only in the event that > only if; only in cases where > only
    if | only when; until the time when > until; until the moment when > until; on every occasion that > whenever;
    every time that > whenever; each time that > whenever; every time > whenever; at the moment when > when; at the
    point when > when; the place in which > where; the location where > where; in a place where > where; the people
    who > who | those who; persons who > those who | people who; those persons who > those who; those people who >
    those who; individuals who > those who | people who; the way that > how; the manner that > how; the process by
    which > how; the means by which > how; the extent to which > how much | how far; the degree to which > how much |
    how far; the reasons why > why; the reason for which > why; the question whether > whether; the issue of whether >
    whether; whether it is the case that > whether; in spite of this > still | yet; despite this > still; despite the
    fact > although; in spite of everything > still; although it is true that > although; even if it is the case that
    > even if; regardless of whether > whether; without regard to > regardless of; without regard for > regardless of;
    with the sole exception of > except; except for > except; on top of this > also; not to mention > and; to say
    nothing of > and; and also > and; and in addition > and; besides this > also; an array of > many; a multitude of >
    many; a plethora of > many; a myriad of > many; a considerable amount of > much; a significant amount of > much; a
    substantial amount of > much; a large quantity of > much | many; large quantities of > much; large amounts of >
    much; large numbers of > many; great numbers of > many; huge numbers of > many; a high number of > many; a huge
    number of > many; a vast number of > many; a substantial number of > many; an enormous number of > many; a large
    part of > much of; a large portion of > much of; a large proportion of > much of | many; a significant proportion
    of > many; a high proportion of > many; a good deal of > much; a great quantity of > much; a small amount of > a
    little | little; a small quantity of > a little; a small part of > a little of; a tiny number of > few | very few;
    a very small number of > few | very few; an insignificant number of > few; quite a number of > many; a portion of
    > some of | part of; a part of > part of; the bulk of > most; the bulk of the > most of the | most; the greater
    part of > most; the greater part of the > most of the; the larger part of > most; the greatest part of > most; the
    better part of > most of; the lion's share of > most; the overwhelming majority of > most; an overwhelming
    majority of > most; a large majority of > most; a great majority of > most; a vast majority of > most; the
    majority of cases > most cases; in most instances > usually; in the majority of instances > usually; in the
    majority of cases > usually | in most cases; in all instances > always; under no circumstances > never; at no time
    > never; at no point > never; not at any time > never; not ever > never; not at all > not; by no means > not; not
    as yet > not yet; not any longer > no longer; not anymore > no longer; not a single one of > none of; not a single
    > no; not the same > different; not different > the same; not able > unable; not possible > impossible; not
    correct > incorrect; not accurate > inaccurate; not true > untrue; not legal > illegal; not lawful > unlawful; not
    fair > unfair; not safe > unsafe; not certain > uncertain; not aware > unaware; not known > unknown; not necessary
    > unnecessary; not allowed > forbidden | banned; not permitted > forbidden | banned; did not succeed in > failed
    in; did not manage to > failed to; does not manage to > fails to; did not succeed > failed; does not have > lacks;
    do not have > lack; did not have > lacked; did not remember to > forgot to; all of these > all these; all of those
    > all those; all of his > all his; all of her > all her; all of its > all its; all of our > all our; all of their
    > all their; all of my > all my; all of your > all your; both of these > both; both of them > both; every one of >
    all | every; each one of > each of | each; every single > every; each individual > each; each separate > each; one
    and all > all; all the members of > all; throughout the whole of > throughout; throughout the entire > throughout
    the; during the whole of > throughout; across the whole of > across | throughout; across all of > across |
    throughout; in its entirety > entirely | wholly | in full; in their entirety > entirely | wholly | in full; in
    full > fully | completely; in part > partly; to a large extent > largely | mostly; to a great extent > largely |
    mostly; to a large degree > largely; to a great degree > greatly; for the most part > mostly | largely; as a
    general rule > generally | usually; as a rule > usually; in most cases > usually | mostly; in actual fact >
    actually | really; in all likelihood > probably; in all probability > probably; in close proximity > near | close;
    in the immediate vicinity of > near; in the area around > near | around; in the surroundings of > near; not far
    from > near; next to > beside | by; alongside of > beside | alongside; at the side of > beside; on the banks of >
    on | by; on the shores of > on; to the rear of > behind; on the far side of > beyond; at the top of > atop; in the
    interior of > inside | in; in the centre of > in; in the center of > in; from the inside of > inside | from; from
    out of > from; off from > off; away from > from; across to > to; throughout the length of > along; along the
    length of > along; the whole length of > along; final outcome > outcome; end result > result; final result >
    result; future plans > plans; past history > history; past experience > experience; basic fundamentals > basics;
    true facts > facts; free gift > gift; new innovation > innovation; advance planning > planning; advance warning >
    warning; mutual cooperation > cooperation; joint cooperation > cooperation; unexpected surprise > surprise;
    completely destroyed > destroyed; completely eliminated > eliminated; totally destroyed > destroyed; absolutely
    essential > essential; absolutely necessary > necessary; entirely complete > complete; brief summary > summary;
    exact same > same; very same > same; added bonus > bonus; usual custom > custom; armed gunman > gunman; postpone
    until later > postpone; plan ahead > plan; plan in advance > plan; warn in advance > warn; originally founded >
    founded; twelve noon > noon; 12 noon > noon; 12 midnight > midnight; twelve midnight > midnight; each and every
    one > each; null and void > void; cease and desist > stop; first and foremost > first; over and done with > over;
    any and every > any; various different > various; several different > several; many different > many; large in
    size > large; small in size > small; few in number > few; many in number > many; round in shape > round; square in
    shape > square; rectangular in shape > rectangular; of good quality > good; of poor quality > poor | bad; of a
    similar nature > similar; of the same kind > similar; of this kind > such; of this type > such; of that kind >
    such; of such a kind > such; of an urgent nature > urgent; of a serious nature > serious; of a temporary nature >
    temporary; of great importance > important | very important; of no value > worthless; of large size > large; of
    small size > small; in short supply > scarce; in flames > burning; on fire > burning; under arrest > arrested;
    under repair > being repaired; under review > being reviewed; under discussion > being discussed; under
    investigation > being investigated; under consideration > being considered; under development > being developed;
    under construction > being built; under way > happening; on display > shown | displayed; on loan > lent | loaned;
    on strike > striking; on a large scale > widely; on a wide scale > widely; during the period of > during; during
    the period in which > while; during the time in which > while; over the period of > over | during; for the period
    of > for; throughout the period of > throughout; will need to > must | have to; will have to > must | have to;
    need to > must | have to; needs to > must | has to; have got to > must | have to; has got to > must | has to; as
    soon as > once | when; the moment that > when | once; has the capability to > can; have the capability to > can;
    has the power to > can; have the power to > can; has the means to > can; have the means to > can; has the
    authority to > may | can; have the authority to > may | can; has the potential to > could | may | can; have the
    potential to > could | may | can; has the option to > can | may; have the option to > can | may; has the option of
    > can; had the capacity to > could; had the opportunity to > could; in my opinion > i think | i believe; in my
    view > i think | i believe; from my point of view > i think; in our opinion > we think | we believe; in our view >
    we think | we believe; to my mind > i think; EXPRESS concern that > FEAR that | FEAR | WORRY that; VOICE concern
    that > FEAR that | FEAR; EXPRESS fear that > FEAR that | FEAR; EXPRESS hope that > HOPE that | HOPE; EXPRESS
    regret that > REGRET that; the question as to whether > the question whether | whether; the question of whether >
    the question whether | whether; for the fourth consecutive year > for the fourth year in a row; CEASE to function
    > STOP working; CEASE to > STOP; OCCUR > ARISE | HAPPEN; CONSTITUTE > BE; to make matters worse >; believe it or
    not >; on the one hand >; all things considered >; when all is said and done >; strange as it may seem >; as luck
    would have it >; in a nutshell >; to put it simply >; to put it another way >; truth be told >; to tell the truth
    >; to be honest >; if truth be told >; needless to say >; as you are aware >; MURDER > KILL; ASSASSINATE > KILL;
    SLAY > KILL; MARCH > WALK; WHISPER > SAY; SHOUT > SAY; SPRINT > RUN; irrespective of the fact that > although |
    even though; COLLIDE with > HIT | STRIKE; be so kind as to > kindly | please; BE convinced that > BELIEVE that |
    BELIEVE; HOLD talks with > TALK to | TALK with; FORWARD > SEND; MAIL > SEND; MAIM > INJURE; RATIFY > APPROVE;
    COMMEMORATE > MARK; SUSPEND > HALT; CONQUER > DEFEAT; CONFESS > ADMIT; ADMIT > ACKNOWLEDGE; CONCEDE > ACKNOWLEDGE
    | ADMIT; furious > angry; filthy > dirty; silent > quiet; tiny > small; CHAT > TALK; MULTIPLY > GROW; burglar >
    thief; plane > aircraft; planes > aircraft; ship > vessel; ships > vessels; immediately > promptly; COMPRISE >
    INCLUDE; VERIFY > CHECK; cash > money; DELETE > REMOVE; ERASE > REMOVE; DUMP > DISCARD; ELECT > CHOOSE; BLOCK >
    STOP; ESCAPE from > FLEE from; DESCEND > COME down; additional > more; further > more; BE planning to > PLAN to;
    BE hoping to > HOPE to; BE aiming to > AIM to; BE intending to > INTEND to; BE expecting to > EXPECT to; is
    derived from > derives from; are derived from > derive from; was derived from > derived from; BE descended from >
    DESCEND from; a load of >; a sum of >; a dose of >; a volume of >; a fee of >; a duration of >; what happened was
    that >; what happened is that >; as to why > why; as to how > how; full and complete > full | complete; true and
    correct > true | correct; terms and conditions > terms; rules and regulations > rules; part and parcel > part; one
    and only > only; over and above > beyond | above; final and conclusive > final; fit and proper > fit | proper;
    will and testament > will; keep and maintain > keep | maintain; by and between > between; covenant and agree >
    agree; unless and until > until | unless; as and when > when; ways and means > means | ways; separate and distinct
    > separate | distinct; peace and quiet > quiet; close proximity > proximity; component parts > parts; consensus of
    opinion > consensus; general public > public; personal opinion > opinion; personal friend > friend; old proverb >
    proverb; final conclusion > conclusion; natural instinct > instinct; safe haven > haven; completely full > full;
    completely filled > filled; completely surrounded > surrounded; future prospects > prospects; interact with each
    other > interact; CANCEL out > CANCEL; COOPERATE together > COOPERATE; COLLABORATE together > COLLABORATE; MIX
    together > MIX; BLEND together > BLEND; LINK together > LINK; RETREAT back > RETREAT; REPLY back > REPLY; ADVANCE
    forward > ADVANCE; PROTRUDE out > PROTRUDE; KNEEL down > KNEEL; FACE up to > FACE; HEAT up > HEAT; COOL down >
    COOL; LOCK up > LOCK; PRINT out > PRINT; first before > before; SPREAD out > SPREAD; SELL off > SELL; in close
    succession > close together; PUT up resistance > RESIST; PUT up a fight > FIGHT; at which point in time > when; in
    the not-too-distant future > soon; in this day and age > today | now | nowadays; as a consequence > so | therefore
    | consequently; for this reason > so | therefore; for that reason > so | therefore; as a result > so | therefore;
    in such a fashion that > so that; a sufficient number of > enough; a sufficient amount of > enough; sufficient
    quantities of > enough; an adequate number of > enough; an adequate amount of > enough; on the part of > by; in
    the eyes of > to
"""

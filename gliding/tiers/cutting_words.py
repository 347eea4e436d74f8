"""The English words that decide what may be cut from a sentence: what must stay, what scopes, what only adds.

Where a list says what may go it is closed: a word that is not on it stays.
"""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ARTICLES = _set("a an the his her their")
RELATIVES = _set("which who whom whose where when")
CONDITIONS = _set("if unless whether provided until till except assuming otherwise lest once")

# Quantifiers, hedges and limits: never cut, since a claim without one is another claim.
HELD = _set(
    """all some most many much few several any every each both either neither none no half majority minority part
    everyone everybody everything everywhere someone somebody something somewhere anyone anybody anything anywhere
    nobody nothing nowhere more less least than enough too almost nearly approximately roughly circa exactly precisely
    only solely merely just even mainly mostly largely generally usually normally typically often sometimes
    occasionally frequently rarely seldom always never ever hardly barely scarcely probably perhaps maybe possibly
    likely unlikely apparently seemingly allegedly reportedly supposedly presumably arguably potentially theoretically
    hypothetically partly partially virtually practically essentially temporarily permanently formerly previously
    currently still yet already again also instead rather unsuccessfully wrongly falsely incorrectly
    erroneously mistakenly purportedly ostensibly nominally
    informally unofficially
    alleged supposed so-called would-be potential possible probable apparent fake false former future previous
    first second third fourth fifth sixth seventh eighth ninth tenth last next further
    other another same different per early earlier later
    because since although though despite whereas unlike against without except excluding but or nor according
    before after until via then not n't cannot if unless whether"""
)

# What makes a broader claim a stronger one for all of its clause.
OPERATORS = CONDITIONS | _set(
    """no not n't never none nobody nothing nowhere neither nor without all every each any everyone everybody everything
    anyone anybody anything always ever only solely few little hardly barely scarcely rarely seldom than too enough
    same other another different first last most least almost nearly perhaps maybe possibly probably allegedly
    reportedly supposedly apparently or either before like as how why just even"""
)

# Verbs under which nothing is said to have happened, or the contrary.
OPAQUE = _set(
    """fail refuse deny doubt reject prevent avoid forbid ban prohibit stop lack decline neglect forget dispute oppose
    plan want hope wish expect intend aim seek try attempt offer promise threaten propose suggest recommend urge ask
    request demand require order allow permit seem appear tend imagine pretend dream predict consider claim allege
    suspect believe think assume suppose wonder question test examine investigate exclude limit restrict restrain"""
)

# Participles that open a condition or a limit.
SUPPOSING = OPAQUE | _set(
    """provide give grant base depend accord regard concern follow compare contrast bar judge admit see use cause lead
    result make force include owe leave"""
)

MARKERS = frozenset(
    phrase.strip()
    for phrase in """however | moreover | furthermore | additionally | in addition | meanwhile | indeed | incidentally |
    nevertheless | nonetheless | similarly | likewise | in fact | for example | for instance | by the way | besides |
    interestingly | notably | remarkably | surprisingly | unsurprisingly | in turn | of course | as well | to be sure |
    in particular | well | oh | hmm | uh | um | wow | hey | you know | as it happens | needless to say""".split("|")
)

# Adverbs that say how something was done.
MANNER = _set(
    """quickly slowly carefully clearly greatly strongly deeply widely actively closely rapidly gradually steadily
    quietly loudly suddenly immediately happily sadly proudly calmly gently firmly warmly heavily badly severely
    sharply dramatically significantly substantially considerably vastly extremely highly really truly absolutely
    completely totally utterly thoroughly openly publicly bravely brilliantly neatly nicely eagerly keenly vigorously
    aggressively enthusiastically peacefully promptly swiftly smoothly brutally famously notably"""
)

PLACING = _set("in on at during throughout near along across amid within inside outside beside")
OCCASIONS = _set(
    """morning afternoon evening night day week weekend month year summer winter spring autumn season period era century
    decade moment time meeting conference interview statement ceremony speech briefing session event festival press
    street city town village house building room area region centre center station hospital school office square park
    garden hall theatre stadium airport field river coast island countryside ground site"""
)
# Verbs whose place is part of what they say.
PLACED = OPAQUE | _set(
    """be put place set lay lie sit stand live reside dwell stay remain arrive locate situate base bear hold keep find
    leave enter join take spend invest involve interest engage participate result include contain build rebuild open
    establish found install station house host bury meet win lose defeat elect appoint crown start begin end finish
    complete date record publish release die kill discover lead play mark represent depict see show call name know
    describe spot use divide move return land drop hang store write print sign schedule pass"""
)

# Adjectives that say one more thing about what the noun names; never one that takes from it, as "former" does.
ADDING = _set(
    """big large small huge tiny great enormous massive vast long short tall high wide broad narrow deep thick thin
    heavy old ancient modern new young beautiful lovely pretty ugly nice fine famous well-known prominent renowned
    popular notable remarkable impressive spectacular magnificent elegant charming pleasant friendly lively quiet busy
    bright dark red blue green yellow white black brown grey gray golden colourful colorful rich wealthy poor
    strong powerful sturdy steep rough smooth round square wooden important major significant"""
)
# Beside these every modifier of a noun picks out the one that is meant.
SINGLING = HELD | _set("only first last same sole single unique very no all every each 's of")

# Verbs that say something of their objects together.
JOINING = OPAQUE | _set(
    """mix combine merge compare connect link join unite separate distinguish match marry pair swap exchange alternate
    balance divide split share blend add confuse reconcile contrast relate bridge couple fuse integrate interchange"""
)

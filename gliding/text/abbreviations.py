"""Words that a full stop follows without ending the sentence, by what may come after them."""

from __future__ import annotations

from typing import Literal

Class = Literal["never", "number", "weak", "last"]
"""What a full stop after the word means.

``never``: no sentence ends here (Dr., e.g.). ``number``: none ends here before a number or a Roman numeral (No., Fig.).
``weak``: one ends here only before a word that starts sentences (Inc., U.S., Jan.). ``last``: one ends here before any
capital (etc.).
"""

_NEVER = """
    dr mr mrs ms mx prof messrs mme mlle st ste gen sen rep reps gov capt cpt cmdr lt col sgt maj adm rev hon supt fr sr
    srta mt ft pres e.g eg i.e ie cf vs v viz approx ca circa incl resp cp al. op.cit loc.cit z.b bzw vgl d.h ggf nr
"""
_NUMBER = """
    no nos sec secs sect fig figs eq eqs eqn ch chap art arts p pp par para paras vol vols tab ref refs app bk pt pts cl
    ex ser cap cir ord reg sched ann ver rev art § n nn fn l ll ed. iss ep ser. num rm apt ste bldg op fol ff. pl
"""
_WEAK = """
    inc corp ltd co cos llc llp plc bros jr esq al ph.d m.d b.a m.a b.sc m.sc d.phil d.c a.m p.m a.d b.c u.s u.k u.n e.u
    u.s.a jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat ave blvd rd hwy dept
    univ inst assn assoc min max est hr hrs mins secs lb lbs oz in yd sq cu gal mi tel ext attn ed eds trans repr
    rev'd govt natl intl mfg dist div gmbh s.a s.p.a n.v ibid id supp so.2d so.3d f.supp cal ill mass pa tex wash fla
    ariz colo conn del ga ind kan ky la md mich minn miss mo mont neb nev okla ore tenn va vt wis wyo ont que alta
"""
_LAST = "etc ff et.al et.seq seq"

ABBREVIATIONS: dict[str, Class] = {
    **dict.fromkeys(_LAST.split(), "last"),
    **dict.fromkeys(_WEAK.split(), "weak"),
    **dict.fromkeys(_NUMBER.split(), "number"),
    **dict.fromkeys(_NEVER.split(), "never"),
}

_ORDINARY = "in la id ill pa miss mass del wash ore min max sat sun fri art no ex pt rev so ind mar mi mo mon wed"
ORDINARY = frozenset(_ORDINARY.split())
"""Abbreviations that are words too: in lower case and at the end of a sentence they are read as the word."""

_STARTERS = """
    The This That These Those It Its It's He She We They You I His Her Their Our My Your There Here In On At By For From
    With Without As A An When While Where Who What Which Why How If But And Or So Yet Then Next After Before Since Until
    Although Though However Because Also Some Many Most Each Every All No Not One Two Three Another Other Both Such
    Thus Hence
    Therefore Moreover Meanwhile Instead Still Now Today Yesterday Tomorrow Later Once During Under Over About
    Into Is Are Was
    Were Did Do Does Has Have Had Can Could Will Would Should May Must Let Please Thanks Yes Finally First
    Second Third Last Only Even Despite Nobody Everyone Nothing Something Unless Otherwise Indeed Perhaps Maybe Just
"""
STARTERS = frozenset(_STARTERS.split())
"""Capitalised words that open sentences rather than go on with a name."""

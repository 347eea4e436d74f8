"""Closed lists of Chinese, Japanese and Korean: words that a claim turns on, dates, numerals, units and names.

These scripts put no space around a word, so each pattern says by the characters next to it where a word is part of
another (不 is in 不仅, 未 in 未来). Where that cannot be said, the word is not listed. All repetition is bounded.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from gliding.text.scripts import CJK, HAN, HANGUL, narrow, tight

CjkKind = Literal["number", "date", "negation", "modal", "condition"]

HAS_CJK = re.compile(f"[{CJK}{HANGUL}]")
UNIT = (
    "(?:[美欧歐港日]?[元圆圓]|人民[币幣]|[円塊块원]|[万萬]?[亩畝]|平方(?:公里|千米|英里|[分厘]?米|英尺)|立方[分厘]?米"
    "|[公海英]里|英[尺寸]|公[顷頃尺]|[千厘毫微]?米|[公英市千毫]?[斤克]|[毫公]?升|千瓦[时時]?|[兆吉]瓦|摄氏度|小[时時]|分[钟鐘]"
    "|[个個]?月|시간|개월|퍼센트|명|[吨噸秒天日岁歲名个個人次倍台件家项項年周週度票层層页頁辆輛株只隻条條])"
)
SCALE = "(?:[千百]?(?:[万萬][亿億]|[万萬亿億])|[만억]|千)"
_ONE_TO_NINE = "一二两兩三四五六七八九"
_DIGIT = f"{_ONE_TO_NINE}〇零"
_NUMERAL = f"[{_DIGIT}十百千万萬亿億]"
_COUNT = rf"(?:\d{{1,4}}|{_NUMERAL}{{1,6}})"

_NEGATION = (
    "[并並从從尚均]未(?![来來])|[并並绝絕]非|[从從绝絕毫并並决決]不|[没沒]有?"
    "|(?<!差)不(?![仅僅但断斷同过過管论論久少料妨愧丹锈鏽禁止])(?<!了不(?=起))(?<!对不(?=起))(?<!對不(?=起))"
    "|未(?![来來免])|[无無](?![论論非疑锡錫线線缝縫辜奈聊])|(?<![除是莫无無南北东東西中])非(?![常洲得])"
    f"|勿|(?<![{HAN}])别(?![人的墅名称称處处具致样扭国國家])|缺[乏少]"
    "|(?<![少危幼切])(?:ない(?!し)|なかった)|ません|않|(?<![연잘])못|없"
)
_MODAL = (
    "必[须須需]|[应應][当當该該]|可以|可能|也[许許]|或[许許]|需要|能[够夠]|允[许許]|有[权權]|不得不?|禁止|[严嚴]禁|[务務]必"
    "|(?<![必胡触觸龙龍])[须須](?![知臾眉发髮])"
    "|(?<![反适適响響供对對相效感照呼答回策])[应應](?=[在于於由按向与與将將自经經依就予及立])"
    "|なければ(?:ならない|なりません)|かもしれ(?:ない|ません)|べき|必ず|해야|하여야|되어야|수도 있"
)
_CONDITION = (
    "除非|如果|如[若遇]|只有|只要|直[到至]|假[如若]|否[则則]|除了|倘若|一旦|[仅僅][当當在限]"
    f"|(?<![{HAN}])若(?![干有无無])|(?:情[况況]|[条條]件|前提)之?下"
    "|もし(?!も)|場合(?=[はにのをで、])|만약|만일"
)
# A bound is a condition on the number beside it.
_BOUND = (
    "不(?:超[过過]|[少低高多大小早晚迟遲][于於]|止)|不足(?=[\\d一二三四五六七八九十百])|[至最][少多]|超[过過]"
    f"|[低高少多大小][于於](?=[\\d{_ONE_TO_NINE}百千])"
    "|(?<=[\\d元圆月日号天年周人名个岁米克升斤吨里时点钟分秒倍度次项件台%％万亿千百十])(?:以[上下内內]|之[前后後])"
)
_DATE = (
    rf"(?:\d{{4}}\s?年|[〇零一二三四五六七八九]{{4}}年|今年|去年|明年)?第?{_COUNT}季度|[上下]半年"
    "|[〇零一二三四五六七八九]{4}年(?:[一二三四五六七八九十]{1,2}月(?:[一二三四五六七八九十]{1,3}[日号號])?)?"
    "|[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}[日号號]|(?:[周週]|星期|[礼禮]拜)[一二三四五六日天]"
    rf"|(?:[上下中]午|凌晨|早上|晚上|傍晚|午[前後]){_COUNT}[点點时時](?:半|整|{_COUNT}分?)?|\d\d?[点點时時]\d\d?分"
    r"|(?:令和|平成|昭和)(?:\d\d?|元)年(?:\d\d?月(?:\d\d?日)?)?"
    r"|\d{4}년(?:\s?\d\d?월(?:\s?\d\d?일)?)?|\d\d?월\s?\d\d?일|오[전후]\s?\d\d?시(?:\s?\d\d?분)?"
)
_NUMBER = (
    rf"[百千]分之(?:\d{{1,9}}(?:\.\d{{1,9}})?|{_NUMERAL}{{1,9}}(?:点{_NUMERAL}{{1,9}})?)"
    rf"|第{_COUNT}[章条條款项項节節号號届屆次名期批页頁卷版位个個]?"
    rf"|(?![千百]?[万萬亿億]|万一|千万){_NUMERAL}{{2,12}}(?:(?<=[十百千万萬亿億]){UNIT}?|{UNIT})(?<!十分)"
    rf"|[二两兩三四五六七八九十]{UNIT}"
)
PATTERNS: tuple[tuple[CjkKind, re.Pattern[str]], ...] = (
    ("negation", re.compile(_NEGATION)),
    ("modal", re.compile(_MODAL)),
    ("condition", re.compile(f"{_CONDITION}|{_BOUND}")),
    ("date", re.compile(_DATE, re.ASCII)),
    ("number", re.compile(_NUMBER, re.ASCII)),
)

_VALUES = {**dict(zip("〇一二三四五六七八九", range(10), strict=True)), "零": 0, "两": 2}
_PLAIN = str.maketrans("萬億兩％個時鐘點號圓", "万亿两%个时钟点号元")
_ONE = "[一二三四五六七八九]"
_FIRST = "[一二两三四五六七八九]"
_SECTION = re.compile(f"(?:({_FIRST})千)?零?(?:({_FIRST})百)?零?(?:({_ONE}?)(十))?(零?)({_FIRST})?")
_POSITIONAL = re.compile(f"[{_DIGIT}]*[〇零][{_DIGIT}]+|[{_DIGIT}]{{4,}}")
_COUNTED = re.compile(f"(?:(?<=^)|(?<=第)){_NUMERAL}+|{_NUMERAL}+(?=[年月日号点时分])")
_SCALED = re.compile(r"(\d+(?:\.\d+)?)\s?([百千]?万?亿|[百千]?万|千)", re.ASCII)
_SHARE = re.compile(rf"([百千])分之([\d.]+|{_NUMERAL}+)(?!点)")
_POWERS = {"百": 2, "千": 3, "万": 4, "亿": 8}


def value(numeral: str) -> int | None:
    """Return the number that a Chinese numeral says; None where it is none or may be read in two ways.

    >>> [value(each) for each in ("三十万", "一千零五", "二〇二四", "十二", "两百五", "三万五", "三四", "千万")]
    [300000, 1005, 2024, 12, None, None, None, None]
    """
    numeral = numeral.translate(_PLAIN)
    if _POSITIONAL.fullmatch(numeral):
        return int("".join(str(_VALUES[ch]) for ch in numeral))
    for mark, power in (("亿", 8), ("万", 4)):
        high, found, low = numeral.partition(mark)
        if found:
            top, rest = value(high), value(low.removeprefix("零")) if low else 0
            # "三万五" says 35,000: a low part is its plain value only where it is full or follows a zero
            if top is None or rest is None or (low and low[0] != "零" and rest < 10 ** (power - 1)):
                return None
            return int(top * 10**power + rest)
    section = _SECTION.fullmatch(numeral)
    if section is None or not numeral:
        return None
    thousand, hundred, tens, ten, zero, unit = section.groups()
    if unit and (thousand or hundred) and not (ten or zero or numeral[-2] == "零"):
        return None
    if hundred is None and thousand and ten and "零" not in numeral:
        return None
    return sum(
        _VALUES[digit] * weight
        for digit, weight in ((thousand, 1000), (hundred, 100), (("一" if ten and not tens else tens), 10), (unit, 1))
        if digit
    )


def normal(text: str) -> str:
    """Return the normal form of a number or a date: narrow, without spaces, its number in digits where it is sure.

    >>> [normal(each) for each in ("三十万元", "30 万元", "３.５亿", "百分之三十", "2024 年 3 月", "第十二章")]
    ['300000元', '300000元', '350000000', '30%', '2024年3月', '第12章']
    """
    text = surface(text).translate(_PLAIN)
    text = _SHARE.sub(_per, text, count=1)
    text = _COUNTED.sub(_in_digits, text)
    if text[:1].isdigit():
        text = _SCALED.sub(_scaled, text.replace(",", ""), count=1)
    return text


def surface(text: str) -> str:
    """Return a text narrow, in lower case and without spaces next to Han and kana, its numbers as they were written.

    >>> surface("３０ 万元")
    '30万元'
    """
    return tight(narrow(text)).lower()


def _in_digits(match: re.Match[str]) -> str:
    number = value(match[0])
    return match[0] if number is None else str(number)


def _per(match: re.Match[str]) -> str:
    number = match[2] if match[2][0].isascii() else value(match[2])
    return match[0] if number is None else f"{number}{'%' if match[1] == '百' else '‰'}"


def _scaled(match: re.Match[str]) -> str:
    number = Decimal(match[1]).scaleb(sum(_POWERS[mark] for mark in match[2]))
    return str(int(number)) if number == int(number) else match[0]


_SURNAME = (
    "(?:欧阳|司马|上官|诸葛|司徒|[王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧"
    "许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎余潘杜戴夏钟鐘汪田任姜范方石姚谭譚廖邹鄒熊金陆陸郝孔白崔康毛邱秦江史顾顧侯邵孟龙龍"
    "万段雷钱錢汤湯尹黎易常武乔喬贺賀赖賴龚龔文])"
)
_TITLE = (
    "(?:先生|女士|小姐|[经經]理|博士|教授|[总總](?:[经經]理|裁|[统統]|[监監])|主任|院士|[部院校局市省县]长|主席"
    "|[医醫]生|律[师師]|老[师師])"
)
_ORGANISATION = (
    "(?:有限公司|公司|大[学學]|[学學]院|[医醫]院|[银銀]行|集[团團]|委[员員][会會]|研究[所院]|法院|出版社|[机機][场場])"
)
_PLACE = "(?:省|(?<![城都超上股门])市|(?<![知])县|[縣州]|(?<![道铁公线思])路(?=\\d))"
_IN_NAME = (
    f"[^\\W\\d_的在于是和与及为了从到向对被把将等至以该本这那其并或也都有由某各每家一所個个{chr(0x3041)}-{chr(0x309F)}]"
)
_NAMES = re.compile(
    f"《([^《》\\n]{{1,40}})》|「([^「」\\n]{{2,20}})」|({_SURNAME}[{HAN}]{{0,2}}?)(?={_TITLE})"
    f"|({_IN_NAME}{{2,8}}?{_ORGANISATION})|({_IN_NAME}{{2,3}}{_PLACE})"
)


def names(text: str) -> set[str]:
    """Return the names of a text that rules can tell: titled works, persons with a title, organisations, places.

    >>> sorted(names("由王琳女士主持，《东方》出版社和北京大学参加。"))
    ['东方', '北京大学', '王琳']
    """
    return {tight(found[found.lastindex or 0]).lower() for found in _NAMES.finditer(text)}

"""What counts as a fact, and how it is written down."""

from __future__ import annotations

import time

import pytest

from gliding.facts import RuleEntities, find

NORMALS = {
    "number": {
        "$25.4 billion": "$25.4billion",
        "8,466": "8466",
        "12 %": "12%",
        "12 percent": "12%",
        "3.5 GHz": "3.5ghz",
        "30 ms": "30ms",
        "-3 °C": "-3°c",
        "5000元": "5000元",
        "€40": "€40",
        "40 centimetres": "40centimetres",
        "10-20 km/h": "10-20km/h",
        "twenty-five": "twenty-five",
        "9th": "9th",
        "1e-9": "1e-9",
        "100KB/s": "100kb/s",
        "360\u00a0km": "360km",
        "3/4": "3/4",
    },
    "date": {
        "30 April": "30 april",
        "30 April 2024": "30 april 2024",
        "April 5, 2023": "april 5, 2023",
        "2024-03-15": "2024-03-15",
        "2024-03-15T10:00:00Z": "2024-03-15t10:00:00z",
        "2024-05-11 03:00:00,817": "2024-05-11 03:00:00,817",
        "2024年3月15日": "2024年3月15日",
        "03/04/2021": "03/04/2021",
        "3:15 pm": "3:15 pm",
        "10:05:09": "10:05:09",
        "5 p.m.": "5 p.m",
        "Tuesday": "tuesday",
        "Friday, 3 May 2024": "friday, 3 may 2024",
        "March 2020": "march 2020",
        "1990s": "1990s",
        "Q3 2024": "q3 2024",
    },
    "identifier": {
        "550e8400-e29b-41d4-a716-446655440000": "550e8400-e29b-41d4-a716-446655440000",
        "0x7FFE10": "0x7ffe10",
        "v2.3.1-rc.4": "v2.3.1-rc.4",
        "2.3.1": "2.3.1",
        "10.0.0.1:8080": "10.0.0.1:8080",
        "https://a.example/c?x=1&y=2#z": "https://a.example/c?x=1&y=2#z",
        "me.too@mail.example": "me.too@mail.example",
        "/usr/lib/x.so": "/usr/lib/x.so",
        "src/a/b.py:12": "src/a/b.py:12",
        "config.yaml": "config.yaml",
        "C:\\x\\y.txt": "c:\\x\\y.txt",
        "max_tokens": "max_tokens",
        "ord_0037": "ord_0037",
        "JobHistoryUtils": "jobhistoryutils",
        "os.path.join": "os.path.join",
        "parse()": "parse()",
        "KR-2291-B": "kr-2291-b",
        "Helix-9": "helix-9",
        "deadbeef12": "deadbeef12",
        "#123": "#123",
        "--max-tokens": "--max-tokens",
    },
    "negation": {w: w for w in ("not", "never", "without", "nobody", "cannot", "doesn't", "no longer", "没有", "不")},
    "modal": {w: w for w in ("must", "may", "should", "has to", "必须")},
    "condition": {w: w for w in ("if", "unless", "until", "provided that", "only when", "as long as", "除非", "如果")},
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in NORMALS.items() for text in texts])
def test_one_fact(kind: str, text: str) -> None:
    around = f"and {text} of it"
    found = [(fact.kind, fact.text, fact.normal) for fact in find(around)]
    assert found == [(kind, text, NORMALS[kind][text])]  # type: ignore[index]


def test_plain_prose_has_none() -> None:
    assert find("The quick brown fox jumps over the lazy dog, and then it sleeps in the sun; so we think.") == []


def test_facts_in_chinese() -> None:
    text = "本次采购预算不超过5000元，交货期为2024年3月15日之前，除非另有约定。"
    assert [(fact.kind, fact.text) for fact in find(text)] == [
        ("condition", "不超过"),
        ("number", "5000元"),
        ("date", "2024年3月15日"),
        ("condition", "之前"),
        ("condition", "除非"),
    ]


CJK = {
    "number": {
        "三十万元": "300000元",
        "30 万元": "300000元",
        "3.5亿": "350000000",
        "１２．５％": "12.5%",
        "百分之三十": "30%",
        "百分之12.5": "12.5%",
        "五人": "5人",
        "800 米": "800米",
        "第十二章": "第12章",
        "三千克": "3000克",
        "两百五元": "两百五元",
        "10000円": "10000円",
        "5000원": "5000원",
    },
    "date": {
        "2024 年 3 月 15 日": "2024年3月15日",
        "二〇二四年五月三日": "2024年5月3日",
        "第三季度": "第3季度",
        "上午九点": "上午9点",
        "下午3点30分": "下午3点30分",
        "周三": "周三",
        "令和5年3月1日": "令和5年3月1日",
        "2024년 3월 5일": "2024년 3월 5일",
    },
    "negation": {w: w for w in ("没有", "未", "无", "勿", "并未", "并非", "从不", "沒有", "ません", "않", "없")},
    "modal": {w: w for w in ("必须", "应当", "可以", "不得", "禁止", "可能", "不得不", "なければならない", "해야")},
    "condition": {
        w: w for w in ("除非", "只要", "一旦", "情况下", "如遇", "不少于", "不低于", "至少", "最多", "もし", "만약")
    },
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in CJK.items() for text in texts])
def test_one_fact_between_han(kind: str, text: str) -> None:
    found = [(fact.kind, fact.text, fact.normal) for fact in find(f"甲方，{text}，乙方。")]
    assert found == [(kind, text, CJK[kind][text])]


@pytest.mark.parametrize(
    "text",
    [
        "他不仅非常特别，而且未来无论如何都会分别告诉别人。",
        "不过，不断进步，不同的不久，差不多，了不起，对不起",
        "南非和东非的是非，无线网络，无疑，若干，一旁",
        "他十分高兴，万一统一了，千万，一般百姓，四川",
        "供应商适应反应，相应的响应，必胜的胡须",
        "危ない、少ない",
        "연못, 잘못",
    ],
)
def test_a_part_of_another_cjk_word_is_no_fact(text: str) -> None:
    assert find(text) == []


def test_facts_of_a_chinese_clause() -> None:
    text = "如遇质量问题，乙方应在48小时内更换，不得收取任何费用；18岁以上未经许可别走。"
    assert [(fact.kind, fact.text) for fact in find(text)] == [
        ("condition", "如遇"),
        ("modal", "应"),
        ("number", "48小时"),
        ("modal", "不得"),
        ("number", "18岁"),
        ("condition", "以上"),
        ("negation", "未"),
    ]


def test_entities_in_chinese_and_mixed_text() -> None:
    texts = ["由王琳女士主持，《东方》出版社和北京大学于 2024 年 3 月共付30 万元。", "用Tom说的React框架v2.3.1在API里"]
    assert RuleEntities().extract(texts) == [
        frozenset({"王琳", "东方", "北京大学", "2024年3月", "30万元"}),
        frozenset({"tom", "react", "v2.3.1", "api"}),
    ]


def test_spans_are_those_of_the_text() -> None:
    text = "word " * 40 + "v2.3.1 cost $5 on 3 May 2024, " + "word " * 40 + "not 7 km from KR-2291-B."
    facts = find(text)
    assert [fact.text for fact in facts] == ["v2.3.1", "$5", "3 May 2024", "not", "7 km", "KR-2291-B"]
    assert all(text[slice(*fact.span)] == fact.text for fact in facts)


def test_no_before_a_number_is_not_a_negation() -> None:
    assert [fact.kind for fact in find("Order No. 12 stands.")] == ["number"]
    assert [fact.kind for fact in find("There is no order.")] == ["negation"]


def test_may_is_a_month_or_a_modal() -> None:
    assert [fact.kind for fact in find("It ends in May, we think.")] == ["date"]
    assert [fact.kind for fact in find("May we go?")] == ["modal"]
    assert [fact.kind for fact in find("It ends on May 5.")] == ["date"]


def test_entities() -> None:
    text = (
        "Dr. Smith met Ada Byrne at the Bank of England. Water is wet, and Helix-9 costs 12 %. She saw NASA in Paris."
    )
    assert RuleEntities().extract([text, ""]) == [
        frozenset({"smith", "ada byrne", "bank of england", "helix-9", "12%", "nasa", "paris"}),
        frozenset(),
    ]


def test_a_name_at_the_start_counts_where_it_is_known() -> None:
    assert RuleEntities().extract(["Marlin sank. Nobody saw Marlin again."]) == [frozenset({"marlin"})]
    assert RuleEntities().extract(["Water fell."]) == [frozenset()]


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "1",
            "a",
            "-._",
            "a.",
            "a/",
            "a-",
            "aB",
            "1,",
            "1.",
            "_",
            "a_",
            "a@",
            "Ab ",
            "two ",
            " ",
            "http://",
            "1-",
            "A1",
        ),
        *("一", "百分之", "不", "《", "王", "1年", "第", "上午", "必", "京大", "月一"),
    ],
)
def test_time_is_linear(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    start = time.process_time()
    find(text)
    assert time.process_time() - start < 4

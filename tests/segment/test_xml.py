"""XML: what it is cut into, and that what comes out is well formed."""

import time
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gliding import BudgetError, Compressor
from gliding.segment.xml import cut_xml, is_xml
from gliding.text.xml import xml_fault
from gliding.types import Document

EDGE = Compressor.from_preset("edge")
PARTS = "\n".join(
    f"    <dependency>\n      <groupId>org.g{n}</groupId>\n      <artifactId>part-{n}</artifactId>\n"
    f"      <version>{n}.{n}.0</version>\n    </dependency>"
    for n in range(30)
)
POM = f"""<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- Licensed to nobody. -->
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <artifactId>shop</artifactId>
  <dependencies>
{PARTS}
  </dependencies>
</project>
"""
ITEMS = "\n".join(
    f"<item><title>Report {n}</title><guid isPermaLink='false'>id-{n}</guid><description><![CDATA["
    f"<p>The pump of plant {n} failed at noon.</p> Nobody was hurt. {'It rained a lot that day. ' * 20}"
    f"The repair costs {n}00 euros.]]></description></item>"
    for n in range(12)
)
FEED = f"""<rss version="2.0"><channel><title>News &amp; more</title>
{ITEMS}
</channel></rss>"""


@pytest.mark.parametrize("rate", [0.1, 0.2, 0.5, 0.8])
@pytest.mark.parametrize(("text", "query"), [(POM, "version of part-17"), (FEED, "cost of the repair in plant 7")])
def test_what_comes_out_is_well_formed_and_holds_what_was_asked(text, query, rate):
    result = EDGE.compress(text, query=query, rate=rate, audit=True)
    assert xml_fault(result.text) == ""
    assert not result.audit.broken
    assert ("17.17.0" in result.text) if text is POM else ("costs 700 euros" in result.text)


def test_a_record_stays_whole():
    out = EDGE.compress(POM, query="version of part-17", rate=0.1).text
    root = ElementTree.fromstring(out.replace("ISO-8859-1", "UTF-8").encode())
    space = "{http://maven.apache.org/POM/4.0.0}"
    found = {
        one.findtext(f"{space}artifactId"): one.findtext(f"{space}version") for one in root.iter(f"{space}dependency")
    }
    assert found["part-17"] == "17.17.0"
    assert all(version == f"{name[5:]}.{name[5:]}.0" for name, version in found.items())


def test_a_part_of_a_long_record_has_its_title():
    out = EDGE.compress(FEED, query="cost of the repair in plant 7", rate=0.12).text
    (item,) = (one for one in ElementTree.fromstring(out).iter("item") if "700 euros" in one.findtext("description"))
    assert item.findtext("title") == "Report 7"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<a><b></a>", True),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a><b/><b/>&x;</a>", True),
        ("<p>One <b>two</b> <i>three</i> <u>four</u>.</p>", False),
        ("<answer>One.</answer>", False),
        ("He said <b> and left.", True),
        ("<a><b/><b/><b/>\ud800</a>", True),
        ("", True),
    ],
)
def test_what_is_no_xml(text, said):
    assert not is_xml(text, said=said)


def test_a_bomb_of_entities_is_read_as_lines():
    lines = "".join(f'<!ENTITY l{n} "&l{n - 1};&l{n - 1};">\n' for n in range(1, 40))
    text = f'<?xml version="1.0"?>\n<!DOCTYPE a [\n<!ENTITY l0 "ha">\n{lines}]>\n<a>&l39;</a>\n'
    assert xml_fault(text) == "it declares entities"
    assert EDGE.compress(text, max_tokens=50).tokens <= 50


def test_deep_and_large_texts_take_linear_time():
    deep = "<a>" * 20_000 + "x" + "</a>" * 20_000
    assert cut_xml(deep, 0, max_chars=400)
    sizes = []
    for count in (4_000, 16_000):
        text = "<r>" + "".join(f"<i><t>{n}</t><d>{'word ' * 20}</d></i>" for n in range(count)) + "</r>"
        started = time.perf_counter()
        assert len(cut_xml(text, 0, max_chars=400)) == count
        sizes.append(time.perf_counter() - started)
    assert sizes[1] < 12 * sizes[0] + 0.2


def test_comments_stay_with_what_they_are_about():
    lines = "\n".join(f"<!-- About {n}. -->\n<s name='n{n}'>value {n}</s>" for n in range(40))
    text = f"<conf>\n{lines}\n<!-- end --></conf>"
    out = EDGE.compress(text, query="n23", rate=0.1).text
    assert "<!-- About 23. -->\n<s name='n23'>value 23</s>" in out
    assert not xml_fault(out)


def test_mixed_text_is_never_cut_inside_of_an_element_or_an_entity():
    text = "<book><p>" + "It is <b>very. Very</b> wet &amp; cold here. " * 30 + "</p></book>"
    (segment,) = cut_xml(text, 0, max_chars=120)
    for span in segment.sentences:
        assert not xml_fault(f"<x>{text[slice(*span)]}</x>")


def test_the_kind_can_be_said():
    text = "<note>" + "The pump failed at noon. Lunch was soup. " * 20 + "</note>"
    out = EDGE.compress(Document(text=text, kind="xml"), rate=0.3).text
    assert out.startswith("<note>")
    assert out.endswith("</note>")


NAMES = st.sampled_from("a b item row".split())
WORDS = st.text("abc .&<>\"'é\n", max_size=30)


def element(children):
    return st.builds(
        lambda name, attribute, parts, tail: (name, attribute, parts, tail),
        NAMES,
        st.one_of(st.none(), WORDS),
        st.lists(st.one_of(WORDS, st.just("<!-- a > b -->"), st.just("<![CDATA[a]b > c]]>"), children), max_size=5),
        WORDS,
    )


def written(node):
    from xml.sax.saxutils import escape, quoteattr

    if isinstance(node, str):
        return node if node.startswith("<!") else escape(node)
    name, attribute, parts, _ = node
    given = "" if attribute is None else f" k={quoteattr(attribute)}"
    return f"<{name}{given}>{''.join(map(written, parts))}</{name}>" if parts else f"<{name}{given}/>"


@given(st.recursive(element(WORDS), element, max_leaves=20), st.integers(8, 120), st.integers(5, 60))
def test_any_xml_comes_out_well_formed(node, budget, long):
    text = f"<root>{written(node)}{written(node)}</root>"
    assert not xml_fault(text)
    preset_chars = {"segment.max_chars": str(max(40, long))}
    compressor = Compressor.from_preset("edge", overrides=preset_chars)
    try:
        out = compressor.compress(Document(text=text, kind="xml"), max_tokens=budget)
    except BudgetError:
        return
    assert not xml_fault(out.text)
    assert out.tokens <= budget

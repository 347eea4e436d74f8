from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gliding.ingest import markup
from gliding.ingest.html import html_to_markdown

WORDS = "The station keeper wrote that the tide gauge read 2.41 m at noon and that nobody had touched the valve. "


def text(html: str) -> str:
    return html_to_markdown(html).text


def test_an_article_without_what_stands_around_it():
    page = html_to_markdown(f"""<!doctype html><html><head><title>Tide | News</title><style>p{{}}</style></head><body>
        <header><a href=/>Home</a></header><nav><a href=/a>World</a></nav>
        <div class="cookie-banner"><p>We use cookies.</p></div>
        <article><header><h1>Tide</h1><p>By Ada</p></header><p>{WORDS}</p><h2>Found</h2>
        <p>See <a href="https://example.org/g?x=1&amp;y=2">the page</a>.</p></article>
        <aside>Related story</aside><footer>Privacy</footer><script>track()</script></body></html>""")
    assert page.title == "Tide | News"
    assert page.text == (
        f"# Tide\n\nBy Ada\n\n{WORDS.strip()}\n\n## Found\n\nSee [the page](https://example.org/g?x=1&y=2).\n"
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", ""),
        ("plain", "plain\n"),
        ("<ul><li>a<li>b<ol start=3><li>c</li><li>d</ol></ul>", "- a\n- b\n  3. c\n  4. d\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n\n> b\n"),
        ("<p>one<br>two<p>three", "one\ntwo\n\nthree\n"),
        ("<dl><dt>timeout<dd>30 s<dt>retries<dd><p>5</p></dl>", "timeout: 30 s\n\nretries: 5\n"),
        ("10<sup>6</sup>, H<sub>2</sub>O, 3<sup>rd</sup>", "10^6, H2O, 3rd\n"),
        ("<p>now <del>50</del> 40", "now ~~50~~ 40\n"),
        ("<p>call <code>f(`x`)</code>", "call ``f(`x`)``\n"),
        ("<a href=javascript:alert(1)>a</a> <a href='data:text/html,x'>b</a> <a href=#c>c</a>", "a b c\n"),
        ("<a href='/a b(c'>x</a>", "[x](/a%20b%28c)\n"),
        ("<a href=/card><h3>Title</h3><p>More</p></a>", "### [Title](/card)\n\nMore\n"),
        ("<img alt='A cat' src='data:image/png;base64,QUJD'><img src=t.gif>", "[A cat]\n"),
        ("<h2>API<a class=headerlink href=#api>¶</a></h2>", "## API\n"),
        ("<p>caf&eacute; &lt;b&gt; &bogus; &#x4e2d; 5 < 6 a\u00adb", "café <b> &bogus; 中 5 < 6 ab\n"),
        ("<p>a<!-- <p>b --><p>c<?php x ?><![CDATA[d]]>", "a\n\nc\n"),
        ("<p>a<p hidden>b<p style='display: none'>c<p aria-hidden=true>d", "a\n"),
        ('<p>a<script>"<p>b"; if (a</b) {}</script>c<style>d</style>', "ac\n"),
        ("a</p></div></table>b", "ab\n"),
        ('<p title="a > b" class=x>c', "c\n"),
        ("<table>stray<tr><td>a<td>b", "stray\n\n| a | b |\n| --- | --- |\n"),
        ("<ol start=²><li>a</ol>", "1. a\n"),
    ],
)
def test_small_pages(html, expected):
    assert text(html) == expected


def test_code_is_fenced_and_keeps_its_lines():
    html = "<pre><code class='language-python'>def f(a):\n\n    return a &lt; 1\n</code></pre><pre>```</pre>"
    assert text(html) == "```python\ndef f(a):\n\n    return a < 1\n```\n\n````\n```\n````\n"


def test_tables():
    html = """<table><caption>Fares</caption><tr><th>Day<th>Adult<th>Child | half
        <tr><td>Sunday<td>68 NOK<td>34<tr><td rowspan=2>Monday<td>50<td>25<tr><td>51<td>26
        <tr><td colspan=2>Closed<td><ul><li>a<li>b</ul></table>"""
    assert text(html) == (
        "Fares\n\n| Day | Adult | Child \\| half |\n| --- | --- | --- |\n| Sunday | 68 NOK | 34 |\n"
        "| Monday | 50 | 25 |\n| Monday | 51 | 26 |\n| Closed |  | a; b |\n"
    )


def test_a_table_for_layout_is_read_as_blocks():
    html = "<table><tr><td><p>Long.</p><table><tr><td>k<td>7<tr><td>l<td>8</table></td><td>right</td></tr></table>"
    assert text(html) == "Long.\n\n| k | 7 |\n| --- | --- |\n| l | 8 |\n\nright\n"


def test_a_page_of_links_keeps_them():
    html = "<nav><ul>" + "".join(f"<li><a href=/{k}>Page {k}</a>" for k in range(40)) + "</ul></nav>"
    assert text(html).count("](/") == 40


def test_a_class_alone_does_not_take_a_text_away():
    assert "Soup 5 EUR" in text(f"<div class=menu><p>Soup 5 EUR</p><p>{WORDS * 3}</p></div><p>{WORDS * 3}</p>")
    assert "Home" not in text(f"<div class=menu><a href=/>Home</a></div><p>{WORDS * 3}</p>")


def test_ten_thousand_elements_deep():
    html = "<div>" * 10_000 + "<p>quillon" + "</div>" * 10_000 + "<p>after"
    assert text(html) == "quillon\n\nafter\n"


@pytest.mark.parametrize(
    "bomb",
    [
        "<!--" * 40_000, "<" * 100_000, "</" * 60_000, '<a b="' * 40_000, "<a b= '" * 40_000, "&" * 200_000,
        "<a " * 50_000, "<script>" * 20_000, "<dt>a" * 8_000, "<li>x</b>" * 8_000, "<table>" * 8_000,
        "<table><tr><td rowspan=99999 colspan=99999>x" * 200, "<b>" * 20_000, "<font>x<p>" * 8_000,
        "<blockquote>x" * 800,
    ],
)  # fmt: skip
def test_bombs_take_no_longer_than_their_length(bomb):
    started = time.process_time()
    assert len(text(bomb)) <= 20 * len(bomb)
    assert time.process_time() - started < 5


PARTS = ["<p>", "</p>", "<b>", "<a href=x>", "</a>", "<table>", "<tr>", "<td>", "</table>", "<li>", "<ul>", "</ul>"]


@given(st.lists(st.sampled_from([*PARTS, "&", "<", ">", "word"])))
def test_any_markup_gives_its_words_and_no_tag_of_its_own(parts):
    out = text(" ".join(parts))
    assert out.count("word") == parts.count("word")
    assert "<p>" not in out
    assert "<table>" not in out


@given(st.text(alphabet="<>/!-ab=\"' &;", max_size=60))
def test_the_reader_takes_any_text(html):
    root = markup.tree(markup.events(html))
    assert root.tag == ""
    text(html)

from __future__ import annotations

import pytest

from gliding.backends import html as backend
from gliding.errors import MissingExtra
from gliding.ingest import markup
from gliding.ingest.html import html_to_markdown

PAGES = [
    "<title>T</title><h1>A</h1><p>One <b>bold <i>both</b> still<p>Two<ul><li>a<li>b</ul>tail &amp &lt;x&gt;",
    "<table><tr><th>Day<th>Fare<tr><td>Sunday<td>68 NOK<tr><td>Monday<td>50</table>",
    "<pre><code class=language-sh>a\n  b &lt; c</code></pre><dl><dt>k<dd>v</dl>",
    "<p>Before.<script>var s = '<p>no</p>';</script><p>After<!-- <p>no --><textarea>kept</textarea>",
    "",
]


@pytest.mark.parametrize("page", PAGES)
def test_the_standard_and_the_built_in_reader_agree(page):
    pytest.importorskip("selectolax")
    assert html_to_markdown(page, events=backend.HtmlReader()) == html_to_markdown(page)


def test_what_only_the_standard_knows():
    pytest.importorskip("selectolax")
    page = "<table><tr><td>a</td><td>b</td></tr>stray</table>"
    assert html_to_markdown(page, events=backend.HtmlReader()).text.startswith("stray\n")
    assert html_to_markdown("a\x00b \ud800", events=backend.HtmlReader()).text


def test_deep_pages_are_read_by_the_built_in_reader():
    def refuse(html):
        raise AssertionError(html[:10])

    page = "<div>" * (markup.DEEPEST + 1) + "deep"
    assert html_to_markdown(page, events=refuse).text == "deep\n"


def test_without_the_library(monkeypatch):
    monkeypatch.setattr("gliding.backends.extras.find_spec", lambda name: None)
    with pytest.raises(MissingExtra) as caught:
        backend.HtmlReader()
    assert "gliding[html]" in caught.value.hint

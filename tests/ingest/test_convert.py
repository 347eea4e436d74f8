from __future__ import annotations

from pathlib import Path

import pytest

from gliding.errors import InputError
from gliding.ingest.convert import Readers
from gliding.ingest.sources import read, read_bytes, read_paths
from gliding.types import Document

PAGE = "<!doctype html><html><head><title>Ferry</title></head><body><h1>Times</h1><p>At 23:10.</p></body></html>"
MAIL = "From: Ruth\nSubject: crane\n\nThe permit ends.\n-- \nRuth Amadi\n"


def test_files_are_read_by_their_content(tmp_path):
    page, mail = tmp_path / "page.txt", tmp_path / "mail.txt"
    page.write_text(PAGE)
    mail.write_text(MAIL)
    documents = read_paths([page])
    assert documents == (Document(text="# Times\n\nAt 23:10.\n", id=str(page), title="Ferry", kind="markdown"),)
    assert [d.text for d in read(Path(mail))] == ["The permit ends.", "Ruth Amadi"]
    assert [d.title for d in read_paths([page, mail])] == [str(page), "crane", ""]


def test_a_string_is_converted_only_where_it_is_a_page():
    assert read(PAGE)[0].text == "# Times\n\nAt 23:10.\n"
    for text in (MAIL, "<p>a</p><p>b</p>", "Use <html> tags"):
        assert read(text) == (Document(text=text),)
    assert len(read(MAIL, kind="mail")) == 2
    assert read("<p>a</p>", kind="html")[0].text == "a\n"
    assert read(PAGE, kind="prose")[0].text == PAGE
    assert read({"content": PAGE, "role": "tool"})[0].text == PAGE
    given = Document(text=PAGE, kind="html", id="7", role="tool", criticality=0.3)
    expected = Document(
        text="# Times\n\nAt 23:10.\n", id="7", title="Ferry", role="tool", criticality=0.3, kind="markdown"
    )
    assert read(given) == (expected,)


def test_the_charset_of_a_page():
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>Příliš žluťoučký kůň</p></body></html>'
    assert read_bytes(page.encode("iso-8859-2"))[0].text == "Příliš žluťoučký kůň\n"
    assert read_bytes(page.encode())[0].text == "Příliš žluťoučký kůň\n"
    assert read_bytes(page.replace("iso-8859-2", "utf-16").encode())[0].text == "Příliš žluťoučký kůň\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_page_with_a_byte_order_mark(encoding):
    assert read_bytes(PAGE.encode(encoding))[0].text == "# Times\n\nAt 23:10.\n"


def test_warnings_and_readers():
    heard: list[str] = []
    read_bytes(PAGE.encode(), name="a.html", readers=Readers(warn=heard.append))
    assert len(heard) == 1
    assert "a.html" in heard[0]
    assert "gliding[html]" in heard[0]
    own = Readers(html=lambda page: [("text", "", "mine", ())], warn=heard.append)
    assert read_bytes(PAGE.encode(), readers=own)[0].text == "mine\n"
    assert len(heard) == 1


def test_office_files():
    readers = Readers(office={"pdf": lambda data, *, name: f"{name}: {len(data)}"})
    assert read_bytes(b"%PDF-1.7", name="a.pdf", readers=readers)[0].text == "a.pdf: 8"
    with pytest.raises(InputError, match="PDF"):
        read_bytes(b"%PDF-1.7", name="a.pdf")

from __future__ import annotations

import io
import zipfile

import pytest

from gliding.backends import office
from gliding.errors import InputError, MissingExtra


def pdf(*pages: str) -> bytes:
    """A small PDF with a line of text on each page, written by hand."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for page in pages:
        stream = f"BT /F1 12 Tf 72 720 Td ({page}) Tj ET" if page else ""
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        font = "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {number + 1} 0 R"
            f" /Resources << /Font {font} >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    table = f"xref\n0 {size}\n0000000000 65535 f \n{table}"
    return out + (table + trailer).encode()


def test_pdf_pages():
    pytest.importorskip("pypdf")
    assert office.pdf_to_text(pdf("First page", "Second page")) == "First page\n\n---\n\nSecond page\n"


def test_pdf_that_cannot_be_read():
    pypdf = pytest.importorskip("pypdf")
    with pytest.raises(InputError, match="images") as caught:
        office.pdf_to_text(pdf(""), name="scan.pdf")
    assert "ocrmypdf" in caught.value.hint
    with pytest.raises(InputError, match=r"a\.pdf cannot be read"):
        office.pdf_to_text(b"%PDF-1.7\nnothing", name="a.pdf")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf("secret")))
    writer.encrypt("word", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    with pytest.raises(InputError, match="encrypted") as caught:
        office.pdf_to_text(buffer.getvalue())
    assert "qpdf" in caught.value.hint


def test_docx():
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("Fares", 2)
    document.add_paragraph("All day.")
    document.add_paragraph("one", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        [c for row in table.rows for c in row.cells], ["Day", "Fare", "Sunday", "68|70"], strict=True
    ):
        cell.text = text
    document.add_paragraph("End.")
    buffer = io.BytesIO()
    document.save(buffer)
    assert office.docx_to_text(buffer.getvalue()) == (
        "## Fares\n\nAll day.\n\n- one\n\n| Day | Fare |\n| --- | --- |\n| Sunday | 68\\|70 |\n\nEnd.\n"
    )


def archive(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return buffer.getvalue()


def test_archives_that_are_refused(monkeypatch):
    pytest.importorskip("docx")
    with pytest.raises(InputError, match="no DOCX"):
        office.docx_to_text(archive(a=b"x"))
    with pytest.raises(InputError, match="cannot be read"):
        office.docx_to_text(archive(word__document_xml=b"<a/>"))
    with pytest.raises(InputError, match="damaged"):
        office.docx_to_text(b"PK\x03\x04 broken")
    monkeypatch.setattr(office, "MOST_BYTES", 100_000)
    with pytest.raises(InputError, match="unpacked"):
        office.docx_to_text(archive(word__document_xml=b"0" * 1_000_000))


def test_without_the_libraries(monkeypatch):
    monkeypatch.setattr("gliding.backends.extras.find_spec", lambda name: None)
    for read in (office.pdf_to_text, office.docx_to_text):
        with pytest.raises(MissingExtra) as caught:
            read(b"")
        assert "gliding[office]" in caught.value.hint

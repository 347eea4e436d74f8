"""Odd and hostile input: a right result or a clear error, in memory and time that its size explains."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from time import process_time

import pytest

from gliding import Compressor, Document, GlidingError
from gliding.errors import InputError
from gliding.ingest.sources import read_bytes

EDGE = Compressor.from_preset("edge")
QUERY = "Why did the pump in the north hall fail?"
PROSE = "The pump in hall {} failed because seal {} was worn. It was not restarted before noon. "
JAPANESE = "北棟のポンプは密封部品の摩耗で停止しました。点検が終わるまで再起動してはいけません。" * 4
CHINESE = "北厅的水泵因为密封件磨损而发生故障，在检查之前不得重新启动。" * 4
WESTERN = "Die Prüfung der Großanlage in Düren ergab Mängel. Le café à Orléans était fermé. " * 4


def ended(source, *, tokens=60, kind="", query=QUERY):
    """How a compression ended: the text, or the name of the error; the budget is counted again."""
    try:
        documents = read_bytes(source, kind=kind) if isinstance(source, bytes) else Document(text=source, kind=kind)
        result = EDGE.compress(documents, query=query, max_tokens=tokens)
    except GlidingError as error:
        if not (error.message and error.hint):
            raise
        return type(error).__name__
    assert EDGE.parts.counter.count([result.text])[0] == result.tokens <= tokens
    return result.text


# --- small and odd ---


@pytest.mark.parametrize("data", [b"", b" ", b"\n", b"\r", b"\t \r\n \n", "\u3000\u2028\u00a0".encode(), b"x", b"."])
def test_what_is_nearly_nothing_comes_back(data):
    assert ended(data) == data.decode()


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        *((name, WESTERN) for name in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252")),
        *((name, CHINESE) for name in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "gbk")),
        *((name, JAPANESE) for name in ("utf-8-sig", "utf-16", "utf-32")),
        ("utf-16-be", "\ufeff" + CHINESE),
    ],
)
def test_encodings_that_are_found(encoding, text):
    assert read_bytes(text.encode(encoding))[0].text == text.removeprefix("\ufeff")
    kept = ended(text.encode(encoding), tokens=40)
    assert kept[:8] in text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("utf-32-le", WESTERN), ("utf-32-be", CHINESE), ("shift_jis", JAPANESE), ("euc_jp", JAPANESE), ("big5", CHINESE)],
)
def test_encodings_that_are_refused_with_the_command_that_converts(encoding, text):
    if encoding == "big5":
        text = text.translate(str.maketrans("厅为发检查", "廳為發檢查")).encode("big5", "ignore").decode("big5")
    with pytest.raises(InputError, match=r"binary|neither") as caught:
        read_bytes(text.encode(encoding))
    assert "gliding compress" in caught.value.hint


@pytest.mark.parametrize("text", ["a\r\nb\r\n\r\nc\r\n", "a\rb\rc\r", "a\nb\r\nc\rd"])
def test_line_ends_stay(text):
    assert ended(text.encode()) == text


ODD = {
    "no punctuation": "the pump in the north hall failed because a seal was worn and nobody restarted it " * 60,
    "all punctuation": "?!.,;:()[]{}<>/\\|'\"`~@#$%^&*-_=+" * 200,
    "stops": "." * 20_000,
    "emoji": "👩\u200d🚒👍🏽🏳️\u200d🌈👨\u200d👩\u200d👧\u200d👦 " * 400,
    "right to left": "توقفت المضخة في القاعة الشمالية. لا يجوز تشغيلها قبل الفحص. " * 60,
    "overrides": "\u202eabc\u202c \u2066def\u2069. " * 400,
    "combining": "a" + "\u0301" * 20_000 + " the pump failed.",
    "combined": ("e\u0301\u0302\u0303" * 8 + " ") * 500,
    "zero width": "pu\u200bmp\u200d fa\ufeffiled\u2060. " * 400,
    "only zero width": "\u200b\u200d\ufeff" * 5_000,
    "surrogates": "\ud83d the pump \ude00 failed. " * 300,
    "private": "\ue000\U0010ffff " * 2_000,
    "separators": "one\u2028two\u2029three\u0085four\x1cfive " * 300,
    "one word": "a" * 50_000,
    "digits": "9" * 20_000,
    "backslashes": "\\" * 20_000,
    "quotes": '"' * 20_001,
    "fences": "```\n" * 4_001,
    "rules": "---\n" * 4_000,
    "bars": "|" * 20_000,
    "table of nothing": "|\n|---|\n" * 3_000,
    "hashes": "# " * 10_000,
    "bullets": "- " * 10_000,
    "nested items": "".join(" " * k + "- x\n" for k in range(400)),
    "quote marks": ">" * 20_000,
    "links": "[a](" * 5_000,
    "open brackets": "[" * 20_000,
    "open braces": '{"a":' * 5_000,
    "csv of quotes": 'a,b,c\n"' + '""' * 10_000,
    "csv of commas": "a,b,c\n" + "," * 20_000,
    "mail of headers": "From: a\nSubject: b\n" + "X: y\n" * 4_000,
    "mail of quotes": "From: a\nSubject: b\n\n" + "".join(">" * k + " x\n" for k in range(300)),
    "diff of nothing": "@@ -1,1 +1,1 @@\n" * 2_000,
    "python of brackets": "x = " + "(" * 3_000 + ")" * 3_000,
    "python of blocks": "".join(" " * k + "if x:\n" for k in range(90)) + " " * 90 + "pass\n",
    "python of names": "def f(): pass\n" * 1_500,
    "escapes": "\x1b[31m\x1b[0m" * 3_000,
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("query", ["", QUERY])
def test_odd_texts_are_cut_or_refused(name, query):
    text = ODD[name]
    started = process_time()
    kept = ended(text, query=query)
    assert process_time() - started < 10
    assert kept == "BudgetError" or set(kept) <= {*text, "\n", " ", ".", "…"}


@pytest.mark.parametrize(
    "kind", ["", "json", "jsonl", "messages", "csv", "tsv", "code", "log", "markdown", "html", "mail"]
)
def test_a_kind_that_is_not_true_does_no_harm(kind):
    for text in (PROSE * 20, "", "{", "a,b\n" * 9, "\x1f" * 9, '[{"role": "user"}]' * 40, "<" * 99, "From: x\n\n" * 20):
        ended(text, kind=kind, tokens=9)


def test_binary_is_refused():
    for data in (bytes(range(256)) * 40, b"\x00" * 999, b"text\x00text" * 99, b"\x7fELF" + b"\x00" * 99):
        assert ended(data) == "InputError"


def test_broken_utf8_becomes_printable():
    data = ("Die Prüfung ergab 中文 Mängel. " * 30).encode().replace("中".encode(), "中".encode()[:2], 3)
    kept = ended(data, tokens=40)
    kept.encode()
    assert "Prüfung" in kept


# --- deep and expanding ---


@pytest.mark.parametrize("depth", [50, 2_000, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"b": ', "}]")])
def test_deep_json(depth, opening, closing):
    text = opening * depth + ('"' + PROSE + '"') + closing * depth
    started = process_time()
    kept = ended(text, tokens=30)
    assert process_time() - started < 10
    if depth < 500:
        assert kept == "BudgetError" or json.loads(kept) is not None


def test_deep_json_beside_records_that_matter():
    rows = [{"id": k, "note": PROSE.format(k, k)} for k in range(40)]
    text = "[" + ", ".join(map(json.dumps, rows)) + ", " + "[" * 900 + "]" * 900 + "]"
    assert json.loads(ended(text, tokens=120))


LAUGHS = "a: &a [lol, lol, lol, lol]\n" + "".join(
    f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}]\n"
    for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
XML_LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE l [\n<!ENTITY l0 "lol">\n'
    + "".join(f'<!ENTITY l{k + 1} "{f"&l{k};" * 10}">\n' for k in range(9))
    + "]>\n<html><body><p>&l9;</p></body></html>"
)


@pytest.mark.parametrize("kind", ["", "yaml"])
def test_laughing_yaml_stays_small(kind):
    kept = ended(LAUGHS * 4, kind=kind)
    assert len(kept) <= len(LAUGHS) * 4


@pytest.mark.parametrize("kind", ["", "html"])
def test_laughing_xml_stays_small(kind):
    documents = read_bytes(XML_LAUGHS.encode(), kind=kind)
    assert sum(len(document.text) for document in documents) <= len(XML_LAUGHS)
    ended(XML_LAUGHS.encode(), kind=kind)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("<html><div>" + "<div>" * 30_000 + "<p>The pump failed.", id="nested"),
        pytest.param("<html><b>" + "<b><i>" * 8_000 + "<p>The pump failed.", id="misnested"),
        pytest.param(
            "<html><p " + " ".join(f"a{k}='{k}'" for k in range(30_000)) + ">The pump failed.", id="attributes"
        ),
        pytest.param("<html><p title='" + "x" * 1_000_000 + "'>The pump failed.", id="one attribute"),
        pytest.param("<html><table>" + "<table><tr><td>" * 5_000 + "The pump failed.", id="tables"),
        pytest.param("<html><p>The pump failed." + "&amp;&#x41;&bogus" * 10_000, id="entities"),
    ],
)
def test_html_bombs(page):
    started = process_time()
    (document,) = read_bytes(page.encode())
    assert "The pump failed." in document.text
    assert len(document.text) < len(page)
    assert process_time() - started < 15
    ended(page.encode())


# --- files that are none ---


def test_links_pipes_folders_devices(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    gone = tmp_path / "gone"
    gone.symlink_to(tmp_path / "nothing")
    closed = tmp_path / "closed"
    closed.write_text("x")
    closed.chmod(0)
    paths = [loop, gone, tmp_path, Path("/dev/zero"), Path("/dev/full"), tmp_path / "a" / "b", Path("x" * 5_000)]
    paths += [closed] if hasattr(os, "geteuid") and os.geteuid() else []
    for path in paths:
        with pytest.raises(InputError) as caught:
            EDGE.compress(path, max_tokens=9)
        assert caught.value.hint


def test_a_file_that_vanishes_between_two_looks(tmp_path, monkeypatch):
    path = tmp_path / "log"
    path.write_text("The pump failed.")
    real = Path.stat

    def vanish(self, **options):
        found = real(self, **options)
        self.unlink(missing_ok=True)
        return found

    monkeypatch.setattr(Path, "stat", vanish)
    with pytest.raises(InputError, match="no file"):
        EDGE.compress(path, max_tokens=9)


def test_a_pipe_that_nobody_writes_to_any_more(tmp_path):
    read, write = os.pipe()
    os.write(write, b"The pump failed.")
    os.close(write)
    try:
        assert EDGE.compress(Path(f"/dev/fd/{read}"), max_tokens=9).text == "The pump failed."
    finally:
        os.close(read)


def zipped(**files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/"), data)
    return held.getvalue()


@pytest.mark.skipif(not find_spec("docx"), reason="needs python-docx")
def test_a_zip_bomb_is_refused_unopened(tmp_path):
    path = tmp_path / "bomb.docx"
    whole = zipped(**{"word__document.xml": b"<w>" * 1_000_000})
    at = whole.rindex(b"PK\x01\x02") + 24  # what the directory says of the size
    for size, said in ((210_000_000, "at most"), (10, "cannot be read")):
        path.write_bytes(whole[:at] + size.to_bytes(4, "little") + whole[at + 4 :])
        with pytest.raises(InputError, match=said):
            EDGE.compress(path, max_tokens=9)


@pytest.mark.skipif(not find_spec("pypdf"), reason="needs pypdf")
@pytest.mark.parametrize("xref", [b"999999999", b"0", b"-5", b"9" * 400, b""])
def test_a_pdf_that_lies_about_where_its_objects_are(tmp_path, xref):
    path = tmp_path / "lie.pdf"
    path.write_bytes(
        b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[2 0 R 3 0 R]/Count 99999>>"
        b"endobj\nxref\n0 99999999\n0000000000 65535 f \ntrailer<</Root 1 0 R/Size 99999999/Prev " + xref + b">>\n"
        b"startxref\n" + xref + b"\n%%EOF"
    )
    started = process_time()
    with pytest.raises(InputError):
        EDGE.compress(path, max_tokens=9)
    assert process_time() - started < 10


# --- large: in a process of its own, with a limit of memory, and against prose of the same size ---

_LARGE = """
import sys
from pathlib import Path
from time import process_time
from gliding import Compressor, GlidingError
edge = Compressor.from_preset("edge")
edge.compress("One two three. Four five six.", max_tokens=4)
started = process_time()
try:
    ended = str(edge.compress(Path(sys.argv[1]), query=sys.argv[2], max_tokens=500).tokens)
except GlidingError as error:
    ended = type(error).__name__
spent = process_time() - started
status = Path("/proc/self/status").read_text().splitlines()
print(next(line for line in status if line.startswith("VmHWM")).split()[1], spent, ended)
"""


def large(folder: Path, data: str | bytes, name: str = "large.txt") -> tuple[float, float, str]:
    """Megabytes at the peak, seconds of the processor, and how it ended."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    done = subprocess.run(
        [sys.executable, "-c", _LARGE, str(path), QUERY], check=True, capture_output=True, encoding="utf-8", timeout=600
    )
    peak, spent, how = done.stdout.split()
    return int(peak) / 1000, float(spent), how


def worded(chars: int) -> list[str]:
    """Sentences with as many different words as a text of that size has."""
    return [PROSE.format(k, f"x{k * 7919 % 50_021}") for k in range(chars // 85)]


SIZE = 5_000_000
SHAPES = {
    "one line": lambda: "".join(worded(SIZE)),
    "short lines": lambda: "\n".join(f"ok {k}" for k in range(SIZE // 9)),
    "json in one line": lambda: json.dumps(
        [{"id": k, "note": s, "n": [k, k]} for k, s in enumerate(worded(SIZE * 2 // 3))]
    ),
    "json of one string": lambda: json.dumps({"a": "".join(worded(SIZE))}),
    "json of numbers": lambda: json.dumps(list(range(SIZE // 8))),
    "json of objects": lambda: json.dumps([{}] * (SIZE // 4)),
    "csv": lambda: "id,note,name\n" + "".join(f'{k},"{s}",n{k}\n' for k, s in enumerate(worded(SIZE * 6 // 7))),
    "html": lambda: (
        "<html><body>" + "".join(f"<h2>Hall {k}</h2><p>{s}</p>" for k, s in enumerate(worded(SIZE * 3 // 4)))
    ),
    "combining": lambda: "a" + "\u0301" * (SIZE // 2),
    "html bomb": lambda: "<html>" + "<div>" * 100_000 + "<p " + "a='b' " * (SIZE // 6) + ">x" + "<b><i>" * 100_000,
    "few words": lambda: "The pump of hall 1 failed. The pump of hall 2 ran. " * (SIZE // 51),
    "deep json": lambda: "[" * (SIZE // 2) + "]" * (SIZE // 2),
}
# Times of prose of the same size; a parser, a tree of nodes and a segment a line have their price.
MOST_TIMES = 6
MOST_MEGABYTES = 1_200


@pytest.fixture(scope="module")
def prose_seconds(tmp_path_factory) -> float:
    return large(tmp_path_factory.mktemp("prose"), "\n\n".join(worded(SIZE)))[1]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak of memory from /proc")
class TestLarge:
    @pytest.mark.parametrize("name", SHAPES)
    def test_memory_and_time_are_bounded(self, name, tmp_path, prose_seconds):
        peak, spent, how = large(tmp_path, SHAPES[name]())
        assert (peak < MOST_MEGABYTES, spent < MOST_TIMES * prose_seconds) == (True, True), (peak, spent, prose_seconds)
        assert how == "BudgetError" or int(how) <= 500

    def test_fifty_megabytes_of_prose(self, tmp_path, prose_seconds):
        peak, spent, how = large(tmp_path, "\n\n".join(worded(10 * SIZE)))
        assert (peak < 4_000, spent < 20 * prose_seconds) == (True, True), (peak, spent, prose_seconds)
        assert int(how) <= 500

"""The whole third tier on a real model in the compressor: a tiny T5 that leaves out filler words, exported here."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gliding import Compressor, presets, registry
from gliding.errors import ModelNotAvailable

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")
pytest.importorskip("tokenizers")
pytest.importorskip("spacy")

TINY = Path(__file__).parent / "data" / "tiny-t5"
SENTENCES = [
    "Anna basically bought 12 really pumps in Berlin quite on 3 March.",
    "Globex honestly sold 40 engines for you know 900 euros.",
    "On 7 May actually Maria of Orion tested the very sensors in Oslo.",
    "The cables more or less from Lyon cost 75 euros quite and weigh 20 kilograms.",
    "Helix really ordered 310 basically filters for 4120 euros.",
    "Grace needless to say shipped 5 boxes quite in Osaka on 19 June.",
    "Acme really moved 81 tickets for honestly 640 euros.",
    "Tom actually counted 230 valves in Austin very on 11 July.",
]
OTHER = [f"Lunch on day {k} was soup with bread from the shop of the neighbours." for k in range(30)]
TEXT = " ".join(SENTENCES + OTHER)
QUERY = "Who bought, sold, tested, ordered, shipped, moved and counted pumps, engines, sensors, filters and valves?"


@pytest.fixture(scope="module", params=[32, 8])
def folder(request, tmp_path_factory):
    from gliding.backends.t5_graph import export

    target = tmp_path_factory.mktemp("tiny") / f"onnx-{request.param}"
    export(TINY, target, bits=request.param)
    return target


def made(folder, **settings):
    overrides = {"rewrite.use": "t5", "rewrite.model": str(folder), "rewrite.spare": "0", **settings}
    return Compressor.from_preset("edge", overrides=overrides)


def run(compressor, **options):
    return compressor.compress(TEXT, query=QUERY, max_tokens=100, **options)


def test_more_sentences_come_out_shorter_and_true(folder):
    plain = run(Compressor.from_preset("edge"))
    deep = run(made(folder))
    assert deep.tokens <= 100
    (before,), (after,) = plain.decisions, deep.decisions
    assert len(after.kept) > len(before.kept)
    report = deep.report
    assert report.rewriting["taken"] >= 3
    assert report.rewriting["saved"] >= 3
    assert not report.warnings
    words = set(TEXT.replace(".", " ").split())
    for piece in deep.pieces:
        if piece.action == "rewrite":
            ((_, start, end),) = piece.sources
            assert len(piece.text) < end - start
            assert {word.lower() for word in piece.text.rstrip(".").split()} <= {word.lower() for word in words}
            numbers = [word for word in TEXT[start:end].rstrip(".").split() if word.isdigit()]
            assert [word for word in piece.text.rstrip(".").split() if word.isdigit()] == numbers


def test_the_same_bytes_again_from_other_threads_and_from_the_cache(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path))
    first = run(made(folder)).text
    assert run(made(folder, **{"rewrite.threads": "1"})).text == first
    cached = {"cache.use": "sqlite"}
    assert run(made(folder, **cached)).text == first
    with made(folder, **cached) as again:
        monkeypatch.setattr(again.parts.rewriting.rewriter._engine, "encode", None)  # a call would be an error
        assert run(again).text == first


def test_free_decoding_and_beams_pass_the_guard_too(folder):
    for settings in ({"rewrite.constrained": "false"}, {"rewrite.beams": "3"}):
        deep = run(made(folder, **settings))
        assert deep.tokens <= 100
        assert deep.report.rewriting["taken"] >= 3


def test_no_time_no_rewriting(folder):
    late = run(made(folder), deadline=0)
    assert late.text == run(Compressor.from_preset("edge")).text
    assert late.report.late


def test_deep_takes_an_imported_model_and_names_what_is_missing(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GLIDING_MODELS", str(tmp_path / "none"))
    preset = presets.override(presets.load("deep"), {"cache.use": "", "rewrite.model": "tiny"})
    built = registry.build(preset)
    assert built.rewriting is None
    assert "extracted, not rewritten" in built.warnings[0]
    assert "tiny" in built.warnings[0]
    with pytest.raises(ModelNotAvailable):
        registry.build(presets.override(preset, {"rewrite.otherwise": ""}))
    built = registry.build(presets.override(preset, {"rewrite.model": str(folder)}))
    assert built.warnings == ()
    assert type(built.rewriting.rewriter).__name__ == "T5Rewriter"


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_an_interrupt_ends_the_command_while_it_rewrites(folder, tmp_path):
    """Its pool of threads has hundreds of sentences to go: they are given up, not waited for."""
    text = " ".join(f"Anna basically bought {k} really pumps in Berlin quite on 3 March." for k in range(2, 3000))
    (tmp_path / "long.txt").write_text(text, encoding="utf-8")
    code = (
        "import os; from gliding.backends.t5 import T5Rewriter as T; say = T._part\n"
        "def told(*a): os.write(2, b'rewriting\\n'); return say(*a)\n"
        "T._part = told; from gliding.cli.main import run; run()"
    )
    options = ["--max-tokens", "9000", "--query", "Who bought pumps?", "--preset", "edge", "--no-cache"]
    settings = [
        "rewrite.use=t5",
        f"rewrite.model={folder}",
        "rewrite.spare=0",
        "rewrite.threads=2",
        "select.duplicates=1",
    ]
    command = [sys.executable, "-c", code, "compress", str(tmp_path / "long.txt"), *options]
    command += [word for setting in settings for word in ("--set", setting)]
    root = Path(__file__).parent.parent
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr.readline() == b"rewriting\n"
        process.send_signal(signal.SIGINT)
        started = time.perf_counter()
        out, err = process.communicate(timeout=60)
    assert time.perf_counter() - started < 15  # the whole takes minutes
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err


def test_without_its_model_deep_says_what_balanced_says(tmp_path, monkeypatch):
    pytest.importorskip("faiss")
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path))
    monkeypatch.delenv("GLIDING_MODELS", raising=False)
    deep = Compressor.from_preset("deep").compress(TEXT, query=QUERY, max_tokens=60)
    assert deep.text == Compressor.from_preset("balanced").compress(TEXT, query=QUERY, max_tokens=60).text
    assert "extracted, not rewritten" in deep.report.warnings[0]

import json

import pytest

from gliding import Compressor
from gliding.segment import segment
from gliding.segment.traces import trace_end
from gliding.types import Document

PYTHON = """Traceback (most recent call last):
  File "/srv/app/pay.py", line 212, in charge
    gateway.submit(order)
app.errors.GatewayTimeout: no answer from pay-gw-2 after 30.0 s"""
CHAINED = f"{PYTHON}\n\nDuring handling of the above exception, another exception occurred:\n\n{PYTHON}"
JAVA = """java.io.IOException: the file is gone
\tat org.app.Reader.read(Reader.java:12)
\tat org.app.Main.main(Main.java:3)
Caused by: java.lang.NullPointerException
\tat org.app.Disk.<init>(Disk.java:77)
\t... 2 more"""
NODE = """TypeError: Cannot read properties of undefined (reading 'id')
    at handler (/srv/app/routes.js:12:9)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)"""
GO = """panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.total(...)
\t/srv/app/main.go:12
main.main()
\t/srv/app/main.go:7 +0x1d"""
RUST = """thread 'main' panicked at src/main.rs:4:5:
  index out of bounds: the len is 3 but the index is 9
stack backtrace:
   0: rust_begin_unwind
   1: core::panicking::panic_fmt"""
LOG = [f"2024-05-11 03:00:{n:02} INFO worker said {'abcdefghij'[n % 10] * 3} at {n}" for n in range(60)]


@pytest.mark.parametrize(
    "trace", [PYTHON, CHAINED, JAVA, NODE, RUST], ids=["python", "chained", "java", "node", "rust"]
)
def test_a_trace_ends_where_the_log_goes_on(trace):
    lines = trace.split("\n")
    assert trace_end([*lines, LOG[0]], 0) == len(lines)
    assert trace_end([LOG[0], *lines], 0) == 0
    assert trace_end(lines, 0) == len(lines)


def test_a_trace_of_go_is_found_below_its_panic():
    lines = [line for line in GO.split("\n") if line]
    assert trace_end([*lines, LOG[0]], 0) == len(lines)


@pytest.mark.parametrize("line", ["ValueError: x", "Errors were found in 3 files", "no exception", "Traceback follows"])
def test_an_error_without_calls_is_no_trace(line):
    assert trace_end([line, LOG[0], LOG[1]], 0) == 0


@pytest.mark.parametrize("trace", [PYTHON, CHAINED, JAVA, NODE], ids=["python", "chained", "java", "node"])
def test_a_trace_in_a_log_is_chosen_as_a_whole(trace):
    text = "\n".join([*LOG[:30], "2024-05-11 03:00:30 ERROR worker failed", trace, *LOG[30:]])
    (record,) = [part for part in segment([Document(text=text)]) if part.kind == "record"]
    assert text[slice(*record.span)].endswith(trace)
    assert text[slice(*record.span)].startswith("2024" if "Traceback" in trace else trace[:9])
    out = Compressor.from_preset("edge").compress(text, query="Why did it fail?", rate=0.3).text
    assert trace in out


def test_json_at_the_end_of_a_long_line_stays_json():
    event = {"id": 7, "items": [{"sku": f"S-{n}", "note": "left the dock without remarks"} for n in range(30)]}
    text = "\n".join([*LOG, f"2024-05-11 03:02:00 INFO audit event={json.dumps(event)}", *LOG[:5]])
    out = Compressor.from_preset("edge").compress(text, query="What was in S-17?", max_tokens=150).text
    (line,) = [line for line in out.split("\n") if "audit event=" in line]
    assert line.startswith("2024-05-11 03:02:00 INFO audit event={")
    kept = json.loads(line.partition("event=")[2])
    assert {"sku": "S-17", "note": "left the dock without remarks"} in kept["items"]
    assert len(kept["items"]) < 30

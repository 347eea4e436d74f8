"""A real Ray of two workers on this machine."""

import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gliding.batch import CompressTask, Folder, Item, LocalEngine, Options, Row, Table, read_items, run

pytestmark = [
    pytest.mark.ray,
    # raised by Ray's own code, and by what it leaves to the garbage collector
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
ROOT = Path(__file__).parents[2]
OPTIONS = Options(preset="edge", rate=0.2, query="What is needed?")


@pytest.fixture(scope="module", autouse=True)
def ray():
    from gliding.batch.ray import _session

    with _session(2, None) as ray:
        yield ray


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def real_documents():
    """Sixty real texts: the guides, and pieces of the code."""
    texts = [path.read_text() for path in sorted(ROOT.glob("docs/**/*.md"))]
    texts += [path.read_text() for path in sorted(ROOT.glob("gliding/**/*.py"))]
    return [Item(position=n, id=str(n), source="docs", data=text[:4000]) for n, text in enumerate(texts[:60])]


def test_the_same_bytes_as_on_local_processes(tmp_path):
    from gliding.batch.ray import RayEngine

    task = CompressTask(OPTIONS)
    for name, engine in (("ray", RayEngine(task, workers=2)), ("local", LocalEngine(task, workers=2))):
        summary = run(real_documents(), options=OPTIONS, output=Table(tmp_path / f"{name}.jsonl"), engine=engine)
        assert (summary.done, summary.failed) == (60, 0)
    assert (tmp_path / "ray.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()


def test_a_folder_on_ray_is_resumed(tmp_path):
    from gliding.batch.ray import RayEngine

    def again():
        items = read_items([ROOT / "docs"], output=tmp_path)
        engine = RayEngine(CompressTask(OPTIONS), workers=2)
        return run(items, options=OPTIONS, output=Folder(tmp_path), engine=engine)

    first, second = again(), again()
    assert first.done == second.skipped > 3
    assert second.done == 0


@dataclass(frozen=True)
class DiesOnce:
    """A task whose process is killed in the midst of the run, once."""

    mark: str

    def timed(self, items):
        rows = []
        for item in items:
            if item.id == "17" and not os.path.exists(self.mark):
                Path(self.mark).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            rows.append(Row(id=item.id, source=item.source, text=item.data.upper()))
        return rows, [0.0] * len(rows)


def test_a_worker_that_is_killed_costs_nothing_but_time(tmp_path, ray):
    from gliding.batch.ray import RayEngine

    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # a worker does not find the tests
    mark = tmp_path / "died"
    items = [Item(position=n, id=str(n), source="s", data=f"text {n}") for n in range(40)]
    output = Table(tmp_path / "out.jsonl")
    summary = run(items, options=OPTIONS, output=output, engine=RayEngine(DiesOnce(str(mark)), workers=2))
    assert mark.exists()
    assert (summary.done, summary.failed) == (40, 0)
    assert [row["text"] for row in rows_of(output.path)] == [f"TEXT {n}" for n in range(40)]


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_tables_are_read_and_written_by_ray_itself(tmp_path, suffix):
    import pyarrow as pa
    import pyarrow.parquet as pq

    from gliding.batch.ray import distribute

    source = tmp_path / f"in{suffix}"
    records = [{"id": f"r{item.id}", "text": item.data} for item in real_documents()[:40]]
    records[3]["text"] = None
    if suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(records), source)
    else:
        source.write_text("".join(json.dumps(record) + "\n" for record in records))
    local = Table(tmp_path / "local.parquet")
    engine = LocalEngine(CompressTask(OPTIONS), workers=1)
    run(read_items([source]), options=OPTIONS, output=local, engine=engine)
    distribute(str(source), str(tmp_path / "shards"), options=OPTIONS, workers=2)
    found = sorted(pq.read_table(tmp_path / "shards").to_pylist(), key=lambda row: row["id"])
    wanted = sorted(pq.read_table(local.path).to_pylist(), key=lambda row: row["id"])
    for row in (*found, *wanted):
        del row["source"]  # a path here, a name there
    assert found == wanted
    assert sum(bool(row["error"]) for row in found) == 1

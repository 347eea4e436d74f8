"""A real Ray of two workers on this machine."""

import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gliding.batch import CompressTask, Folder, Item, LocalEngine, Options, Row, Table, read_items, run
from gliding.errors import InputError, ModelError

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


@dataclass(frozen=True)
class DiesOf:
    """A task whose process is killed each time that it has a certain document."""

    text: str

    def timed(self, items):
        for item in items:
            if item.data == self.text:
                os.kill(os.getpid(), signal.SIGKILL)
        return [Row(id=item.id, source=item.source, text=item.data) for item in items], [0.0] * len(items)


def test_a_document_that_kills_every_worker_has_failed_and_costs_no_other(tmp_path, ray):
    from gliding.batch.ray import RayEngine

    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    items = [Item(position=n, id=str(n), source="s", data=f"text {n}") for n in range(20)]
    output = Table(tmp_path / "out.jsonl")
    summary = run(items, options=OPTIONS, output=output, engine=RayEngine(DiesOf("text 5"), workers=2))
    assert (summary.done, summary.failed) == (19, 1)
    rows = rows_of(output.path)
    assert [row["text"] for row in rows] == [f"text {n}" if n != 5 else "" for n in range(20)]
    assert "died" in rows[5]["error"]


@dataclass(frozen=True)
class CannotWork:
    """A task that has not what it needs where it runs."""

    def timed(self, items):
        raise ModelError("The model is not here.")


def test_what_the_task_lacks_is_an_error_of_the_run(tmp_path, ray):
    from gliding.batch.ray import RayEngine

    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    engine = RayEngine(CannotWork(), workers=2)
    with pytest.raises(ModelError, match="not here"):
        run(real_documents()[:3], options=OPTIONS, output=Table(tmp_path / "out.jsonl"), engine=engine)


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
    distribute(str(source), str(tmp_path / "shards"), options=OPTIONS, ordered=True, workers=2)
    found, wanted = pq.read_table(tmp_path / "shards").to_pylist(), pq.read_table(local.path).to_pylist()
    for row in (*found, *wanted):
        del row["source"]  # a path here, a name there
    assert found == wanted
    assert sum(bool(row["error"]) for row in found) == 1


def test_ray_writes_json_lines_too(tmp_path):
    from gliding.batch.ray import distribute

    source = tmp_path / "in.jsonl"
    texts = [f"Text {n} says nothing at all. Größe {n} is needed. It rained. Lunch was late." for n in range(20)]
    source.write_text("".join(json.dumps({"name": n, "words": text}) + "\n" for n, text in enumerate(texts)))
    target = tmp_path / "out.jsonl"
    distribute(str(source), str(target), options=OPTIONS, text_column="words", id_column="name", workers=2)
    rows = sorted((row for shard in target.iterdir() for row in rows_of(shard)), key=lambda row: int(row["id"]))
    wanted = CompressTask(OPTIONS)([{"id": str(n), "text": text} for n, text in enumerate(texts)])
    assert [(row["id"], row["text"]) for row in rows] == [(row.id, row.text) for row in wanted]
    assert {row["error"] for row in rows} == {""}


def test_a_table_without_names_for_its_rows_is_refused(tmp_path):
    from gliding.batch.ray import distribute

    source = tmp_path / "in.jsonl"
    source.write_text('{"text": "a"}\n')
    with pytest.raises(InputError, match="names a row"):
        distribute(str(source), str(tmp_path / "out"), options=OPTIONS)

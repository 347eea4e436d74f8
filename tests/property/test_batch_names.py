"""Names of outputs are safe and each document's own; tables give back what was written."""

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st

from gliding.batch.items import Row
from gliding.batch.outputs import Folder
from gliding.batch.tables import Columns, csv_rows, json_rows

TEXTS = st.text(st.characters(codec=None), max_size=40)
IDS = st.one_of(TEXTS, st.text("./\\~% aA:", max_size=8), st.text("ü/", min_size=190, max_size=260))


@given(IDS)
def test_a_name_stays_below_the_folder(name):
    for source in ("rows.jsonl", name):
        placed = Folder("out").place(name, source)
        for part in placed.split("/"):
            assert part
            assert part[0] != "."
            assert part[-1] not in ". "
            assert not set(part) & set('<>:"|?*\\\0')
            assert len(part.encode()) <= 200


@given(IDS, IDS)
def test_two_rows_never_share_a_name(one, two):
    folder = Folder("out")
    assert (folder.place(one, "rows.jsonl") == folder.place(two, "rows.jsonl")) == (one == two)


@given(IDS, IDS)
def test_two_files_never_share_a_name(one, two):
    folder = Folder("out")
    assert (folder.place(one, one) == folder.place(two, two)) == (one == two)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_json_lines_give_back_what_was_written(rows):
    lines = "".join(json.dumps({"id": f"r{name}", "text": text}) + "\n" for name, text in rows)
    read = json_rows(io.BytesIO(lines.encode()), Columns(), "it")
    assert [(row.id, row.text) for row in read] == [(f"r{name}", text) for name, text in rows]


@given(st.lists(st.tuples(st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=30)), max_size=5))
def test_csv_gives_back_what_was_written(rows):
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(["id", "text"])
    table.writerows([["r", *row] for row in rows])
    read = csv_rows(io.BytesIO(out.getvalue().encode()), Columns(), "it")
    assert [(row.text,) for row in read] == rows


@given(TEXTS, TEXTS)
def test_a_row_is_the_same_after_json(name, text):
    row = Row(id=name, source="s", text=text)
    assert Row.from_dict(json.loads(json.dumps(row.to_dict()))) == row

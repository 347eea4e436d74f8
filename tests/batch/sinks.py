"""Outputs and tasks that the tests of batches share, as plain as they can be."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from gliding.batch.items import Item, Row


class Written(NamedTuple):
    size: int
    digest: str


def _digest(data):
    return hashlib.sha256(data).hexdigest()


class Folder:
    def __init__(self, root: Path) -> None:
        self.root = Path(root)
        self.manifest = self.root / ".gliding-batch.sqlite"

    def place(self, item_id, source):
        return f"{item_id}.txt"

    def write(self, name, row):
        path, data = self.root / name, row.text.encode("utf-8", "backslashreplace")
        partial = path.with_name(f".{path.name}.tmp")
        partial.write_bytes(data)
        os.replace(partial, path)
        return Written(len(data), _digest(data))

    def intact(self, name, written):
        path = self.root / name
        return path.is_file() and _digest(path.read_bytes()) == written.digest

    def texts(self):
        return {path.name: path.read_text() for path in sorted(self.root.glob("*.txt"))}


class Table:
    def __init__(self, path: Path, *, kept: bool = True) -> None:
        self.path = Path(path)
        self.manifest = self.path.with_name(f".{self.path.name}.gliding-batch.sqlite") if kept else None

    def write_all(self, rows):
        partial = self.path.with_suffix(".tmp")
        with partial.open("w") as out:
            for row in rows:
                out.write(json.dumps(row.to_dict()) + "\n")
        os.replace(partial, self.path)

    def rows(self):
        return [Row.from_dict(json.loads(line)) for line in self.path.read_text().splitlines()]


@dataclass(frozen=True)
class Upper:
    """A task that says what it does in a log, waits, and dies or fails of some texts."""

    log: str
    wait: float = 0.0

    def timed(self, items):
        return [self._row(item) for item in items], [self.wait] * len(items)

    def _row(self, item):
        with open(self.log, "a") as log:
            log.write(f"{item.id}\n")
        text = str(item.data)
        if text.startswith("die"):
            os.kill(os.getpid(), signal.SIGKILL)
        if text.startswith("refuse"):
            raise ValueError("no work today")
        if text.startswith("fail"):
            return Row(id=item.id, source=item.source, error="It failed.")
        if text.startswith("environ"):
            text = os.environ[text.removeprefix("environ ")]
        time.sleep(self.wait)
        return Row(id=item.id, source=item.source, text=text.upper(), tokens_in=4, tokens_out=2, rate=0.5, tier="trim")


def items(*texts, start=0):
    return [Item(position=start + k, id=f"d{start + k}", source="s", data=text) for k, text in enumerate(texts)]


def said(log):
    return Path(log).read_text().split() if Path(log).exists() else []

"""What a user names, files, folders, tables, archives, addresses, becomes a stream of items in a fixed order."""

from __future__ import annotations

import fnmatch
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from gliding.batch import archives, tables
from gliding.batch.items import Item
from gliding.batch.tables import Cells, Columns
from gliding.errors import InputError, MissingExtra

STDIN = "-"

_LARGEST = 1 << 30  # bytes of one file that is one document


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How inputs are read.

    ``glob`` are patterns of which a file in a folder matches one, by its name or by its path below the folder;
    ``gitignore`` leaves out what the ``.gitignore`` files of a folder name. ``columns`` are those of tables.
    ``output`` is never read. ``unique`` says that two rows of a table with one id are a fault.
    """

    columns: Columns
    glob: tuple[str, ...] = ()
    gitignore: bool = False
    output: Path | None = None
    unique: bool = False


def read_items(
    inputs: Sequence[str | Path],
    *,
    glob: Sequence[str] = (),
    gitignore: bool = False,
    text_column: str = "",
    id_column: str = "",
    query_column: str = "",
    output: Path | None = None,
    unique: bool = False,
    warn: Callable[[str], None] | None = None,
) -> Iterator[Item]:
    """Yield the documents of the inputs, one after another; at most one, and some rows of a table, is in memory.

    A folder gives its files in the order of their names; hidden ones, and links that lead to folders or out of it, are
    left out. A file is one document, but for archives (.zip, .tar, .tar.gz ..., a text in .gz), which give one for each
    member, and for tables that are named themselves (.jsonl, .csv, .tsv, .parquet), which give one for each row. Tables
    in folders and archives are documents like others, unless ``text_column`` is given. ``-`` is JSON Lines on standard
    input. An address that pyarrow knows (``s3://...``) is a table in JSON Lines or Parquet. What cannot be read becomes
    an item with an ``error``.

    Args:
        inputs: Paths, addresses, ``-``.
        glob: Patterns of which a file in a folder matches one, such as ``*.md`` or ``docs/*``.
        gitignore: Whether ``.gitignore`` files of a folder are respected.
        text_column: The column of tables with the text; else ``text``, ``content``, ``document``, ``body`` ...
        id_column: The column that names a row; else ``id``, else the row's number is its name.
        query_column: The column with a query for each row; else ``query`` or ``question``, where there is one.
        output: The output, a file or a folder, which is never read.
        unique: Whether the second row of a table with an id is an error, since each needs a file of its own.
        warn: Is told what is left out.

    Raises:
        InputError: An input is not there, or a table has no column with a text; before the first item where it can.
        MissingExtra: ``pyarrow`` or ``pathspec`` is needed and not installed.
    """
    reading = Reading(
        glob=tuple(glob),
        gitignore=gitignore,
        columns=Columns(text_column, id_column, query_column),
        output=None if output is None else Path(output).resolve(),
        unique=unique,
    )
    checked(inputs)
    return _numbered(inputs, reading, warn or _nobody)


def checked(inputs: Sequence[str | Path]) -> None:
    """See that the inputs are there.

    Raises:
        InputError: One is not, or standard input is named twice.
    """
    if not inputs:
        raise InputError("No input is given.", hint="Give files or folders.")
    if [str(given) for given in inputs].count(STDIN) > 1:
        raise InputError("Standard input is named twice.", hint="Give - once.")
    for given in inputs:
        if not _is_address(given) and str(given) != STDIN:
            path = Path(given)
            if not path.exists():
                raise InputError(f"There is no file or folder {str(given)!r}.", hint="Check the path.")
            if not (path.is_dir() or path.is_file()):
                raise InputError(f"{str(given)!r} is neither a file nor a folder.", hint="Give - for standard input.")


def count_items(
    inputs: Sequence[str | Path], *, glob: Sequence[str] = (), gitignore: bool = False, text_column: str = ""
) -> int | None:
    """Return how many documents the inputs hold, where that is quickly known, else None.

    Raises:
        InputError: An input is no Parquet file though its name says so.
        MissingExtra: ``pyarrow`` or ``pathspec`` is needed and not installed.
    """
    total = 0
    reading = Reading(glob=tuple(glob), gitignore=gitignore, columns=Columns(text_column))
    for given in inputs:
        path = Path(given)
        if _is_address(given) or str(given) == STDIN:
            return None
        for file in _walk(path, reading, _nobody) if path.is_dir() else (path,):
            count = _count(file, is_table=_is_table(file) and (file == path or bool(text_column)))
            if count is None:
                return None
            total += count
    return total


def _count(file: Path, *, is_table: bool) -> int | None:
    if not is_table:
        return None if archives.is_archive(file.name) else 1
    if file.suffix.lower() == ".parquet":
        from gliding.backends.parquet import count_rows

        return count_rows(file)
    if file.suffix.lower() in (".jsonl", ".ndjson"):
        with file.open("rb") as lines:
            return sum(not line.isspace() for line in lines)
    return None


def _numbered(inputs: Sequence[str | Path], reading: Reading, warn: Callable[[str], None]) -> Iterator[Item]:
    base = _base(inputs)
    position = 0
    for given in inputs:
        for item in _items(given, base, reading, warn):
            yield replace(item, position=position)
            position += 1


def _base(inputs: Sequence[str | Path]) -> Path:
    """What ids are relative to: the one folder that is given, or the folder that holds all inputs."""
    local = [Path(os.path.abspath(given)) for given in inputs if not _is_address(given) and str(given) != STDIN]
    if len(local) == 1 and local[0].is_dir():
        return local[0]
    try:
        return Path(os.path.commonpath([path.parent for path in local])) if local else Path()
    except ValueError:  # on several drives
        return Path()


def _items(given: str | Path, base: Path, reading: Reading, warn: Callable[[str], None]) -> Iterator[Item]:
    if str(given) == STDIN:
        yield from _rows(sys.stdin.buffer, "stdin.jsonl", "stdin", reading, named=True)
        return
    if _is_address(given):
        yield from _address(str(given), reading)
        return
    path = Path(os.path.abspath(given))
    if path.is_dir():
        for file in _walk(path, reading, warn):
            yield from _file(file, base, reading, warn, table=bool(reading.columns.text), named=False)
    else:
        yield from _file(path, base, reading, warn, table=True, named=True)


def _file(
    path: Path, base: Path, reading: Reading, warn: Callable[[str], None], *, table: bool, named: bool
) -> Iterator[Item]:
    source = path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix()
    try:
        if table and _is_table(path):
            with path.open("rb") as file:
                yield from _rows(file, path.name, source, reading, named=named)
        elif archives.is_archive(path.name):
            for member in archives.read_members(path, warn=warn):
                yield from _member(member, source, reading)
        elif path.stat().st_size > _LARGEST:
            yield _failed(source, f"The file is larger than {_LARGEST >> 30} GiB.")
        else:
            yield Item(position=0, id=source, source=source, data=path.read_bytes(), name=source)
    except OSError as error:
        yield _failed(source, f"The file cannot be read: {error.strerror or error}.")


def _member(member: archives.Member, archive: str, reading: Reading) -> Iterator[Item]:
    source = f"{archive}/{member.name}" if member.name else archive
    if reading.columns.text and not member.error and _is_table(Path(member.name)):
        yield from _rows(io.BytesIO(member.data), member.name, source, reading, named=False)
    else:
        name = member.name or archive
        yield Item(position=0, id=source, source=source, data=member.data, name=name, error=member.error)


def _failed(source: str, error: str) -> Item:
    return Item(position=0, id=source, source=source, data=b"", name=source, error=error)


def _address(address: str, reading: Reading) -> Iterator[Item]:
    from gliding.backends.parquet import open_address

    if not _is_table(Path(address)):
        raise InputError(f"{address} is no table.", hint="An address ends in .jsonl, .csv or .parquet.")
    with open_address(address) as file:
        yield from _rows(file, address, address, reading, named=True)


def _table(file: IO[bytes], name: str, columns: Columns, where: str) -> Iterator[Cells]:
    lower = name.lower()
    if lower.endswith(".parquet"):
        return tables.parquet_rows(file, columns, where)
    if lower.endswith((".csv", ".tsv")):
        return tables.csv_rows(file, columns, where, tabs=lower.endswith(".tsv"))
    return tables.json_rows(file, columns, where)


def _rows(file: IO[bytes], name: str, source: str, reading: Reading, *, named: bool) -> Iterator[Item]:
    """The rows of a table. One that cannot be read costs itself alone, but for one that was named and has no row."""
    seen: set[int] = set()
    begun = False
    try:
        for row in _table(file, name, reading.columns, source):
            begun = True
            yield _item(row, source, seen if reading.unique else None)
    except InputError as error:
        if named and not begun:
            raise
        yield _failed(source, error.message)


def _item(row: Cells, source: str, seen: set[int] | None) -> Item:
    error = row.error
    if seen is not None and not error:
        if row.id == source:
            error = "The id is the name of the table. Name another --id-column."
        elif hash(row.id) in seen:
            error = f"The id {row.id!r} is that of another row. Name another --id-column."
        seen.add(hash(row.id))
    name = f"{row.id} (row {row.number})" if error and not row.error else row.id
    return Item(position=0, id=name, source=source, data="" if error else row.text, query=row.query, error=error)


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in tables.SUFFIXES


def _is_address(given: str | Path) -> bool:
    return isinstance(given, str) and "://" in given


def _walk(root: Path, reading: Reading, warn: Callable[[str], None]) -> Iterator[Path]:
    """The files of a folder and those below, by name; the stack holds one list of names for each level."""
    ignored = _Ignored(root) if reading.gitignore else None
    real = root.resolve()
    stack = [root]
    while stack:
        path = stack.pop()
        try:
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                target = path.resolve()
                if path != root and (not target.is_file() or not target.is_relative_to(real)):
                    warn(f"{path} is a link that is not followed.")
                    continue
                mode = target.stat().st_mode
            if reading.output is not None and path.resolve() == reading.output:
                continue
            if ignored is not None and path != root and ignored.names(path, folder=stat.S_ISDIR(mode)):
                continue
            if stat.S_ISDIR(mode):
                names = sorted(os.listdir(path), reverse=True)
                stack += [path / name for name in names if not name.startswith(".")]
            elif not stat.S_ISREG(mode):
                warn(f"{path} is no file, and is left out.")
            elif not reading.glob or _matches(path.relative_to(root).as_posix(), reading.glob):
                yield path
        except OSError as error:
            warn(f"{path} cannot be read, and is left out: {error.strerror or error}.")


def _matches(name: str, patterns: Sequence[str]) -> bool:
    """Whether a path below a folder, or its last part alone, matches a pattern; ``**/`` stands for any folders or none.

    >>> _matches("a/b.md", ["*.md"]), _matches("b.md", ["**/*.md"]), _matches("a/b.md", ["b/*"])
    (True, True, False)
    """
    last = name.rpartition("/")[2]
    return any(
        fnmatch.fnmatchcase(last if "/" not in pattern else name, pattern)
        or fnmatch.fnmatchcase(name, pattern.replace("**/", ""))
        for pattern in patterns
    )


class _Ignored:
    """What the ``.gitignore`` files from a folder down to a path leave out; the nearest one that speaks decides."""

    def __init__(self, root: Path) -> None:
        try:
            from pathspec import GitIgnoreSpec
        except ImportError as error:
            raise MissingExtra(
                "The package 'pathspec' is not installed.", hint="Run: pip install 'gliding[batch]'"
            ) from error
        self._parse: Callable[[list[str]], Any] = GitIgnoreSpec.from_lines
        self._root = root
        self._specs: dict[Path, Any] = {}

    def names(self, path: Path, *, folder: bool) -> bool:
        for parent in path.parents:
            spec = self._spec(parent)
            if spec is not None:
                name = path.relative_to(parent).as_posix() + ("/" if folder else "")
                said = spec.check_file(name).include
                if said is not None:
                    return bool(said)
            if parent == self._root:
                break
        return False

    def _spec(self, folder: Path) -> Any:
        if folder not in self._specs:
            file = folder / ".gitignore"
            try:
                lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []
            except OSError:
                lines = []
            self._specs[folder] = self._parse(lines) if lines else None
        return self._specs[folder]


def _nobody(told: str) -> None:
    """Nobody listens."""

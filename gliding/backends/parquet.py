"""Parquet by pyarrow: texts read in batches, rows written in groups; also files at addresses that pyarrow knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import IO, Any

from gliding.backends.extras import require
from gliding.errors import InputError

_READ = 256  # rows that are read at a time
_GROUP = 1024  # rows of a group that is written


def column_names(file: Any) -> list[str]:
    """Return the names of the columns of an open file or a path.

    Raises:
        InputError: It is no Parquet file.
        MissingExtra: ``pyarrow`` is not installed.
    """
    return [str(name) for name in _opened(file).schema_arrow.names]


def count_rows(file: Any) -> int:
    """Return the number of rows; raises as ``column_names`` does."""
    return int(_opened(file).metadata.num_rows)


def read_rows(file: Any, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of the columns of each row; memory stays that of some hundred rows.

    Raises:
        InputError: It is no Parquet file, or is damaged.
        MissingExtra: ``pyarrow`` is not installed.
    """
    arrow = require("pyarrow", extra="batch")
    try:
        for batch in _opened(file).iter_batches(batch_size=_READ, columns=list(dict.fromkeys(columns))):
            held = {name: batch.column(name).to_pylist() for name in batch.schema.names}
            yield from zip(*(held[name] for name in columns), strict=True)
    except (arrow.ArrowException, OSError) as error:
        raise InputError(f"The Parquet file is damaged: {error}") from error


def write_rows(file: IO[bytes], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write the rows of a batch (``Row.to_dict`` with spans as mappings and the audit as JSON); the same bytes twice.

    Raises:
        MissingExtra: ``pyarrow`` is not installed.
    """
    arrow, parquet = require("pyarrow", extra="batch"), require("pyarrow.parquet", extra="batch")
    schema = row_schema()
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        left = iter(rows)
        while group := list(islice(left, _GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))


def as_table(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return rows as an Arrow table with the columns that ``write_rows`` writes.

    Raises:
        MissingExtra: ``pyarrow`` is not installed.
    """
    return require("pyarrow", extra="batch").Table.from_pylist(list(rows), schema=row_schema())


def row_schema() -> Any:
    """Return the columns of a batch's rows as an Arrow schema."""
    arrow = require("pyarrow", extra="batch")
    whole = ("output_start", "output_end", "document", "source_start", "source_end")
    span = arrow.struct([*((name, arrow.int64()) for name in whole), ("exact", arrow.bool_())])
    return arrow.schema(
        [
            ("id", arrow.string()),
            ("source", arrow.string()),
            ("text", arrow.large_string()),
            ("tokens_in", arrow.int64()),
            ("tokens_out", arrow.int64()),
            ("rate", arrow.float64()),
            ("tier", arrow.string()),
            ("spans", arrow.list_(span)),
            ("warnings", arrow.list_(arrow.string())),
            ("audit", arrow.string()),
            ("error", arrow.string()),
        ]
    )


def open_address(address: str) -> Any:
    """Open a file at an address that pyarrow knows, such as ``s3://bucket/key`` or ``file:///data/a.parquet``.

    Raises:
        InputError: There is none, or the address is not understood.
        MissingExtra: ``pyarrow`` is not installed.
    """
    arrow, fs = require("pyarrow", extra="batch"), require("pyarrow.fs", extra="batch")
    try:
        system, path = fs.FileSystem.from_uri(address)
        return system.open_input_file(path)
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{address} cannot be read: {error}", hint="Check the address and its rights.") from error


def _opened(file: Any) -> Any:
    arrow, parquet = require("pyarrow", extra="batch"), require("pyarrow.parquet", extra="batch")
    try:
        return parquet.ParquetFile(file)
    except (arrow.ArrowException, OSError) as error:
        raise InputError(f"This is no Parquet file: {error}") from error

"""Write the help of every command to docs/cli.md, or check that it is up to date.

    python scripts/docs.py           # write
    python scripts/docs.py --check   # exit 1 where the file differs

How typer lays out help changes between its versions, so that a check under another version compares the options only.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
TARGET = ROOT / "docs" / "cli.md"
COMMANDS = (
    "",
    "compress",
    "batch",
    "audit",
    "presets",
    "presets list",
    "presets show",
    "models",
    "models list",
    "models path",
    "models verify",
    "models fetch",
    "models import",
    "models export",
    "store",
    "store add",
    "store remove",
    "store search",
    "store compress",
    "store compact",
    "store check",
    "store rebuild",
    "store info",
    "doctor",
)


def page() -> str:
    """Return the text of docs/cli.md."""
    from typer.testing import CliRunner

    from gliding.cli.main import app

    os.environ["COLUMNS"] = "100"
    parts = [f"# The command line\n\n<!-- written by scripts/docs.py with typer {version('typer')} -->\n"]
    for command in COMMANDS:
        shown = CliRunner().invoke(app, [*command.split(), "--help"], prog_name="gliding", terminal_width=100)
        title = f"gliding {command}".strip()
        parts.append(f"## {title}\n\n```text\n{shown.stdout.strip()}\n```\n")
    return "\n".join(parts)


def matches(old: str, new: str) -> bool:
    """Say whether two pages document the same command line."""
    stamp = re.compile(r"<!--.*?-->")
    if stamp.findall(old) == stamp.findall(new):
        return old == new
    return _options(old) == _options(new)


def _options(text: str) -> list[list[str]]:
    return [sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", part))) for part in text.split("\n## ")]


def main() -> int:
    """Write or check the page; return the exit code."""
    new = page()
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(new, encoding="utf-8")
        return 0
    if TARGET.is_file() and matches(TARGET.read_text(encoding="utf-8"), new):
        return 0
    print(f"{TARGET.relative_to(ROOT)} is out of date. Run: python scripts/docs.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

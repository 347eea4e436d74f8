"""Measure what a preset costs on this machine: megabytes installed, peak resident memory, seconds from start to end.

    python scripts/bench/footprint.py [PRESET ...]

Sizes are those of the installed files of what pyproject.toml asks for, and what that asks for in turn. Each preset runs
in processes of its own, without the cache; the first is cold only where the files are not yet in the system's memory.
Processor seconds (of all cores together) say more than the clock where the machine has other work to do.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "examples" / "incident-report.md"
EXTRA = {"edge": ""}  # any other preset needs what the extra ``full`` brings
RUNS = 5
CODE = """
import json, resource, sys
from gliding import Compressor
with Compressor.from_preset({preset!r}, cache=False) as compressor:
    text = open({document!r}, encoding="utf-8").read()
    result = compressor.compress(text, query="Why did the standby compressor not start?", max_tokens=400)
used = resource.getrusage(resource.RUSAGE_SELF)
unit = 1 if sys.platform == "darwin" else 1024
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss * unit, result.tokens]))
"""


def main() -> None:
    """Print the figures of the presets that are named, or of all that are complete."""
    names = sys.argv[1:] or complete()
    print(f"{platform.machine()}, {platform.system()} {platform.release()}, Python {platform.python_version()}")
    for name in names:
        packages = installed(EXTRA.get(name, "full"))
        total = sum(packages.values())
        print(f"\n{name}: {total / 1e6:.0f} MB of packages besides gliding's own {own() / 1e6:.0f} MB")
        for package, size in sorted(packages.items(), key=lambda item: -item[1])[:10]:
            print(f"  {package:<24} {size / 1e6:6.1f} MB")
        seconds, busy, memory = zip(*(run(name) for _ in range(RUNS)), strict=True)
        print(f"  start to end: first {seconds[0]:.2f} s, best of {RUNS} {min(seconds):.2f} s")
        print(f"  processor: best of {RUNS} {min(busy):.2f} s")
        print(f"  peak resident memory: {max(memory) / 1e6:.0f} MB")


def complete() -> list[str]:
    """Return the names of the presets that lack nothing here."""
    sys.path.insert(0, str(ROOT))
    from gliding import presets, registry

    return [name for name in presets.names() if not registry.lacks(presets.load(name))]


def run(preset: str) -> tuple[float, float, int]:
    """Compress the example document in a fresh process; return seconds, processor seconds and peak bytes."""
    code = CODE.format(preset=preset, document=str(DOCUMENT))
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - begin
    busy, peak, _ = json.loads(done.stdout)
    return seconds, busy, peak


def installed(extra: str) -> dict[str, int]:
    """Bytes of each package that gliding needs with this extra, gliding itself left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    waiting = list(project["dependencies"])
    names = [extra] if extra else []
    while names:
        for line in optional[names.pop()]:
            requirement = Requirement(line)
            if requirement.name == "gliding":
                names += requirement.extras
            else:
                waiting.append(line)
    sizes: dict[str, int] = {}
    while waiting:
        requirement = Requirement(waiting.pop())
        package = re.sub(r"[-_.]+", "-", requirement.name).lower()
        extras = requirement.extras or {""}
        if requirement.marker and not any(requirement.marker.evaluate({"extra": name}) for name in extras):
            continue
        if package in sizes:
            continue
        try:
            found = distribution(package)
        except PackageNotFoundError:
            continue
        sizes[package] = sum(
            path.stat().st_size for path in map(found.locate_file, found.files or []) if path.is_file()
        )
        waiting += [line for line in found.requires or [] if "extra ==" not in line]
    return sizes


def own() -> int:
    """Bytes that gliding itself brings: the code, the presets and the models beside it."""
    folders = [ROOT / name for name in ("gliding", "models", "pipelines")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files if path.suffix != ".pyc")


if __name__ == "__main__":
    main()

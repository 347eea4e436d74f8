"""Which programming language a text is in, by its file's name first and by signs in a sample of it second."""

from __future__ import annotations

import re
from pathlib import PurePath

_SAMPLE = 20_000
_SUFFIXES = {
    **dict.fromkeys((".py", ".pyi", ".pyw"), "python"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    **dict.fromkeys((".c", ".h"), "c"),
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".hpp", ".hh"), "cpp"),
    **dict.fromkeys((".sh", ".bash", ".zsh"), "bash"),
    **dict.fromkeys((".kt", ".kts"), "kotlin"),
    **{".tsx": "tsx", ".go": "go", ".rs": "rust", ".java": "java", ".cs": "csharp", ".rb": "ruby", ".php": "php"},
    **{".swift": "swift", ".scala": "scala", ".lua": "lua", ".pl": "perl", ".r": "r", ".sql": "sql", ".zig": "zig"},
}
NAMES = {
    **{"c": "C", "cpp": "C++", "go": "Go", "java": "Java", "javascript": "JavaScript", "rust": "Rust"},
    **{"tsx": "TypeScript", "typescript": "TypeScript"},
}
"""The languages that are parsed by a grammar, as they are called."""
_DIALECTS = {"c": ("c", "cpp"), "javascript": ("javascript", "tsx"), "typescript": ("typescript", "tsx")}
_SIGNS = (
    (
        "python",
        re.compile(
            r"(?m)^\s*(?:(?:async )?def \w+\(.*|class \w+.*:|from [\w.]+ import .+|import [\w.]+(?: as \w+)?)\s*$"
        ),
    ),
    ("go", re.compile(r"(?m)^(?:package \w+\s*$|func (?:\(\w+ \*?\w+\) )?\w+\(|import \($)")),
    (
        "rust",
        re.compile(
            r"(?m)^\s*(?:pub(?:\(crate\))? )?(?:fn \w+.*[{(]|impl\b.*\{|use [\w:]+(?:::\{.*\})?;|struct \w+.*\{)"
        ),
    ),
    ("java", re.compile(r"(?m)^\s*(?:import [\w.]+;|package [\w.]+;|(?:public|private|protected) .*[{;])\s*$")),
    ("cpp", re.compile(r"(?m)^\s*(?:#include <\w+>|namespace \w+|template\s*<|using namespace \w+;|.*\bstd::\w+)")),
    (
        "c",
        re.compile(
            r"(?m)^\s*(?:#include [<\"][\w./]+\.h[>\"]|#define \w+"
            r"|(?:static |const )*(?:int|void|char|struct \w+) \*?\w+\(.*)"
        ),
    ),
    (
        "typescript",
        re.compile(r"(?m)^\s*(?:export )?(?:interface \w+|type \w+ =|.*\w\??: (?:string|number|boolean)\b.*[,;){])"),
    ),
    (
        "javascript",
        re.compile(
            r"(?m)^\s*(?:(?:export )?(?:default )?(?:async )?function\b.*\{"
            r"|(?:const|let|var) \w+ = .*|import .* from ['\"].*)"
        ),
    ),
    ("bash", re.compile(r"(?m)^(?:#!.*\b(?:ba|z)?sh\b|\s*(?:fi|done|esac)\s*$|\w+\(\) \{|if \[)")),
    ("sql", re.compile(r"(?mi)^\s*(?:select\b.*\bfrom\b|create (?:table|index|view)\b|insert into\b|alter table\b)")),
)
_FEWEST = 2


def dialects(language: str) -> tuple[str, ...]:
    """Return the grammars that a text may follow which is said to be in a language, the likeliest first.

    >>> dialects("c"), dialects("go")
    (('c', 'cpp'), ('go',))
    """
    return _DIALECTS.get(language, (language,))


def named_language(name: str) -> str:
    """Return the language that a file's name tells, as tree-sitter's grammars are called; empty where none.

    >>> named_language("a/b.TSX"), named_language("notes.txt")
    ('tsx', '')
    """
    return _SUFFIXES.get(PurePath(name).suffix.lower(), "") if "." in name else ""


def language_signs(text: str) -> tuple[str, int]:
    r"""Return the language that most lines of a sample are a sign of, and how many; the first in a tie.

    >>> language_signs("fn f() {\n}\nuse a::b;\n")
    ('rust', 2)
    """
    sample = text[:_SAMPLE]
    counts = [(language, len(sign.findall(sample))) for language, sign in _SIGNS]
    language, most = max(counts, key=lambda found: found[1])
    return (language, most) if most >= _FEWEST else ("", 0)


def language_of(text: str, *, name: str = "") -> str:
    r"""Return the programming language of a text, as tree-sitter's grammars are called; empty where none shows.

    >>> language_of("", name="a/b.tsx"), language_of("def f(x):\n    return x\n\nimport os\n"), language_of("Hello.")
    ('tsx', 'python', '')
    """
    return named_language(name) or language_signs(text)[0]

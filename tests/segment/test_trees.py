"""Source code by its tree: what is a signature, a sentence and a gap in each language, and what is left to lines."""

import pytest

from gliding import registry
from gliding.assemble import Assembler
from gliding.segment import segment
from gliding.segment.trees import cut_tree
from gliding.select.frames import needs
from gliding.types import Document

TREES = registry.syntax_trees()
needs_trees = pytest.mark.skipif(TREES is None, reason="needs gliding[code]")


def cut(text, language, **options):
    return cut_tree(text, 0, TREES, language=language, **{"max_chars": 400, **options})


def keep(text, language, *kept, **options):
    """The output where the sentences that hold one of these texts are kept."""
    segments = cut(text, language, **options)
    spans = [span for s in segments for span in s.sentences]
    chosen = {k for k, span in enumerate(spans) if any(part in text[slice(*span)] for part in kept)}
    return Assembler([Document(text=text)], segments).text(sorted(needs(segments).along(chosen)))


def parses(text, language):
    (root,) = TREES.parse([text], language=language)
    return not root.faulty


JS = """// Pumps.
import { run } from './run'

/** A pump. */
export class Pump extends Base {
  limit = 42

  // why it failed
  check(bar) {
    const high = bar > this.limit
    run(high)
    return high
  }

  stop() {
    run(false)
  }
}
"""
GO = """// Package pump moves water.
package pump

import "fmt"

// Check says whether it failed.
func (p *Pump) Check(bar int) (bool, error) {
\thigh := bar > p.limit
\tfmt.run(high)
\treturn high, nil
}

type Pump struct {
\tlimit int
}
"""
RUST = """//! Pumps.
use a::b;

impl Pump {
    /// Says whether it failed.
    #[must_use]
    pub fn check(&self, bar: u8) -> bool {
        let high = bar > self.limit;
        run(high);
        high
    }

    fn stop(&self) {
        b(false);
    }
}
"""
JAVA = """package a.b;

import java.util.List;

/** A pump. */
public class Pump {
    static class Gate {
        /** Says whether it failed. */
        @Override
        public boolean check(int bar) {
            boolean high = bar > limit;
            run(high);
            return high;
        }
    }

    void stop() {
        run(false);
    }
}
"""
C = """#include <stdio.h>

/* Says whether it failed. */
static int check(int bar)
{
    int high = bar > 42;
    run(high);
    return high;
}

int stop(void);
"""
CPP = """namespace water {

template <class T>
class Pump : public Base {
 public:
  // Says whether it failed.
  bool check(int bar) const {
    const bool high = bar > limit_;
    run(high);
    return high;
  }

  void stop();

 private:
  T limit_;
  T one_more_long_name_that_takes_some_room_in_this_class_so_that_it_is_opened_not_whole_;
  T its_long_name_that_takes_some_room_in_this_class_so_that_it_is_opened_and_not_whole_;
  T another_long_name_that_takes_some_room_in_this_class_so_that_it_is_opened_not_whole_;
};

}  // namespace water
"""
TS = """export interface Gauge {
  bar: number;
}

abstract class Pump<T> {
  @Input() name: string;

  abstract stop(): void;

  @Bound()
  check(bar: number): boolean {
    const high = bar > 42;
    this.run(high);
    return high;
  }
}
"""


WANTED = {
    "javascript": """/** A pump. */
export class Pump extends Base {
  // ...

  // why it failed
  check(bar) {
    // ...
    run(high)
    // ...
  }

  // ...
}""",
    "typescript": """abstract class Pump<T> {
  // ...

  @Bound()
  check(bar: number): boolean {
    // ...
    this.run(high);
    // ...
  }
}""",
    "go": """package pump

// Check says whether it failed.
func (p *Pump) Check(bar int) (bool, error) {
\t// ...
\tfmt.run(high)
\t// ...
}
""",
    "rust": """impl Pump {
    /// Says whether it failed.
    #[must_use]
    pub fn check(&self, bar: u8) -> bool {
        // ...
        run(high);
        // ...
    }

    // ...
}""",
    "java": """/** A pump. */
public class Pump {
    static class Gate {
        /** Says whether it failed. */
        @Override
        public boolean check(int bar) {
            // ...
            run(high);
            // ...
        }
    }

    // ...
}""",
    "c": """/* Says whether it failed. */
static int check(int bar)
{
    // ...
    run(high);
    // ...
}
""",
    "cpp": """namespace water {

template <class T>
class Pump : public Base {
 public:
  // Says whether it failed.
  bool check(int bar) const {
    // ...
    run(high);
    // ...
  }

  // ...

 private:
  // ...
};

}  // namespace water
""",
}
SOURCES = {"javascript": JS, "typescript": TS, "go": GO, "rust": RUST, "java": JAVA, "c": C, "cpp": CPP}


@needs_trees
@pytest.mark.parametrize("language", sorted(WANTED))
def test_a_statement_stands_in_its_function_and_class(language):
    output = keep(SOURCES[language], language, "run(high)")
    assert output == WANTED[language]
    assert parses(output, language)


@needs_trees
@pytest.mark.parametrize(
    ("language", "text", "part"),
    [("javascript", JS, "stop()"), ("rust", RUST, "fn stop"), ("java", JAVA, "void stop"), ("c", C, "static int")],
)
def test_a_function_without_its_body_parses(language, text, part):
    output = keep(text, language, part)
    assert part in output
    assert "..." in output
    assert parses(output, language)


@needs_trees
@pytest.mark.parametrize(("language", "text"), [("javascript", JS), ("go", GO), ("c", C), ("java", JAVA)])
def test_line_ends_tabs_and_any_letters(language, text):
    odd = text.replace("42", "'é 泵 😀'").replace("Says", "Är 泵 😀\tsays").replace("\n", "\r\n")
    segments = cut(odd, language)
    spans = [span for s in segments for span in s.sentences]
    assert any("泵" in odd[slice(*span)] for span in spans) or "泵" not in odd
    assert len(spans) == len([span for s in cut(text, language) for span in s.sentences])
    joined = Assembler([Document(text=odd)], segments).text(range(len(spans)))
    assert joined.split() == odd.split()


@needs_trees
def test_conditional_lines_are_kept_in_pairs():
    inner = "#if defined(X) && \\\n    Y\n{}\n#elif Z\nint b;\n#else\n{}\n#endif\n"
    text = f"#ifndef A_H\n#define A_H\n{inner.format('int a;', 'int c;')}int d;\n#endif\n"
    assert keep(text, "c", "int b") == f"#ifndef A_H\n// ...\n{inner.format('// ...', '// ...')}// ...\n#endif\n"
    assert keep(text, "c", "int d") == "#ifndef A_H\n// ...\nint d;\n#endif\n"


@needs_trees
def test_nothing_goes_on_a_statement_that_no_sign_ends():
    text = "let a = b\nrun()\n\nif (a) { b() }\n[1, 2].forEach(c)\n\n;(d)()\n"
    assert keep(text, "javascript", "let a", "forEach") == "let a = b\n\nif (a) { b() }\n[1, 2].forEach(c)\n\n;(d)()"
    ended = "let a = b;\nrun();\n(d)();\n"
    assert keep(ended, "javascript", "(d)") == "(d)();"


@needs_trees
def test_raw_strings_and_values_in_them_are_left_alone():
    text = "const a = `one\n${list.map(x => {\n" + "  use(x);\n" * 200 + "  return x })}\ntwo`;\nrun();\n"
    assert [text[slice(*span)] for s in cut(text, "javascript") for span in s.sentences] == [
        text[:-8].rstrip(),
        "run();",
    ]


@needs_trees
def test_a_long_table_of_values_is_opened_and_a_short_one_is_not():
    rows = [f"  {{ id: {k}, note: 'the pump failed at {k}' }},\n" for k in range(80)]
    text = f"const rows = [\n{''.join(rows)}];\n"
    output = keep(text, "javascript", "id: 7,", "id: 9,")
    assert output.startswith("const rows = [\n  // ...\n  { id: 7,")
    assert parses(output, "javascript")
    assert len(cut("const rows = [\n  1,\n  2,\n];\n", "javascript")[0].sentences) == 1


@needs_trees
def test_a_case_that_falls_through_stays_with_the_next():
    body = "\n".join(
        f"    case {k}:\n    case {k + 1}: // both\n      run({k});\n      break;" for k in range(0, 80, 2)
    )
    text = f"function f(a) {{\n  switch (a) {{\n{body}\n  }}\n}}\n"
    output = keep(text, "javascript", "run(4)")
    assert "case 4:\n    case 5: // both\n      run(4);" in output
    assert "case 6" not in output


@needs_trees
def test_constants_of_an_enum_can_go_and_its_members_stay():
    constants = ",\n".join(f"  {name} {{\n    void f() {{\n      run();\n    }}\n  }}" for name in ("A(1)", "B(2)"))
    text = f"enum E {{\n{constants};\n  int x;\n  void h() {{\n    halt();\n  }}\n}}\n"
    output = keep(text, "java", "halt", max_chars=100)
    assert "run" not in output
    assert parses(output, "java"), output


@needs_trees
def test_code_on_one_line_is_cut_at_its_signs():
    text = "function f(a){" + "".join(f"run({k});stop({k});" for k in range(400)) + "}" + "go();" * 300
    output = keep(text, "javascript", "run(7)")
    assert len(output) < 1000
    assert "/* ... */" in output
    assert parses(output, "javascript")


@needs_trees
def test_what_does_not_parse():
    broken = "int a;\n\n@@ ?? oops ((\n\n" + "int g(void) {\n  return 1;\n}\n" * 9
    segments = cut(broken, "c")
    assert any(s.lead for s in segments)  # what is sound is still cut by the tree
    assert cut(broken, "c", sure=False) == []
    assert cut("This is no code, only a text; it goes on. " * 40, "c") == []
    assert cut("int a;\rint b;\r", "c") == cut("int a;\x00", "c") == []


@needs_trees
def test_deep_nesting_does_not_reach_the_recursion_limit():
    for text in ("{" * 3000 + "}" * 3000, "(" * 20_000 + ")" * 20_000, "if (a) {\n" * 2000 + "}\n" * 2000):
        cut(text, "javascript", max_chars=10)


@needs_trees
def test_a_header_of_the_other_dialect_is_read_as_that():
    assert any(s.lead for s in cut(CPP, "c", sure=False))


def texts(segments, text):
    return [text[slice(*span)] for s in segments for span in s.sentences]


@needs_trees
def test_the_name_or_the_content_tells_the_language():
    for document in (Document(text=JS, id="a/pump.mjs"), Document(text=GO, kind="code")):
        assert any(s.lead for s in segment([document], trees=TREES))
        assert not any(s.lead for s in segment([document], trees=TREES, plain={0}))


def test_without_a_parser_it_is_cut_by_lines_and_said_once():
    told = []
    documents = [Document(text=JS * 40, id="a.js"), Document(text=GO * 40, id="b.go")]
    found = segment(documents, warn=told.append)
    assert all(s.frame is None for s in found)
    assert told == ["Code was cut by lines and may not parse any more; for that, run: pip install 'gliding[code]'"]


def test_nothing_is_said_of_what_needs_no_parser():
    told = []
    for text, name in (
        ("def f():\n    return 1\n\n\nx = 1\n", "a.py"),
        ("Just a text. It is short.", ""),
        (JS, "a.rb"),
    ):
        segment([Document(text=text, id=name)], warn=told.append)
    assert told == []

"""Sources in the languages that are cut by their trees, made of templates by a number."""

from random import Random

WORDS = "pump gate valve seal depot bar".split()
PROSE = ("the pump failed", "gate 42 moved; why {", "é 泵 😀 said no", "a } in a note", "don't open (")

JS_STATEMENTS = (
    "const {n} = {m} + {k};",
    "let {n} = `line {k}\n  raw ${{ {m} }} // no comment\n`",
    "if ({n} > {k}) {{\n{p}  {m}();\n{p}}} else {{\n{p}  {n}--;\n{p}}}",
    "for (const x of {n}) {{ {m}(x) }}",
    "{n}.map((x) => {{\n{p}  return x + {k}; // {w}\n{p}}});",
    "switch ({n}) {{\n{p}  case 1:\n{p}  case 2:\n{p}    {m}();\n{p}    break;\n{p}  default:\n{p}    {n}();\n{p}}}",
    "return {n}\n",
    "[1, {k}].forEach({m})",
    "({n} || {m})()",
    "{n}++",
    "var table = [\n" + "".join(f"  {{{{ id: {k}, note: 'pump {k}' }}}},\n" for k in range(60)) + "]",
)
C_STATEMENTS = (
    "int {n} = {k};",
    "if ({n} > {k}) {{\n{p}  {m}();\n{p}}} else\n{p}  {n}--;",
    "for (i = 0; i < {k}; i++) {{ {m}(i); }}",
    'printf("{w} %d\\n", {n}); /* {w} */',
    "switch ({n}) {{\n{p}case 1:\n{p}case 2: {m}(); break;\n{p}default: {n}();\n{p}}}",
    "#ifdef DEBUG_{k}\n{p}{m}();\n#else\n{p}{n}();\n#endif",
    "return {n};",
)
JAVA_STATEMENTS = (
    "int {n} = {k};",
    "if ({n} > {k}) {{\n{p}  {m}();\n{p}}} else {{\n{p}  {n}--;\n{p}}}",
    "list.forEach(x -> {{\n{p}  use(x); // {w}\n{p}}});",
    "try {{ {m}(); }} finally {{\n{p}  close();\n{p}}}",
    'String text = """\n{p}  raw // text {k}\n{p}  """;',
    "switch ({n}) {{\n{p}  case 1:\n{p}  case 2:\n{p}    {m}();\n{p}    break;\n{p}  default:\n{p}    {n}();\n{p}}}",
)
GO_STATEMENTS = (
    "{n} := {k}",
    "if {n} > {k} {{\n{p}\t{m}()\n{p}}} else {{\n{p}\t{n}--\n{p}}}",
    "for _, x := range {n} {{\n{p}\t{m}(x) // {w}\n{p}}}",
    "text := `raw\n // {k}\n`",
    "switch {n} {{\n{p}case 1:\n{p}\t{m}()\n{p}default:\n{p}\t{n}()\n{p}}}",
    "go func() {{\n{p}\t{m}()\n{p}}}()",
)
RUST_STATEMENTS = (
    "let {n} = {k};",
    "if {n} > {k} {{\n{p}    {m}();\n{p}}} else {{\n{p}    {n} -= 1;\n{p}}}",
    "for x in {n} {{ {m}(x); }}",
    'let text = r#"raw\n // "{k}"\n"#;',
    "let y = match {n} {{\n{p}    1 => {m}(),\n{p}    _ => {{ {n}() }}\n{p}}};",
    'println!("{w}: {{}}", {n});',
)


class _Maker:
    """Builds one source; ``statements`` are the language's own."""

    def __init__(self, seed, statements, mark="//"):
        self.chance = Random(seed)
        self.statements, self.mark = statements, mark

    def name(self):
        return self.chance.choice(WORDS) + str(self.chance.randrange(9))

    def note(self, pad):
        kind = self.chance.randrange(4)
        said = self.chance.choice(PROSE)
        if kind == 0:
            return f"{pad}{self.mark} {said}\n"
        if kind == 1:
            return f"{pad}/** {said}\n{pad} * {said * self.chance.randint(1, 9)}\n{pad} */\n"
        return ""

    def body(self, pad):
        lines = []
        for _ in range(self.chance.randint(0, 6)):
            one = self.chance.choice(self.statements)
            lines.append(
                self.note(pad)
                + pad
                + one.format(
                    n=self.name(), m=self.name(), k=self.chance.randrange(99), p=pad, w=self.chance.choice(PROSE[:1])
                )
                + "\n"
                + self.chance.choice(["", "", "\n"])
            )
        return "".join(lines) + (self.note(pad) if self.chance.random() < 0.2 else "")

    def some(self, *made, most=5):
        return [self.chance.choice(made)() for _ in range(self.chance.randint(1, most))]


def javascript(seed, *, types=False):
    make = _Maker(seed, JS_STATEMENTS)
    kind, result = (": number", ": void") if types else ("", "")

    def function(pad=""):
        return (
            f"{make.note(pad)}{pad}function {make.name()}(a{kind}, b = 1){result} {{\n{make.body(pad + '  ')}{pad}}}\n"
        )

    def method(pad="  "):
        end = make.chance.choice(["", "\n"])
        return f"{make.note(pad)}{pad}{make.name()}(a{kind}){result} {{\n{make.body(pad + '  ')}{pad}}}\n{end}"

    def field():
        return f"  {make.name()}{kind} = {make.chance.randrange(9)}{make.chance.choice(['', ';'])}\n"

    def cls():
        name = make.name()
        return f"{make.note('')}export class C{name} extends B {{\n{''.join(make.some(method, field))}}}\n\n"

    def wrapped():
        return f";(function () {{\n{make.body('  ')}{function('  ')}}})();\n"

    def exported():
        return f"module.exports = {{\n  a: 1,\n{method()[:-1].rstrip()},\n  'b': [1,\n 2]\n}};\n"

    def typed():
        if not types:
            return "import { a } from './a'\n"
        fields = "".join(f"  /** {make.chance.choice(PROSE[:3])} */\n  f{k}?: string;\n" for k in range(12))
        return f"export interface I {{\n{fields}  (x: number): void\n}}\n\nnamespace N {{\n{function('  ')}}}\n"

    return "'use strict'\n" + "".join(make.some(function, cls, wrapped, exported, typed))


def typescript(seed):
    return javascript(seed, types=True)


def c(seed, *, plus=False):
    make = _Maker(seed, C_STATEMENTS)

    def function(pad=""):
        return f"{make.note(pad)}{pad}static int {make.name()}(int a)\n{pad}{{\n{make.body(pad + '  ')}{pad}}}\n\n"

    def struct():
        fields = "".join(f"  int f{k}; /* field {k} of the pump, which is long */\n" for k in range(12))
        return f"struct {make.name()} {{\n{fields}#ifdef X\n  int x;\n#endif\n}};\n"

    def enum():
        names = "".join(f"  PUMP_{k}_FAILED_AT_NOON = {k},\n" for k in range(30))
        return f"typedef enum {{\n{names}  LAST\n}} e_t;\n"

    def macro():
        return f"#define {make.name().upper()}(x) \\\n  do {{ x; }} while (0)\n"

    def conditional():
        return f"#if defined(A) && \\\n    B > 1\n{function()}#elif C\n{macro()}#else\n{function()}#endif\n"

    def cls():
        if not plus:
            return "#include <stdio.h>\n"
        inner = "".join(f"  void {make.name()}() const {{\n{make.body('    ')}  }}\n" for _ in range(4))
        whole = f"class C{make.name()} : public B {{\n public:\n{inner} private:\n  int x;\n}};\n"
        return f"namespace n {{\ntemplate <class T>\n{whole}}}\n"

    inside = "".join(make.some(function, struct, enum, macro, conditional, cls))
    return f'#ifndef H_\n#define H_\n#include "a.h"\n\n{inside}\n#endif /* H_ */\n' if seed % 2 else inside


def cpp(seed):
    return c(seed, plus=True)


def java(seed):
    make = _Maker(seed, JAVA_STATEMENTS)

    def method(pad="  "):
        body = make.body(pad + "  ")
        return f"{make.note(pad)}{pad}@Override\n{pad}public int {make.name()}(int a) {{\n{body}{pad}}}\n\n"

    def constants():
        some = ",\n".join(f'    PUMP_{k}("failed at noon or later {k}") {{\n{method("      ")}    }}' for k in range(4))
        return f"  enum E {{\n{some};\n    final int x;\n{method('    ')}  }}\n"

    def field():
        return f"  private final int {make.name()} = 1; // {make.chance.choice(PROSE)}\n"

    def nested():
        return f"  static class C{make.name()} {{\n{method('    ')}  }}\n"

    inside = "".join(make.some(method, constants, field, nested))
    return f"package a.b;\n\nimport java.util.List;\n\n{make.note('')}@A\npublic class P extends Q {{\n{inside}}}\n"


def go(seed):
    make = _Maker(seed, GO_STATEMENTS)

    def function():
        note = f"// {make.name()} moves\n" * make.chance.randrange(2)
        return f"{note}func (p *Pump) {make.name()}(a int) (int, error) {{\n{make.body(chr(9))}}}\n\n"

    def struct():
        fields = "".join(f'\tField{k} string `json:"field_{k}"` // the field\n' for k in range(12))
        return f"type {make.name()} struct {{\n{fields}}}\n\n"

    def table():
        rows = "".join(f'\t"pump {k}": {{{k}, "failed at noon"}},\n' for k in range(60))
        return f"var {make.name()} = map[string]row{{\n{rows}}}\n\n"

    return f'// Package pump.\npackage pump\n\nimport (\n\t"fmt"\n)\n\n{"".join(make.some(function, struct, table))}'


def rust(seed):
    make = _Maker(seed, RUST_STATEMENTS)

    def function(pad=""):
        last = f"{pad}    {make.name()}\n" * make.chance.randrange(2)
        body = make.body(pad + "    ") + last
        return f"{make.note(pad)}{pad}#[test]\n{pad}pub fn {make.name()}(a: u8) -> u8 {{\n{body}{pad}}}\n\n"

    def struct():
        fields = "".join(f"    /// field {k} of the pump, which failed\n    pub f{k}: u8,\n" for k in range(12))
        return f"#[derive(Debug)]\npub struct S{make.name()} {{\n{fields}}}\n\n"

    def impl():
        return f"impl<T> Pump for S{make.name()}<T> {{\n{function('    ')}{function('    ')}}}\n\n"

    inside = "".join(make.some(function, struct, impl))
    return f"//! A pump.\n#![allow(x)]\nuse a::b;\n\n{inside}mod m {{\n{function('    ')}}}\n"


MADE = {
    "javascript": javascript, "typescript": typescript, "c": c, "cpp": cpp, "java": java, "go": go, "rust": rust,
}  # fmt: skip
SUFFIX = {"javascript": "js", "typescript": "ts", "rust": "rs"}

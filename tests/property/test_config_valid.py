"""YAML, TOML and INI stay what they are: whatever is left out, every value that comes out is one of the source's."""

import configparser
import sys
from random import Random

import pytest
from generated import EDGE, bounded
from hypothesis import given
from hypothesis import strategies as st

from gliding.assemble import Assembler
from gliding.errors import BudgetError
from gliding.segment.toml import cut_ini, cut_toml
from gliding.segment.yaml import cut_yaml
from gliding.select.frames import needs
from gliding.types import Document

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SEEDS = st.integers(0, 10**9)
GRAINS = st.sampled_from([1, 20, 60, 400])
SCALARS = [
    *("12", "a b c", "'it''s: # x'", '"q\\" # z"', "[1, {a: b}, 'x]']", "{}", "x #y", "~ # c", "!!str 5", "word " * 30),
    *("http://a:80/x", "", "-1", "a-b:c"),
]
VALUES = [
    *("1", "'x # y'", '"a\\"b"', "[1, 2, # c\n  [3], ']']", '"""\n[t]\nk = 1""""', "'''it's'''", "{a = 1}", "true"),
    *("1979-05-27 07:32:00Z", "-1.5e3", "inf", '"' + "long " * 30 + '"'),
]
RATES = st.sampled_from([0.02, 0.1, 0.3, 0.6, 0.9])


def within(part, all_of):
    """Whether a value is the other with members, elements and lines of text left out."""
    if isinstance(all_of, dict):
        return isinstance(part, dict) and all(k in all_of and within(v, all_of[k]) for k, v in part.items())
    if isinstance(all_of, list):
        rest = iter(all_of)
        return isinstance(part, list) and all(any(within(v, other) for other in rest) for v in part)
    if isinstance(all_of, str) and isinstance(part, str) and "\n" in all_of:
        rest = iter(all_of.split("\n"))
        return all(any(line == other for other in rest) for line in part.split("\n") if line)
    return part == all_of


def subsets(chance, text, segments):
    """Outputs of some of the sentences with what they need, and of all of them."""
    count = sum(len(part.sentences) for part in segments)
    needed = needs(segments)
    assembler = Assembler([Document(text=text)], segments)
    for share in (chance.random(), chance.random() / 4, 1):
        chosen = [k for k in range(count) if chance.random() < share] or [chance.randrange(count)]
        yield assembler.join(sorted(needed.along(chosen))).text, share == 1


class Yaml:
    """Writes YAML at random: blocks in blocks, comments, block scalars, flow, anchors, merges, odd indentation."""

    def __init__(self, seed):
        self.chance = Random(seed)
        self.anchors = []

    def comment(self, pad):
        deep = self.chance.choice([0, 0, 1, 3])
        return self.chance.choice(
            [[], [], [], [f"{pad}{' ' * deep}# note: {{x}} - y"], [f"{pad}# one", f"{pad}# two", ""], [""]]
        )

    def scalar(self):
        """The lines of a value, the first of which stands behind its key."""
        chance = self.chance
        if self.anchors and chance.random() < 0.15:
            return [f"*{chance.choice(self.anchors)}"]
        return [chance.choice(SCALARS)]

    def value(self, pad, depth):
        """What stands behind a key or a dash, and the lines below it."""
        chance = self.chance
        kind = chance.randrange(12) if depth < 4 else chance.randrange(8)
        if kind == 0:
            mark = chance.choice(["|", "|-", ">", "|2", ">-"])
            lines = [f"{pad}  " + chance.choice(["", "  ", ""]) + f"line {k} # - x: {{" for k in range(3)]
            lines[0] = f"{pad}  if first:"
            return f" {mark}", [*lines, *chance.choice([[], [""]])]
        if kind == 1:
            return " plain words", [f"{pad}  - go on here", f"{pad}    and here"]
        if kind == 2:
            return " [1,", [f"{pad} 'a]', # ]", f"{pad}   {{b: c}}]"]
        if kind == 3:
            return ' "one', ["", f"{pad}  two: three # four", f'{pad} end"']
        if kind < 8:
            (only,) = self.scalar()
            return f" {only}" if only else chance.choice(["", " "]), []
        anchor = ""
        if chance.random() < 0.25:
            anchor = f"a{len(self.anchors)}"
        step = chance.choice([1, 2, 4])
        if kind < 10 or depth == 0:
            lines = self.mapping(pad + " " * step, depth + 1)
        else:
            lines = self.sequence(pad + " " * chance.choice([0, step]) if kind == 10 else pad + " " * step, depth + 1)
        head = f" &{anchor}" if anchor else ""
        if anchor:
            self.anchors.append(anchor)
        return head + chance.choice(["", "", "  # why"]), lines

    def mapping(self, pad, depth):
        lines = []
        for k in range(self.chance.randint(1, 4)):
            key = self.chance.choice([f"key{k}", f'"quoted: {k}"', f"a.b/{k}", f"two words{k}", f"{k}"])
            lines += self.comment(pad)
            behind, below = self.value(pad, depth)
            lines += [f"{pad}{key}:{behind}", *below]
        return lines

    def sequence(self, pad, depth):
        lines = []
        for _ in range(self.chance.randint(1, 4)):
            lines += self.comment(pad)
            kind = self.chance.randrange(5)
            if kind < 2:
                space = " " * self.chance.choice([1, 3])
                inner = pad + " " + space
                members = self.mapping(inner, depth + 1)
                while not members[0].strip() or members[0].strip().startswith("#"):
                    members.pop(0)
                lines += [f"{pad}-{space}{members[0].lstrip()}", *members[1:]]
            elif kind == 2 and depth < 4:
                lines += [f"{pad}-", *self.sequence(pad + "  ", depth + 1)]
            else:
                (only,) = self.scalar()
                lines.append(f"{pad}- {only}".rstrip() if only else f"{pad}-")
        return lines

    def text(self):
        chance = self.chance
        texts = []
        for _ in range(chance.choice([1, 1, 2, 3])):
            self.anchors = []
            lines = self.comment("") + (self.mapping("", 0) if chance.random() < 0.8 else self.sequence("", 0))
            texts.append("\n".join(lines) + "\n" + "\n".join(self.comment("")))
        start = chance.choice(["", "", "# about\n\n---\n", "%YAML 1.1\n---\n"])
        return start + chance.choice(["\n---\n", "\n--- # next\n", "\n...\n---\n"]).join(texts) + "\n"


@given(seed=SEEDS, grain=GRAINS, crlf=st.booleans())
@bounded(250)
def test_any_part_of_yaml_is_yaml_with_the_same_values(seed, grain, crlf):
    yaml = pytest.importorskip("yaml")
    writer = Yaml(seed)
    text = writer.text()
    text = text.replace("\n", "\r\n") if crlf else text
    try:
        source = list(yaml.safe_load_all(text))
    except yaml.YAMLError:
        return
    segments = cut_yaml(text, 0, max_chars=grain)
    assert segments is not None
    for output, everything in subsets(writer.chance, text, segments):
        found = list(yaml.safe_load_all(output + "\n"))  # a text without its last line break ends a block's last line
        assert found
        assert within(found, source)
        assert not everything or found == source


@given(seed=SEEDS)
@bounded(15)
def test_the_generated_yaml_is_mostly_valid(seed):
    """Else the test above tests nothing."""
    yaml = pytest.importorskip("yaml")
    assert sum(_is_valid(yaml, Yaml(seed + k).text()) for k in range(8)) >= 2


def _is_valid(yaml, text):
    try:
        return bool(list(yaml.safe_load_all(text)))
    except yaml.YAMLError:
        return False


@given(seed=SEEDS, rate=RATES)
@bounded(60)
def test_yaml_under_a_budget_is_yaml(seed, rate):
    yaml = pytest.importorskip("yaml")
    text = Yaml(seed).text()
    try:
        source = list(yaml.safe_load_all(text))
        output = EDGE.compress(Document(text=text, kind="yaml"), query="two words", rate=rate).text
    except (yaml.YAMLError, BudgetError):
        return
    found = list(yaml.safe_load_all(output))
    assert found
    assert within(found, source)


def toml(chance):
    lines = []

    def pairs(most):
        for k in range(chance.randint(0, most)):
            lines.extend(chance.choice([[], [], ["# note [x]"], ["# apart", ""], [""]]))
            key = chance.choice([f"k{k}", f'"q = {k}"', f"a{k}.b", f"a{k}.'c d'"])
            value = chance.choice(VALUES)
            lines.append(f"{key} = {value}{chance.choice(['', ' # why'])}")

    pairs(4)
    for k in range(chance.randint(0, 6)):
        kind = chance.randrange(4)
        lines.extend(chance.choice([[], ["# below"], ["", "# apart", ""]]))
        if kind == 0:
            lines.append(f"[ t{k} . 'u' ]")
            pairs(5)
        elif kind == 1:
            lines.append(f"[t{k}]  # here")
            pairs(5)
            lines.append(f"[t{k}.inner]")
            pairs(2)
        else:
            for _ in range(chance.randint(1, 4)):
                lines.append(f"[[r{k}]]")
                pairs(4)
                if chance.random() < 0.5:
                    lines.append(f"[r{k}.sub]")
                    pairs(2)
                for _ in range(chance.randint(0, 2)):
                    lines.append(f"[[r{k}.deep.list]]")
                    pairs(2)
    return "\n".join(lines) + chance.choice(["", "\n", "\n\n# end\n"])


@given(seed=SEEDS, grain=GRAINS, crlf=st.booleans())
@bounded(250)
def test_any_part_of_toml_is_toml_with_the_same_values(seed, grain, crlf):
    chance = Random(seed)
    text = toml(chance)
    text = text.replace("\n", "\r\n") if crlf else text
    source = tomllib.loads(text)
    segments = cut_toml(text, 0, max_chars=grain)
    assert segments is not None
    if segments:
        for output, everything in subsets(chance, text, segments):
            found = tomllib.loads(output)
            assert within(found, source)
            assert not everything or found == source


@given(seed=SEEDS, grain=GRAINS)
@bounded(100)
def test_any_part_of_settings_is_read_alike(seed, grain):
    chance = Random(seed)
    lines = []
    for k in range(chance.randint(1, 6)):
        lines += chance.choice([[], ["; note"], ["# apart", ""]])
        lines.append(f"[part {k}]")
        pad = chance.choice(["", "\t"])
        for n in range(chance.randint(1, 5)):
            lines += chance.choice([[], [f"{pad}# why"], [""]])
            lines.append(f"{pad}key{n} = value {n} = x")
            lines += chance.choice([[], [], [f"{pad}  more", f"{pad}  # no", f"{pad}  [still]"]])

    def read(text):
        parser = configparser.RawConfigParser()
        parser.read_string(text)
        return {name: dict(parser[name]) for name in parser.sections()}

    text = "\n".join(lines) + "\n"
    segments = cut_ini(text, 0, max_chars=grain)
    assert segments is not None
    for output, everything in subsets(chance, text, segments):
        assert within(read(output), read(text))
        assert not everything or read(output) == read(text)

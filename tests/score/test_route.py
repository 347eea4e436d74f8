import pytest

from gliding.score.route import route
from gliding.segment import segment
from gliding.types import Document

PROSE = "The pump failed at noon because a seal was worn. Nobody was hurt, and the gate stayed shut all night."
LOG = "\n".join(f"2024-05-11 03:00:{k:02} INFO step {k} done" for k in range(20))


def turns(*roles):
    return [Document(text=PROSE, role=role) for role in roles]


@pytest.mark.parametrize(
    ("documents", "wanted"),
    [
        ([], "document"),
        ([Document(text="")], "document"),
        ([Document(text=PROSE)], "document"),
        ([Document(text=PROSE, title="A")], "document"),
        ([Document(text=PROSE, title="A"), Document(text=PROSE, title="B")], "passages"),
        ([Document(text=PROSE, title="A"), Document(text=PROSE)], "document"),
        (turns("Ann", "Ben"), "dialogue"),
        (turns("user", "assistant", "Tool: grep"), "agent"),
        (turns("system", "user"), "agent"),
        ([*turns("Ann"), Document(text=PROSE)], "document"),
        ([Document(text=LOG)], "lines"),
        ([Document(text=LOG), Document(text=PROSE)], "lines"),
        ([Document(text="x = 1\n", kind="code")], "code"),
        ([Document(text="x = 1\n", id="src/main.RS")], "code"),
        ([Document(text="x = 1\n", title="a.py"), Document(text=PROSE, title="b")], "passages"),
    ],
)
def test_structure_names_the_route(documents, wanted):
    assert route(documents, segment(documents)) == wanted

"""What must stay in a sentence, and where a claim that is made broader by a deletion is a weaker one.

Source: the monotonicity of natural logic, MacCartney and Manning, "An extended model of natural logic", 2009.
"""

from __future__ import annotations

from collections.abc import Sequence

from gliding import facts
from gliding.tiers import cutting_words as lists
from gliding.tiers.parsed import QUOTES, Tree
from gliding.types import Span

_COMPARED = ("JJR", "JJS", "RBR", "RBS")  # Penn tags


def held(tree: Tree, keep: Sequence[Span]) -> list[bool]:
    """Return for each token whether it must stay, whatever it hangs under."""
    spans = _joined([*keep, *(fact.span for fact in facts.find(tree.text))])
    stays = []
    quoted = False
    at = 0
    for k, token in enumerate(tree.tokens):
        quote = tree.words[k] in QUOTES
        quoted = not quoted if quote else quoted
        while at < len(spans) and spans[at].end <= token.start:
            at += 1
        stays.append(
            (at < len(spans) and spans[at].start < token.end)
            or quote
            or quoted
            or tree.words[k] in lists.HELD
            or token.dep in ("neg", "prt")
            or token.pos == "NUM"
            or token.tag in ("MD", *_COMPARED)
        )
    return stays


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Spans in order, those that overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(end, found[-1].end))
        else:
            found.append(Span(start, end))
    return found


class Scope:
    """What the operators of one sentence scope over: negations, modals, conditions, universals, comparisons, wishes."""

    def __init__(self, tree: Tree, root: int) -> None:
        self._tree = tree
        # heads of clauses: all that hangs under them, and for a condition under the clause above too
        self._heads: set[int] = set()
        for k in range(tree.left[root], tree.right[root] + 1):
            if self._operator(k):
                clause = tree.clause(k)
                self._heads.add(clause)
                if tree.words[k] in lists.CONDITIONS:
                    self._heads.add(tree.clause(tree.tokens[clause].head))

    def _operator(self, k: int) -> bool:
        token, word = self._tree.tokens[k], self._tree.words[k]
        example = word == "as" and k > 0 and self._tree.words[k - 1] == "such"
        return (
            (word in lists.OPERATORS and not example)
            or token.dep == "neg"
            or token.tag in ("MD", *_COMPARED)
            or (token.pos == "VERB" and token.lemma in lists.OPAQUE)
        )

    def free(self, k: int) -> bool:
        """Say whether no operator scopes over a token."""
        return self._heads.isdisjoint(self._tree.above(k))

    def weaker(self, k: int) -> bool:
        """Say whether the claim without what hangs under ``k`` is weaker: nothing scopes over it, and it happened."""
        tree = self._tree
        clause = tree.clause(tree.tokens[k].head)
        verbs = (clause, *tree.under(clause, "aux"), *tree.under(clause, "auxpass"))
        # of what is so in general a broader claim is a stronger one: "wine is taxed in France"
        return self.free(k) and any(tree.tokens[at].tag == "VBD" for at in verbs)

"""A small app for a device: it answers questions from its own notes with a local model of a small context window.

The model is any callable from prompt to answer, so that this file runs without one:

    python docs/examples/edge_app.py docs/examples/incident-report.md "Who clears an interlock?"
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from gliding import Compressor, Document

WINDOW = 2048  # tokens that the model can read and write together
ANSWER = 256  # of which so many are left for the answer
PROMPT = "Answer from the notes only.\n\nNotes:\n{notes}\n\nQuestion: {question}\nAnswer:"


class Assistant:
    """Holds the notes and one compressor, loaded once; ``edge`` needs no model runtime and no cache to write to."""

    def __init__(self, notes: Sequence[Path], *, tokenizer: str = "o200k_base") -> None:
        self._notes = [Document(text=path.read_text(encoding="utf-8"), title=path.stem) for path in notes]
        self._compressor = Compressor.from_preset("edge", tokenizer=tokenizer, cache=False)

    def prompt(self, question: str) -> str:
        """Build a prompt that, with the answer, fits the window."""
        count = self._compressor.parts.counter.count
        # Two texts joined can count a little more than apart, hence the small margin.
        frame = count([PROMPT.format(notes="", question=question)])[0] + 8
        result = self._compressor.compress(self._notes, query=question, max_tokens=WINDOW - ANSWER - frame)
        return PROMPT.format(notes=result.text, question=question)

    def answer(self, question: str, model: Callable[[str], str]) -> str:
        """Ask the model."""
        return model(self.prompt(question))


if __name__ == "__main__":
    *files, asked = sys.argv[1:]
    sys.stdout.write(Assistant([Path(name) for name in files]).prompt(asked) + "\n")

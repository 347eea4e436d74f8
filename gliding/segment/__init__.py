"""Documents to segments, one file per kind of text."""

from gliding.segment.dispatch import segment

__all__ = ["segment"]

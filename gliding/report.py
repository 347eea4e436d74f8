"""What happened, as one line, as text and as JSON."""

from __future__ import annotations

import json

from gliding.types import Audit, Report


def seconds(report: Report) -> float:
    """Return how long the whole call took, in seconds."""
    return report.seconds.get("total", sum(report.seconds.values()))


def one_line(report: Report) -> str:
    """Say the main numbers in one line: tokens in and out, rate, what was done with the segments, seconds, preset."""
    return (
        f"{report.tokens_in} -> {report.tokens_out} tokens (rate {report.rate:.3f}), "
        f"kept {report.kept}, trimmed {report.trimmed}, extracted {report.extracted}, "
        f"{_rewritten(report)}{_folded(report)}dropped {report.dropped} of {report.segments} segments, "
        f"{seconds(report):.2f} s, preset {report.preset}"
    )


def _rewritten(report: Report) -> str:
    return f"rewritten {report.rewritten}, " if report.rewriting else ""


def _folded(report: Report) -> str:
    return f"folded {report.folded}, " if report.folded else ""


def audit_line(audit: Audit) -> str:
    """Say the outcome of an audit in one line: how much of each kind of fact came out, and what was added or broken."""
    counts = ", ".join(f"{kind} {kept}/{there}" for kind, (there, kept) in audit.counts.items())
    return f"audit ({audit.kind}): {counts or 'no facts'}; {len(audit.added)} added, {len(audit.broken)} broken"


def as_text(report: Report) -> str:
    """Say everything that the report holds, a line each, warnings last; ends without a newline."""
    coverage = "no query" if report.coverage is None else f"{report.coverage:.2f}"
    rewriting = ", ".join(f"{what} {count}" for what, count in report.rewriting.items())
    rows = [
        ("preset", report.preset),
        ("tokens", f"{report.tokens_in} -> {report.tokens_out} ({report.tokenizer}), rate {report.rate:.3f}"),
        ("budget", f"{report.budget} tokens, strength {report.strength:.2f}: {report.rule}"),
        ("route", report.route),
        (
            "segments",
            f"{report.segments}: kept {report.kept}, trimmed {report.trimmed}, extracted {report.extracted}, "
            f"{_rewritten(report)}{_folded(report)}dropped {report.dropped}, pinned {report.pinned}",
        ),
        *([("rewriting", rewriting)] if rewriting else []),
        ("coverage", coverage),
        ("seconds", ", ".join(f"{step} {spent:.3f}" for step, spent in report.seconds.items())),
        *(("warning", warning) for warning in report.warnings),
    ]
    return "\n".join(f"{name:<9} {value}".rstrip() for name, value in rows)


def to_json(report: Report) -> str:
    """Return the report as indented JSON; ends with a newline."""
    return json.dumps(report.to_dict(), ensure_ascii=False, indent=2) + "\n"

"""How well the protected status model tells each group: what leans on it is only as good."""

import math

from core.audits.text_sensitivity.summaries import StatusSummary
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row, named
from core.language.phrases import percent
from core.language.told import say, say_count


def applies(finding: TextSensitivityFinding) -> bool:
    """Whether there is such a model and its groups are known in the table."""
    return any(math.isfinite(one.accuracy) for one in finding.status)


def draw(finding: TextSensitivityFinding) -> Drawing:
    """A row a group: the share of its held-out texts that is recognised, with its interval, beside mere guessing."""
    status = finding.detail.status
    attribute, guess = "" if status is None else status.attribute, 1 / len(finding.status)
    return interval_rows.draw(
        [_row(attribute, one, guess) for one in finding.status],
        [Line(100 * guess, say("guessing"))],
        say("held-out texts recognised, in %"),
        what=say(
            "Held-out texts of each group that the protected status model recognises ({guess} by guessing).",
            guess=percent(round(guess, 3)),
        ),
        span=(min(-2.0, 100 * guess - 5), 104.0),
    )


def _row(attribute: str, one: StatusSummary, guess: float) -> Row:
    weak, told = one.low <= guess, _told(one)
    return Row.named(
        named(attribute, one.group),
        told,
        value=100 * one.accuracy,
        low=100 * one.low,
        high=100 * one.high,
        alt=f"{one.group}: {told}",
        colour=theme.ORANGE if weak else theme.BLUE,
        symbol="x" if weak else "diamond",
    )


def _told(one: StatusSummary) -> str:
    if not math.isfinite(one.accuracy):
        return say("no held-out text")
    value, low, high = (percent(round(end, 3)) for end in (one.accuracy, one.low, one.high))
    return say_count(
        "{value} ({low} to {high}) of {n} text",
        "{value} ({low} to {high}) of {n} texts",
        one.texts,
        value=value,
        low=low,
        high=high,
    )

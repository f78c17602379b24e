"""How often exchanging words changes the predicted class, by group and by class."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.base.thresholds import FEWEST_ROWS
from core.figures import interval_rows, marks, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row, named
from core.inference.share import Share
from core.language.phrases import count, percent
from core.language.told import say, say_count

MOST_CLASSES = 8
"""Classes shown, those predicted most often among texts with exchanged words."""


@dataclass(frozen=True)
class _FlipsOf:
    """Some of the texts with exchanged words.

    Attributes:
        kind: What they have in common: an attribute, or that a class is predicted for them; empty for all texts.
        name: Its value.
        changed: Those of them whose predicted class changes.
        group: Whether they are a group of people.
    """

    kind: str
    name: str
    changed: Share
    group: bool = False

    def told(self, alpha: float) -> str:
        """The share with its interval (Wilson's)."""
        if self.changed.n < FEWEST_ROWS:
            return say("insufficient evidence ({texts})", texts=count(self.changed.n, "text"))
        ends = self.changed.two_sided(alpha)
        value, low, high = (percent(round(one, 3)) for one in (self.changed.value, ends.low, ends.high))
        return say_count(
            "{value} ({low} to {high}) of {n} text",
            "{value} ({low} to {high}) of {n} texts",
            self.changed.n,
            value=value,
            low=low,
            high=high,
        )


def applies(finding: TextSensitivityFinding) -> bool:
    """Whether words were exchanged in enough texts."""
    return finding.estimates.flips().n >= FEWEST_ROWS


def draw(finding: TextSensitivityFinding) -> Drawing:
    """All texts, every group, and the classes predicted most often, each with its own interval (Wilson's)."""
    classes = _classes(finding)
    parts, alpha = _parts(finding, classes[:MOST_CLASSES]), finding.decision.alpha
    rows = [_row(part, alpha) for part in parts]
    top = 100 * max(1e-3, *(row.high for row in rows if math.isfinite(row.high))) / 100
    title = say("texts whose predicted class changes, in %")
    what = say("Share of texts whose predicted class changes when words are exchanged.")
    drawing = interval_rows.draw(rows, [Line(0.0, "")], title, what=what, span=(-0.03 * top, 1.06 * top))
    left_out = len(classes) - MOST_CLASSES
    if left_out > 0:
        figure = drawing.figure
        marks.note(
            figure,
            say_count(
                "{n} class predicted less often not shown", "{n} classes predicted less often not shown", left_out
            ),
            right=True,
        )
        figure.update_layout(margin={"t": 34}, height=figure.layout.height + 24)
    return drawing


def _classes(finding: TextSensitivityFinding) -> list[int]:
    """Classes predicted for texts with exchanged words, the most frequent first."""
    scores = finding.detail.audited
    often = np.bincount(scores.predicted[scores.exchanged], minlength=len(finding.detail.classes))
    return [int(k) for k in np.argsort(-often, kind="stable") if often[k]]


def _parts(finding: TextSensitivityFinding, classes: list[int]) -> list[_FlipsOf]:
    detail, scores = finding.detail, finding.detail.audited
    named = [
        (membership.name, group, membership.codes == g, True)
        for membership in detail.memberships
        for g, group in enumerate(membership.groups)
    ]
    named += [(say("predicted"), detail.classes[k], scores.predicted == k, False) for k in classes]
    found = [_FlipsOf("", say("all texts"), finding.estimates.flips())]
    for kind, name, inside, group in named:
        kept = scores.exchanged & inside
        found.append(_FlipsOf(kind, name, Share(int((scores.flipped & kept).sum()), int(kept.sum())), group))
    return found


def _row(part: _FlipsOf, alpha: float) -> Row:
    name, told = named(part.kind, part.name, 22), part.told(alpha)
    alt = f"{part.kind} {part.name}".strip() + f": {told}"
    who = f"{part.kind} = {part.name}" if part.group else "" if part.kind else part.name
    if part.changed.n < FEWEST_ROWS:
        return Row.named(name, told, alt=alt, who=who)
    ends = part.changed.two_sided(alpha)
    return Row.named(
        name,
        told,
        value=100 * part.changed.value,
        low=100 * ends.low,
        high=100 * ends.high,
        alt=alt,
        colour=theme.BLUE if part.kind else theme.GREY,
        who=who,
    )

"""The chosen measure in every protected group: how it is spread over texts, and its mean with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.decision import measure_name
from core.audits.text_sensitivity.measures import SMALL_TICKS, unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.base.thresholds import FEWEST_ROWS
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row, named
from core.language.phrases import count
from core.language.told import say
from core.language.units import Unit


@dataclass(frozen=True)
class _Group:
    """A group, or all texts, by the chosen measure.

    Attributes:
        attribute: The protected attribute; empty for all texts.
        name: The group.
        mean: Mean of the measure; NaN without texts.
        low: Lower end of its interval; NaN for a group too small to judge.
        high: Upper end.
        texts: Texts it rests on.
        values: The measure of the group's texts to which it applies.
    """

    attribute: str
    name: str
    mean: float
    low: float
    high: float
    texts: int
    values: np.ndarray

    def told(self, unit: Unit) -> str:
        """Mean, interval and texts; a group with few texts shows nothing of single ones."""
        if self.texts < FEWEST_ROWS:
            return say("insufficient evidence ({texts})", texts=count(self.texts, "text"))
        decimals = unit.precision(self.low, self.high)
        ends = f" ({unit.interval(self.low, self.high)})" if math.isfinite(self.low + self.high) else ""
        return f"{unit.number(self.mean, decimals)}{ends}, {count(self.texts, 'text')}"


def applies(finding: TextSensitivityFinding) -> bool:
    """Whether some text has the measure."""
    return not finding.estimates.lacking(finding.decision.measure)


def draw(finding: TextSensitivityFinding) -> Drawing:
    """All texts, then a row a group; grey bars say how texts are spread, the diamond is the mean with its interval.

    The intervals hold together for the groups of one attribute. Groups with few texts show nothing of single ones.
    """
    measure, groups = finding.decision.measure, _groups(finding)
    unit = unit_of(measure)
    rows = [_row(one, unit) for one in groups]
    lines = [Line(0.0, "")]
    if math.isfinite(rows[0].value) and len(rows) > 1:
        lines.append(Line(rows[0].value, say("dotted: all texts")))
    name = measure_name(measure, finding.decision)
    what = (
        say("Mean of {measure}, in {unit}.", measure=name, unit=unit.name)
        if unit.name
        else say("Mean of {measure}.", measure=name)
    )
    drawing = interval_rows.draw(rows, lines, unit.axis(measure), what=what)
    drawing.figure.update_xaxes(SMALL_TICKS)
    return drawing


def _groups(finding: TextSensitivityFinding) -> list[_Group]:
    decision, signed = finding.decision, finding.decision.signed
    values = finding.detail.audited.values(decision.measure, signed=signed)
    known = np.isfinite(values)
    mean = finding.estimates.mean(decision.measure, signed=signed)
    ends = mean.two_sided(decision.alpha)
    found = [_Group("", say("all texts"), mean.value, ends.low, ends.high, mean.n, values[known])]
    by_group = finding.estimates.by_group(decision.measure, signed=signed, alpha=decision.alpha)
    for membership, one in zip(finding.detail.memberships, by_group, strict=True):
        of_each = zip(one.groups, one.found.means, one.found.low, one.found.high, one.found.rows, strict=True)
        for g, (group, value, low, high, texts) in enumerate(of_each):
            inside = values[known & (membership.codes == g)]
            found.append(_Group(one.attribute, group, float(value), float(low), float(high), int(texts), inside))
    return found


def _row(one: _Group, unit: Unit) -> Row:
    said, enough = one.told(unit), one.texts >= FEWEST_ROWS
    spread = [float(end) for end in np.quantile(one.values, (0.05, 0.25, 0.75, 0.95))] if enough else []
    told = [say("mean {value}", value=said)]
    if enough:
        lowest, low, high, highest = map(unit.number, spread)
        told += [
            say("middle half {low} to {high}", low=low, high=high),
            say("nine in ten {low} to {high}", low=lowest, high=highest),
        ]
    return Row.named(
        named(one.attribute, one.name),
        said,
        "<br>".join(told),
        value=unit.factor * one.mean if enough else math.nan,
        low=unit.factor * one.low,
        high=unit.factor * one.high,
        alt=f"{one.attribute} = {one.name}: {said}" if one.attribute else say("All texts: {said}", said=said),
        colour=theme.BLUE if one.attribute else theme.GREY,
        box=tuple(unit.factor * end for end in spread),
    )

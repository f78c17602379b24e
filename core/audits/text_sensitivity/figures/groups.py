"""The chosen measure in every protected group: how it is spread over texts, and its mean with its interval."""

import math
from dataclasses import replace

import numpy as np

from core.audits.text_sensitivity.decision import measure_name
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.base.thresholds import FEWEST_ROWS
from core.claims import Claim
from core.claims_shown import row_of
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Axis, Line, Row
from core.language.told import say


def applies(finding: TextSensitivityFinding) -> bool:
    """Whether some text has the measure."""
    return not finding.estimates.lacking(finding.decision.measure)


def draw(finding: TextSensitivityFinding) -> Drawing:
    """All texts, then a row a group; grey bars say how texts are spread, the diamond is the mean with its interval.

    The intervals hold together for the groups of one attribute. Groups with few texts show nothing of single ones.
    """
    measure, groups = finding.decision.measure, _groups(finding)
    unit = unit_of(measure)
    rows = [_row(claim, values) for claim, values in groups]
    lines = [Line(0.0, "")]
    if math.isfinite(rows[0].value) and len(rows) > 1:
        lines.append(Line(rows[0].value, say("dotted: all texts")))
    name = measure_name(measure, finding.decision)
    what = (
        say("Mean of {measure}, in {unit}.", measure=name, unit=unit.name)
        if unit.name
        else say("Mean of {measure}.", measure=name)
    )
    drawing = interval_rows.draw(rows, Axis(unit.axis(measure), lines), what=what)
    drawing.figure.update_xaxes(theme.SMALL_TICKS)
    return drawing


def _groups(finding: TextSensitivityFinding) -> list[tuple[Claim, np.ndarray]]:
    """All texts and every group: its mean, and the measure of its texts to which it applies."""
    decision, signed = finding.decision, finding.decision.signed
    values = finding.detail.audited.values(decision.measure, signed=signed)
    known, mean = np.isfinite(values), finding.estimates.mean(decision.measure, signed=signed)
    name = measure_name(decision.measure, decision)
    known_of = {"people": mean.n, "unit": unit_of(decision.measure), "judged": mean.n >= FEWEST_ROWS}
    claims = [
        Claim.with_ends(say("All texts"), name, mean.value, mean.two_sided(decision.alpha), **known_of),
        *(one for one in finding.parts["sensitivity groups"] if one.what == name),  # verbatim
    ]
    memberships = finding.detail.memberships
    inside = [known, *(known & (one.codes == g) for one in memberships for g in range(len(one.groups)))]
    return [(claim, values[rows]) for claim, rows in zip(claims, inside, strict=True)]


def _row(claim: Claim, values: np.ndarray) -> Row:
    row, unit = row_of(claim, ("text", "texts")), claim.unit
    if not claim.judged:
        return row
    spread = [float(end) for end in np.quantile(values, (0.05, 0.25, 0.75, 0.95))]
    lowest, low, high, highest = map(unit.number, spread)
    told = (
        row.told,
        say("middle half {low} to {high}", low=low, high=high),
        say("nine in ten {low} to {high}", low=lowest, high=highest),
    )
    return replace(row, told="<br>".join(told), box=tuple(unit.factor * end for end in spread))

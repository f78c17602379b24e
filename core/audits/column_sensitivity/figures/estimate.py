"""The mean change of the answer with its interval, against the tolerance."""

from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.audits.column_sensitivity.wording import NAME
from core.figures import estimate
from core.figures.chart import Drawing
from core.figures.estimate import Shown
from core.inference.estimate import Verdict
from core.inference.resampled import verdict_of
from core.language.phrases import lower_first
from core.language.told import retold, say
from core.language.units import POINTS


def draw(finding: ColumnSensitivityFinding) -> Drawing:
    """Estimate, interval and bound of the shown attribute, which hold together with the others', beside 0 and δ."""
    decision = finding.decision
    name = retold(NAME[decision.measure])
    shown = Shown(
        name=f"{name}, {finding.scores.attribute}",
        axis=POINTS.axis(lower_first(name)),
        zero=say("the group changes nothing"),
        unit=f" {retold(POINTS.name)}",
        scale=lambda value: POINTS.factor * value,
        delta=decision.delta,
        alpha=decision.alpha,
        tolerance=POINTS.plain_tolerance(decision.delta),
    )
    return estimate.draw(finding.shown, _colour(finding), shown)


def _colour(finding: ColumnSensitivityFinding) -> Verdict:
    """What the shown attribute says by itself; clear only where the whole verdict is."""
    alone = verdict_of(finding.shown, finding.decision.delta, finding.decision.alpha)
    return finding.verdict if alone is Verdict.NO_VIOLATION else alone

"""The mean change of the answer with its interval, against the tolerance."""

from core.audits.column_sensitivity.verdict import NAME, ColumnSensitivityFinding
from core.figures import estimate
from core.figures.chart import Drawing
from core.figures.estimate import Shown
from core.inference.estimate import Verdict
from core.judge import judge
from core.language.phrases import lower_first
from core.language.told import retold, say
from core.language.units import POINTS


def draw(finding: ColumnSensitivityFinding) -> Drawing:
    """Estimate, interval and bound of the shown attribute, which hold together with the others', beside 0 and δ."""
    axis = POINTS.axis(lower_first(retold(NAME[finding.decision.measure])))
    shown = Shown(axis, say("the group changes nothing"), finding.decision.alpha)
    alone = judge([finding.shown])
    return estimate.draw(finding.shown, finding.verdict if alone is Verdict.NO_VIOLATION else alone, shown)

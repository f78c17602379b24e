"""The mean change of the answer with its interval, against the tolerance."""

from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.audits.column_sensitivity.wording import MEASURE_AXIS
from core.figures import estimate
from core.figures.chart import Drawing
from core.figures.estimate import Shown


def draw(finding: ColumnSensitivityFinding) -> Drawing:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    decision = finding.decision
    moves = decision.measure == "change"
    shown = Shown(
        name="Mean share of probability that moves" if moves else "Mean share of probability promised by the slope",
        axis=MEASURE_AXIS[decision.measure],
        zero="the group changes nothing",
        unit="%",
        scale=lambda value: 100 * value,
        delta=decision.delta,
        alpha=decision.alpha,
        tolerance=f"{100 * decision.delta:.10g}",
    )
    return estimate.draw(finding.inference, finding.verdict, shown)

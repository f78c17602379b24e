"""What the verdict rests on, with its interval, against the tolerance."""

from core.audits.text_sensitivity.units import SMALL_TICKS, unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import measure_name
from core.figures import estimate
from core.figures.chart import Drawing
from core.figures.estimate import Shown


def draw(finding: TextSensitivityFinding) -> Drawing:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    decision, unit = finding.decision, unit_of(finding.measure)
    swaps = finding.judged == "swaps"
    shown = Shown(
        name="Mean share of probability that moves"
        if swaps
        else f"Difference of {measure_name(finding.measure, decision)}",
        axis="mean share of probability that moves, in %"
        if swaps
        else unit.axis(f"{finding.measure}, audited less second model"),
        zero="exchanged words change nothing" if swaps else "both alike",
        unit="%" if swaps else unit.points,
        scale=lambda value: unit.factor * value,
        delta=decision.delta,
        alpha=decision.alpha,
        tolerance=f"{unit.factor * decision.delta:.10g}",
    )
    drawing = estimate.draw(finding.inference, finding.verdict, shown)
    drawing.figure.update_xaxes(SMALL_TICKS)
    return drawing

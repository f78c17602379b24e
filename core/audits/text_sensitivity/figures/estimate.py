"""What the verdict rests on, with its interval, against the tolerance."""

from core.audits.text_sensitivity.measures import SMALL_TICKS, unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import measure_name
from core.figures import estimate
from core.figures.chart import Drawing
from core.figures.estimate import Shown
from core.language.told import say


def draw(finding: TextSensitivityFinding) -> Drawing:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    decision, unit = finding.decision, unit_of(finding.measure)
    swaps = finding.judged == "swaps"
    shown = Shown(
        name=say("Mean change of the answer")
        if swaps
        else say("Difference of {measure}", measure=measure_name(finding.measure, decision)),
        axis=unit.axis(
            say("mean change of the answer")
            if swaps
            else say("{measure}, audited less second model", measure=finding.measure)
        ),
        zero=say("exchanged words change nothing") if swaps else say("both alike"),
        unit=f" {unit.name}" if unit.name else "",
        scale=lambda value: unit.factor * value,
        delta=decision.delta,
        alpha=decision.alpha,
        tolerance=unit.plain_tolerance(decision.delta),
    )
    drawing = estimate.draw(finding.inference, finding.verdict, shown)
    drawing.figure.update_xaxes(SMALL_TICKS)
    return drawing

"""What the verdict rests on, with its interval, against the tolerance."""

from core.audits.text_sensitivity.measures import SMALL_TICKS, unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.figures import estimate
from core.figures.chart import Drawing
from core.figures.estimate import Shown
from core.language.told import say


def draw(finding: TextSensitivityFinding) -> Drawing:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    unit, swaps = unit_of(finding.measure), finding.judged == "swaps"
    axis = unit.axis(
        say("mean change of the answer")
        if swaps
        else say("{measure}, audited less second model", measure=finding.measure)
    )
    zero = say("exchanged words change nothing") if swaps else say("both alike")
    shown = Shown(axis, zero, finding.decision.alpha)
    drawing = estimate.draw(finding.claims[0], finding.verdict, shown)
    drawing.figure.update_xaxes(SMALL_TICKS)
    return drawing

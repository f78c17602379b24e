"""The rise of the mean loss with its interval, against the tolerance."""

from core.audits.transport.flow_wording import begun
from core.audits.transport.loss_units import LOSS_UNITS, tolerance
from core.audits.transport.verdict import TransportFinding
from core.figures import estimate
from core.figures.chart import Drawing
from core.figures.estimate import Shown
from core.language.told import say


def draw(finding: TransportFinding) -> Drawing:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    measure, decision = LOSS_UNITS[finding.loss], finding.decision
    shown = Shown(
        name=begun(measure.rise),
        axis=measure.axis,
        zero=say("treated alike"),
        unit=measure.unit,
        scale=measure.shown,
        delta=decision.delta,
        alpha=decision.alpha,
        tolerance=tolerance(decision),
    )
    return estimate.draw(finding.inference, finding.verdict, shown)

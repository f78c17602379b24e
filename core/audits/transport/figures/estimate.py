"""The rise of the mean loss with its interval, against the tolerance."""

from core.audits.transport.loss_units import LOSS_UNITS
from core.audits.transport.verdict import TransportFinding
from core.figures import estimate
from core.figures.chart import Drawing
from core.figures.estimate import Shown
from core.language.told import say


def draw(finding: TransportFinding) -> Drawing:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    axis = LOSS_UNITS[finding.loss].axis
    shown = Shown(axis, say("treated alike"), finding.decision.alpha)
    return estimate.draw(finding.claims[0], finding.verdict, shown)

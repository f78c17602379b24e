"""The finding of this test."""

from core.audits.gradient_flow import KIND
from core.audits.gradient_flow.report.telling import GradientFlowTelling
from core.report.old import OldFinding


class GradientFlowFinding(OldFinding):
    """See the base class."""

    kind = KIND
    telling = GradientFlowTelling()

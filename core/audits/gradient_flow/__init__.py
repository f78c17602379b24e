"""The gradient-flow loss-ratio test (papers/gradient-flow-test.md)."""

from core.audits.gradient_flow.detail import GradientFlowDetail, Sweep
from core.audits.gradient_flow.groups import GroupEstimate
from core.audits.gradient_flow.parts import Cells, StepHalving, WorstPairs
from core.audits.gradient_flow.relearned import Relearned
from core.audits.gradient_flow.settings import GradientFlow

__all__ = [
    "Cells",
    "GradientFlow",
    "GradientFlowDetail",
    "GroupEstimate",
    "Relearned",
    "StepHalving",
    "Sweep",
    "WorstPairs",
]

"""The gradient-flow loss-ratio test (papers/gradient-flow-test.md)."""

from core.audits.gradient_flow.detail import Cells, GradientFlowDetail, StepHalving, WorstPairs
from core.audits.gradient_flow.settings import GradientFlow

__all__ = ["Cells", "GradientFlow", "GradientFlowDetail", "StepHalving", "WorstPairs"]

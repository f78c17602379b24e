"""Settings of the gradient-flow loss-ratio test."""

from core.audit import AbstractAudit


class GradientFlow(AbstractAudit):
    """The gradient-flow loss-ratio test."""

"""Settings of the gradient-flow loss-ratio test."""

from typing import Literal

from core.audit import AbstractAudit
from core.metrics import Metric
from core.settings import setting


class GradientFlow(AbstractAudit):
    """Move every row uphill in its loss, where the metric lets it move, and compare losses (eq. 2.6-2.8, 3.3)."""

    kind: Literal["gradient_flow"] = "gradient_flow"
    metric: Metric = setting(label="Fair metric", help="Who counts as similar.", discriminator="kind")
    regularisation: float = setting(
        50.0,
        label="Weight of similarity",
        symbol="λ",
        help="How strongly the search is held back from people the metric calls different.",
        ge=0.0,
        le=1e6,
    )
    steps: int = setting(
        500, label="Length of the search", symbol="T", unit="steps", help="Gradient steps taken.", ge=1, le=20_000
    )
    step_size: float = setting(
        0.01, label="Step size", symbol="ε", help="Size of the first step, in encoded units.", gt=0.0, le=10.0
    )
    schedule: Literal["constant", "decreasing"] = setting(
        "constant", label="Step schedule", help="Decreasing steps shrink as k to the power -2/3."
    )
    integrator: Literal["euler", "etd1", "etd2rk"] = setting(
        "euler",
        label="Integrator",
        help="Euler is the published statistic. The exponential ones treat similarity exactly and are never unstable.",
    )
    loss_floor: float = setting(
        0.0,
        label="Smallest loss",
        symbol="c",
        help="Losses below this count as this (assumption A3); the rows it touches are counted.",
        ge=0.0,
        le=1.0,
    )
    precision: Literal["float32", "float64"] = setting(
        "float32", label="Precision of the search", help="Losses and statistics are always computed in float64."
    )
    rotations: tuple[float, ...] = setting(
        (),
        label="Metric rotations",
        symbol="β",
        unit="degrees",
        help="Repeat the test with the free direction turned by these angles, to see how much it depends on it.",
    )
    metric_resamples: int = setting(
        0,
        label="Metric resamples",
        help="Repeat the test with the metric learned from this many bootstrap samples of its rows.",
        ge=0,
        le=200,
    )

"""Settings of the gradient-flow loss-ratio test."""

from __future__ import annotations

import math
from typing import Any, Literal, Self

import numpy as np
from pydantic import model_validator

from core.base.errors import SettingsError
from core.base.settings import setting, title_of
from core.base.thresholds import FEWEST_ROWS
from core.contracts.audit import AbstractAudit, missing_roles, needs_classes
from core.contracts.metric import AbstractMetric
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.roles import Roles
from core.language.told import say
from core.metrics import Metric


class GradientFlow(AbstractAudit):
    """Move every row uphill in its loss, where the metric lets it move, and compare losses (eq. 2.6-2.8, 3.3)."""

    kind: Literal["gradient_flow"] = "gradient_flow"
    metric: Metric = setting(label=say("Fair metric"), help=say("Who counts as similar."), discriminator="kind")
    regularisation: float = setting(
        50.0,
        label=say("Weight of similarity"),
        symbol="λ",
        help=say("How strongly the search is held back from people the metric calls different."),
        ge=0.0,
        le=1e6,
    )
    steps: int = setting(
        50,
        label=say("Length of the search"),
        symbol="T",
        unit=say("steps"),
        help=say("Gradient steps taken."),
        ge=1,
        le=20_000,
    )
    step_size: float = setting(
        0.1, label=say("Step size"), symbol="ε", help=say("Size of the first step, in encoded units."), gt=0.0, le=10.0
    )
    schedule: Literal["constant", "decreasing"] = setting(
        "constant",
        label=say("Step schedule"),
        help=say("Decreasing steps shrink as k to the power -2/3."),
        names={"constant": say("Steps of one size"), "decreasing": say("Steps that shrink")},
    )
    integrator: Literal["euler", "etd1", "etd2rk"] = setting(
        "etd2rk",
        label=say("How each step is computed"),
        help=say(
            "The published test takes plain steps (Euler). The exponential ones treat similarity exactly and "
            "are never unstable. That of second order needs fewer steps, and takes shorter ones where the check of the "
            "step size asks for them."
        ),
        names={
            "euler": say("Plain steps, as published (Euler)"),
            "etd1": say("Exponential, first order (ETD1)"),
            "etd2rk": say("Exponential, second order (ETD2RK)"),
        },
    )
    loss_floor: float = setting(
        0.0,
        label=say("Smallest loss"),
        symbol="c",
        help=say("Losses below this count as this (assumption A3); the rows it touches are counted."),
        ge=0.0,
        le=1.0,
    )
    precision: Literal["float32", "float64"] = setting(
        "float32",
        label=say("Precision of the search"),
        help=say("Losses and statistics are always computed in double precision."),
        names={"float32": say("Single (float32)"), "float64": say("Double (float64)")},
    )
    rotations: tuple[float, ...] = setting(
        (),
        label=say("Metric rotations"),
        symbol="β",
        unit=say("degrees"),
        help=say("Repeat the test with the free direction turned by these angles, to see how much it depends on it."),
        empty=say("none"),
    )
    other_weights: tuple[float, ...] = setting(
        (),
        label=say("Other weights of similarity"),
        symbol="λ",
        help=say("Repeat the test with these weights, to see how much it depends on the one chosen."),
        empty=say("none"),
        example="5, 20, 100",
    )
    other_penalties: tuple[float, ...] = setting(
        (),
        label=say("Other penalties of the metric"),
        help=say(
            "Learn the metric again with a ridge of these strengths and repeat the test, to see how much it depends "
            "on the one chosen. Counts for metrics that are learned with a ridge."
        ),
        empty=say("none"),
        example="0.01, 1, 100",
    )
    metric_resamples: int = setting(
        25,
        label=say("Metric resamples"),
        help=say(
            "How often the metric is learned again, each time from a random half of its rows, and tried on "
            "up to 1,000 audited rows. Interval and verdict include how far the results lie apart; without "
            "it no claim is made. Counts for learned metrics only."
        ),
        ge=0,
        le=200,
    )
    first_rows: int | None = setting(
        None,
        label=say("Audit the first rows only"),
        unit=say("rows"),
        help=say("Empty audits every row. The paper's COMPAS study used the first 1,000."),
        empty=say("every row"),
        ge=FEWEST_ROWS,
    )

    @model_validator(mode="after")
    def _settings_fit_together(self) -> Self:
        if any(not 0 < abs(angle) <= 90 for angle in self.rotations):
            raise SettingsError(
                say("A rotation of the metric lies between -90 and 90 degrees and is not zero."),
                where=say("rotations {angles}", angles=", ".join(f"{angle:g}" for angle in self.rotations)),
                advice=say("Choose small angles such as 5, 10 and 20 degrees; the unturned metric is always included."),
            )
        for name, values in (("other_weights", self.other_weights), ("other_penalties", self.other_penalties)):
            if any(not 0 < value <= 1e6 for value in values):
                raise SettingsError(
                    say("A weight or penalty to try lies above 0 and is at most 1,000,000."),
                    where=title_of(type(self).model_fields[name]),
                    advice=say("Choose values around the one chosen, such as a tenth and ten times as much."),
                )
        if self.other_penalties and math.isnan(self.metric.penalised_by):
            self.metric.under_penalty(self.other_penalties[0])
        return self

    @property
    def fair_metric(self) -> AbstractMetric:
        """Who counts as similar."""
        return self.metric

    def has_parts(self, roles: Roles) -> bool:
        """Metrics that are learned again, where that takes longer than to read the rows again: texts are embedded."""
        return self.metric.learns_long and self.metric_resamples > 1 and not roles.text

    @property
    def smallest_loss(self) -> float:
        """See the base class."""
        return self.loss_floor

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty if outcomes are classes and the model has gradients; otherwise why not."""
        if reason := needs_classes(dataset):
            return reason
        if not model.no_gradients:
            return missing_roles(dataset, favourable=False)
        return say(
            "This test follows the model's gradients, and there are none: {no_gradients}",
            no_gradients=model.no_gradients,
        )

    @property
    def adds_up(self) -> bool:
        """Sums over rows are all that intervals and verdict take."""
        return self.first_rows is None

    def rows_of(self, detail: Any, data: EncodedDataset) -> int:
        """All rows that were searched, in memory or beyond."""
        return int(detail.rows_of())

    def select(self, data: EncodedDataset) -> EncodedDataset:
        """The first rows if only those are wanted."""
        if self.first_rows is None or self.first_rows >= len(data):
            return data
        return data.take(np.arange(self.first_rows))

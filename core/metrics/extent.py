"""How much of what sets people apart a learned metric forgives, and from where on that is too much for a verdict.

A metric that frees nearly every direction calls nearly everybody similar. Then the test measures how steep the model
is, not how it treats groups: with three quarters of the directions freed at random, the logarithm of the loss ratio
is 73% (hiring, fair model), 83% (hiring), 85% (COMPAS) and 91% (Adult) of what it is with all of them free.

What is declared free is not counted, here or elsewhere: that protected columns must not matter is for people to say.
"""

from dataclasses import dataclass

import numpy as np

from core.base.errors import MetricError
from core.contracts.metric import AbstractMetric, FittedMetric
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.language.phrases import count, listed, number, percent, quoted
from core.language.told import say
from core.metrics.subspace import changes

MOST_FREED = 0.75
"""From this share of the directions on a learned metric forgives too much. Sex and race free 2 of 35 directions on
Adult as the paper prepares it and 5 of 88 on all of its columns, 2 of 4 on COMPAS and 4 of 23 on the hiring table."""


@dataclass(frozen=True)
class Extent:
    """How many directions a learned metric frees, beyond the protected columns.

    Attributes:
        freed: Of these directions, those that are free; a direction that is partly free counts in part.
        directions: In which people can differ in the columns that are not protected.
    """

    freed: float
    directions: int

    @property
    def too_much(self) -> bool:
        """Whether so many are free that the metric says nothing about groups any more."""
        return self.directions > 0 and self.freed >= MOST_FREED * self.directions - 1e-6

    @property
    def told(self) -> str:
        """How many are free, and from where on that is too much."""
        return say(
            "The learned metric frees {freed} of the {directions} in which people can differ apart from the protected "
            "columns. From {limit} on nearly everybody counts as similar, and no violation is claimed.",
            freed=number(self.freed, 0),
            directions=count(self.directions, "direction"),
            limit=percent(MOST_FREED),
        )


def extent(metric: FittedMetric, encoder: Encoder, protected: tuple[str, ...]) -> Extent:
    """How much ``metric`` frees; nothing where it was declared."""
    if not metric.learned_on:
        return Extent(0.0, 0)
    others = changes(encoder, tuple(name for name in encoder.features if name not in protected))
    return Extent(float(((others @ metric.free.T) ** 2).sum()), len(others))


def fitted_for_a_test(metric: AbstractMetric, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
    """The metric that these rows teach, ready for a test.

    Raises:
        MetricError: It cannot be learned or used, or it forgives nearly everything.
    """
    fitted = metric.fit(data, rng)
    found = extent(fitted, data.encoder, data.dataset.roles.protected)
    if found.too_much:
        raise MetricError(found.told, where=_where_from(fitted), advice=advice(fitted))
    return fitted


def advice(metric: FittedMetric) -> str:
    """What to do about a metric that forgives nearly everything."""
    if not metric.probes:
        return say("Ask for fewer free directions, or declare who counts as similar.")
    return say(
        "Learn the metric from fewer protected attributes, merge small groups, or declare who counts as similar."
    )


def _where_from(metric: FittedMetric) -> str:
    """Which attributes the free directions are of, the most first."""
    found = sorted(metric.probes, key=lambda probe: -len(probe.directions))
    return listed(
        [
            say(
                "{directions} of {attribute}",
                directions=count(len(probe.directions), "direction"),
                attribute=quoted(probe.attribute),
            )
            for probe in found
            if len(probe.directions)
        ]
    )

"""A learned fair metric: what predicts the protected attributes linearly is free."""

from collections.abc import Callable
from typing import Literal, Self

import numpy as np

from core.base.errors import Caveat, MetricError
from core.base.settings import setting
from core.contracts.metric import FittedMetric, random_half
from core.data.encoded import EncodedDataset
from core.language.phrases import quoted
from core.language.told import localized, say
from core.metrics.learned import (
    BY_CHANCE,
    ROWS_PER_GROUP,
    AbstractProbedMetric,
    at_most,
    attributes_of,
    clusters_at,
    independence_caveat,
    inputs_of,
    learned_metric,
    one_thread,
    small_group_caveats,
    stratified_folds,
    weak_caveats,
)
from core.metrics.logistic import GRADIENT_TOLERANCE, LogisticFit, fit_logistic
from core.metrics.probe import evaluate, tells
from core.metrics.subspace import orthonormal, standardised, unused_directions

FOLDS = 5


class SensitiveSubspace(AbstractProbedMetric):
    """Logistic probes of the protected attributes span the free subspace (papers/gradient-flow-test.md, F.2).

    A probe reads every encoded column but the protected ones. With g > 2 groups it is multinomial and gives the span
    of its coefficient differences, up to g - 1 directions. Coefficients along directions in which no two rows differ
    (constant columns, the sum over a one-hot block) are removed, so that every converged solver gives the same span.

    The direction comes from a probe fitted to all learning rows; its AUC and accuracies from five probes, each judged
    on the fifth of the learning rows (of at most 20,000 a group) that it was not fitted to. Where these tell the groups
    no better than by chance (:func:`core.metrics.probe.tells`), no direction is learned.

    The default ridge of strength 1 is scikit-learn's default, with which the authors' code learned the paper's
    subspace. Without one, coefficients often have no finite optimum: on Adult every husband is a man. Then a ridge of
    strength ``strength`` is used nevertheless, and a caveat says so.
    """

    title = say("What reveals the group, learned from the data")
    about = say(
        "Differences that reveal the group are ignored when judging who is similar. The published method; a good start."
    )

    kind: Literal["sensitive_subspace"] = "sensitive_subspace"
    penalty: Literal["none", "l2"] = setting(
        "l2",
        label=say("Penalty of the probes"),
        help=say("A ridge keeps coefficients finite where groups can be told apart."),
        names={"none": say("No penalty"), "l2": say("Ridge: large coefficients cost (L2)")},
    )
    strength: float = setting(
        1.0,
        label=say("Strength of the ridge"),
        help=say(
            "Adds strength/2 times the squared coefficients (standardised numbers, 0-1 indicators) to the "
            "log-loss summed over rows."
        ),
        ge=1e-6,
        le=1e6,
    )

    @property
    def penalised_by(self) -> float:
        """See the base class; 0 for no penalty."""
        return self.strength if self.penalty == "l2" else 0.0

    def under_penalty(self, strength: float) -> Self:
        """See the base class."""
        return self.model_copy(update={"penalty": "l2", "strength": strength})

    def fit(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        """Probe each protected attribute; see the class.

        Raises:
            MetricError: An attribute has one group only, there are fewer rows than columns, a probe's solver did not
                converge, or the columns tell no attribute better than by chance.
        """
        with one_thread():
            return self._learned(data, rng)

    def learn_from_half(
        self, data: EncodedDataset, metric: FittedMetric, rng: np.random.Generator
    ) -> Callable[[], FittedMetric]:
        """See the base class; the attributes are those that all rows tell, and no probe is judged."""
        told = tuple(probe.attribute for probe in metric.probes if len(probe.directions))
        half = random_half(data, rng)

        def learn() -> FittedMetric:
            with one_thread():
                return self._learned(data.take(half), rng, told)

        return learn

    def _learned(
        self, data: EncodedDataset, rng: np.random.Generator, told: tuple[str, ...] | None = None
    ) -> FittedMetric:
        """The metric of the attributes that are known to be ``told``, or of those that the probes turn out to tell."""
        attributes = attributes_of(data, self.protected)
        columns = inputs_of(data)
        z, scale = standardised(data.x[:, columns])
        unused = unused_directions(z, scale)
        probes, free, caveats = [], [], list(independence_caveat(self.learn_on) + small_group_caveats(data, attributes))
        for attribute in attributes if told is None else told:
            codes, groups = data.dataset.groups(attribute)
            fitted = self._fit(z, codes, len(groups), attribute)
            if fitted.separable and self.penalty == "none":
                caveats.append(_separable_caveat(attribute, self.strength))
            coefficients = fitted.coefficients / scale
            coefficients = coefficients - coefficients @ unused.T @ unused
            directions = np.zeros((len(coefficients), data.x.shape[1]))
            directions[:, columns] = coefficients
            own = _unit(directions, attribute)
            if told is None:
                some = at_most(codes, ROWS_PER_GROUP, rng)
                clusters = clusters_at(data, some)
                fold = stratified_folds(codes[some], FOLDS, rng, clusters)
                probability = self._out_of_fold(z[some], codes[some], len(groups), attribute, fold)
                if not tells(codes[some], probability, BY_CHANCE, clusters, FOLDS):
                    own = own[:0]
                probes.append(
                    evaluate(
                        attribute,
                        groups=groups,
                        codes=codes[some],
                        probability=probability,
                        prior=np.bincount(codes[some]) / len(some),
                        directions=own,
                    )
                )
            free.append(own)
        return learned_metric(
            say("Learned sensitive subspace"),
            data,
            np.concatenate([np.zeros((0, data.x.shape[1])), *free]),
            include_protected_columns=self.include_protected_columns,
            probes=tuple(probes),
            caveats=(*caveats, *weak_caveats(tuple(probes), "warning")),
        )

    def _fit(self, z: np.ndarray, codes: np.ndarray, groups: int, attribute: str) -> LogisticFit:
        if self.penalty == "none":
            fitted = fit_logistic(z, codes, groups, 0.0, attribute)
            if not fitted.separable:
                return fitted
            ridge = fit_logistic(z, codes, groups, self.strength, attribute)
            return LogisticFit(ridge.coefficients, ridge.intercepts, separable=True)
        return fit_logistic(z, codes, groups, self.strength, attribute)

    def _out_of_fold(
        self, z: np.ndarray, codes: np.ndarray, groups: int, attribute: str, fold: np.ndarray
    ) -> np.ndarray:
        """Probability of each group from a probe that did not see the row, shape (n, g)."""
        probability = np.empty((len(codes), groups))
        for number in range(FOLDS):
            inside, outside = fold != number, fold == number
            probability[outside] = self._fit(z[inside], codes[inside], groups, attribute).probability(z[outside])
        return probability


def _unit(directions: np.ndarray, attribute: str) -> np.ndarray:
    """One direction as a unit vector towards the later group; several as an orthonormal basis of their span."""
    if np.linalg.norm(directions) < GRADIENT_TOLERANCE:
        raise MetricError(
            say("The columns say nothing at all about the group, so there is no direction to free."),
            where=say("protected attribute {attribute}", attribute=quoted(attribute)),
            advice=say("Leave this attribute out of the metric, or declare the metric."),
        )
    if len(directions) == 1:
        unit: np.ndarray = directions / np.linalg.norm(directions)
        return unit
    return orthonormal(directions)[0]


def _separable_caveat(attribute: str, strength: float) -> Caveat:
    what = say(
        "Some columns tell groups of {attribute} apart without exception, so a probe without a ridge has "
        "no finite optimum; a ridge of strength {strength} was used.",
        attribute=quoted(attribute),
        strength=localized(f"{strength:g}"),
    )
    return Caveat(
        "warning", what, say("State the ridge in the settings, and see how the result moves with its strength.")
    )

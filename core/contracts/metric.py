"""The fair metric: what it costs two people to differ, with its gradient; usually a quadratic form.

d²(x, x') = (x - x')ᵀ Σ (x - x') in the model's encoded space (papers/gradient-flow-test.md, A.1). A direction with
Σv = 0 is free: two people who differ along it only are the same person to the metric. A metric with another cost
subclasses :class:`FittedMetric` and gives this cost and its gradient.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np

from core.base.errors import Caveat, MetricError, SettingsError
from core.base.settings import MadeByPeople, Settings, setting
from core.base.thresholds import FEWEST_ROWS
from core.data.clusters import in_parts
from core.data.encoded import EncodedDataset
from core.language.phrases import count
from core.language.told import localized, retold, say

SHARED = 1 - 1e-6
"""Squared cosine of an angle from which on a direction of two subspaces is the same."""


@dataclass(frozen=True)
class Probe:
    """How well one protected attribute can be predicted from the features, on rows the probe never saw.

    Attributes:
        attribute: The protected attribute.
        groups: Its values, length g.
        auc: Held-out area under the ROC curve (mean of one-vs-rest for g > 2); 0.5 is chance.
        auc_low: Lower end of its 95% interval (DeLong).
        auc_high: Upper end.
        accuracy: Held-out accuracy within each group, shape (g,).
        accuracy_low: Lower ends of their 95% intervals (Wilson), shape (g,).
        accuracy_high: Upper ends, shape (g,).
        held_out: Held-out rows in each group, shape (g,), int.
        directions: The probe's unit directions in encoded space, shape (q, d).
    """

    attribute: str
    groups: tuple[str, ...]
    auc: float
    auc_low: float
    auc_high: float
    accuracy: np.ndarray
    accuracy_low: np.ndarray
    accuracy_high: np.ndarray
    held_out: np.ndarray
    directions: np.ndarray


@dataclass(frozen=True)
class FittedMetric:
    """A fair metric ready to use.

    Attributes:
        quadratic: Whether the cost is the quadratic form of ``matrix``, which tests take exact and fast steps of. A
            subclass that says False has its own :meth:`squared_distance` and :meth:`gradient`.
        name: Plain-language name ("Learned sensitive subspace").
        columns: Encoded column names, length d.
        matrix: Σ, symmetric positive semidefinite, shape (d, d); of another cost a form that its curvature never
            exceeds, from which follows how large a step may be.
        free: Orthonormal basis of the directions declared or learned to be free, shape (q, d); q may be 0.
        spectrum: How much each learned direction carries (singular or eigen values, descending); empty if declared.
        probes: What was learned about each protected attribute; empty if declared.
        learned_on: Rows the metric was learned from; 0 if declared.
        found: Directions that were learned, of those in ``free``.
        caveats: What a reader has to know about it.
    """

    quadratic: ClassVar[bool] = True

    name: str
    columns: tuple[str, ...]
    matrix: np.ndarray
    free: np.ndarray
    spectrum: np.ndarray
    probes: tuple[Probe, ...] = ()
    learned_on: int = 0
    found: int = 0
    caveats: tuple[Caveat, ...] = ()

    def squared_distance(self, x: np.ndarray, other: np.ndarray) -> np.ndarray:
        """d² between rows of ``x`` and ``other``, both (n, d); returns (n,), never below zero by rounding."""
        moved = x - other
        squared: np.ndarray = np.einsum("ni,ni->n", moved @ self.matrix, moved)
        nonnegative: np.ndarray = np.maximum(squared, 0.0)
        return nonnegative

    def gradient(self, x: np.ndarray, other: np.ndarray) -> np.ndarray:
        """The gradient of d² in ``x``, row by row: 2 Σ (x - x'); shapes (n, d)."""
        slope: np.ndarray = 2.0 * (x - other) @ self.matrix
        return slope

    def between(self, x: np.ndarray, other: np.ndarray) -> np.ndarray:
        """d² of each row of ``x``, (n, d), from each of ``other``, (m, d); shape (n, m), a row at a time."""
        return np.stack([self.squared_distance(np.broadcast_to(row, other.shape), other) for row in x])

    @cached_property
    def eigen(self) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues of Σ, ascending, clipped at zero, shape (d,), and eigenvectors as columns, (d, d)."""
        values, vectors = np.linalg.eigh(self.matrix)
        return np.maximum(values, 0.0), vectors

    @property
    def largest_eigenvalue(self) -> float:
        """σ_max(Σ), which with λ and the step size decides whether Euler steps are stable."""
        return float(self.eigen[0][-1])

    def rotated(self, degrees: float, rng: np.random.Generator) -> FittedMetric:
        """The same metric with its free directions turned by an angle, to study misspecification (App. A, Fig. 1).

        Every free direction b becomes cos β b + sin β u, with u a random direction orthogonal to the whole free
        subspace and to the other u. In the plane u is b turned anticlockwise by a right angle, so that the free
        direction R(β)(1, 0) of the paper results. Σ turns with its directions: R Σ Rᵀ. If more directions are free
        than held, only as many turn as there are directions to turn to; with none free, or all, nothing changes.

        Args:
            degrees: The angle β.
            rng: Draws the directions to turn to, except in the plane.
        """
        q, d = self.free.shape
        turned = min(q, d - q)
        if turned == 0:
            return self
        if (q, d) == (1, 2):
            towards = np.array([[-self.free[0, 1], self.free[0, 0]]])
        else:
            drawn = rng.standard_normal((turned, d))
            drawn -= drawn @ self.free.T @ self.free
            towards = np.linalg.qr(drawn.T)[0].T
        moved = self.free[:turned]
        cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        rotation = np.eye(d) + (cosine - 1) * (moved.T @ moved + towards.T @ towards)
        rotation += sine * (towards.T @ moved - moved.T @ towards)
        matrix = rotation @ self.matrix @ rotation.T
        return replace(
            self,
            name=say("{name}, turned by {degrees}°", name=self.name, degrees=localized(f"{degrees:g}")),
            matrix=(matrix + matrix.T) / 2,
            free=self.free @ rotation.T,
        )

    def shared_with(self, others: list[FittedMetric]) -> FittedMetric:
        """The metric that frees only what the others free too, all of them."""
        free = self.free
        for other in others:
            values, vectors = np.linalg.eigh(free @ other.free.T @ other.free @ free.T)
            free = vectors[:, values > SHARED].T @ free
        return replace(self, free=free, matrix=self.matrix + self.free.T @ self.free - free.T @ free)


def principal_angles(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Angles in degrees between two subspaces given by orthonormal rows, (p, d) and (q, d); descending, (min(p, q),).

    The largest says how far one free subspace is from another: 0 if one contains the other.
    """
    from scipy.linalg import subspace_angles

    return np.degrees(subspace_angles(first.T, second.T))


class AbstractMetric(Settings, ABC, metaclass=MadeByPeople):
    """Settings of a fair metric. Subclasses narrow ``kind`` to a ``Literal`` and add their own fields.

    Attributes:
        title: What must not matter ("What I name: …"), where people choose among metrics.
        about: What that means, one or two plain sentences.
        reads: Whether it is about columns, about texts, or about whatever the model reads.
        learns_from_rows: Whether other rows give another metric; a declared one is the same for all rows.
        learns_long: Whether that takes so long that each half of the rows may be learned on another machine.
    """

    title: ClassVar[str]
    about: ClassVar[str]
    reads: ClassVar[Literal["columns", "texts", "both"]] = "both"
    learns_from_rows: ClassVar[bool] = False
    learns_long: ClassVar[bool] = False

    kind: str

    @abstractmethod
    def fit(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        """The metric in the encoded space of ``data``.

        Raises:
            MetricError: It cannot be learned from these rows, or what was declared does not fit the columns.
        """

    def learned_again(
        self, data: EncodedDataset, metric: FittedMetric, times: int, rng: np.random.Generator
    ) -> list[Callable[[], FittedMetric | None]]:
        """What learns metrics from random halves of ``data``, None where a half cannot teach one.

        All is drawn here, one half after the other, so that each may be learned alone, wherever. Probes and caveats of
        these metrics may be left out.

        What a random half teaches differs from what all rows do by as much as these do from the truth: the variance of
        a mean of n/2 values drawn without replacement, about that of all n, is the variance of the mean of n
        (delete-half jackknife; Shao and Wu 1989, Annals of Statistics 17:1176). A bootstrap sample says the same with
        every third row left out and others doubled, which a network that stops early takes for success.

        Args:
            data: The rows that ``metric`` was learned from.
            metric: The metric that they taught; as many directions are learned again as it found.
            times: How many.
            rng: Draws the halves.
        """
        found: list[Callable[[], FittedMetric | None]] = []
        for _ in range(times):
            try:
                found.append(or_none(self.learn_from_half(data, metric, rng)))
            except MetricError:
                found.append(lambda: None)
        return found

    def learn_from_half(
        self, data: EncodedDataset, metric: FittedMetric, rng: np.random.Generator
    ) -> Callable[[], FittedMetric]:
        """Draw one half; what is given back learns from it.

        Raises:
            MetricError: This half cannot teach a metric; also what is given back may raise it.
        """
        half, own = random_half(data, rng), rng.spawn(1)[0]
        return lambda: self.fit(data.take(half), own)

    @property
    def keeps_rows_apart(self) -> bool:
        """Whether the rows that it is learned from are not audited."""
        return False

    @property
    def penalised_by(self) -> float:
        """Strength of the penalty with which it is learned; NaN where there is none to choose."""
        return math.nan

    def under_penalty(self, strength: float) -> Self:
        """The same metric learned with a penalty of another strength.

        Raises:
            SettingsError: It is learned without one.
        """
        raise SettingsError(
            say("The metric “{metric}” is not learned with a penalty.", metric=retold(self.title)),
            where=say("settings of the search"),
            advice=say("Leave the other penalties empty, or choose a metric that is learned with one."),
        )

    def split(self, data: EncodedDataset, rng: np.random.Generator) -> tuple[EncodedDataset, EncodedDataset]:
        """The rows to fit on and the rows to audit. A declared metric needs no rows of its own: all are audited.

        Raises:
            MetricError: Too few rows would be left to audit.
        """
        return data, data


class AbstractLearnedMetric(AbstractMetric):
    """A metric learned from rows, by default rows that are not audited (Theorem 3.1 needs independence)."""

    learns_from_rows: ClassVar[bool] = True

    learn_on: Literal["held-out rows", "audited rows"] = setting(  # verbatim
        "held-out rows",  # verbatim
        names={"held-out rows": say("held-out rows"), "audited rows": say("audited rows")},  # verbatim
        label=say("Learn the metric on"),
        help=say("Held-out rows keep the test exact. The paper learns it on the audited rows themselves."),
    )
    held_out: float = setting(
        0.3,
        label=say("Share of rows held out"),
        help=say("Rows set aside to learn the metric; not audited."),
        ge=0.05,
        le=0.9,
    )

    @property
    def keeps_rows_apart(self) -> bool:
        """See the base class."""
        return self.learn_on != "audited rows"  # verbatim

    def split(self, data: EncodedDataset, rng: np.random.Generator) -> tuple[EncodedDataset, EncodedDataset]:
        """A random held-out part to learn from and the rest, unless the settings ask for the audited rows."""
        if not self.keeps_rows_apart:
            return data, data
        held_out = chosen(data.clusters, len(data), self.held_out, rng)
        return parted(data, held_out, say("Hold out a smaller share of rows, or learn the metric on the audited rows."))


def chosen(clusters: np.ndarray | None, n: int, share: float, rng: np.random.Generator) -> np.ndarray:
    """A random ``share`` of n rows, shape (n,), bool; rows that belong together (``clusters``) stay together."""
    inside = np.zeros(n, dtype=bool)
    inside[in_parts(n, (share, 1 - share), rng, clusters)[0]] = True
    return inside


def random_half(data: EncodedDataset, rng: np.random.Generator) -> np.ndarray:
    """Positions of a random half of the rows; those that belong together stay together."""
    return np.flatnonzero(chosen(data.clusters, len(data), 0.5, rng))


def or_none(learn: Callable[[], FittedMetric]) -> Callable[[], FittedMetric | None]:
    """The same, with None where the rows cannot teach a metric."""

    def learned() -> FittedMetric | None:
        try:
            return learn()
        except MetricError:
            return None

    return learned


def parted(data: EncodedDataset, held_out: np.ndarray, advice: str) -> tuple[EncodedDataset, EncodedDataset]:
    """The rows marked in ``held_out``, shape (n,), bool, and the others, which are to be audited.

    Raises:
        MetricError: Fewer than 30 rows would be audited; ``advice`` says what to do.
    """
    audited = int((~held_out).sum())
    if audited < FEWEST_ROWS:
        raise MetricError(
            say(
                "Learning the metric would leave {audited} to audit; a test needs at least {fewest}.",
                audited=count(audited, "row"),
                fewest=FEWEST_ROWS,
            ),
            where=say(
                "{rows}, {learning} of them to learn from", rows=count(len(data), "row"), learning=len(data) - audited
            ),
            advice=advice,
        )
    return data.take(np.flatnonzero(held_out)), data.take(np.flatnonzero(~held_out))

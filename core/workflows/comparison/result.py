"""What a comparison keeps: the audit of every model, and the answers of all of them about the same rows."""

from dataclasses import dataclass, field

import numpy as np

from core.result import AbstractResult, AuditResult


@dataclass(frozen=True, kw_only=True)
class ComparisonResult(AbstractResult):
    """Models beside each other on the n rows that all of them answer, each a person or so many people.

    Attributes:
        names: What people call the models, length m.
        audits: What each test of each model found, m tuples.
        baseline: Index of the model with which the others are compared.
        classes: Outcome values, length k; empty where the outcome is a number.
        favourable: Index of the favourable one; -1 without one.
        answers: What each model decides about each row, an index into ``classes``, or its predicted number; shape
            (m, n), float64.
        outcome: What really happened, shape (n,), float64; NaN without an outcome.
        groups: Names of the groups of each protected attribute.
        memberships: Group of each row by attribute, shape (attributes, n), int.
        clusters: Code of each row's cluster, shape (n,), int; empty where each row stands for itself.
        times: How many people each row stands for, shape (n,), int64; empty where each is a person.
    """

    names: tuple[str, ...]
    audits: tuple[tuple[AuditResult, ...], ...]
    baseline: int
    classes: tuple[str, ...]
    favourable: int
    answers: np.ndarray
    outcome: np.ndarray
    groups: tuple[tuple[str, ...], ...]
    memberships: np.ndarray
    clusters: np.ndarray
    times: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @property
    def people_of_rows(self) -> np.ndarray | None:
        """How many people each row stands for, shape (n,), int64; None where each is a person."""
        return self.times if len(self.times) else None

    @property
    def others(self) -> tuple[int, ...]:
        """Indices of the models that are compared with the baseline."""
        return tuple(place for place in range(len(self.names)) if place != self.baseline)

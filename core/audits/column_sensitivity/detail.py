"""What a sensitivity audit of columns keeps: for every person how far the answer moves with each attribute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.audits.column_sensitivity import verdicts
from core.audits.column_sensitivity.reading import ColumnSensitivityReading, Measure
from core.errors import Notice, SettingsError
from core.inference.bounded import upper_bound_within_one
from core.inference.estimate import Verdict
from core.inference.mean import mean_of
from core.inference.resampled import Answers, ResampledEstimate
from core.inference.several_means import SeveralMeans, several_means
from core.inference.share import Share
from core.remembering import Remembering

NO_GRADIENTS = "The slope has no value, because the model has no gradients."


@dataclass(frozen=True)
class AttributeScores:
    """One protected attribute with g groups over n people; people's own group is one of them.

    Attributes:
        attribute: Its name.
        groups: Its values, length g.
        codes: Group of each person, shape (n,), int.
        read: Whether the model reads the attribute itself.
        change: Half the L1 distance between the answers for the person and for the person in another group, mean over
            the other groups; shape (n,).
        slope: P = wᵀJv of App. A: half the sum over classes of |the derivative of f_k along the change of group|, mean
            over the other groups; NaN if the model has no gradients; shape (n,).
        flipped: Whether the predicted outcome changes in any other group; shape (n,), bool.
        columns: Encoded columns that change, names.
        shift: Mean change of each of these columns from everybody else to the group, shape (g, len(columns)).
    """

    attribute: str
    groups: tuple[str, ...]
    codes: np.ndarray
    read: bool
    change: np.ndarray
    slope: np.ndarray
    flipped: np.ndarray
    columns: tuple[str, ...]
    shift: np.ndarray

    def values(self, measure: Measure) -> np.ndarray:
        """The measure of everybody, shape (n,)."""
        return self.change if measure == "change" else self.slope

    @property
    def flips(self) -> Share:
        """People whose predicted outcome changes in another group."""
        return Share(int(np.count_nonzero(self.flipped)), len(self.flipped))


@dataclass(frozen=True)
class ColumnSensitivityDetail(Remembering):
    """What one sensitivity audit of columns found.

    Attributes:
        attributes: One for each protected attribute in which something changes.
        through: Features that carried the attributes.
        learned_on: Rows the mean changes of features were learned from; 0 if none had to be.
        draws: Bootstrap draws.
        seed: Seed of the bootstrap.
    """

    attributes: tuple[AttributeScores, ...]
    through: tuple[str, ...]
    learned_on: int
    draws: int
    seed: int

    def of(self, reading: ColumnSensitivityReading) -> AttributeScores:
        """The attribute the verdict is about: the reading's, or the first.

        Raises:
            SettingsError: The reading names an attribute that was not measured.
        """
        for one in self.attributes:
            if reading.attribute in ("", one.attribute):
                return one
        raise SettingsError(
            f"{reading.attribute!r} was not changed in this audit.",
            where="setting 'Protected attribute'",
            advice=f"Choose among {', '.join(repr(one.attribute) for one in self.attributes)}.",
        )

    def estimate(self, reading: ColumnSensitivityReading) -> Answers:
        """Mean of the reading's measure, with the studentised bootstrap's bounds and p-value."""
        one = self.of(reading)
        values = one.values(reading.measure)
        if np.isnan(values).any():
            return ResampledEstimate(float("nan"), len(values), np.empty(0), undefined=NO_GRADIENTS)
        largest = 1.0 if reading.measure == "change" else float("inf")
        return self._once(
            ("mean", one.attribute, reading.measure),
            lambda: mean_of(values, draws=self.draws, seed=self.seed, largest=largest),
        )

    def group_means(self, reading: ColumnSensitivityReading) -> SeveralMeans:
        """The measure by the people's own group, with intervals that hold together."""
        one = self.of(reading)
        return self._once(
            ("groups", one.attribute, reading.measure, reading.alpha),
            lambda: several_means(
                one.values(reading.measure),
                one.codes,
                len(one.groups),
                reading.alpha,
                draws=self.draws,
                seed=self.seed,
            ),
        )

    def bound_within_one(self, reading: ColumnSensitivityReading) -> float:
        """Upper bound of the mean change that holds whatever the distribution of changes in 0 to 1."""
        one = self.of(reading)
        return self._once(
            ("bound", one.attribute, reading.alpha),
            lambda: upper_bound_within_one(np.clip(one.change, 0.0, 1.0), reading.alpha, draws=9_999, seed=self.seed),
        )

    def p_value(self, reading: ColumnSensitivityReading) -> float:
        """One-sided p-value of "the mean is at most delta"; NaN when undefined."""
        return self.estimate(reading).p_value(reading.delta)

    def verdict(self, reading: ColumnSensitivityReading) -> Verdict:
        """Violation, no violation, or insufficient evidence; :meth:`reasons` says what lies behind it."""
        return verdicts.verdict(self, reading)

    def reasons(self, reading: ColumnSensitivityReading) -> tuple[Notice, ...]:
        """What speaks against taking the verdict at its word under this reading, most serious first."""
        return verdicts.reasons(self, reading)

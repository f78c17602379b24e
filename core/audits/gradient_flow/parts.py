"""The parts of what a gradient-flow audit keeps: group cells, the step-halving check and the worst pairs."""

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Cells:
    """The combinations of protected values that occur.

    Attributes:
        attributes: Protected attributes, length a.
        groups: Group names of each attribute, length a.
        codes: Group of each cell by each attribute, index into ``groups``; shape (C, a), int.
        count: Audited rows in each cell, shape (C,), int.
    """

    attributes: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    codes: np.ndarray
    count: np.ndarray

    def members(self, attribute: str, group: str) -> np.ndarray:
        """Which cells belong to a group; shape (C,), bool."""
        column = self.attributes.index(attribute)
        return np.asarray(self.codes[:, column] == self.groups[column].index(group))

    def all_groups(self) -> tuple[tuple[str, str], ...]:
        """Every protected attribute with each of its groups, in order."""
        pairs = zip(self.attributes, self.groups, strict=True)
        return tuple((attribute, group) for attribute, groups in pairs for group in groups)


@dataclass(frozen=True)
class StepHalving:
    """The same flow time with half the step size, on evenly spaced audited rows.

    Attributes:
        rows: Rows compared.
        lower_bound: T_n (alpha = 0.05) on those rows with the step size asked for.
        lower_bound_halved: T_n on those rows with half the step size and twice the steps.
    """

    rows: int
    lower_bound: float
    lower_bound_halved: float

    @property
    def error(self) -> float:
        """Estimated error of T_n from the step size."""
        return self.lower_bound - self.lower_bound_halved


@dataclass(frozen=True)
class WorstPairs:
    """The people whose similar twin is treated worst, at the last stopping time; largest ratio first.

    Attributes:
        rows: Row numbers in the file (0-based), shape (p,), int.
        ratios: Loss ratios, shape (p,).
        before: The person, features in original units, p rows; the text for a model that reads texts.
        after: The similar twin the search found, same columns, p rows; categories by their largest indicator; an empty
            text where the twin is a point between texts.
        groups: The person's protected values, p rows.
        outcome: The true outcome, length p.
        probability_before: Probability the model gives to the true outcome, shape (p,).
        probability_after: The same for the twin, shape (p,).
        distance: Squared fair distance between the two, shape (p,).
    """

    rows: np.ndarray
    ratios: np.ndarray
    before: pd.DataFrame
    after: pd.DataFrame
    groups: pd.DataFrame
    outcome: tuple[str, ...]
    probability_before: np.ndarray
    probability_after: np.ndarray
    distance: np.ndarray

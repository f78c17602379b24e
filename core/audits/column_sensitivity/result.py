"""What a column sensitivity test keeps: for every person how far the answer moves with each attribute."""

from dataclasses import dataclass

import numpy as np

from core.audits.column_sensitivity.decision import ColumnMeasure
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.grouping import Grouping
from core.data.quality.giving_away import GivenAway
from core.inference.share import Share, share_of
from core.result import AuditResult


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
        clusters: Which rows belong together: code of each row's cluster, shape (n,), int; None where each stands for
            itself.
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
    clusters: np.ndarray | None = None

    def values(self, measure: ColumnMeasure) -> np.ndarray:
        """The measure of everybody, shape (n,)."""
        return self.change if measure == "change" else self.slope

    @property
    def flips(self) -> Share:
        """People whose predicted outcome changes in another group."""
        return share_of(self.flipped, self.clusters)

    def flips_of(self, group: int) -> Share:
        """The same among people of one group."""
        return share_of(self.flipped[self.codes == group], self.clusters_of(group))

    def clusters_of(self, group: int) -> np.ndarray | None:
        """The clusters of the rows of one group."""
        return None if self.clusters is None else self.clusters[self.codes == group]


@dataclass(frozen=True)
class Shift:
    """By how much an encoded column changes on average when everybody else is put into a group; nothing is estimated.

    Attributes:
        column: Its name, as the encoder names it.
        group: The group people are put into.
        shift: Mean change in original units, or of an indicator's share.
        indicator: Whether the column marks a category by 0 and 1.
    """

    column: str
    group: str
    shift: float
    indicator: bool


@dataclass(frozen=True)
class ColumnSensitivityDetail:
    """What one column sensitivity test found.

    Attributes:
        attributes: One for each protected attribute in which something changes.
        through: Features that carried the attributes.
        learned_on: Rows the mean changes of features were learned from; 0 if none had to be.
        draws: Bootstrap draws.
        seed: Seed of the bootstrap.
        corners: Parts of the people measured in memory that are looked into beside the groups; others are in none.
        tells: Features that the model reads and that tell a protected attribute, though they were not said to.
    """

    attributes: tuple[AttributeScores, ...]
    through: tuple[str, ...]
    learned_on: int
    draws: int
    seed: int
    corners: tuple[Grouping, ...] = ()
    tells: tuple[GivenAway, ...] = ()


ColumnSensitivityResult = AuditResult[ColumnSensitivity, ColumnSensitivityDetail, None]
"""A result of this test."""

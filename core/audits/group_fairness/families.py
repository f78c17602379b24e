"""Who is compared with whom: the groups of each protected attribute, and those of two attributes at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.base.thresholds import FEWEST_ROWS
from core.data.attribute import Attribute
from core.data.labels import conditions
from core.data.missing import MISSING_GROUP
from core.inference.sampling import ALONE, Sampling
from core.language.phrases import all_at_once
from core.language.told import retold

SMALL_SHARE = 0.02
"""Groups with a smaller share of all rows need not be compared with (6 RCNY § 5-301 (d))."""


@dataclass(frozen=True)
class Family:
    """Groups of n people that share nobody: of one protected attribute, or of two at once; g groups.

    Attributes:
        attributes: The attributes, one or two.
        groups: What each group is, a value for each attribute; length g.
        codes: Group of each person, shape (n,), int64; -1 for those whose group is not known.
        rows: People in each group, shape (g,), int64, at least one.
        fewest: People a group has to have to be told anything about.
        sampling: What rows stand for.
    """

    attributes: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    codes: np.ndarray
    rows: np.ndarray
    fewest: int = FEWEST_ROWS
    sampling: Sampling = ALONE

    @property
    def people(self) -> int:
        """N, with those who are in none of the groups."""
        return int(self.sampling.people(len(self.codes)).sum())

    @property
    def name(self) -> str:
        """``sex and race``."""
        return all_at_once(self.attributes)

    def group(self, g: int) -> str:
        """``Female, Black``."""
        return ", ".join(map(retold, self.groups[g]))

    def named(self, g: int) -> str:
        """``sex = Female and race = Black``."""
        return conditions(tuple(zip(self.attributes, self.groups[g], strict=True)))

    @property
    def shares(self) -> np.ndarray:
        """Share of all people, shape (g,)."""
        return np.asarray(self.rows / self.people)

    @property
    def unknown(self) -> np.ndarray:
        """Whether a group is of people with a missing attribute: they are counted, not compared; shape (g,), bool."""
        return np.array([MISSING_GROUP in group for group in self.groups], dtype=bool)

    @property
    def below_two_percent(self) -> np.ndarray:
        """Whether a group is so small a share of all people that it need not be compared with; shape (g,), bool."""
        return np.asarray(self.shares < SMALL_SHARE)

    @property
    def judged(self) -> np.ndarray:
        """Whether a group has enough people to be told anything about; shape (g,), bool."""
        return np.asarray(self.rows >= self.fewest)

    @property
    def reference(self) -> np.ndarray:
        """Groups that others may be compared with as the highest one: large enough and known; shape (g,), bool."""
        return np.asarray(self.judged & ~self.unknown & ~self.below_two_percent)

    @property
    def left_out(self) -> int:
        """People who are in none of the groups."""
        return self.people - int(self.rows.sum())


def families(attributes: tuple[Attribute, ...], sampling: Sampling = ALONE) -> tuple[Family, ...]:
    """A family for each attribute, then one for every two of them; groups nobody belongs to are not in it.

    Combinations of more than two attributes are left to :mod:`core.audits.group_fairness.subjects`.

    Args:
        attributes: Protected attributes of the same n people; a code of -1 says that a person's group is not known.
        sampling: What rows stand for.
    """
    single = [_family((one.name,), tuple((group,) for group in one.groups), one.codes, sampling) for one in attributes]
    both = []
    for one, other in combinations(attributes, 2):
        groups = tuple((first, second) for first in one.groups for second in other.groups)
        known = (one.codes >= 0) & (other.codes >= 0)
        codes = np.where(known, one.codes * len(other.groups) + other.codes, -1)
        both.append(_family((one.name, other.name), groups, codes, sampling))
    return (*single, *both)


@dataclass(frozen=True)
class SignificanceLevels:
    """How often intervals may miss.

    Attributes:
        own: A group's own interval.
        together: Any of a family's comparisons in one measure.
    """

    own: float
    together: float

    @classmethod
    def of(cls, found: tuple[Family, ...], alpha: float) -> SignificanceLevels:
        """Those with which the comparisons of all families hold together with probability 1 - alpha (Bonferroni)."""
        return cls(alpha, alpha / max(1, sum(np.count_nonzero(one.judged) > 1 for one in found)))

    def shared(self, comparisons: int) -> SignificanceLevels:
        """Those of each of several measures whose comparisons hold together."""
        return SignificanceLevels(self.own, self.together / comparisons)


def _family(
    attributes: tuple[str, ...], groups: tuple[tuple[str, ...], ...], codes: np.ndarray, sampling: Sampling
) -> Family:
    known = codes >= 0
    rows = sampling.take(known).count(codes[known], len(groups))
    occurs = np.flatnonzero(rows)
    place = np.full(len(groups) + 1, -1, dtype=np.int64)
    place[occurs] = np.arange(len(occurs))
    return Family(attributes, tuple(groups[g] for g in occurs), place[codes], rows[occurs], sampling=sampling)

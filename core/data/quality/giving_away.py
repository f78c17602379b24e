"""Which features give a protected attribute away: how well they tell its groups, on rows they did not learn from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from core.base.errors import Caveat
from core.base.thresholds import SMALL_GROUP
from core.data.bins import cells_of, is_continuous, quantile_bins
from core.data.cells import as_numbers, as_text
from core.data.dataset import Dataset
from core.inference.auc import auc, auc_limits
from core.language.phrases import first_few, listed, quoted
from core.language.told import localized, say

TELLS = 0.95
"""A feature tells an attribute where an area under the ROC curve of this size is not excluded."""
SUGGESTS = 0.9
"""From this area on, a feature that does not tell the attribute is named as well."""
LEVEL = 0.05
"""Each limit of an area misses with this probability."""
FOLDS = 5
PRIOR_ROWS = 1.0
"""A value counts as if so many more rows of the average kind had it, so that rare values say little."""
MOST_ROWS = 5_000
MOST_CELLS = 200_000
"""Rows times features times protected attributes; of more, rows are left out, but 1,000 are looked at in any case."""
BINS, PAIR_BINS = 50, 8
PAIRED = 6
"""So many features of each attribute, those that tell it best alone, are looked at in pairs."""
_MOST_NAMED = 5


@dataclass(frozen=True)
class GivenAway:
    """How well features tell one group of a protected attribute from all others.

    Attributes:
        attribute: The protected attribute.
        group: The group that is told best.
        features: One feature, or two whose values are taken together.
        area: Area under the ROC curve, out of sample: the chance that somebody of the group looks more like it than
            somebody else.
        low: Its lower limit, missed with probability .05.
        high: Its upper limit, missed with probability .05.
        rows: Rows looked at.
    """

    attribute: str
    group: str
    features: tuple[str, ...]
    area: float
    low: float
    high: float
    rows: int

    @property
    def tells(self) -> bool:
        """Whether an area of .95 or more is not excluded."""
        return self.high >= TELLS

    @property
    def text(self) -> str:
        """The features with the area and its interval."""
        first, *second = map(quoted, self.features)
        names = say("{first} with {second}", first=first, second=second[0]) if second else first
        return say(
            "{names} ({area}, {low} to {high})",
            names=names,
            area=localized(f"{self.area:.2f}"),
            low=localized(f"{self.low:.2f}"),
            high=localized(f"{self.high:.2f}"),
        )


def giving_away(dataset: Dataset, features: Iterable[str]) -> tuple[GivenAway, ...]:
    """How well each feature, and pairs of the best, tell each protected attribute; the best first.

    Each value (a number: each of up to 50 bins of equal frequency) is scored by the share of the group among rows of
    other folds that hold it, so that the relation may have any shape and a name that occurs once says nothing; of
    numbers their order counts as well, where it says more. A pair
    is listed where it tells the attribute and neither feature alone does. Groups of fewer than 10 rows are passed
    over; rows that belong together are in one fold and count once in the limits.

    Args:
        dataset: The rows; of a large table some are drawn, always the same.
        features: Columns of the table; protected ones are passed over.
    """
    names = [name for name in dict.fromkeys(features) if name not in dataset.roles.protected]
    attributes = dataset.roles.protected
    if not names or not attributes:
        return ()
    most = min(MOST_ROWS, max(1_000, MOST_CELLS // (len(names) * len(attributes))))
    rng = np.random.default_rng(0)
    some = dataset if len(dataset) <= most else dataset.take(np.sort(rng.permutation(len(dataset))[:most]))
    clusters = np.arange(len(some)) if some.clusters is None else np.unique(some.clusters, return_inverse=True)[1]
    fold = (rng.permutation(clusters.max() + 1) % FOLDS)[clusters]
    columns = {name: some.frame[name] for name in names}
    numbers = {name: as_numbers(values) if is_continuous(values) else None for name, values in columns.items()}
    fine = {name: cells_of(values, BINS) for name, values in columns.items()}
    found: list[GivenAway] = []
    for attribute in attributes:
        look = _Look(attribute, *_groups_of(some.frame[attribute]), fold, clusters)
        alone = sorted((look.at((name,), codes, numbers[name]) for name, codes in fine.items()), key=_order)
        best = [one for one in alone if not one.tells][:PAIRED]
        coarse = {one.features[0]: cells_of(columns[one.features[0]], PAIR_BINS) for one in best}
        pairs = [look.at((a, b), _crossed(coarse[a], coarse[b])) for a, b in combinations(coarse, 2)]
        found += alone + [one for one in pairs if one.area >= TELLS]
    return tuple(sorted((one for one in found if one.rows), key=_order))


def about_features(found: Iterable[GivenAway]) -> Iterator[Caveat]:
    """What a reader of any test has to know: one caveat for each attribute that features give away."""
    known = list(found)
    for attribute in dict.fromkeys(one.attribute for one in known):
        own = [one for one in known if one.attribute == attribute]
        told = [one for one in own if one.tells and one.area >= SUGGESTS]
        hinted = [one for one in own if not one.tells and one.area >= SUGGESTS]
        if told or hinted:
            names = first_few([one.text for one in told or hinted], _MOST_NAMED)
            yield Caveat(
                "warning" if told else "info",
                say(
                    "Features give {attribute} away: {features}. In brackets: the area under the ROC curve "
                    "with its interval; 0.5 says nothing of the group, 1 tells it of everybody.",
                    attribute=quoted(attribute),
                    features=names,
                )
                if told
                else say(
                    "Features give {attribute} away in part: {features}. In brackets: the area under the ROC curve "
                    "with its interval; 0.5 says nothing of the group, 1 tells it of everybody.",
                    attribute=quoted(attribute),
                    features=names,
                ),
                say("A model that reads them can treat the groups differently without reading the attribute."),
            )


def undeclared(found: Iterable[GivenAway], features: Iterable[str]) -> tuple[GivenAway, ...]:
    """Single features among these that tell an attribute, each once for each attribute."""
    wanted = set(features)
    return tuple(one for one in found if one.tells and len(one.features) == 1 and one.features[0] in wanted)


def named_features(found: Iterable[GivenAway]) -> str:
    """The features in words, each once: "'title' and 'pronoun'"."""
    return listed(list(dict.fromkeys(quoted(name) for one in found for name in one.features)))


def _order(one: GivenAway) -> tuple[float, str, tuple[str, ...]]:
    return -one.area, one.attribute, one.features


@dataclass(frozen=True)
class _Look:
    """One protected attribute: its groups, the fold of each row, and which rows belong together."""

    attribute: str
    codes: np.ndarray
    groups: tuple[str, ...]
    fold: np.ndarray
    clusters: np.ndarray

    def at(self, features: tuple[str, ...], cells: np.ndarray, numbers: np.ndarray | None = None) -> GivenAway:
        """The group that these cells, codes of shape (n,), or the numbers themselves, either way up, tell best.

        Of no rows where no group is large enough.
        """
        best = GivenAway(self.attribute, "", features, 0.5, 0.0, 1.0, 0)
        for group in self._judged:
            inside = self.codes == group
            area = auc(_shares(cells, inside, self.fold), inside)
            if numbers is not None and np.isfinite(numbers).all():
                of_numbers = auc(numbers, inside)
                area = max(area, of_numbers, 1 - of_numbers)
            if not best.rows or area > best.area:
                own, others = (len(np.unique(self.clusters[of])) for of in (inside, ~inside))
                low, high = auc_limits(area, own, others, LEVEL)
                best = GivenAway(self.attribute, self.groups[group], features, area, low, high, len(cells))
        return best

    @property
    def _judged(self) -> list[int]:
        rows = np.bincount(self.codes[self.codes >= 0], minlength=len(self.groups))
        enough = [g for g, size in enumerate(rows) if min(size, len(self.codes) - size) >= SMALL_GROUP]
        return enough[:1] if len(self.groups) == 2 else enough


def _shares(cells: np.ndarray, inside: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Share of the group among rows of other folds in the same cell, less that among all of them; shape (n,)."""
    kinds = int(cells.max()) + 1
    place = cells * FOLDS + fold
    rows = np.bincount(place, minlength=kinds * FOLDS).reshape(kinds, FOLDS)
    own = np.bincount(place, weights=inside, minlength=kinds * FOLDS).reshape(kinds, FOLDS)
    others, of_group = rows.sum(axis=1, keepdims=True) - rows, own.sum(axis=1, keepdims=True) - own
    prior = of_group.sum(axis=0) / np.maximum(others.sum(axis=0), 1)
    share = (of_group + PRIOR_ROWS * prior) / (others + PRIOR_ROWS) - prior
    of_rows: np.ndarray = np.round(share, 12)[cells, fold]
    return of_rows


def _crossed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    crossed: np.ndarray = np.unique(first * (int(second.max()) + 1) + second, return_inverse=True)[1]
    return crossed


def _groups_of(values: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """Codes and names of groups; a number is in its quartiles."""
    if is_continuous(values):
        return quantile_bins(values)
    codes, names = pd.factorize(as_text(values), sort=True)
    return codes, tuple(map(str, names))

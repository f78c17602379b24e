"""Exact copies: rows that repeat others in every column more often than independent rows do by chance.

Where columns take few values, independent rows coincide. Three things tell copies from coincidences:

* A table that was copied as a whole: every record occurs a multiple of two, three, ... times.
* How many records occur once, twice, three times. Of independent rows a record's number is Poisson with a rate of its
  own, so that k! times the records that occur k times are the moments of some distribution, and log-convex in k: of
  those that occur k times there are at most sqrt((k-1)! f(k-1) (k+1)! f(k+1)) / k!.
* Rows that agree in some columns: by chance at least every fourth pair of them differs elsewhere, where that tells rows
  apart. Copies agree everywhere. It is asked of the column that tells most, unless it follows from the others as a
  score does, and of halves of the columns, dealt out by how well they tell: what follows from one half, as a price from
  the article, shows in the other. Columns of predictions follow from the features and are better left out.

What copies do to a table of few categories, whose records occur many times anyway, nobody can see.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.base.errors import Caveat
from core.data.column_look import is_named_identifier
from core.language.phrases import count, quoted, whole
from core.language.told import say

MOST_COPIES = 0.05
"""Up to this share of rows copies leave a claim as it is."""

_LEVEL = 0.002
"""How surely each of the last two has to tell."""
_FEWEST_RECORDS = 20
"""A table of so many different records was copied as a whole if each occurs a multiple of the same number of times."""
_OFTEN = 20
"""Rows that agree in some columns with so many others, such as in nothing but zeros, are typical of many."""
_TELLS = 0.3
"""Columns tell rows apart if at most this share of all pairs of rows agree in them."""
_DIFFER = 0.25
"""Of rows that agree in some columns by chance, at least this share of pairs differs elsewhere."""
_PARTS = slice(1), slice(1, None), slice(None, None, 2), slice(1, None, 2)
"""The column that tells most, all others, and two halves."""
_NUMBERS = 12
"""The second looks at records that occur up to so many times."""


@dataclass(frozen=True)
class Copies:
    """Rows that repeat an earlier one in every column.

    Attributes:
        rows: Rows compared; of rows that belong together and are alike, one.
        repeated: Those that repeat an earlier one.
        beyond_chance: How many more these are than of independent rows, estimated.
    """

    rows: int
    repeated: int
    beyond_chance: float

    @property
    def too_many(self) -> bool:
        """Whether the rows cannot be taken for independent ones."""
        return self.beyond_chance > MOST_COPIES * self.rows


def find_copies(frame: pd.DataFrame, roles: tuple[str, ...], clusters: np.ndarray | None = None) -> Copies:
    """Copies among whole records, columns without a role included.

    A column without a role that identifies rows tells no copies: one that is different in every row, or is named so.

    Args:
        frame: All columns as they were read.
        roles: The columns with a role.
        clusters: Code of each row's cluster, shape (n,), int: rows that belong together may be alike.
    """
    told = [name for name in frame if str(name) in roles or not identifies(frame[name], str(name))]
    hashes = np.array([_hashed(pd.factorize(frame[name])[0], place) for place, name in enumerate(told)])
    whole = hashes.sum(axis=0, dtype=np.uint64)
    rows = np.arange(len(frame))
    if clusters is not None:
        rows = np.unique(whole + _hashed(clusters, len(told)), return_index=True)[1]
    _, record, counts = np.unique(whole[rows], return_inverse=True, return_counts=True)
    found = copies_among(counts)
    if found.beyond_chance == found.repeated or found.repeated <= MOST_COPIES * found.rows:
        return found
    beyond = max(found.beyond_chance, _by_parts(hashes[:, rows], record))
    return replace(found, beyond_chance=min(beyond, float(found.repeated)))


def copies_among(counts: np.ndarray) -> Copies:
    """What is seen of copies where nothing is known of records but how often each occurs: the first two things.

    Args:
        counts: How often each record occurs, shape (r,), int64; of a sample of records all of its rows.
    """
    rows, repeated = int(counts.sum()), int(counts.sum()) - len(counts)
    if repeated <= MOST_COPIES * rows:
        return Copies(rows, repeated, 0.0)
    if len(counts) >= _FEWEST_RECORDS and np.gcd.reduce(counts) > 1:
        return Copies(rows, repeated, float(repeated))
    return Copies(rows, repeated, min(_by_numbers(counts), float(repeated)))


def identifies(values: pd.Series, name: str) -> bool:
    """Whether a column without a role tells rows apart by itself: each value once, or so by its name."""
    return values.nunique(dropna=False) == len(values) or is_named_identifier(name, values.nunique())


def about_copies(copies: Copies, belongs_to: str) -> Iterator[Caveat]:
    """Why nothing can be claimed where more than 5% of the rows are copies beyond chance.

    Args:
        copies: What was found.
        belongs_to: The column that says which rows belong together; empty without one.
    """
    if not copies.too_many:
        return
    chance = copies.repeated - round(copies.beyond_chance)
    yield Caveat(
        "serious",
        say(
            "{repeated} of {rows} are exact copies of an earlier one, where by chance {expected} would be: "
            "copies say nothing new, so nothing is claimed.",
            repeated=whole(copies.repeated),
            rows=count(copies.rows, "row"),
            expected=say("about {n}", n=whole(chance)) if chance else say("hardly any"),
        ),
        say(
            "Remove the copies, or name a column that tells more of what belongs together than {column}.",
            column=quoted(belongs_to),
        )
        if belongs_to
        else say(
            "Remove the copies, or say which column names the person, household, template or document that a "
            "row belongs to."
        ),
    )


def _by_numbers(counts: np.ndarray) -> float:
    """Copies beyond chance by how many records occur once, twice, three times, ...; 0 unless surely some.

    Args:
        counts: How often each record occurs, shape (r,), int.
    """
    from scipy.special import gammaincinv

    occur = np.bincount(counts, minlength=_NUMBERS + 2)
    found = [0.0]
    for k in range(2, _NUMBERS + 1):
        once_less, own, once_more = occur[k - 1 : k + 2].tolist()
        at_least = float(gammaincinv(own, _LEVEL)) if own else 0.0
        less, more = (float(gammaincinv(one + 1, 1 - _LEVEL)) for one in (once_less, once_more))
        scale = math.sqrt((k + 1) / k)
        if at_least > scale * math.sqrt(less * more):
            found.append((k - 1) * (own - scale * math.sqrt(once_less * once_more)))
    return max(found)


def _by_parts(hashes: np.ndarray, record: np.ndarray) -> float:
    """Copies beyond chance by rows that agree in some of the columns; 0 unless surely some.

    Args:
        hashes: Of each column, shape (c, n), uint64.
        record: Number of each row's record, shape (n,), int.
    """
    telling = np.argsort([_pairs(np.unique(one, return_counts=True)[1]) for one in hashes], kind="stable")
    parts = [hashes[telling[places]].sum(axis=0, dtype=np.uint64) for places in _PARTS]
    one, rest, first, second = parts
    rest_agrees, alike = (_pairs(np.unique(keys, return_counts=True)[1]) for keys in (rest, record))
    measured = rest_agrees >= 2 * alike
    return max(
        _by_part(one, rest, record) if measured else 0.0,
        min(_by_part(first, second, record), _by_part(second, first, record)),
    )


def _by_part(part: np.ndarray, rest: np.ndarray, record: np.ndarray) -> float:
    """The same by rows that agree in one part, with at most 19 others, and perhaps in the rest; hashes, (n,) each."""
    from scipy.special import bdtr

    everybody = _pairs(np.array([len(rest)]))
    if _pairs(np.unique(rest, return_counts=True)[1]) > _TELLS * everybody:
        return 0.0
    _, group, size = np.unique(part, return_inverse=True, return_counts=True)
    counts = np.unique(record[size[group] <= _OFTEN], return_counts=True)[1]
    alike, agree = _pairs(counts), _pairs(size[size <= _OFTEN])
    if not alike or bdtr(agree - alike, agree, _DIFFER) > _LEVEL:
        return 0.0
    return float((counts - 1).sum()) * (2 - agree / alike)


def _pairs(counts: np.ndarray) -> int:
    """How many pairs of rows fall into groups of these sizes; shape (g,), int."""
    return int((counts * (counts - 1) // 2).sum())


def _hashed(codes: np.ndarray, place: int) -> np.ndarray:
    """A number of 64 bits a value, other ones in each place, so that sums over columns tell records; shape (n,)."""
    values = np.arange(int(codes.max(initial=0)) + 2, dtype=np.uint64) * np.uint64(2**20) + np.uint64(place)
    return np.asarray(pd.util.hash_array(values)[codes])

"""Who was left out of a table for missing cells, by protected group and outcome, and whether that goes with either.

Where it does not, the audited rows stand for all. Where it does, what a test says of them need not hold for those left
out: at worst they are treated as badly as can be (Manski 1990, *American Economic Review* 80:319).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd

from core.base.errors import Caveat
from core.base.tables import Table
from core.data.bins import is_continuous, quantile_bins
from core.data.cells import as_text
from core.data.missing import MISSING_GROUP, Counts
from core.data.roles import Roles
from core.inference.several import holm
from core.language.phrases import count, listed, p_value, percent, quoted, whole
from core.language.told import retold, say, say_count

LEVEL = 0.05
"""How often leaving out at random is taken for leaving out by group or outcome, all attributes together."""
TRIFLE = 0.05
"""Up to this share of rows left out is told in passing, where it goes with nothing."""
DRAWS = 1_999
_SHOWN = 3
FILL_IN = say("Fill in the missing values, or choose another treatment of them.")


@dataclass(frozen=True)
class LeftOut:
    """Rows by the g groups of one protected attribute and the o outcomes; the last row and column: not known.

    Attributes:
        attribute: Its column.
        groups: The groups, of the rows left out too; length g.
        outcome: The outcome's column, or one of a model's answers; empty without one.
        outcomes: Its values, or quantile bins of a number; length o.
        audited: Rows that are audited, g + 1 times o + 1.
        missing: Rows left out, g + 1 times o + 1.
    """

    attribute: str
    groups: tuple[str, ...]
    outcome: str
    outcomes: tuple[str, ...]
    audited: tuple[tuple[int, ...], ...]
    missing: tuple[tuple[int, ...], ...]

    @property
    def kept(self) -> np.ndarray:
        """Rows that are audited, shape (g + 1, o + 1), int64."""
        return np.array(self.audited, dtype=np.int64)

    @property
    def gone(self) -> np.ndarray:
        """Rows left out, shape (g + 1, o + 1), int64."""
        return np.array(self.missing, dtype=np.int64)

    @property
    def largest_share(self) -> float:
        """The largest share left out of a group's people with an outcome.

        Whoever's group or outcome is not known is counted wherever they may belong.
        """
        unknown = self.gone[:-1, -1:] + self.gone[-1:, :-1] + self.gone[-1, -1]
        kept, gone = self.kept[:-1, :-1], self.gone[:-1, :-1] + unknown
        if not self.outcomes:
            kept, gone = self.kept[:-1].sum(axis=1), self.gone[:-1].sum(axis=1) + self.gone[-1].sum()
        occurs = kept + gone > 0
        return float(np.max(gone[occurs] / (kept + gone)[occurs], initial=0.0))

    def told(self) -> Iterator[tuple[float, str]]:
        """A p-value of "leaving out does not go with it", and the shares left out in words.

        For the groups, for the outcomes, and for groups among people with the same outcome.
        """
        if len(self.groups) > 1:
            yield _tested(self.kept[:-1].sum(axis=1), self.gone[:-1].sum(axis=1), self.attribute, self.groups)
        if len(self.outcomes) > 1:
            yield _tested(self.kept[:, :-1].sum(axis=0), self.gone[:, :-1].sum(axis=0), self.outcome, self.outcomes)
        if len(self.groups) > 1 and len(self.outcomes) > 1:
            names = tuple(
                say("{group}, {outcome} {value}", group=group, outcome=self.outcome, value=value)
                for group in self.groups
                for value in self.outcomes
            )
            yield _tested(self.kept[:-1, :-1].ravel(), self.gone[:-1, :-1].ravel(), self.attribute, names)

    @property
    def table(self) -> Table:
        """Rows, rows left out and their share in every group and at every outcome."""
        rows = []
        sides = (
            (self.attribute, self.groups, self.kept.sum(axis=1), self.gone.sum(axis=1)),
            (self.outcome, self.outcomes, self.kept.sum(axis=0), self.gone.sum(axis=0)),
        )
        for column, names, kept, gone in sides:
            for name, here, away in zip((*names, say("not known")), kept, gone, strict=True):
                if here + away and (names or column == self.attribute):
                    share = percent(round(float(away / (here + away)), 4))
                    rows.append((f"{column}: {name}", whole(int(here + away)), whole(int(away)), share))
        header = (say("People"), say("Rows in the table"), say("Left out"), say("Share left out"))
        return Table(
            say("Who was left out for missing values, by {attribute}", attribute=self.attribute), header, tuple(rows)
        )


def count_left_out(
    read: pd.DataFrame, kept: pd.Index, roles: Roles, times: np.ndarray | None = None
) -> tuple[LeftOut, ...]:
    """Count who was left out, for each protected attribute by outcome and then by each of the model's answers, of
    which those left out may have others than those kept, although they have the same outcomes; none if nobody was.

    Args:
        read: All rows, each column of a plain type, missing cells as NaN, each with a number of its own.
        kept: Numbers of the rows that are audited.
        roles: What the columns are for.
        times: People that each row stands for, shape (n,), int64; one each if None.
    """
    if len(kept) == len(read):
        return ()
    here = read.index.isin(kept)
    named = roles.missing == "own category"  # verbatim
    attributes = {name: _coded(read[name], MISSING_GROUP if named else None, times) for name in roles.protected}
    found = []
    for (name, (codes, groups)), column in product(attributes.items(), (roles.outcome, *roles.predictions)):
        outcome, outcomes = _coded(read[column], times=times) if column else (np.full(len(read), -1), ())
        cell = codes % (len(groups) + 1) * (len(outcomes) + 1) + outcome % (len(outcomes) + 1)
        shape = (len(groups) + 1, len(outcomes) + 1)
        by_cell = [
            np.bincount(cell[rows], None if times is None else times[rows], shape[0] * shape[1])
            .astype(np.int64)
            .reshape(shape)
            for rows in (here, ~here)
        ]
        found.append(LeftOut(name, groups, column, outcomes, *map(_listed, by_cell)))
    return tuple(found)


def goes_with(left_out: tuple[LeftOut, ...]) -> tuple[str, ...]:
    """What leaving out goes with, in words: what passes Holm's adjustment at :data:`LEVEL`; empty for nothing."""
    told = list(dict.fromkeys(found for one in left_out for found in one.told()))
    adjusted = holm(np.array([p for p, _ in told]))
    return tuple(
        say("{shares} (p-value {p})", shares=words, p=p_value(p))
        for p, (_, words) in zip(adjusted, told, strict=True)
        if p <= LEVEL
    )


def level_of(left_out: tuple[LeftOut, ...], rows_left_out: int, rows_read: int) -> Literal["info", "warning"]:
    """How serious it is that rows were left out: a warning where they are many, or go with group or outcome."""
    return "warning" if rows_left_out > TRIFLE * rows_read or goes_with(left_out) else "info"


def gaps_told(gaps: Counts) -> str:
    """The columns whose gaps cost rows, with the rows of each; those that cost most, at most three."""
    most = sorted(gaps, key=lambda one: -one[1])
    shown = [f"{quoted(name)} ({whole(rows)})" for name, rows in most[:_SHOWN]]
    if further := len(most) - len(shown):
        shown.append(say_count("{n} more column", "{n} more columns", further))
    return listed(shown)


def _tested(kept: np.ndarray, gone: np.ndarray, column: str, names: tuple[str, ...]) -> tuple[float, str]:
    """The p-value of "every cell loses the same share", by drawing who is left out, and the extreme shares in words."""
    rows = kept + gone
    occurs = rows > 0
    share = np.where(occurs, gone / np.maximum(rows, 1), np.nan)
    most, least = int(np.nanargmax(share)) if occurs.any() else 0, int(np.nanargmin(share)) if occurs.any() else 0
    words = say(
        "of {column}, {largest} of {most} are left out and {smallest} of {least}",
        column=quoted(column),
        largest=percent(round(float(share[most]), 4)),
        most=names[most],
        smallest=percent(round(float(share[least]), 4)),
        least=names[least],
    )
    return chance(rows[occurs], gone[occurs]), words


def chance(rows: np.ndarray, gone: np.ndarray) -> float:
    """Probability of shares at least as unequal (chi-square) if those left out were drawn at random from all.

    Args:
        rows: Rows of each cell, shape (c,), int64, at least one each.
        gone: Those left out of each, shape (c,), int64.

    Returns:
        The Monte-Carlo p-value (1 + draws at least as unequal) / (1 + draws), always the same; exact at any size.
    """
    expected = rows * (gone.sum() / max(rows.sum(), 1))
    if len(rows) < 2 or not gone.any() or (gone == rows).all():
        return 1.0
    drawn = np.random.default_rng(0).multivariate_hypergeometric(rows, gone.sum(), size=DRAWS, method="marginals")
    unequal = (((drawn - expected) ** 2) / expected).sum(axis=1)
    seen = float((((gone - expected) ** 2) / expected).sum())
    return float((1 + np.count_nonzero(unequal >= seen - 1e-9 * max(seen, 1.0))) / (1 + DRAWS))


def _listed(counts: np.ndarray) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, counts.tolist()))


def _coded(
    values: pd.Series, missing: str | None = None, times: np.ndarray | None = None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Group of each row, and the groups' names; a missing cell is -1, or of the group ``missing``."""
    if is_continuous(values):
        return quantile_bins(values, times=times)
    written = as_text(values)
    codes, names = pd.factorize(written if missing is None else written.fillna(missing), sort=True)
    return codes.astype(np.int64), tuple(map(str, names))


def summary(left_out: int, rows: int, why: tuple[str, ...]) -> str:
    """How many rows were left out, and how that goes with groups or outcomes; no stop."""
    return say(
        "{left_out} of {all} were left out for missing values, more often for some people than for others: {why}",
        left_out=count(left_out, "row"),
        all=whole(rows),
        why=say("{first}; {last}", first=why[0], last=why[1]) if len(why) > 1 else why[0],
    )


def caveats(left_out: tuple[LeftOut, ...], missing: int, rows: int) -> Iterator[Caveat]:
    """That leaving rows out goes with a group or an outcome, before any test is run."""
    if why := goes_with(left_out):
        yield Caveat(
            "warning",
            say(
                "{left_out}. A test that reads all these columns may not say “no violation”.",
                left_out=summary(missing, rows, why),
            ),
            retold(FILL_IN),
        )


def as_a_group(roles: Roles) -> str:
    """How people whose group is not known can be shown; empty where they are."""
    shown = roles.missing == "own category"  # verbatim
    return "" if shown else say("Treat missing values as a category of their own to show them as a group.")

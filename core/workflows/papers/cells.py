"""One number of a paper beside ours, and whether the two agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import cached_property

import numpy as np
from scipy.special import stdtrit

from core.language.told import say, say_as

CONFIDENCE = 0.95
"""Two numbers agree where their difference could be chance at this confidence."""


class CellVerdict(Enum):
    """What is said of a cell."""

    AGREES = "agrees"
    DIFFERS = "differs"
    NO_DATA = "not to be had"  # verbatim
    NOT_PRINTED = "not printed"  # verbatim

    @property
    def words(self) -> str:
        """What people read."""
        return {
            CellVerdict.AGREES: say_as("two numbers", "agrees"),
            CellVerdict.DIFFERS: say_as("two numbers", "differs"),
            CellVerdict.NO_DATA: say("not to be had"),
            CellVerdict.NOT_PRINTED: say("not printed"),
        }[self]


@dataclass(frozen=True)
class Printed:
    """A number that a paper prints.

    Attributes:
        text: As it stands there: its last digit says how it was rounded.
        source: Where it stands ("Table 1, row LR").
        spread: Its standard deviation over the repetitions; "" where none is printed.
        repeats: Repetitions that it is the mean of.
    """

    text: str
    source: str
    spread: str = ""
    repeats: int = 1

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)

    @property
    def rounding(self) -> float:
        """Half a unit of the last digit printed."""
        exponent = Decimal(self.text).as_tuple().exponent
        return 0.5 * 10.0 ** int(exponent)

    @property
    def told(self) -> str:
        """As people read it."""
        return f"{self.text} ± {self.spread}" if self.spread else self.text


@dataclass(frozen=True)
class Said:
    """What a paper says in words, or shows in a figure without numbers, and which of our numbers bear it out.

    Attributes:
        text: What it says.
        source: Where.
        low: The smallest number that bears it out.
        high: The largest.
    """

    text: str
    source: str
    low: float = -math.inf
    high: float = math.inf

    @property
    def told(self) -> str:
        """As people read it."""
        return str(self.text)


@dataclass(frozen=True)
class Ours:
    """Our number: the mean over repetitions.

    Attributes:
        value: The mean.
        spread: Standard deviation over the repetitions; NaN for one.
        repeats: How many.
    """

    value: float
    spread: float = math.nan
    repeats: int = 1

    @classmethod
    def of(cls, values: Sequence[float]) -> Ours | None:
        """The mean of these; None of none."""
        if not len(values):
            return None
        spread = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
        return cls(float(np.mean(values)), spread, len(values))


@dataclass(frozen=True)
class Cell:
    """A printed number beside ours.

    Attributes:
        row: What it is about ("SenSR").
        column: Which number ("balanced accuracy").
        printed: What the paper prints or says; None where it does not.
        ours: What came out; None where the data are not to be had, or nothing has been computed.
        reason: Why the two differ, or why there is no number; what else a reader has to know.
    """

    row: str
    column: str
    printed: Printed | Said | None
    ours: Ours | None
    reason: str = ""

    @cached_property
    def agreement(self) -> CellVerdict:
        """Whether the difference could be chance: Welch's interval, at 95%, widened by how the printed one was rounded.

        A single run has no spread of its own and is taken to have the other's. Where neither has one, as with counts,
        the two agree if they round to the same.
        """
        if self.ours is None:
            return CellVerdict.NO_DATA
        if self.printed is None:
            return CellVerdict.NOT_PRINTED
        if isinstance(self.printed, Said):
            inside = self.printed.low <= self.ours.value <= self.printed.high
            return CellVerdict.AGREES if inside else CellVerdict.DIFFERS
        apart = abs(self.ours.value - self.printed.value)
        return CellVerdict.AGREES if apart <= allowed(self.printed, self.ours) + 1e-12 else CellVerdict.DIFFERS


def allowed(printed: Printed, ours: Ours) -> float:
    """How far apart two numbers may be by chance and rounding; see :attr:`Cell.agreement`."""
    known = [one for one in (float(printed.spread or "nan"), ours.spread) if math.isfinite(one)]
    if not known:
        return printed.rounding
    spreads = float(printed.spread or "nan"), ours.spread
    mine = [one if math.isfinite(one) else known[0] for one in spreads]
    counts = printed.repeats, ours.repeats
    parts = [spread**2 / n for spread, n in zip(mine, counts, strict=True)]
    error = math.sqrt(sum(parts))
    if not error:
        return printed.rounding
    # a borrowed spread is no second estimate, so its degrees of freedom are the lender's
    freedom = [max(counts) - 1 if n == 1 else n - 1 for n in counts]
    welch = sum(parts) ** 2 / sum(part**2 / max(df, 1) for part, df in zip(parts, freedom, strict=True))
    return float(stdtrit(welch, 0.5 + CONFIDENCE / 2)) * error + printed.rounding

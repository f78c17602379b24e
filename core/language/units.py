"""An estimate, its unit and its tolerance as people read them: every test that shows one writes all three from here."""

import math
from dataclasses import dataclass

import numpy as np

from core.language.phrases import interval_text, number, precision, ratio
from core.language.told import Retelling, localized, say


@dataclass(frozen=True)
class Unit(Retelling):
    """How values of one kind are shown.

    Attributes:
        factor: A value times this is shown.
        name: What the shown number counts ("percentage points"); empty for plain numbers.
    """

    factor: float
    name: str

    def number(self, value: float, decimals: int | None = None, *, beside: float | None = None) -> str:
        """A value without the unit's name.

        Args:
            value: The value, before it is multiplied.
            decimals: How many; those a quantity usually has if not given.
            beside: A value, usually the tolerance, that this one must not look equal to unless it is.
        """
        if beside is None:
            return number(self.factor * value, decimals)
        return ratio(self.factor * value, beside=self.factor * beside, decimals=decimals)

    def text(self, value: float, decimals: int | None = None, *, beside: float | None = None) -> str:
        """The same with the unit's name, unless the value is not defined or infinite."""
        shown = self.number(value, decimals, beside=beside)
        return self._named(shown) if np.isfinite(value) else shown

    def interval(self, low: float, high: float, *, beside: float | None = None) -> str:
        """``4.90 to 7.40``, ``from 4.90 on``: both ends without the unit's name, enough decimals to tell them apart.

        Args:
            low: One end.
            high: The other.
            beside: As in :meth:`number`.
        """
        decimals = self.precision(low, high)
        if math.isinf(low) or math.isinf(high):
            return interval_text(self.factor * low, self.factor * high)
        first, last = (self.number(end, decimals, beside=beside) for end in (low, high))
        return say("{low} to {high}", low=first, high=last)

    def tolerance(self, delta: float) -> str:
        """``5 percentage points``: exactly as it was chosen."""
        return self._named(self.plain_tolerance(delta))

    def _named(self, number: str) -> str:
        """A number with the unit's name, a percent sign as the language writes it."""
        return f"{number}{self.name}" if self.name.lstrip().startswith("%") else f"{number} {self.name}".rstrip()

    def plain_tolerance(self, delta: float) -> str:
        """The same without the unit's name."""
        return localized(f"{self.factor * delta:.10g}")

    def shown(self, value: float) -> float:
        """A value as the number that is shown, without what rounding left."""
        return float(f"{self.factor * value:.12g}")

    def entered(self, shown: float) -> float:
        """The value that somebody means by a number that is shown: 0.0365 of ``3.65`` percentage points."""
        return float(f"{shown / self.factor:.12g}")

    def precision(self, low: float, high: float) -> int | None:
        """Decimals that tell the ends of an interval apart, for all beside it; None if the usual ones do."""
        return precision(self.factor * low, self.factor * high)

    def decimals(self, values: np.ndarray) -> int:
        """Decimals that leave the largest of ``values`` about three digits, for numbers that stand side by side."""
        largest = self.factor * float(np.nanmax(np.abs(values)))
        return 0 if largest >= 100 else 1 if largest >= 10 else 2

    def axis(self, what: str) -> str:
        """An axis' title."""
        return say("{what}, in {unit}", what=what, unit=self.name.strip()) if self.name else what


POINTS = Unit(100.0, say("percentage points"))
"""Differences of shares and probabilities."""

SHARES = Unit(100.0, say("%"))
"""Shares of people, rows or texts."""

SPREADS = Unit(100.0, say("% of the outcome's standard deviation"))
"""What the tolerance of a difference of means is told in where the outcome's own units are not known yet."""

PLAIN = Unit(1.0, "")


def units_of(outcome: str, spread: float) -> Unit:
    """Shares of the ``spread`` of an outcome that is a number, told in its own units."""
    return Unit(spread, say("units of {outcome}", outcome=outcome))


def round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 … and their tenths, so that the ends and steps of an axis are round."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= value * (1 - 1e-9))

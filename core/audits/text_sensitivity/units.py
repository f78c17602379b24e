"""The unit in which numbers of a measure are shown."""

from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.decision import TextMeasure
from core.phrases import number


@dataclass(frozen=True)
class Unit:
    """How numbers of one measure are shown.

    Attributes:
        factor: A value times this is shown.
        name: What stands behind the number or in the axis ("%", "thousandths"); empty for plain numbers.
    """

    factor: float
    name: str

    def text(self, value: float, decimals: int | None = None) -> str:
        """A value in this unit, without its name."""
        return number(self.factor * value, decimals)

    def decimals(self, values: np.ndarray) -> int:
        """Decimals that leave the largest of ``values`` about three digits, for numbers that stand side by side."""
        largest = self.factor * float(np.nanmax(np.abs(values)))
        return 0 if largest >= 100 else 1 if largest >= 10 else 2

    def axis(self, what: str) -> str:
        """An axis' title."""
        return f"{what}, in {self.name}" if self.name else what

    @property
    def sign(self) -> str:
        """What stands directly behind a value."""
        return "%" if self.name == "%" else ""

    @property
    def points(self) -> str:
        """What stands behind a difference, with the blank before it."""
        return " percentage points" if self.name == "%" else ""


SHARE = Unit(100.0, "%")
PLAIN = Unit(1.0, "")

SMALL_TICKS = {"minexponent": 5, "exponentformat": "power"}
"""For axes of plain numbers, which may be small: no letters such as μ stand for a power of ten."""


def unit_of(measure: TextMeasure) -> Unit:
    """Percent for exchanged words, plain numbers for the other measures, whose size means little."""
    return SHARE if measure == "CF" else PLAIN

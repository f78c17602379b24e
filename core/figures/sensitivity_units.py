"""The unit in which numbers of a measure are shown, and the measure's name."""

import math
from dataclasses import dataclass

import numpy as np

from core.audits.sensitivity.answers import column
from core.audits.sensitivity.detail import SensitivityDetail
from core.audits.sensitivity.reading import SensitivityReading
from core.settings import name_of_choice
from core.words import number

_SMALL = {-3: "thousandths", -6: "millionths", -9: "billionths"}


@dataclass(frozen=True)
class Unit:
    """How numbers of one measure are shown.

    Attributes:
        factor: A value times this is shown.
        name: What stands behind the number or in the axis ("millionths", "%"); empty for plain numbers.
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
    def behind(self) -> str:
        """The name as it stands behind a number, with a blank where it needs one."""
        return f" {self.name}" if self.name not in ("", "%") else self.name


SHARE = Unit(100.0, "%")


def unit_of(detail: SensitivityDetail, reading: SensitivityReading) -> Unit:
    """Percent for exchanged words; for the others so small a unit that the mean size has one to three digits."""
    if reading.measure == "CF":
        return SHARE
    known = np.abs(column(detail.audited, reading.measure, reading.signed))
    mean = float(known[np.isfinite(known)].mean()) if np.isfinite(known).any() else 0.0
    if not 0 < mean < 0.1:
        return Unit(1.0, "")
    power = max(-9, 3 * math.floor(math.log10(mean) / 3))
    return Unit(10.0**-power, _SMALL[power])


def measure_name(reading: SensitivityReading) -> str:
    """The chosen measure in words."""
    name = name_of_choice(SensitivityReading, "measure", reading.measure)
    return f"{name}, signed" if reading.signed and reading.measure in ("P3", "P5") else name

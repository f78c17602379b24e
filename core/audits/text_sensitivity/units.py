"""The unit in which numbers of a measure are shown."""

from core.audits.text_sensitivity.decision import TextMeasure
from core.language.units import PLAIN, POINTS, Unit

SMALL_TICKS = {"minexponent": 5, "exponentformat": "power"}
"""For axes of plain numbers, which may be small: no letters such as μ stand for a power of ten."""


def unit_of(measure: TextMeasure) -> Unit:
    """Percentage points for exchanged words, plain numbers for the other measures, whose size means little."""
    return POINTS if measure == "CF" else PLAIN

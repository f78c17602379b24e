"""What a simulation measured: a line in the calibration tables of ``core/METHODS.md`` (:mod:`tests.ledger`)."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Measured:
    """What a simulation measured in one design, as shares of its repeats; None where it did not look.

    Attributes:
        design: What is simulated, in a few words.
        n: Rows of each table.
        repeats: How many tables.
        false_violations: Tables within the tolerance, or at it, that are called a violation.
        false_clearings: Tables beyond the tolerance, or at it, that are called no violation.
        power: Tables beyond the tolerance that are called a violation.
        alpha: The error rate asked for.
    """

    design: str
    n: int
    repeats: int
    false_violations: float | None = None
    false_clearings: float | None = None
    power: float | None = None
    alpha: float = 0.05


def measured(design: str, *, n: int, repeats: int, **rates: float) -> tuple[str, str]:
    """What pytest's ``record_property`` takes, so that a run of the ledger finds it; see :class:`Measured`."""
    rounded = {name: round(float(rate), 4) for name, rate in rates.items()}
    return "measured", json.dumps(asdict(Measured(design, n, repeats, **rounded)))

"""How decisions and errors differ between groups of protected attributes, with intervals (through fairlearn)."""

from core.groups.decisions import decision_tables
from core.groups.families import Family, families
from core.groups.numbers import number_tables
from core.groups.table import Difference, GroupTable, Impact, Measure

__all__ = [
    "Difference",
    "Family",
    "GroupTable",
    "Impact",
    "Measure",
    "decision_tables",
    "families",
    "number_tables",
]

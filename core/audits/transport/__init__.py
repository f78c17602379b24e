"""The transport test, FaiTH (papers/faith.md)."""

from core.audits.transport.detail import Asked, Cells, LossPart, TransportDetail
from core.audits.transport.preview import CellsPreview, ColumnPreview, preview, propose
from core.audits.transport.proposal import proposed_space
from core.audits.transport.reading import TransportReading
from core.audits.transport.settings import (
    ByMetric,
    CellColumn,
    DifferOnlyIn,
    ForbiddenPair,
    LabelBudget,
    MassLimit,
    OwnCost,
    Transport,
)

__all__ = [
    "Asked",
    "ByMetric",
    "CellColumn",
    "Cells",
    "CellsPreview",
    "ColumnPreview",
    "DifferOnlyIn",
    "ForbiddenPair",
    "LabelBudget",
    "LossPart",
    "MassLimit",
    "OwnCost",
    "Transport",
    "TransportDetail",
    "TransportReading",
    "preview",
    "propose",
    "proposed_space",
]

"""The transport test on the pages."""

from core.audits.transport import KIND
from dashboard.audits.room import Room

ROOM = Room(
    KIND,
    decided=("delta", "loss", "budget", "method"),
    foreseen_by=("loss", "budget"),
    forms=("cells", "costs"),
    forgotten=("settings",),
)

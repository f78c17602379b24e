"""The sensitivity test of texts on the pages."""

from core.audits.text_sensitivity import KIND
from dashboard.audits.room import Room

ROOM = Room(
    KIND,
    decided=("delta", "judged", "measure", "signed"),
    change="Change the words",
    forms=("words", "swap", "status", "reference"),
    forgotten=("settings", "decision"),
)

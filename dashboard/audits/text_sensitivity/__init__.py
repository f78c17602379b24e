"""The sensitivity test of texts on the pages."""

from core.audits.text_sensitivity import KIND
from core.language.told import say
from dashboard.audits.room import Room

ROOM = Room(
    KIND,
    decided=("delta", "judged", "measure", "signed"),
    foreseen_by=(),
    change=say("Change the words"),
    forms=("words", "swap", "status", "reference"),
    forgotten=("settings", "decision"),
)

"""Groups and prediction sets on the pages."""

from core.audits.group_fairness import KIND
from core.language.told import say
from dashboard.audits.room import Room

ROOM = Room(
    KIND,
    decided=("delta", "ratio"),
    foreseen_by=(),
    step=say("Question and groups"),
    change=say("Change combinations and columns"),
)

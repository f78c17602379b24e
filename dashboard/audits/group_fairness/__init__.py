"""Groups, subgroups and prediction sets on the pages."""

from core.audits.group_fairness import KIND
from dashboard.audits.room import Room

ROOM = Room(KIND, decided=("delta",), step="Question and groups", change="Change the subgroups")

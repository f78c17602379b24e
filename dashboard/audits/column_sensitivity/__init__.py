"""The sensitivity test of columns on the pages."""

from core.audits.column_sensitivity import KIND
from dashboard.audits.room import Room

ROOM = Room(KIND, decided=("delta", "measure"), foreseen_by=())

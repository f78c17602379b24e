"""The gradient-flow test on the pages."""

from core.audits.gradient_flow import KIND
from dashboard.audits.room import Room

ROOM = Room(KIND, decided=("delta", "statistic"), foreseen_by=())

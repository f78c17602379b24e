"""The shared-answers test on the pages."""

from core.audits.shared_answers import KIND

from dashboard.audits.room import Room

ROOM = Room(KIND, decided=("delta",))

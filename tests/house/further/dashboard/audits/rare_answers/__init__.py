"""The rare-answers test on the pages: what is known of it before its pages are imported."""

from core.audits.rare_answers import KIND

from dashboard.audits.room import Room

ROOM = Room(KIND, foreseen_by=(), step="Whose answers are counted")

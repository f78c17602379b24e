"""The wall between a stranger's model file and everything else: one for all doors."""

from core.wall.behind import Behind, open_behind

__all__ = ["Behind", "open_behind"]

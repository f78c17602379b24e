"""What a visitor has seen, so that nothing is called new twice: kept beside their drafts, and as long as these."""

from pydantic import Field

from core.base.settings import Settings
from core.register.entry import Entry
from dashboard import session

_NAME = "seen"


class Seen(Settings):
    """What a visitor has seen.

    Attributes:
        tour: Whether they closed the tour of an audit.
        comments: How many comments they have seen of each entry of the register, by its id.
    """

    tour: bool = False
    comments: dict[str, int] = Field(default={})


def seen() -> Seen:
    """What this visitor has seen."""
    return session.load_as(_NAME, Seen)


def new_comments(entry: Entry) -> int:
    """How many comments on an entry this visitor has not seen."""
    return max(0, len(entry.comments) - seen().comments.get(entry.id, 0)) if entry.comments else 0


def note_comments(entry: Entry) -> None:
    """The visitor sees the comments on an entry."""
    if new_comments(entry):
        known = seen()
        _keep(known.model_copy(update={"comments": {**known.comments, entry.id: len(entry.comments)}}))


def note_tour() -> None:
    """The visitor closed the tour."""
    _keep(seen().model_copy(update={"tour": True}))


def _keep(now: Seen) -> None:
    session.save(_NAME, now)

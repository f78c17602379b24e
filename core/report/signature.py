"""A signature as a report shows it: who signed, in which role, when, and which record."""

from dataclasses import dataclass
from datetime import UTC, datetime

from core.language.phrases import day
from core.language.told import say


@dataclass(frozen=True)
class Signature:
    """What somebody signed.

    Attributes:
        name: As they stated it, or as they signed in.
        at: When, seconds since 1970.
        sha256: Of the record that was signed.
        verified: Whether they signed in, so that it is known who they are.
        alone: Whether they ran the audit or stated something of it.
    """

    name: str
    at: float
    sha256: str
    verified: bool = False
    alone: bool = False

    @property
    def role(self) -> str:
        """In which role they signed."""
        return say("Auditor and reviewer") if self.alone else say("Reviewer")

    @property
    def when(self) -> str:
        """The moment, in UTC."""
        moment = datetime.fromtimestamp(self.at, UTC)
        return f"{day(moment)}, {moment:%H:%M} UTC"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader has to know of it, a sentence each."""
        return (
            *(() if self.verified else (say("Identity not verified: nobody signs in here."),)),
            *((say("Nobody else reviewed this audit."),) if self.alone else ()),
        )

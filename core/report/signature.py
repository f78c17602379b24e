"""Who signed an audit, and how far that is known."""

from dataclasses import dataclass
from datetime import UTC, datetime

from core.language.phrases import day
from core.language.told import say


@dataclass(frozen=True)
class SignedBy:
    """One signature.

    Attributes:
        name: Of who signed: as they signed in, or else as the statement names the reviewer.
        at: When, seconds since 1970.
        verified: Whether they had signed in, so that somebody vouches for who they are.
        took_part: Whether they ran the audit or stated something of it.
        alone: Whether auditor and reviewer were given the same name.
        sha256: Of the record that was signed; empty before it is written.
        differs: What is read otherwise here than it was signed, by the names of the settings; empty for nothing.
        elsewhere: Whether what was signed cannot be read here, since it is in the register of somebody else.
        others: That other audits of the same model on the same rows ended worse; empty where none is known.
    """

    name: str
    at: float
    verified: bool
    took_part: bool
    alone: bool
    sha256: str = ""
    differs: str = ""
    elsewhere: bool = False
    others: str = ""

    @property
    def role(self) -> str:
        """In which role they signed."""
        return say("Auditor and reviewer") if self.alone or (self.verified and self.took_part) else say("Reviewer")

    @property
    def when(self) -> str:
        """The moment, in UTC."""
        moment = datetime.fromtimestamp(self.at, UTC)
        return f"{day(moment)}, {moment:%H:%M} UTC"  # verbatim

    @property
    def of_this(self) -> bool:
        """Whether it stands under what is read here."""
        return not (self.differs or self.elsewhere)

    @property
    def four_eyes(self) -> bool:
        """Whether it is known to be of somebody who had no part in the audit."""
        return self.verified and not self.took_part

    @property
    def told(self) -> tuple[str, ...]:
        """What has to be known of it, a sentence each."""
        if self.differs:
            return (
                say(
                    "This is not what {name} signed on {when}: it is read with another choice of {settings}.",
                    name=self.name,
                    when=self.when,
                    settings=self.differs,
                ),
            )
        if self.verified:
            who = say("Signed by {name}, who had signed in.", name=self.name)
        else:
            who = say("Signed for {name}: identity not verified.", name=self.name)
        return (who, *self._part, *self._elsewhere, *filter(None, (self.others,)))

    @property
    def _elsewhere(self) -> tuple[str, ...]:
        if not self.elsewhere:
            return ()
        return (
            say(
                "It was signed on {when}, with these numbers and the tolerances of the run. The statement and the "
                "signed report are with whoever signed.",
                when=self.when,
            ),
            say("The signed record has the SHA-256 {sha256}.", sha256=self.sha256 or "–"),
        )

    @property
    def _part(self) -> tuple[str, ...]:
        if self.four_eyes:
            return (say("They had no part in the audit (four eyes)."),)
        if self.alone:
            return (say("Auditor and reviewer are the same person: nobody else reviewed it."),)
        if not self.took_part:
            return ()
        return (
            say("Whoever signed also worked on the audit: nobody else is known to have reviewed it.")
            if self.verified
            else say("It was signed in the browser that ran the audit: nobody else is known to have reviewed it."),
        )

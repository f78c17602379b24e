"""One entry of the register, and what it keeps of a result: verdicts and numbers in words, nobody's row."""

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from core.base.settings import Settings
from core.inference.estimate import Verdict
from core.language.told import say, say_as
from core.report.signature import SignedBy
from core.report.statement import Statement, is_same_person


def storable(text: str) -> str:
    """Text as every database keeps it: PostgreSQL keeps no NUL."""
    return text.replace("\0", "\ufffd") if isinstance(text, str) else text


LONGEST = 4_000
Text = Annotated[str, BeforeValidator(storable), Field(max_length=LONGEST)]
"""No longer than a page can show."""


class Status(StrEnum):
    """Where an entry stands on its way to a signature."""

    DRAFT = "draft"
    IN_REVIEW = "in review"  # verbatim
    SIGNED = "signed"
    WITHDRAWN = "withdrawn"

    @property
    def words(self) -> str:
        """Where it stands, in the reader's language; the register keeps the English value."""
        return {
            Status.DRAFT: say("draft"),
            Status.IN_REVIEW: say("in review"),
            Status.SIGNED: say_as("an entry", "signed"),
            Status.WITHDRAWN: say("withdrawn"),
        }[self]


WORST_FIRST = (Verdict.VIOLATION.value, Verdict.INSUFFICIENT.value, Verdict.NO_VIOLATION.value, "")
"""Verdicts in the order in which people have to hear of them; the last is of work that ends in none."""


def verdict_words(verdict: str) -> str:
    """A verdict that the register keeps, in the reader's language; empty where there is none or another version's."""
    return next((one.words for one in Verdict if one.value == verdict), "")


class Outcome(Settings):
    """What one test found, in words with their units.

    Attributes:
        title: What people call the test.
        verdict: Its verdict among all tests of the audit.
        headline: The verdict in a few words.
        sentence: The rest of it.
        caption: What the numbers are, with tolerance and error rate.
        header: Headings of their columns; the first column names the rows.
        rows: Estimate, interval, bounds, p-value and what else the test gives.
    """

    title: Text
    verdict: Text = ""
    headline: Text = ""
    sentence: Text = ""
    caption: Text = ""
    header: tuple[Text, ...] = Field(default=(), max_length=50)
    rows: tuple[tuple[Text, ...], ...] = Field(default=(), max_length=100)

    @model_validator(mode="after")
    def _is_a_table(self) -> Self:
        if any(len(row) != len(self.header) or not row for row in self.rows):
            raise ValueError("every row needs a cell for each heading")
        return self


class Summary(Settings):
    """What the register keeps of a result.

    Attributes:
        model: Name of the model, or of what was chosen or compared.
        table: Title of the table.
        verdict: Of all tests together; empty where the work ends in none.
        judged: The models that have it, where several are judged.
        headline: It in a few words.
        qualified: What speaks most against it, one sentence; may be empty.
        sentence: The rest of it.
        outcomes: Of each test, the worst verdict first.
        rows_fingerprint: SHA-256 of the rows and their roles; empty where unknown.
        fingerprint_of_model: SHA-256 of the model; empty where there is none.
        subject: SHA-256 of table and model, whatever the roles of the columns; empty where unknown.
        definition: What its tests measure of whom, and the version of the records that say so; empty where unknown.
    """

    model: Text = ""
    table: Text = ""
    verdict: Text = ""
    judged: tuple[Text, ...] = Field(default=(), max_length=100)
    headline: Text = ""
    qualified: Text = ""
    sentence: Text = ""
    outcomes: tuple[Outcome, ...] = Field(default=(), max_length=100)
    rows_fingerprint: Text = ""
    fingerprint_of_model: Text = ""
    subject: Text = ""
    definition: Text = ""

    @property
    def violation(self) -> bool:
        """Whether a violation was found."""
        return self.verdict == Verdict.VIOLATION.value

    @property
    def tests(self) -> str:
        """The tests by their titles."""
        return ", ".join(one.title for one in self.outcomes)


class Link(Settings):
    """A link that shows an entry to whoever has it, and lets them change nothing.

    Attributes:
        sha256: Of its secret, which is kept nowhere.
        made: When, seconds since 1970.
        ends: When it shows nothing any more.
        revoked: When somebody ended it before that; 0 for never.
        comments: Whether whoever has it may write comments while the entry is in review.
    """

    sha256: str
    made: float
    ends: float
    revoked: float = 0.0
    comments: bool = False


class Comment(Settings):
    """What somebody wrote through a link. Who they are was not verified.

    Attributes:
        link: SHA-256 of the link's secret.
        at: When, seconds since 1970.
        name: As they gave it.
        text: What they wrote.
    """

    link: str
    at: float
    name: Text
    text: Text


class Entry(Settings):
    """One audit, selection or mitigation of one visitor.

    Attributes:
        id: Random to whoever does not know the owner.
        owner: The visitor who made it; nobody else sees it, unless it is in a project.
        job: The run whose page shows the result.
        workflow: Key of the workflow that ran it.
        made: When it ended, seconds since 1970.
        plan: Every setting, as a bare plan.
        summary: What came out.
        status: Where it stands.
        statement: What a person states of it.
        notes: What a person noted.
        after: Id of the entry that it repeats with new data; empty for none.
        signed: When it was signed, seconds since 1970; 0 before.
        documents: SHA-256 of record and report as they were signed, by name.
        project: Id of the project it belongs to; empty for none.
        stated_by: Who changed the statement.
        signed_by: Who signed it; empty before.
        signer: Their name as they signed in; empty where nobody signed in, so that it was not verified who they are.
        links: What was made to show it to others, the oldest first.
        comments: What came through these links, the oldest first.
        revision: Counts the changes.
    """

    id: str
    owner: str
    job: str
    workflow: str
    made: float
    plan: dict[str, Any]
    summary: Summary
    status: Status = Status.DRAFT
    statement: Statement = Statement()
    notes: Text = ""
    after: str = ""
    signed: float = 0.0
    documents: dict[str, str] = Field(default={})
    project: str = ""
    stated_by: tuple[str, ...] = ()
    signed_by: str = ""
    signer: Text = ""
    links: tuple[Link, ...] = ()
    comments: tuple[Comment, ...] = ()
    revision: int = 1

    @property
    def system(self) -> str:
        """What people call the system that was audited: as it was stated, or the name of the model."""
        return self.statement.system.strip() or self.summary.model

    @property
    def authors(self) -> frozenset[str]:
        """Who ran the work, or stated more of it than the reviewer's decision: somebody else has to sign it."""
        return frozenset((self.owner, *self.stated_by))

    @property
    def signature(self) -> SignedBy | None:
        """Who signed it; None before."""
        return self.signature_of(self.signed_by, self.signer, self.signed) if self.signed else None

    def signature_of(self, person: str, signer: str, at: float) -> SignedBy:
        """The signature of somebody.

        Args:
            person: Who.
            signer: Their name as they signed in; empty where nobody signs in.
            at: When, seconds since 1970.
        """
        return SignedBy(
            name=signer or self.statement.reviewer,
            at=at,
            verified=bool(signer),
            took_part=person in self.authors,
            alone=is_same_person(self.statement),
        )

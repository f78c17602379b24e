"""Records of a single plan, such as a selection or a comparison of fairer models: one way to read them all."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from core.errors import RecordError
from core.records.record import document_of, parsed
from core.settings import Settings

P = TypeVar("P", bound=Settings)


@dataclass(frozen=True)
class PlanRecord(Generic[P]):
    """A record as it was read.

    Attributes:
        plan: What to run.
        numbers: The numbers it holds, as JSON; None if it is a bare plan.
        versions: Libraries that gave those numbers, by name.
    """

    plan: P
    numbers: dict[str, Any] | None
    versions: dict[str, str]


@dataclass(frozen=True)
class RecordFormat(Generic[P]):
    """What tells the records of one kind of plan.

    Attributes:
        plan: The type of plan.
        name: What the document calls its format.
        version: Of the format.
        foreign: Keys of other bare plans, which also have data and roles.
        refusal: What is wrong with a document of another kind, and what to do, a sentence each.
        again: What else to do about a record of another version, as the end of a sentence.
    """

    plan: type[P]
    name: str
    version: int
    foreign: frozenset[str]
    refusal: tuple[str, str]
    again: str

    def read(self, text: str | bytes) -> PlanRecord[P]:
        """Read a record, or a bare plan.

        Raises:
            RecordError: It is not JSON, something else, of another version, or a setting in it is wrong (says which).
        """
        document = document_of(text)
        keys = document.keys()
        if "format" not in document and {"data", "roles"} <= keys and not self.foreign & keys:
            return PlanRecord(parsed(document, self.plan), None, {})
        if document.get("format") != self.name:
            raise RecordError(self.refusal[0], advice=self.refusal[1])
        if document.get("version") != self.version:
            raise RecordError(
                f"The record is written in version {document.get('version')!r} of the format; this program reads "
                f"version {self.version}.",
                advice=f"Use the version of Evenhand that wrote it, or {self.again}.",
            )
        numbers, versions = document.get("numbers"), document.get("versions")
        return PlanRecord(
            parsed(document.get("plan"), self.plan),
            numbers if isinstance(numbers, dict) else None,
            {str(name): str(version) for name, version in versions.items()} if isinstance(versions, dict) else {},
        )

"""What a person states of an entry, and what of it has to be there before it is signed."""

from typing import Any, Literal

from pydantic import ValidationError

from core.register.entry import Text
from core.settings import Settings, setting


class Stated(Settings):
    """A person's own words about an audit; they decide no number and enter no fingerprint."""

    system: Text = setting("", label="System", help="What was audited, as your organisation calls it.")
    version: Text = setting("", label="Version", help="The version of the system, so that nobody takes it for another.")
    purpose: Text = setting("", label="Purpose", help="What the system is used for, and what its answers decide.")
    scope: Text = setting("", label="Scope", help="Which people, place and time the audit is about.")
    auditor: Text = setting("", label="Auditor", help="Who set the audit up.")
    reviewer: Text = setting("", label="Reviewer", help="Who read the result and signs.")
    standard: Text = setting("", label="Standard", help="The law or standard it answers to, if there is one.")
    tolerance_reason: Text = setting(
        "", label="Reason for the tolerance", help="Why a difference up to the tolerance is acceptable here."
    )
    decision: Literal["", "accept", "accept with conditions", "reject"] = setting(
        "", label="Decision", help="What follows from the result.", names={"": "not decided"}
    )
    rationale: Text = setting("", label="Reason for the decision", help="Why, and under which conditions.")


REQUIRED = ("system", "version", "purpose", "auditor", "reviewer", "tolerance_reason", "decision", "rationale")
CARRIED_OVER = ("system", "version", "purpose", "scope", "auditor", "reviewer", "standard", "tolerance_reason")
"""What holds for the same audit with new data; decision and reason do not."""


def read(statement: dict[str, Any]) -> Stated:
    """The statement of an entry, as far as this version knows its fields."""
    known = {name: value for name, value in statement.items() if name in Stated.model_fields}
    try:
        return Stated.model_validate(known)
    except ValidationError:
        return Stated()


def missing(statement: dict[str, Any]) -> tuple[str, ...]:
    """What has to be stated before an entry is signed, a sentence each."""
    stated = read(statement)
    fields = {name: Stated.model_fields[name] for name in REQUIRED}
    return tuple(
        f"“{field.title}” is empty. {field.description}"
        for name, field in fields.items()
        if not str(getattr(stated, name)).strip()
    )

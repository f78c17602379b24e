"""What people state about an audit: who, of which system, why and when, and what they decide. It decides no number."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ValidationError, field_validator

from core.audits import KINDS
from core.base.errors import SettingsError
from core.base.settings import Settings, setting
from core.language.fitted import short
from core.language.phrases import listed, lower_first
from core.language.settings_words import what_is_wrong
from core.language.told import retold, say, say_as

LONGEST_NAME = 300
"""Letters of a name or a version."""
LONGEST_TEXT = 10_000
"""Letters of a text of several sentences."""
_SHORT_NAME = 40
MOST_REASONS = 20
"""Tests of one audit for which a reason is given."""

Standard = Literal["plain", "ll144", "eu_ai_act", "nist_ai_rmf"]
Decision = Literal["undecided", "accept", "accept_with_conditions", "reject"]

STANDARDS: dict[str, str] = {
    "plain": say("None: a plain report"),
    "ll144": say("New York City Local Law 144"),
    "eu_ai_act": say("EU AI Act"),
    "nist_ai_rmf": say("NIST AI Risk Management Framework"),
}
DECISIONS: dict[str, str] = {
    "undecided": say("Not decided yet"),
    "accept": say("Use the system"),
    "accept_with_conditions": say("Use the system under conditions"),
    "reject": say("Do not use the system"),
}


def _name(label: str, help: str, example: str) -> Any:
    return setting("", label=label, help=help, example=example, max_length=LONGEST_NAME)


def _text(label: str, help: str, example: str) -> Any:
    return setting("", label=label, help=help, example=example, max_length=LONGEST_TEXT)


class Statement(Settings):
    """What stands in a report because somebody said so. Everything may be empty until the report is signed.

    It is in no fingerprint of a plan or a result: two reports of one result may state different things.

    ``tolerance_reason`` is said of all tests. ``tolerance_reasons`` holds one a test by its kind (``transport``), with
    a number behind it from the second of a kind on (``transport 2``): see :attr:`core.study.Study.keys`.
    """

    system: str = _name(say("System"), say("What the system is called that uses the model."), say("Loan pre-check"))
    version: str = _name(
        say("Version"), say("The version or identifier of the system or the model."), say("3.2 of 1 March 2026")
    )
    purpose: str = _text(
        say("Purpose"),
        say("What the system decides, about whom, and how people use its answer."),
        say("It proposes which loan applications are turned away. A clerk decides."),
    )
    excluded_use: str = _text(
        say("Not meant for"), say("Uses for which the system is not meant."), say("Business loans; mortgages.")
    )
    scope: str = _text(
        say("Scope"),
        say("What this audit covers: which decisions, people, places and time."),
        say("All applications of private customers in Spain in 2025."),
    )
    data_source: str = _text(
        say("Source of the data"),
        say("Where the rows come from, and why they suit this audit."),
        say("The bank's own applications. The model was not trained on them."),
    )
    data_period: str = _name(
        say("Period of the data"), say("The time in which the rows were collected."), say("January to December 2025")
    )
    unknown: int | None = setting(
        None,
        label=say("People of unknown group"),
        help=say("How many people were assessed whose sex or race is not known and who are therefore in no table."),
        empty=say("not stated"),
        example="120",
        ge=0,
    )
    distributed: datetime.date | None = setting(
        None,
        label=say("Distribution date"),
        help=say("The day on which the employer first used the system."),
        example="2026-03-01",
    )
    standard: Standard = setting(
        "plain",
        label=say("Standard"),
        help=say("The rule or framework whose headings the report follows."),
        names=STANDARDS,
    )
    tolerance_reason: str = _text(
        say("Reason for the tolerance"),
        say(
            "Why a difference up to the tolerance is acceptable, and who decided that. By it the auditor chooses the "
            "tolerance, also one that Evenhand proposes."
        ),
        say("The board accepts 5 points: clerks differ by as much. Decided on 2 February 2026."),
    )
    tolerance_reasons: dict[str, str] = setting(
        {},
        label=say("Reason for the tolerance of each test"),
        help=say(
            "Why a difference up to the tolerance of this test is acceptable, and who decided that. By it the auditor "
            "chooses the tolerance, also one that Evenhand proposes."
        ),
        max_length=MOST_REASONS,
    )
    auditor: str = _name(
        say("Auditor"), say("Who did this audit: name and organisation."), say("Ada Ruiz, Model Risk, Example Bank")
    )
    independence: str = _text(
        say("Independence"),
        say("How the auditor relates to those who build, sell or use the system, including money."),
        say("Works for the bank that uses the system, in another department. No bonus depends on it."),
    )
    reviewer: str = _name(
        say("Reviewer"),
        say(
            "Who checks the report and signs it. If nobody else does, that is the auditor: the report says that nobody "
            "else reviewed it."
        ),
        say("Ben Okafor, Compliance, Example Bank"),
    )
    date: datetime.date | None = setting(
        None, label=say("Date of the audit"), help=say("The day on which the audit was done."), example="2026-11-23"
    )
    decision: Decision = setting(
        "undecided",
        label=say("Decision"),
        help=say("What the reviewer decides about the system."),
        names=DECISIONS,
        example=say("Use the system under conditions."),
    )
    despite: str = _text(
        say("Why it is used although a violation was found"),
        say("What outweighs the violation, who decided that, and until when it holds."),
        say("Clerks alone differ by 30 points. The board, until the new model in June."),
    )
    conditions: str = _text(
        say("Conditions"),
        say("What has to be done, by whom and by when, for the system to be accepted."),
        say("The vendor removes the postcode by 31 March. Then it is audited again."),
    )
    rationale: str = _text(
        say("Reasons for the decision"),
        say("Why the reviewer decides so, given the findings."),
        say("The difference between men and women is within the tolerance. That by age is not."),
    )

    @field_validator("tolerance_reasons")
    @classmethod
    def _of_tests(cls, reasons: dict[str, str]) -> dict[str, str]:
        """Reasons of tests that there are, none longer than a text may be."""
        for key, reason in reasons.items():
            kind, _, number = key.partition(" ")
            if kind not in KINDS or (number and not number.isdecimal()) or len(key) > LONGEST_NAME:
                raise ValueError(
                    say(
                        "no test is called {key}; the tests are {kinds}",
                        key=repr(key[:LONGEST_NAME]),
                        kinds=", ".join(KINDS),
                    )
                )
            if len(reason) > LONGEST_TEXT:
                raise ValueError(say("a reason has at most {most} letters", most=LONGEST_TEXT))
        return reasons

    def reason_of(self, test: str) -> str:
        """Why the tolerance of a test is acceptable, said of this test; empty where only one is said of all."""
        return self.tolerance_reasons.get(test, "").strip()

    def chooses(self, test: str) -> str:
        """Who chooses the tolerance of a test, since they say why it is acceptable; empty where nobody says that."""
        if not (self.reason_of(test) or self.tolerance_reason.strip()):
            return ""
        return short(self.auditor.partition(",")[0], _SHORT_NAME) or say_as("who chooses", "the auditor")


OF_THE_REVIEWER = frozenset({"reviewer", "decision", "despite", "conditions", "rationale"})
"""Fields that whoever reviews fills in; they take no part in the audit by that."""

_BEFORE_SIGNING = {
    "system": say("Name the system."),
    "purpose": say("Say what the system is for."),
    "scope": say("Say what the audit covers."),
    "data_source": say("Say where the data comes from."),
    "tolerance_reason": say("Give the reason for the tolerance."),
    "auditor": say("Name the auditor."),
    "independence": say("Say how the auditor relates to those who build, sell or use the system."),
    "reviewer": say("Name the reviewer, who signs; if nobody else does, that is the auditor."),
    "date": say("Give the date of the audit."),
    "decision": say("Decide whether the system is used, under which conditions, or not."),
    "rationale": say("Give the reasons for the decision."),
}
_BY_DECISION: dict[str, tuple[Decision, str]] = {
    "despite": ("accept", say("Say why the system is used although a violation was found.")),
    "conditions": ("accept_with_conditions", say("Say on which conditions the system is accepted.")),
}
_NAMES = frozenset({"auditor", "reviewer"})
_NOBODY = frozenset(
    ("none", "na", "no", "noone", "nobody", "unknown", "kein", "keine", "keiner", "nein", "niemand", "unbekannt")
)
"""Letters that name nobody."""
_BY_STANDARD = {
    "ll144": {
        "data_period": say("Give the period of the data."),
        "unknown": say("Say how many people are in no table because their group is unknown; 0 if there are none."),
        "distributed": say("Give the date on which the employer first used the system."),
    },
}


@dataclass(frozen=True)
class Signable:
    """What a statement is about, as far as it decides what has to be stated before a signature.

    Attributes:
        tests: What people call each of several tests, by its key: where no reason is given for all, there is one for
            each tolerance. Empty for a single test.
        tolerances: The tolerance of each with its unit, by its key.
        violation: Whether a violation was found: who uses the system all the same says why.
    """

    tests: Mapping[str, str] = field(default_factory=dict)
    tolerances: Mapping[str, str] = field(default_factory=dict)
    violation: bool = False

    @property
    def by_decision(self) -> dict[str, Decision]:
        """The decision with which each of the fields is asked for that not every decision asks for."""
        return {name: one for name, (one, _) in _BY_DECISION.items() if name != "despite" or self.violation}

    def reasons(self, statement: Statement) -> tuple[tuple[tuple[str, ...], str], ...]:
        """The tests that share a tolerance and what is stated of it, by their keys, and what people call them."""
        alike: dict[tuple[str, str], list[str]] = {}
        for test in self.tests:
            alike.setdefault((self.tolerances.get(test, test), statement.reason_of(test)), []).append(test)
        return tuple((tuple(keys), listed([lower_first(self.tests[key]) for key in keys])) for keys in alike.values())


def missing(statement: Statement, of: Signable = Signable()) -> dict[str, str]:
    """What still has to be filled in before the report may be signed: a sentence each, by the name of the field."""
    return dict(_missing(statement, of))


def undecided(statement: Statement, of: Signable = Signable()) -> dict[str, str]:
    """Of :func:`missing`, what the decision asks for: until then it is none that somebody can review."""
    return {name: told for name, told in _missing(statement, of) if name in of.by_decision}


def required(statement: Statement, of: Signable = Signable()) -> frozenset[str]:
    """The fields that have to be filled in before the report may be signed, whether they are or not."""
    return frozenset(_asked(statement, of))


def _missing(statement: Statement, of: Signable) -> Iterator[tuple[str, str]]:
    asked = _asked(statement, of)
    for name in Statement.model_fields:
        if name == "tolerance_reason" and of.tests and not is_stated(statement, name):
            for keys, called in of.reasons(statement):
                if not statement.reason_of(keys[0]):
                    told = say("Give the reason for the tolerance of the {test}.", test=called)
                    yield f"tolerance_reasons {keys[0]}", told  # verbatim
            continue
        if name in asked and name in _NAMES and is_nobody(getattr(statement, name)):
            given, ask = getattr(statement, name).strip(), lower_first(retold(asked[name]))
            yield name, say("“{given}” is nobody's name: {ask}", given=given, ask=ask)
            continue
        stated = is_reasoned(statement) if name == "tolerance_reason" else is_stated(statement, name)
        if name in asked and not stated:
            yield name, retold(asked[name])


def is_reasoned(statement: Statement) -> bool:
    """Whether every test has a reason for its tolerance, its own or the one of all."""
    own = statement.tolerance_reasons.values()
    return is_stated(statement, "tolerance_reason") or (bool(own) and all(map(str.strip, own)))


def _asked(statement: Statement, of: Signable) -> dict[str, str]:
    asked = {**_BEFORE_SIGNING, **_BY_STANDARD.get(statement.standard, {})}
    decided = (name for name, decision in of.by_decision.items() if decision == statement.decision)
    asked |= {name: _BY_DECISION[name][1] for name in decided}
    if statement.tolerance_reasons:
        asked["tolerance_reason"] = say("Give the reason for the tolerance of every test.")
    return asked


def is_same_person(statement: Statement) -> bool:
    """Whether auditor and reviewer were given the same name, whatever their organisations."""
    auditor, reviewer = _names(statement)
    return bool(auditor) and auditor.casefold() == reviewer.casefold()


def other_reviewer(statement: Statement) -> str:
    """The name of the reviewer, without organisation, where that is somebody else than the auditor; else empty."""
    _, reviewer = _names(statement)
    return "" if is_same_person(statement) or is_nobody(reviewer) else reviewer


def _names(statement: Statement) -> tuple[str, str]:
    """Auditor and reviewer without their organisations."""
    auditor, reviewer = (" ".join(name.partition(",")[0].split()) for name in (statement.auditor, statement.reviewer))
    return auditor, reviewer


def is_nobody(name: str) -> bool:
    """Whether what stands for a name says that there is none: ``none``, ``n/a``, ``-``; an empty one says nothing."""
    letters = "".join(filter(str.isalpha, name.casefold()))
    return bool(name.strip()) and (letters in _NOBODY or not letters)


def is_stated(statement: Statement, name: str) -> bool:
    """Whether somebody filled in this field; a text of spaces is none."""
    value = getattr(statement, name)
    if isinstance(value, dict):
        return any(map(str.strip, value.values()))
    return value not in (None, "undecided") and bool(str(value).strip())


def read_statement(text: str | bytes) -> Statement:
    """A statement from its JSON.

    Raises:
        SettingsError: It is not JSON, or a field is unknown, too long or of another type (says which).
    """
    try:
        return Statement.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        raise SettingsError(
            say("The statement cannot be read: {first}.", first=what_is_wrong(first)),
            where=".".join(map(str, first["loc"])),
            advice=say(
                "Its fields are {fields}; dates are written like 2026-11-23.",
                fields=", ".join(Statement.model_fields),
            ),
        ) from error

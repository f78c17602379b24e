"""What people state, as a report shows it: each field with its words, or marked where nobody filled it in."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.audits import KINDS
from core.base.settings import name_of_choice, title_of
from core.contracts.decision import DecisionSettings
from core.language.phrases import listed, lower_first, whole
from core.language.told import say
from core.report.statement import Signable, Statement, is_stated
from core.study import Study


@dataclass(frozen=True)
class StatedField:
    """A field of the statement.

    Attributes:
        label: What people call it.
        value: What was stated; empty if nothing was.
        asked: What has to be filled in, as the end of "To be filled in:"; empty for what may be left out.
    """

    label: str
    value: str
    asked: str = ""


def stated_fields(statement: Statement, lacking: Mapping[str, str] = MappingProxyType({})) -> dict[str, StatedField]:
    """Every field by its name; of those that are ``lacking`` a sentence says what has to be filled in."""
    return {
        name: StatedField(title_of(info), _value(statement, name), _asked(lacking.get(name, "")))
        for name, info in Statement.model_fields.items()
    }


def signable(study: Study, *, violation: bool) -> Signable:
    """What a statement of these tests is about."""
    if len(study.plans) == 1:
        return Signable(violation=violation)
    numbers = study.plans[0].roles.outcome_type == "number"
    tolerances = {
        key: plan.decision.unit(numbers=numbers).tolerance(plan.decision.delta)
        for key, plan in zip(study.keys, study.plans, strict=True)
    }
    return Signable(dict(zip(study.keys, study.names, strict=True)), tolerances, violation)


def for_reading(statement: Statement, study: Study) -> Statement:
    """What is stated of an audit, as it is read: its reasons are of the tolerances chosen before the run."""
    keys = study.keys
    pairs = list(zip(keys, study.ran.plans, study.plans, strict=True))
    kept = [key for key, before, now in pairs if now.decision.tolerates_like(before.decision)]
    if len(kept) == len(pairs):
        return statement
    reasons = {key: statement.reason_of(key) or statement.tolerance_reason if key in kept else "" for key in keys}
    return statement.model_copy(update={"tolerance_reason": "", "tolerance_reasons": reasons})


def differing(study: Study) -> str:
    """What an audit is read with otherwise than it was run, by the names of the settings, tolerances with their values;
    empty for nothing.
    """
    changed = (
        _otherwise(name, title_of(info), before.decision, now.decision, numbers=now.roles.outcome_type == "number")
        for before, now in zip(study.ran.plans, study.plans, strict=True)
        for name, info in type(now.decision).model_fields.items()
        if name in now.decision.differing(before.decision)
    )
    return listed(list(dict.fromkeys(changed)))


def _otherwise(name: str, title: str, before: DecisionSettings, now: DecisionSettings, *, numbers: bool) -> str:
    if name != "delta":
        return say("“{title}”", title=title)
    units = (one.unit(numbers=numbers) for one in (before, now))
    was, is_now = (unit.plain_tolerance(one.delta) for unit, one in zip(units, (before, now), strict=True))
    return say("“{title}” ({now} instead of {before})", title=title, now=is_now, before=was)


def _value(statement: Statement, name: str) -> str:
    if not is_stated(statement, name):
        return ""
    value = getattr(statement, name)
    if isinstance(value, dict):
        told = [(named(test), reason.strip()) for test, reason in value.items()]
        return "\n".join(f"{test}: {reason}" for test, reason in told if reason)
    return whole(value) if isinstance(value, int) else name_of_choice(Statement, name, value).strip()


def named(test: str) -> str:
    """What people call a test that a statement names by its kind."""
    kind, _, number = test.partition(" ")
    return f"{KINDS[kind].title} {number}".strip()


def _asked(sentence: str) -> str:
    return lower_first(sentence).rstrip(".")

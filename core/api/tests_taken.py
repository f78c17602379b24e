"""The tests of an audit: those that are named, or proposed, each with the settings that were chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from pydantic import ValidationError

from core.api.choices import Choices
from core.api.folder import takes_no_counts, too_many_kinds
from core.audits import KINDS, AuditSettings
from core.base.errors import SettingsError
from core.base.settings import Settings, help_of
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.language.options import option
from core.language.phrases import listed, quoted
from core.language.settings_words import what_is_wrong
from core.study import Study
from core.workflows.proposing import begun, held_back, proposed, unlearned, unsuited

ALL = "all"
"""Named in place of tests: every one that can be run."""


@dataclass(frozen=True)
class TakenTests:
    """The tests of an audit.

    Attributes:
        tests: Each with its settings.
        left_out: Which others are not run where nobody named tests, by their titles, each with the reason.
    """

    tests: tuple[AuditSettings, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def titles(self) -> list[str]:
        """What the tests are called."""
        return [_title(one) for one in self.tests]

    @classmethod
    def of(cls, chosen: Choices, model: AbstractModel, dataset: Dataset, *, counted: bool, whole: bool) -> Self:
        """The tests that are named, all that can be run, or else those that are proposed.

        One that nobody named is left out if its fair metric cannot be learned, unless its settings were chosen.

        Args:
            chosen: What was chosen.
            model: The model.
            dataset: The table; of a folder the rows that were looked at.
            counted: Whether the rows of a folder are counted, so that tests have to do with counts.
            whole: Whether these are all rows, so that they teach the fair metric that the run learns.

        Raises:
            SettingsError: One that is named does not suit, or none suits.
        """
        audits = _begun(chosen, model, dataset)
        wrong = unsuited(audits, model, dataset)
        if counted:
            of_counts = {kind: takes_no_counts(audit, dataset) for kind, audit in audits.items()}
            wrong = {kind: why for kind, why in of_counts.items() if why} | wrong
        if chosen.tests not in ((), (ALL,)):
            return cls(tuple(_audit(one, audits, wrong, model, dataset) for one in chosen.tests))
        suited = {kind: audit for kind, audit in audits.items() if kind not in wrong}
        held = too_many_kinds(suited, model, dataset) if counted else {}
        if chosen.tests:
            held |= {kind: why for kind, audit in suited.items() if (why := audit.is_compatible(model, dataset))}
        else:
            held = held_back(audits, wrong, model, dataset) | held

        def take(wrong: dict[str, str]) -> tuple[str, ...]:
            if chosen.tests:
                return tuple(kind for kind in suited if kind not in wrong and kind not in held)
            return proposed(audits, wrong, model, dataset, held)

        kinds = take(wrong)
        while whole and (lost := _without_metric([audits[kind] for kind in kinds], chosen, model, dataset)):
            wrong |= lost
            kinds = take(wrong)
        reasons = wrong | held
        if not kinds:
            raise SettingsError(
                "No test suits this model and table.",
                advice=" ".join(f"{KINDS[kind].title}: {why}" for kind, why in reasons.items()),
            )
        other = f"can be run and is not proposed unasked: name it, or add {option('tests', ALL)}."
        return cls(
            tuple(audits[kind] for kind in kinds),
            {_title(audits[kind]): reasons.get(kind, other) for kind in KINDS if kind not in kinds},
        )


def _without_metric(
    tests: Sequence[AuditSettings], chosen: Choices, model: AbstractModel, dataset: Dataset
) -> dict[str, str]:
    """The tests whose fair metric cannot be learned, each with the reason, but for those of which settings were chosen.

    A tolerance is a setting of the tests it is given for, of all where it names none.
    """
    named = {*chosen.settings, *(() if chosen.metric is None else ("metric",))}
    tolerated = () if chosen.delta is None else chosen.delta if isinstance(chosen.delta, dict) else KINDS
    reasons = {
        one.kind: unlearned(one, model, dataset, chosen.seed)
        for one in tests
        if one.kind not in tolerated
        and named.isdisjoint({*type(one).model_fields, *KINDS[one.kind].decision.model_fields})
    }
    return {kind: why for kind, why in reasons.items() if why}


def named(chosen: Choices, model: AbstractModel, dataset: Dataset) -> list[AuditSettings]:
    """The tests that are named, with the settings they begin with; names that no test has are left out."""
    audits = _begun(chosen, model, dataset) if chosen.tests else {}
    asked_for = (audits.get(one) if isinstance(one, str) else _own_first(one, audits) for one in chosen.tests)
    return [one for one in asked_for if one is not None]


def _title(audit: AuditSettings) -> str:
    return audit.called or KINDS[audit.kind].title


def _begun(chosen: Choices, model: AbstractModel, dataset: Dataset) -> dict[str, AuditSettings]:
    """Each test with the settings it begins with, and with those that were chosen where it may be run."""
    kinds = (one if isinstance(one, str) else one.kind for one in chosen.tests)
    named = set() if chosen.tests in ((), (ALL,)) else set(kinds)
    found = begun(model, dataset)
    return {kind: _with(audit, chosen) if kind in (named or found) else audit for kind, audit in found.items()}


def _with(audit: AuditSettings, chosen: Choices) -> AuditSettings:
    """A test with the settings that were chosen and that it has."""
    given = dict(chosen.settings) | ({} if chosen.metric is None else {"metric": chosen.metric})
    found: AuditSettings = _changed(audit, given)
    return found


def _own(value: Any, kind: str) -> Any:
    """A choice for a kind of test, where it is given by the kind; None where it is given for others."""
    return value.get(kind) if isinstance(value, Mapping) and value and set(value) <= set(KINDS) else value


def _changed(settings: Any, given: Mapping[str, Any]) -> Any:
    """Settings with those given that they have.

    Raises:
        SettingsError: A value is out of range.
    """
    kind = type(settings)
    named = {name: _own(value, settings.kind) for name, value in given.items() if name in kind.model_fields}
    own = {name: value for name, value in named.items() if value is not None and name != "kind"}
    if not own:
        return settings
    try:
        return kind.model_validate({**dict(settings), **own})
    except ValidationError as error:
        first = error.errors()[0]
        name = str((first["loc"] or ("",))[0])
        several = sum(name in one.settings.model_fields for one in KINDS.values()) > 1
        by_kind = f" Several tests have it: {option(name, (settings.kind, '…'))} is for this one alone."
        raise SettingsError(
            f"The setting {option(name) if name else kind.__name__} of the {KINDS[settings.kind].name_in_text} test "
            f"cannot be taken: {what_is_wrong(first)}.",
            where=option(name) if name else "",
            advice=(help_of(kind.model_fields[name]) if name in kind.model_fields else "Choose another value.")
            + (by_kind if several else ""),
        ) from error


def _own_first(given: AuditSettings, audits: dict[str, AuditSettings]) -> AuditSettings:
    """A test that is given with its settings: what these leave open is as the test begins."""
    own: AuditSettings = _changed(audits[given.kind], {name: getattr(given, name) for name in given.model_fields_set})
    return own


def _audit(
    named: str | AuditSettings,
    audits: dict[str, AuditSettings],
    wrong: dict[str, str],
    model: AbstractModel,
    dataset: Dataset,
) -> AuditSettings:
    """A test that is named, or given with its settings."""
    if isinstance(named, Settings):
        if why := (own := _own_first(named, audits)).is_compatible(model, dataset):
            raise _unsuited(named.kind, why, wrong)
        return own
    if named not in KINDS:
        raise SettingsError(
            f"There is no test {quoted(named)}.",
            where=option("tests"),
            advice=f"Choose among {listed([*KINDS])}, or {ALL} alone.",
        )
    if named in wrong:
        raise _unsuited(named, wrong[named], wrong)
    return audits[named]


def _unsuited(kind: str, why: str, wrong: dict[str, str]) -> SettingsError:
    return SettingsError(
        f"The {KINDS[kind].name_in_text} test does not suit: {why}",
        where=option("tests"),
        advice=f"These do: {listed([other for other in KINDS if other not in wrong])}.",
    )


def decided(study: Study, chosen: Choices, *, runs: bool = True) -> Study:
    """The study under the tolerance, the error rate and what else was chosen of how it is judged.

    Args:
        study: The tests.
        chosen: What was chosen.
        runs: Whether they have yet to run, so that their own settings may be among what was chosen.

    Raises:
        SettingsError: A value is out of range, a tolerance is of no test, or a setting is of none.
    """
    tests = study.plans
    kinds = [one.audit.kind for one in tests]
    delta = chosen.delta if isinstance(chosen.delta, dict) else dict.fromkeys(kinds, chosen.delta)
    if isinstance(chosen.delta, float) and len(set(kinds)) > 1:
        raise SettingsError(
            "One tolerance is given, and tests have tolerances in units of their own.",
            where=option("delta"),
            advice="Name the test of each, as they are now: "
            f"{option('delta', *((one.audit.kind, one.decision.delta) for one in tests))}.",
        )
    if strange := [kind for kind in delta if kind not in kinds]:
        raise SettingsError(
            f"A tolerance is given for {quoted(strange[0])}, which is no test of this audit.",
            where=option("delta"),
            advice=f"The tests are {listed(kinds)}.",
        )
    parts = [part for one in tests for part in ((one.audit, one.decision) if runs else (one.decision,))]
    known = {name for part in parts for name in type(part).model_fields}
    named = (*chosen.settings, *(() if chosen.metric is None else ("metric",)))
    if strange := [name for name in named if name not in known - {"kind"}]:
        raise SettingsError(
            f"The setting {quoted(strange[0])} is none of these tests: {listed([KINDS[kind].title for kind in kinds])}."
            if runs
            else f"The setting {quoted(strange[0])} decides what is run, and is not chosen afterwards.",
            where=option(strange[0]),
            advice=f"Choose among {listed(sorted(known - {'kind'}))}.",
        )
    read = {**chosen.settings, "alpha": chosen.alpha}
    given = [{**read, "delta": delta.get(kind)} for kind in kinds]
    decisions = tuple(
        _changed(one.decision, {name: value for name, value in own.items() if value is not None})
        for one, own in zip(tests, given, strict=True)
    )
    for one, decision in zip(tests, decisions, strict=True):
        if why := decision.misjudges(one.audit):
            raise SettingsError(why, where=KINDS[one.audit.kind].title)
    return study.under(decisions) if runs else study.read(decisions)

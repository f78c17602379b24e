"""What a user has chosen so far: typed, kept on disk under a random name that stands in the address.

A browser refresh loses Streamlit's session but not the address, so nothing chosen is ever lost. What is computed from
the choices is not kept here: jobs find their answers again by fingerprint.
"""

import os
import re
import uuid
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

import streamlit as st
from pydantic import AfterValidator, Field, ValidationError, model_validator

from core.audit import AbstractAudit
from core.audits import KINDS, AuditDecision, AuditSettings
from core.data.roles import Missing, OutcomeType, Roles
from core.decision import DecisionSettings
from core.errors import RecordError, SettingsError
from core.files import home
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models import ModelSource
from core.plan import AuditPlan
from core.settings import Settings
from core.sources import DataSource
from core.study import Study

TEST_KINDS = tuple(KINDS)
"""The tests in the order in which they run and are shown."""

A = TypeVar("A", bound=AbstractAudit)
D = TypeVar("D", bound=DecisionSettings)
S = TypeVar("S", bound=Settings)

_NAME = re.compile(r"[0-9a-f]{16}")


class RolesChoice(Settings):
    """Roles as far as they are chosen; an empty name counts as none."""

    outcome: str | None = None
    outcome_type: OutcomeType = "classes"
    favourable: str | None = None
    protected: tuple[str, ...] = ()
    text: str | None = None
    annotation: str | None = None
    features: tuple[str, ...] = ()
    predictions: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    missing: Missing = "leave out"

    @model_validator(mode="before")
    @classmethod
    def _empty_is_none(cls, values: Any) -> Any:
        return {name: None if value == "" else value for name, value in values.items()}

    @property
    def problem(self) -> str:
        """What is still to be chosen, one sentence; empty when nothing is. With a text hardly anything has to be."""
        if self.text is None and (missing := self._missing):
            return missing
        try:
            self._build()
        except ValidationError as error:
            return str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        return ""

    @property
    def _missing(self) -> str:
        if self.outcome is None:
            return "Choose the outcome column."
        if self.favourable is None and self.outcome_type == "classes":
            return "Choose which outcome is good for the person."
        if not self.protected:
            return "Choose at least one protected attribute."
        if not self.features and not self.predictions:
            return "Choose the features the model reads, or a prediction column."
        return ""

    @property
    def roles(self) -> Roles | None:
        """The roles; None while something is still to be chosen."""
        return None if self.problem else self._build()

    def _build(self) -> Roles:
        return Roles(**{name: "" if value is None else value for name, value in dict(self).items()})


def kind_of(settings: type[AbstractAudit] | type[DecisionSettings]) -> str:
    """The kind of test that these settings or decision settings are of."""
    return str(settings.model_fields["kind"].default)


def default_settings(kind: str, **given: Any) -> AuditSettings:
    """The settings with which a test of this kind begins, and those that are given and that it has."""
    known, fields = {"metric": SensitiveSubspace(), **given}, KINDS[kind].settings.model_fields
    begun: AuditSettings = KINDS[kind].settings(**{name: value for name, value in known.items() if name in fields})
    return begun


def _all_audits(chosen: dict[str, Any]) -> dict[str, Any]:
    return {kind: chosen.get(kind) or default_settings(kind) for kind in TEST_KINDS}


def _all_decisions(chosen: dict[str, Any]) -> dict[str, Any]:
    return {name: chosen.get(name) or kind.decision() for name, kind in KINDS.items()}


def _known(kinds: tuple[str, ...]) -> tuple[str, ...]:
    if strange := set(kinds) - set(TEST_KINDS):
        raise ValueError(f"there is no test {', '.join(sorted(strange))}")
    return kinds


class Draft(Settings):
    """An audit on its way to a study: one or several tests of one model on one table.

    Attributes:
        data: The table.
        roles: What its columns are for, as far as that is chosen.
        model: The model.
        tests: The kinds of the chosen tests.
        audits: The settings of every test by its kind, chosen or not.
        decisions: The decision settings, likewise.
        missing: What a test still has to be told before it can run, one sentence, by its kind.
        seed: Seed of every random choice.
    """

    data: DataSource | None = None
    roles: RolesChoice = RolesChoice()
    model: ModelSource | None = None
    tests: Annotated[tuple[str, ...], AfterValidator(_known)] = ()
    audits: Annotated[dict[str, Annotated[AuditSettings, Field(discriminator="kind")]], AfterValidator(_all_audits)] = (
        Field(default={}, validate_default=True)
    )
    decisions: Annotated[
        dict[str, Annotated[AuditDecision, Field(discriminator="kind")]], AfterValidator(_all_decisions)
    ] = Field(default={}, validate_default=True)
    missing: dict[str, str] = Field(default={})
    seed: int = 0

    def settings(self, test: type[A]) -> A:
        """The settings of a test, by their type."""
        found: Any = self.audits[kind_of(test)]
        return found  # type: ignore[no-any-return]

    def decision(self, test: type[D]) -> D:
        """The decision settings of a test, by their type."""
        found: Any = self.decisions[kind_of(test)]
        return found  # type: ignore[no-any-return]

    def having(self, *chosen: AuditSettings | AuditDecision) -> Self:
        """The same with these settings and decision settings of tests."""
        audits = {one.kind: one for one in chosen if not isinstance(one, DecisionSettings)}
        decisions = {one.kind: one for one in chosen if isinstance(one, DecisionSettings)}
        return self.model_copy(update={"audits": self.audits | audits, "decisions": self.decisions | decisions})

    @property
    def chosen(self) -> tuple[str, ...]:
        """The chosen tests in the order in which they run."""
        return tuple(kind for kind in TEST_KINDS if kind in self.tests)

    @property
    def study(self) -> Study:
        """The chosen tests, ready to run.

        Raises:
            SettingsError: A step is not finished, or the settings do not fit each other.
        """
        if not self.tests:
            raise SettingsError("No test is chosen.", advice="Choose at least one in the step Tests.")
        return Study(plans=tuple(self.plan(kind) for kind in self.chosen))

    def plan(self, kind: str) -> AuditPlan:
        """The plan of one test, chosen or not.

        Raises:
            SettingsError: A step is not finished, or the settings do not fit each other.
        """
        roles = self.roles.roles
        if self.data is None or roles is None or self.model is None:
            raise SettingsError("A step is not finished.", advice="Go back to the step that is not ticked.")
        if kind in self.missing:
            raise SettingsError(self.missing[kind], advice="Go back to the step that is not ticked.")
        return AuditPlan(
            data=self.data,
            roles=roles,
            model=self.model,
            audit=self.audits[kind],
            seed=self.seed,
            decision=self.decisions[kind],
        )


def from_study(study: Study) -> Draft:
    """A draft with the choices of a study; tests that are not in it have their defaults."""
    first = study.plans[0]
    return Draft(
        data=first.data,
        roles=RolesChoice(**dict(first.roles)),
        model=first.model,
        tests=tuple(plan.audit.kind for plan in study.plans),
        seed=first.seed,
    ).having(*(plan.audit for plan in study.plans), *(plan.decision for plan in study.plans))


def about_table(draft: Draft) -> dict[str, Any]:
    """The draft's table and its roles, as tasks take them.

    Raises:
        SettingsError: They are not chosen yet.
    """
    if draft.data is None or draft.roles.roles is None:
        raise SettingsError("The table is not chosen yet.", advice="Go back to the first step.")
    return {"source": draft.data.model_dump(mode="json"), "roles": draft.roles.roles.model_dump(mode="json")}


def about_model(draft: Draft) -> dict[str, Any]:
    """The draft's table, its roles and its model, as tasks take them.

    Raises:
        SettingsError: They are not chosen yet.
    """
    if draft.model is None:
        raise SettingsError("The model is not chosen yet.", advice="Go back to the second step.")
    return about_table(draft) | {"model": draft.model.model_dump(mode="json")}


def draft() -> Draft:
    """The draft named in the address, or the session's, or a new one; its name is put into the address."""
    name = _name()
    st.query_params["draft"] = name
    st.session_state["draft"] = name
    return load(name)


def change(**values: Any) -> Draft:
    """Replace fields of the draft, and keep it."""
    changed = draft().model_copy(update=values)
    save(_name(), changed)
    return changed


def keep(now: Draft, *chosen: AuditSettings | AuditDecision) -> Draft:
    """``now`` with these settings and decision settings of tests, which are kept where they are new."""
    changed = now.having(*chosen)
    if changed != now:
        kept = draft().having(*chosen)
        change(audits=kept.audits, decisions=kept.decisions)
    return changed


def tell_missing(now: Draft, test: type[AbstractAudit], problem: str) -> Draft:
    """``now`` with what this test still has to be told, one sentence; with nothing missing if it is empty."""
    kind = kind_of(test)
    others = {other: told for other, told in now.missing.items() if other != kind}
    missing = others | ({kind: problem} if problem else {})
    if missing != now.missing:
        change(missing=missing)
    return now.model_copy(update={"missing": missing})


def set_aside() -> None:
    """Keep a copy of the draft, if it has a table with an outcome or texts, to which :func:`take_back` returns."""
    now = draft()
    if now.data is not None and (now.roles.outcome or now.roles.text):
        save(f"{_name()}-before", now)


def aside() -> Draft | None:
    """The copy that :func:`set_aside` kept; None if there is none, or if it is the draft itself."""
    kept = load(f"{_name()}-before")
    return None if kept.data is None or kept.data == draft().data else kept


def take_back() -> None:
    """Exchange the draft and the copy kept aside, so that both stay."""
    kept, now = aside(), draft()
    if kept is not None:
        save(f"{_name()}-before", now)
        save(_name(), kept)


def begin(started: Draft | None = None) -> str:
    """Make a new draft the session's own and return its name."""
    name = uuid.uuid4().hex[:16]
    st.session_state["draft"] = name
    st.query_params.pop("draft", None)
    for key in [key for key in st.session_state if "." in str(key)]:
        del st.session_state[key]
    save(name, started or Draft())
    return name


def load(name: str) -> Draft:
    """The draft of this name; a new one if there is none.

    Raises:
        RecordError: The file is damaged, or another version wrote it; it is put aside, and the next call begins anew.
    """
    path = _path(name)
    try:
        return Draft.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Draft()
    except (OSError, ValidationError) as error:
        damaged = path.with_suffix(".unreadable")
        path.replace(damaged)
        raise RecordError(
            "What you had chosen under this address cannot be read: it is damaged, or another version wrote it.",
            where=str(damaged),
            advice="Reload the page to choose again; finished audits are listed on the first page.",
        ) from error


def save(name: str, kept: Draft) -> None:
    """Write a draft, all of it or nothing."""
    write_whole(_path(name), kept)


def load_of_page(page: str, kind: type[S]) -> S:
    """The choices of a page of its own that belong to the session's draft; new ones if there are none to be read."""
    try:
        return kind.model_validate_json(_path(f"{st.session_state['draft']}.{page}").read_bytes())
    except (OSError, ValidationError):
        return kind()


def save_of_page(page: str, kept: Settings) -> None:
    """Keep the choices of a page of its own, all of them or nothing."""
    write_whole(_path(f"{st.session_state['draft']}.{page}"), kept)


def write_whole(path: Path, kept: Settings) -> None:
    """Write choices to a file, all of them or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{uuid.uuid4().hex}")
    fresh.write_text(kept.model_dump_json())
    os.replace(fresh, path)


def _name() -> str:
    for kept in (st.query_params.get("draft"), st.session_state.get("draft")):
        if isinstance(kept, str) and _NAME.fullmatch(kept):
            return kept
    return uuid.uuid4().hex[:16]


def _path(name: str) -> Path:
    return home() / "drafts" / f"{name}.json"

"""What a user has chosen so far: typed, kept on disk under a random name that stands in the address.

A browser refresh loses Streamlit's session but not the address, so nothing chosen is ever lost. What is computed from
the choices is not kept here: jobs find their answers again by fingerprint.
"""

import os
import re
import uuid
from pathlib import Path
from typing import Any, Literal, get_args

import streamlit as st
from pydantic import Field, ValidationError, model_validator

from core.audits import AuditDecision, AuditSettings
from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import TextSensitivity
from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import Transport
from core.data.roles import Missing, OutcomeType, Roles
from core.errors import RecordError, SettingsError
from core.files import home
from core.metrics import Metric
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models import ModelSource
from core.plan import AuditPlan
from core.settings import Settings
from core.sources import DataSource
from core.study import Study

TestKind = Literal["gradient_flow", "transport", "text_sensitivity", "column_sensitivity", "equalized_odds"]
TEST_KINDS: tuple[TestKind, ...] = get_args(TestKind)
"""The tests in the order in which they run and are shown; :class:`Draft` has settings and decision settings of each."""

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


class Draft(Settings):
    """An audit on its way to a study: one or several tests of one model on one table."""

    data: DataSource | None = None
    roles: RolesChoice = RolesChoice()
    model: ModelSource | None = None
    tests: tuple[TestKind, ...] = ()
    metric: Metric | None = SensitiveSubspace()
    gradient_flow: GradientFlow = Field(default_factory=lambda: GradientFlow(metric=SensitiveSubspace()))
    gradient_flow_decision: GradientFlowDecision = GradientFlowDecision()
    transport: Transport = Transport()
    transport_decision: TransportDecision = TransportDecision()
    text_sensitivity: TextSensitivity = TextSensitivity()
    text_sensitivity_decision: TextSensitivityDecision = Field(default_factory=TextSensitivityDecision)
    column_sensitivity: ColumnSensitivity = ColumnSensitivity()
    column_sensitivity_decision: ColumnSensitivityDecision = ColumnSensitivityDecision()
    equalized_odds: EqualizedOdds = EqualizedOdds()
    equalized_odds_decision: EqualizedOddsDecision = EqualizedOddsDecision()
    seed: int = 0

    @property
    def study(self) -> Study:
        """The chosen tests, ready to run.

        Raises:
            SettingsError: A step is not finished, or the settings do not fit each other.
        """
        if not self.tests:
            raise SettingsError("No test is chosen.", advice="Choose at least one in the step Tests.")
        return Study(plans=tuple(self.plan(kind) for kind in TEST_KINDS if kind in self.tests))

    def plan(self, kind: TestKind) -> AuditPlan:
        """The plan of one test, chosen or not.

        Raises:
            SettingsError: A step is not finished, or the settings do not fit each other.
        """
        roles = self.roles.roles
        if self.data is None or roles is None or self.model is None:
            raise SettingsError("A step is not finished.", advice="Go back to the step that is not ticked.")
        audit, decision = self._test(kind)
        return AuditPlan(data=self.data, roles=roles, model=self.model, audit=audit, seed=self.seed, decision=decision)

    def _test(self, kind: TestKind) -> tuple[AuditSettings, AuditDecision]:
        settings = self.search if kind == "gradient_flow" else getattr(self, kind)
        return settings, getattr(self, f"{kind}_decision")

    @property
    def search(self) -> GradientFlow:
        """The gradient-flow test with the chosen metric.

        Raises:
            SettingsError: No metric is chosen yet.
        """
        if self.metric is None:
            raise SettingsError("Nobody said who counts as similar.", advice="Go back to the step Similar people.")
        return GradientFlow.model_validate({**dict(self.gradient_flow), "metric": self.metric})


def from_study(study: Study) -> Draft:
    """A draft with the choices of a study; tests that are not in it have their defaults."""
    first = study.plans[0]
    values: dict[str, Any] = {
        "data": first.data,
        "roles": RolesChoice(**dict(first.roles)),
        "model": first.model,
        "tests": tuple(plan.audit.kind for plan in study.plans),
        "seed": first.seed,
    }
    for plan in study.plans:
        values |= {plan.audit.kind: plan.audit, f"{plan.audit.kind}_decision": plan.decision}
        if isinstance(plan.audit, GradientFlow):
            values["metric"] = plan.audit.metric
    return Draft(**values)


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

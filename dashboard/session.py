"""What a user has chosen so far: typed, kept on disk under a random name that stands in the address.

A browser refresh loses Streamlit's session but not the address, so nothing chosen is ever lost. What is computed from
the choices is not kept here: jobs find their answers again by fingerprint.
"""

import os
import re
import uuid
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import Field, ValidationError

from core.audits import AuditSettings
from core.audits.gradient_flow import GradientFlow
from core.errors import RecordError, SettingsError
from core.files import home
from core.metrics import Metric
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models import ModelSource
from core.plan import AuditPlan
from core.reading import Reading
from core.roles import Missing, Roles
from core.settings import Settings
from core.sources import DataSource

_NAME = re.compile(r"[0-9a-f]{16}")


class RolesChoice(Settings):
    """Roles as far as they are chosen."""

    outcome: str | None = None
    favourable: str | None = None
    protected: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    predictions: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    missing: Missing = "leave out"

    @property
    def problem(self) -> str:
        """What is still to be chosen, one sentence; empty when nothing is."""
        if self.outcome is None:
            return "Choose the outcome column."
        if self.favourable is None:
            return "Choose which outcome is good for the person."
        if not self.protected:
            return "Choose at least one protected attribute."
        if not self.features and not self.predictions:
            return "Choose the features the model reads, or a prediction column."
        try:
            Roles(**self.model_dump())
        except ValidationError as error:
            return str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        return ""

    @property
    def roles(self) -> Roles | None:
        """The roles; None while something is still to be chosen."""
        return None if self.problem else Roles(**self.model_dump())


class Draft(Settings):
    """An audit on its way to a plan."""

    data: DataSource | None = None
    roles: RolesChoice = RolesChoice()
    model: ModelSource | None = None
    metric: Metric | None = SensitiveSubspace()
    audit: AuditSettings = Field(default_factory=lambda: GradientFlow(metric=SensitiveSubspace()))
    seed: int = 0
    reading: Reading = Reading()

    @property
    def plan(self) -> AuditPlan:
        """The finished plan.

        Raises:
            SettingsError: A step is not finished, or the settings do not fit each other.
        """
        roles = self.roles.roles
        if self.data is None or roles is None or self.model is None or self.metric is None:
            raise SettingsError("A step is not finished.", advice="Go back to the step that is not ticked.")
        audit = GradientFlow.model_validate({**dict(self.audit), "metric": self.metric})
        return AuditPlan(
            data=self.data, roles=roles, model=self.model, audit=audit, seed=self.seed, reading=self.reading
        )


def from_plan(plan: AuditPlan) -> Draft:
    """A draft with the choices of a finished plan."""
    return Draft(
        data=plan.data,
        roles=RolesChoice(**dict(plan.roles)),
        model=plan.model,
        metric=plan.audit.metric,
        audit=plan.audit,
        seed=plan.seed,
        reading=plan.reading,
    )


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
    """Keep a copy of the draft, if it has a table with an outcome, to which :func:`take_back` returns."""
    now = draft()
    if now.data is not None and now.roles.outcome is not None:
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
    path = _path(name)
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

"""One test as one JSON document: what the dashboard builds, a job runs, a record keeps and the command line repeats."""

from typing import Any, Self

from pydantic import model_validator

from core.audits import AuditDecision, AuditSettings
from core.base.errors import SettingsError
from core.base.settings import Settings, setting
from core.data.dataset import Roles
from core.language.told import say
from core.models import ModelSource
from core.sources import DataSource


class AuditPlan(Settings):
    """Every choice that decides a result, and how it is judged.

    Without decision settings a plan gets the audit's defaults; decision settings without a kind are taken for the
    audit's.
    """

    data: DataSource = setting(label=say("Data"), help=say("Where the table comes from."), discriminator="kind")
    roles: Roles = setting(label=say("Roles"), help=say("What each column is for."))
    model: ModelSource = setting(label=say("Model"), help=say("Where the answers come from."), discriminator="kind")
    audit: AuditSettings = setting(label=say("Audit"), help=say("The test and its settings."), discriminator="kind")
    seed: int = setting(0, label=say("Seed"), help=say("The same seed gives the same result, to the last digit."), ge=0)
    decision: AuditDecision = setting(
        label=say("Decision settings"),
        help=say("Tolerance, risk of a wrong verdict, and what else can be chosen after the run."),
        discriminator="kind",
    )

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        decision, audit = values.get("decision"), values.get("audit")
        if decision is not None and not (isinstance(decision, dict) and "kind" not in decision):
            return values
        kind = audit.get("kind") if isinstance(audit, dict) else getattr(audit, "kind", None)
        return {**values, "decision": {**(decision or {}), "kind": kind}}

    @model_validator(mode="after")
    def _decision_belongs_to_the_audit(self) -> Self:
        if self.decision.kind != self.audit.kind:
            raise SettingsError(
                say(
                    "The decision settings are of {kind}, the audit is {audit}.",
                    kind=repr(self.decision.kind),
                    audit=repr(self.audit.kind),
                ),
                advice=say("Leave the decision settings out to get the audit's own."),
            )
        return self

    @property
    def as_run(self) -> Self:
        """The same without what is said of how its result is read: decision settings, and which end is good."""
        unread = {
            "decision": type(self.decision).model_validate({}),
            "roles": self.roles.model_copy(update={"good_end": "not said"}),
        }
        return self.model_copy(update=unread)

    @property
    def result_fingerprint(self) -> str:
        """SHA-256 of everything that decides the result: equal ones mean equal results."""
        return self.as_run.fingerprint

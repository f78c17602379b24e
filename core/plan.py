"""One test as one JSON document: what the dashboard builds, a job runs, a record keeps and the command line repeats."""

from typing import Any, Self

from pydantic import model_validator

from core.audits import AuditReading, AuditSettings
from core.dataset import Roles
from core.errors import SettingsError
from core.models import ModelSource
from core.settings import Settings, setting
from core.sources import DataSource


class AuditPlan(Settings):
    """Every choice that decides a result, and how it was read.

    Without a reading it gets the audit's own default; a reading that does not say of which kind it is (plans used to be
    written so) is taken for the audit's.
    """

    data: DataSource = setting(label="Data", help="Where the table comes from.", discriminator="kind")
    roles: Roles = setting(label="Roles", help="What each column is for.")
    model: ModelSource = setting(label="Model", help="Where the answers come from.", discriminator="kind")
    audit: AuditSettings = setting(label="Audit", help="The test and its settings.", discriminator="kind")
    seed: int = setting(0, label="Seed", help="The same seed gives the same result, to the last digit.", ge=0)
    reading: AuditReading = setting(
        label="Reading", help="Tolerance, error rate, and what else can be chosen after the run.", discriminator="kind"
    )

    @model_validator(mode="before")
    @classmethod
    def _default_reading(cls, values: Any) -> Any:
        reading = values.get("reading") if isinstance(values, dict) else None
        if not isinstance(values, dict) or not (
            reading is None or (isinstance(reading, dict) and "kind" not in reading)
        ):
            return values
        audit = values.get("audit")
        kind = audit.get("kind") if isinstance(audit, dict) else getattr(audit, "kind", None)
        return {**values, "reading": {**(reading or {}), "kind": kind}}

    @model_validator(mode="after")
    def _reading_belongs_to_the_audit(self) -> Self:
        if self.reading.kind != self.audit.kind:
            raise SettingsError(
                f"The reading is one of {self.reading.kind!r}, the audit is {self.audit.kind!r}.",
                advice="Leave the reading out to get the audit's own.",
            )
        return self

    @property
    def result_fingerprint(self) -> str:
        """SHA-256 of everything but the reading: equal ones mean equal results."""
        return self.model_copy(update={"reading": type(self.reading)()}).fingerprint

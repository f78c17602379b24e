"""An audit as one JSON document: what the dashboard builds, a job runs, a record keeps and the command line repeats."""

from core.audits import AuditSettings
from core.dataset import Roles
from core.models import ModelSource
from core.reading import Reading
from core.settings import Settings, setting
from core.sources import DataSource


class AuditPlan(Settings):
    """Every choice that decides a result, and how it was read."""

    data: DataSource = setting(label="Data", help="Where the table comes from.", discriminator="kind")
    roles: Roles = setting(label="Roles", help="What each column is for.")
    model: ModelSource = setting(label="Model", help="Where the answers come from.", discriminator="kind")
    audit: AuditSettings = setting(label="Audit", help="The test and its settings.")
    seed: int = setting(0, label="Seed", help="The same seed gives the same result, to the last digit.", ge=0)
    reading: Reading = setting(Reading(), label="Reading", help="Tolerance, error rate and stopping time.")

    @property
    def result_fingerprint(self) -> str:
        """SHA-256 of everything but the reading: equal ones mean equal results."""
        return self.model_copy(update={"reading": Reading()}).fingerprint

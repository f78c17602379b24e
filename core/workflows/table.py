"""The table of workflows: every kind of plan and record that the command line runs."""

from core.records.audits import AUDITS
from core.records.workflow import AbstractWorkflow
from core.workflows.comparison.record import COMPARISON
from core.workflows.mitigation.record import MITIGATION
from core.workflows.selection.record import SELECTION

WORKFLOWS: tuple[AbstractWorkflow, ...] = (AUDITS, SELECTION, MITIGATION, COMPARISON)  # type: ignore[type-arg]

"""The table of tasks that rooms have beside the hall's, for the worker. A room that has some adds its line here."""

from dashboard.audits.column_sensitivity.tasks import TASKS as OF_COLUMNS
from dashboard.audits.text_sensitivity.tasks import TASKS as OF_TEXTS
from dashboard.audits.transport.tasks import TASKS as OF_TRANSPORT
from dashboard.jobs.task import Task

TASKS_OF_ROOMS: dict[str, Task] = {**OF_TRANSPORT, **OF_TEXTS, **OF_COLUMNS}
"""Every such task by its name."""

"""Tasks of the shared-answers test."""

from typing import Any

from core.audits.shared_answers.planning import SharedAnswersPilot
from core.audits.shared_answers.settings import SharedAnswers

from core.base.files import FileStore
from core.base.progress import OnProgress
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import ready

TASKS: dict[str, Task] = {}


def pilot(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> SharedAnswersPilot:
    """Count the people."""
    _, dataset = ready(arguments, SharedAnswers.model_validate(arguments["audit"]), files)
    return SharedAnswersPilot(len(dataset), 1.0)

"""Tasks of the gradient-flow test: a search of a few rows."""

from typing import Any

from core.audits.gradient_flow.settings import GradientFlow
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.language.told import say
from core.run import Streams
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import fitted, ready


def pilot(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Try the search on a few rows."""
    from core.audits.gradient_flow import planning

    audit = GradientFlow.model_validate(arguments["audit"])
    model, dataset = ready(arguments, audit, files)
    metric, audited = fitted(audit.metric, model, dataset, arguments["seed"], on_progress)
    on_progress(Progress(0.7, say("Trying the search on a few rows")))
    return planning.pilot(model, audit.select(audited), metric, audit, Streams.of(arguments["seed"]).pilot)


TASKS: dict[str, Task] = {}

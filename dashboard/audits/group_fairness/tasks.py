"""Tasks of the groups' room: a look at some people."""

from typing import Any

from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.language.told import say
from core.run import Streams
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import ready


def pilot(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Look at the groups of some people."""
    from core.audits.group_fairness import planning

    audit = GroupFairness.model_validate(arguments["audit"])
    model, dataset = ready(arguments, audit, files)
    on_progress(Progress(0.3, say("Looking at the groups of some people")))
    return planning.pilot(model, model.encode(dataset), audit, Streams.of(arguments["seed"]).pilot)


TASKS: dict[str, Task] = {}

"""Tasks of the equalized odds test: a test of some people."""

from typing import Any

from core.audits.equalized_odds.settings import EqualizedOdds
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.language.told import say
from core.run import Streams
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import ready


def pilot(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Try the test at the error rate of the decision settings on some people."""
    from core.audits.equalized_odds import planning

    audit = EqualizedOdds.model_validate(arguments["audit"])
    model, dataset = ready(arguments, audit, files)
    on_progress(Progress(0.3, say("Trying the test on some people")))
    rng = Streams.of(arguments["seed"]).pilot
    return planning.pilot(model, model.encode(dataset), audit, arguments["decision"]["alpha"], rng)


TASKS: dict[str, Task] = {}

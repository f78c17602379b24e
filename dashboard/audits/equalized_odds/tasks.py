"""Tasks of the equalized odds test: a test of some people."""

from typing import Any

from core.audits.equalized_odds.settings import EqualizedOdds
from core.data.dataset import Dataset
from core.files import FileStore
from core.model import AbstractModel
from core.progress import OnProgress, Progress
from core.run import Streams
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import ready


def pilot(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Try the test at the error rate of the decision settings on some people."""
    from core.audits.equalized_odds import planning

    audit = EqualizedOdds.model_validate(arguments["audit"])
    model, dataset = ready(arguments, audit, files)
    on_progress(Progress(0.3, "Trying the test on some people"))
    rng = Streams.of(arguments["seed"]).pilot
    return planning.pilot(model, model.encode(dataset), audit, arguments["decision"]["alpha"], rng)


def widest(model: AbstractModel, dataset: Dataset) -> EqualizedOdds:
    """The only question that can be asked where no outcome is known, and the usual one elsewhere."""
    return EqualizedOdds(asks="demographic parity") if dataset.roles.decision else EqualizedOdds()


TASKS: dict[str, Task] = {}

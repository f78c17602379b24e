"""Tasks of the sensitivity test of columns: how groups differ."""

from typing import Any

from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.language.told import say
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import dataset_of, fetch_source, model_of


def look_at_carriers(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """How the number features that ``arguments["model"]`` reads differ between the groups of the table."""
    from core.audits.column_sensitivity.planning import CarriersLook, look_at_carriers
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.1, say("Reading the table")))
    dataset = dataset_of(arguments, files)
    on_progress(Progress(0.4, say("Comparing the groups")))
    model = model_of(arguments, files, dataset)
    return pack(look_at_carriers(model, dataset.reading(model.reads)), CarriersLook)


TASKS = {"look_at_carriers": Task(look_at_carriers, fetch_source, seconds=120, stays="small")}

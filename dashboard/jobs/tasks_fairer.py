"""Tasks about fairer models: how long a comparison will take, and the comparison itself."""

import shutil
from typing import Any

from core.files import FileStore, home
from core.progress import OnProgress, part_of


def pilot_fairer(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Try the comparison of ``arguments["plan"]`` for a few epochs: whether it can be run, and how long it takes."""
    from core.workflows.mitigation.planning import MitigationPilot, pilot
    from core.workflows.mitigation.settings import MitigationPlan
    from dashboard.jobs.answers import pack

    return pack(pilot(MitigationPlan.model_validate(arguments["plan"]), files, on_progress), MitigationPilot)


def fairer(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Run the comparison of ``arguments["plan"]`` and keep its result, its models and the rows they were tried on.

    Returns:
        ``fairer``, the folder of the result, and ``rows``, a file with the rows that no model was fitted to.
    """
    from core.records.codec import save_result
    from core.workflows.mitigation.compare import compare
    from core.workflows.mitigation.settings import MitigationPlan
    from core.workflows.mitigation.unseen import unseen_rows

    plan = MitigationPlan.model_validate(arguments["plan"])
    folder = home() / "results" / f"fairer-{plan.fingerprint}"
    result = compare(plan, files, part_of(on_progress, 0.0, 0.99))
    if not (folder / "result.json").exists():
        shutil.rmtree(folder, ignore_errors=True)
    save_result(result, folder)
    return {"fairer": folder.name, "rows": unseen_rows(plan, files).model_dump(mode="json")}

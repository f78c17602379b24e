"""Tasks about folders of Parquet files that the operator offers: rows drawn at random, and all of them counted."""

from typing import Any

from core.base.files import FileStore, table_folder
from core.base.memory import LONG_MEMORY
from core.base.progress import OnProgress
from core.data.roles import Roles
from core.sources.folder.table import FolderTable
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import fetch_nothing


def look_into_folder(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """What ``arguments["folder"]`` holds: ``arguments["rows"]`` of its rows as a table, and what drawing them takes."""
    from core.sources.folder.counting import processes_for
    from core.sources.folder.listing import list_folder
    from core.sources.folder.sampling import memory_to_draw

    listing, rows = list_folder(table_folder(arguments["folder"])), arguments["rows"]
    columns = tuple(listing.schema.names)
    drawn = FolderTable(folder=listing.ref(arguments["folder"]), columns=columns, sample=rows)
    return {
        "drawn": drawn.model_dump(mode="json"),
        "files": len(listing.parts),
        "memory": memory_to_draw(listing, columns, rows, processes_for(listing)),
    }


def plan_count(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The folder of ``arguments["drawn"]`` counted in what ``arguments["roles"]`` name, of features in those that leave
    few combinations; with the roles that are left, the features left out, and the bytes that counting takes.
    """
    from core.sources.folder.counting import memory_to_count, name_of_count, processes_for
    from core.sources.folder.looking import some_rows, with_few_kinds
    from core.sources.folder.looking_over import columns_to_compare

    drawn, roles = FolderTable.model_validate(arguments["drawn"]), Roles.model_validate(arguments["roles"])
    listing = drawn.listing(files)
    rows, own = some_rows(listing, {}), roles.model_copy(update={"features": ()}).columns
    features, left = with_few_kinds(rows, own, roles.features)
    columns, compared = (*features, *own), columns_to_compare(listing, rows, roles)
    counted = FolderTable(folder=drawn.folder, columns=columns, compared=compared)
    some = {name: tuple(one for one in getattr(roles, name) if one in columns) for name in ("numeric", "categorical")}
    kept = roles.model_copy(update={"features": features, "counts": name_of_count(columns), **some})
    return {
        "counted": counted.model_dump(mode="json"),
        "roles": kept.model_dump(mode="json"),
        "left": list(left),
        "memory": memory_to_count(listing, columns, processes_for(listing)),
    }


def read_folder(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Read the folder ``arguments["source"]``, so that its rows stay among the files."""
    FolderTable.model_validate(arguments["source"]).read_slowly(files, on_progress)
    return {}


TASKS_OF_FOLDERS = {
    "look_into_folder": Task(look_into_folder, fetch_nothing),
    "plan_count": Task(plan_count, fetch_nothing),
    "read_folder": Task(
        read_folder, fetch_nothing, lane="long", seconds=6 * 3600, memory=LONG_MEMORY, leaves_files=True
    ),
}

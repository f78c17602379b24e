"""Tasks about folders of Parquet files that the operator offers: rows drawn at random, and all of them counted."""

import io
from typing import Any

from core.base.errors import DataError
from core.base.files import FileStore, table_folder
from core.base.memory import LONG_MEMORY
from core.base.progress import OnProgress
from core.language.phrases import whole
from core.language.told import say
from core.sources.folder.listing import Listing, list_folder
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import fetch_nothing


def look_into_folder(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """What ``arguments["folder"]`` holds, and the bytes that drawing ``arguments["rows"]`` rows takes."""
    from core.sources.folder.counting import processes_for
    from core.sources.folder.sampling import memory_to_draw

    listing = _listing(arguments)
    memory = memory_to_draw(listing, listing.schema.names, arguments["rows"], processes_for(listing))
    return {"rows": listing.rows, "files": len(listing.parts), "memory": memory}


def draw_folder(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """``arguments["rows"]`` rows of ``arguments["folder"]``, drawn at random by ``arguments["seed"]``, as a file."""
    from core.sources.folder.sampling import draw_rows

    listing, sample = _listing(arguments), (arguments["rows"], arguments["seed"])
    found = draw_rows(listing, listing.schema.names, {}, sample, on_progress)
    return {"file": _kept(found, files, f"{arguments['folder']}-drawn.parquet")}


def plan_count(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The columns in which ``arguments["folder"]`` is counted: ``columns``, and of ``features`` those that leave few
    combinations; the features left out, and the bytes that counting takes.

    Raises:
        DataError: Some rows are copies of others, ``answers`` left aside: counts would not show it.
    """
    from core.data.copies import find_copies
    from core.sources.folder.counting import memory_to_count, processes_for
    from core.sources.folder.looking import are_few_kinds, some_rows

    listing = _listing(arguments)
    rows, columns, left = some_rows(listing, {}), list(arguments["columns"]), list[str]()
    copies = find_copies(rows.drop(columns=arguments["answers"]), (*columns, *arguments["features"]))
    if copies.too_many:
        raise DataError(
            say(
                "Of {rows} rows that were looked at {copies} are copies of an earlier one, far more than by chance: "
                "copies say nothing new.",
                rows=whole(copies.rows),
                copies=whole(copies.repeated),
            ),
            advice=say("Take out the copies, or bring a table in one file that tells which rows belong together."),
        )
    for name in arguments["features"]:
        (columns if are_few_kinds(rows, [*columns, name]) else left).append(name)
    memory = memory_to_count(listing, columns, processes_for(listing))
    return {"columns": columns, "left": left, "memory": memory}


def count_folder(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """How many rows of ``arguments["folder"]`` there are of each combination of ``arguments["columns"]``, as a file."""
    from core.sources.folder.counting import count_kinds, name_of_count

    columns = arguments["columns"]
    found = count_kinds(_listing(arguments), columns, {}, on_progress)
    return {"file": _kept(found, files, f"{arguments['folder']}-counted.parquet"), "counts": name_of_count(columns)}


def _listing(arguments: dict[str, Any]) -> Listing:
    return list_folder(table_folder(arguments["folder"]))


def _kept(table: Any, files: FileStore, name: str) -> dict[str, Any]:
    """A table as a file that can be audited.

    Raises:
        DataError: It is larger than an upload may be.
    """
    import pyarrow.parquet as pq

    from core.sources.upload.limits import MAXIMUM_BYTES

    stream = io.BytesIO()
    pq.write_table(table, stream)
    if stream.tell() > MAXIMUM_BYTES:
        raise DataError(say("The rows drawn are larger than 200 MB."), advice=say("Draw fewer rows."))
    return files.put(stream.getvalue(), name).model_dump(mode="json")


_READS: dict[str, Any] = {"lane": "long", "seconds": 6 * 3600, "memory": LONG_MEMORY, "leaves_files": True}
TASKS_OF_FOLDERS = {
    "look_into_folder": Task(look_into_folder, fetch_nothing),
    "plan_count": Task(plan_count, fetch_nothing),
    "draw_folder": Task(draw_folder, fetch_nothing, **_READS),
    "count_folder": Task(count_folder, fetch_nothing, **_READS),
}

"""The work of an item, in parallel; each piece that is done is a file, so that a run that was stopped goes on."""

import json
import time
from pathlib import Path
from typing import Any

from core.base.apart import work_apart
from core.base.errors import EvenhandError
from core.base.progress import OnProgress, Progress, ignore_progress, part_of
from core.language.told import say_count
from core.records.repeat import unwritable
from core.sources.public.fetch import fetch
from core.workflows.papers.items import Found, Item, Piece, Results
from core.workflows.papers.table import item as item_of

UNITS = "units"
"""Folder of the pieces that are done."""


def compute(
    item: Item,
    out: Path,
    *,
    splits: int = 0,
    quick: bool = False,
    processes: int | None = None,
    on_progress: OnProgress | None = None,
) -> Results:
    """Do what is not done yet, and give what all of it found.

    Args:
        item: The table or figure.
        out: Folder in which each piece that is done is kept, by what decides its numbers.
        splits: Random splits to make; 0 for as many as the item makes.
        quick: Whether the quick version is enough: fewer splits, or a smaller simulation.
        processes: How many processes work beside each other; as for :func:`core.base.apart.work_apart`.
        on_progress: Told how far it is; may raise ``CancelledError``.

    Raises:
        EvenhandError: A file of the data is missing, or a piece fails; what is done stays.
    """
    report = on_progress or ignore_progress
    splits = splits or (item.quick if quick else item.splits)
    units = item.units(splits, quick)
    for file in dict.fromkeys(file for unit in units for file in unit.needs):
        fetch(file)
    left = [unit for unit in units if _kept(out, unit) is None]
    report(Progress(0.0, say_count("{n} piece to do", "{n} pieces to do", len(left))))
    asked = {"item": item.name, "splits": splits, "quick": quick}
    pieces = [{**asked, "unit": unit.fingerprint} for unit in left]
    ends = part_of(report, 1 - len(left) / len(units), 1.0)

    def keep(place: int, answer: Any) -> None:
        if not isinstance(answer, EvenhandError):
            _keep(out, left[place], **answer)

    for failed in work_apart(__name__, pieces, ends, processes, keep) if pieces else ():
        if isinstance(failed, EvenhandError):
            raise failed
    report(Progress(1.0, say_count("{n} piece done", "{n} pieces done", len(units))))
    kept = [(unit, _kept(out, unit)) for unit in units]
    return Results(tuple((unit, found) for unit, found in kept if found is not None))


def work(asked: Any, on_progress: OnProgress) -> dict[str, Any]:
    """What one piece found and the seconds that it took, for :func:`core.base.apart.work_apart`.

    Raises:
        EvenhandError: It fails.
    """
    units = item_of(asked["item"]).units(asked["splits"], asked["quick"])
    unit = next(one for one in units if one.fingerprint == asked["unit"])
    on_progress(Progress(0.0, unit.name))
    started = time.perf_counter()
    found = {name: [float(value) for value in values] for name, values in unit.work(unit.given).items()}
    return {"found": found, "seconds": time.perf_counter() - started}


def _path(out: Path, unit: Piece) -> Path:
    return out / UNITS / f"{unit.fingerprint[:24]}.json"


def _kept(out: Path, unit: Piece) -> Found | None:
    try:
        kept: dict[str, Any] = json.loads(_path(out, unit).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    found: Found | None = kept.get("found") if kept.get("fingerprint") == unit.fingerprint else None
    return found


def _keep(out: Path, unit: Piece, found: Found, seconds: float) -> None:
    """Written beside its place and moved there, so that a run that is stopped leaves no half of a file."""
    path = _path(out, unit)
    content = {"fingerprint": unit.fingerprint, "given": dict(unit.given), "found": found, "seconds": round(seconds, 2)}
    beside = path.with_suffix(".partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(content), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise unwritable(out, error) from error

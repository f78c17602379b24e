"""The work of an item, in parallel; each piece that is done is a file, so that a run that was stopped goes on."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from core.base.progress import OnProgress, Progress, ignore_progress
from core.language.told import say_count
from core.records.repeat import unwritable
from core.sources.public.fetch import fetch
from core.workflows.papers.items import Found, Item, Results, Unit

UNITS = "units"
"""Folder of the pieces that are done."""


def compute(
    item: Item,
    out: Path,
    *,
    splits: int = 0,
    quick: bool = False,
    processes: int = 1,
    on_progress: OnProgress | None = None,
) -> Results:
    """Do what is not done yet, and give what all of it found.

    Args:
        item: The table or figure.
        out: Folder in which each piece that is done is kept, by what decides its numbers.
        splits: Random splits to make; 0 for as many as the paper.
        quick: Whether the quick version is enough: fewer splits, or a smaller simulation.
        processes: How many processes work beside each other.
        on_progress: Told after each piece; may raise ``CancelledError``.

    Raises:
        EvenhandError: A file of the data is missing, or a piece fails; what is done stays.
    """
    report = on_progress or ignore_progress
    units = item.units(splits or (item.quick if quick else item.splits), quick)
    for file in dict.fromkeys(file for unit in units for file in unit.needs):
        fetch(file)
    kept = {unit: _kept(out, unit) for unit in units}
    left = [unit for unit, found in kept.items() if found is None]
    done = len(units) - len(left)
    report(Progress(done / len(units), say_count("{n} piece to do", "{n} pieces to do", len(left))))
    for unit, found, seconds in _worked(left, processes):
        _keep(out, unit, found, seconds)
        kept[unit] = found
        done += 1
        report(Progress(done / len(units), unit.name))
    return Results(tuple((unit, found) for unit, found in kept.items() if found is not None))


def _worked(units: list[Unit], processes: int) -> Iterator[tuple[Unit, Found, float]]:
    if processes == 1 or len(units) < 2:
        for unit in units:
            yield unit, *work(unit)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(units)), mp_context=context, initializer=_one_thread) as pool:
        running = {pool.submit(work, unit): unit for unit in units}
        try:
            for one in as_completed(running):
                yield running[one], *one.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def work(unit: Unit) -> tuple[Found, float]:
    """What a piece finds, and the seconds that it took."""
    started = time.perf_counter()
    found = {name: [float(value) for value in values] for name, values in unit.work(unit.given).items()}
    return found, time.perf_counter() - started


def _one_thread() -> None:
    """The pieces share the machine, one thread each."""
    os.environ["OMP_NUM_THREADS"] = "1"
    import torch

    torch.set_num_threads(1)


def _path(out: Path, unit: Unit) -> Path:
    return out / UNITS / f"{unit.fingerprint[:24]}.json"


def _kept(out: Path, unit: Unit) -> Found | None:
    try:
        kept: dict[str, Any] = json.loads(_path(out, unit).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    found: Found | None = kept.get("found") if kept.get("fingerprint") == unit.fingerprint else None
    return found


def _keep(out: Path, unit: Unit, found: Found, seconds: float) -> None:
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

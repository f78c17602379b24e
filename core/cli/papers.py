"""Tables and figures of the papers, computed again, for the command line."""

from collections.abc import Iterator
from pathlib import Path

from core.base.progress import OnProgress
from core.language.phrases import number
from core.language.told import say
from core.workflows.papers.outcome import Reproduction, ours
from core.workflows.papers.running import compute
from core.workflows.papers.table import ITEMS, item


def listed() -> Iterator[str]:
    """Every table and figure, with the data that it needs and the time that it takes."""
    for one in ITEMS.values():
        needs = ", ".join(sorted({file.folder for file in one.needs})) or say("none")
        yield f"{one.name}: {one.title}"
        yield "    " + say(
            "data: {needs}; about {minutes} minutes of one processor core", needs=needs, minutes=number(one.minutes)
        )


def compute_again(
    name: str, out: Path, *, splits: int, quick: bool, jobs: int | None, on_progress: OnProgress
) -> Iterator[str]:
    """Compute one and write it; gives the lines that a terminal shows.

    Raises:
        EvenhandError: There is no such table, or its data are missing.
    """
    chosen = item(name)
    results = compute(chosen, out, splits=splits, quick=quick, processes=jobs, on_progress=on_progress)
    made = splits or (chosen.quick if quick else chosen.splits)
    outcome = Reproduction.of(chosen, results, made, quick)
    for cell in outcome.cells:
        printed = cell.printed.told if cell.printed else say("not printed")
        yield f"{cell.row}, {cell.column}: {printed} | {ours(cell)} | {cell.agreement.words}"
    yield f"{outcome.headline}. {outcome.sentence}"
    yield say("Written to {out}: {names}", out=str(out), names=", ".join(outcome.write(out)))

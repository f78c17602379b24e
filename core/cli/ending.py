"""How a command of the command line ends: what is written, what is said of it, and the exit status."""

from enum import IntEnum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from core.cli.terminal import say
from core.language.phrases import count

if TYPE_CHECKING:
    from core.inference.estimate import Verdict
    from core.records.repeat import Repeat


class Exit(IntEnum):
    """What the exit status says."""

    DONE = 0
    BAD_INPUT = 2
    VIOLATION = 3
    INSUFFICIENT = 4
    DIFFERENT = 5
    INTERRUPTED = 130


class FailOn(StrEnum):
    """Which verdicts make the command fail."""

    VIOLATION = "violation"
    INSUFFICIENT = "insufficient"


def write_and_tell(
    repeated: "Repeat[Any, Any]", out: Path, fail_on: FailOn | None, slides: bool, pdf: Literal["whole", "short"] | None
) -> None:
    """Write what a plan found, and say it.

    Raises:
        typer.Exit: The status is none that says "done".
    """
    from core.records.repeat import write

    workflow, plan, result = repeated.record.workflow, repeated.plan, repeated.result
    written = write(repeated, out, slides=slides, pdf=pdf or "")
    for line in (*workflow.lines(plan, result), *comparison(repeated)):
        say(line)
    say(f"Written to {out}: {', '.join(written)}")
    status = _status(workflow.verdict(plan, result), fail_on)
    if status is Exit.DONE and any(not one.worded for one in repeated.differences or ()):
        status = Exit.DIFFERENT
    if status is not Exit.DONE:
        raise typer.Exit(status)


def comparison(repeated: "Repeat[Any, Any]") -> list[str]:
    """Whether the numbers are those of the record, a line each; empty where there was none."""
    if repeated.differences is None:
        return []
    different = [one for one in repeated.differences if not one.worded]
    worded = len(repeated.differences) - len(different)
    same = [f"  {count(worded, 'sentence')} of the record in other words now"] if worded else []
    if not different:
        return ["The numbers are the same as in the record, to the last digit.", *same]
    lines = [f"The numbers differ from the record in {count(len(different), 'place')}:"]
    lines += [f"  {one.place}: {one.recorded} in the record, {one.found} now" for one in different[:10]]
    if len(different) > 10:
        lines.append(f"  and {len(different) - 10} more")
    lines += same
    if repeated.record.since:
        lines.append(f"  An older version of Evenhand wrote the record. Since then: {' '.join(repeated.record.since)}")
    lines += [_of_version(*one) for one in repeated.other_versions]
    return lines


def _of_version(name: str, then: str, now: str) -> str:
    from core.base.device import NAME

    if name != NAME:
        return f"  {name} is {now} here; the record used {then}"
    here = "the processor" if now == "none" else f"the accelerator {now}"
    return f"  The record was computed on the accelerator {then} and this run on {here}: last digits differ."


def _status(verdict: "Verdict | None", fail_on: FailOn | None) -> Exit:
    from core.inference.estimate import Verdict

    if fail_on is not None and verdict is Verdict.VIOLATION:
        return Exit.VIOLATION
    if fail_on is FailOn.INSUFFICIENT and verdict is Verdict.INSUFFICIENT:
        return Exit.INSUFFICIENT
    return Exit.DONE

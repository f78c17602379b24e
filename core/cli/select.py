"""The command that chooses a model under a fairness constraint."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.progress import OnProgress

if TYPE_CHECKING:
    from core.workflows.selection.repeat import RepeatedSelection

VIOLATION, INSUFFICIENT = 3, 4
"""Exit status with ``--strict``, the same as for an audit."""

Record = Annotated[Path, typer.Argument(help="The downloaded record of a selection, or a bare plan (JSON).")]
Out = Annotated[
    Path,
    typer.Option(
        help="Folder for selection.json, selection.html, the folder result and, where a model was chosen, the model "
        "and the plan and rows of its audit. Only the last hold rows of people."
    ),
]
Files = Annotated[
    list[Path] | None,
    typer.Option("--file", help="A file the record names; repeat for more. Others are looked for beside the record."),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Exit 3 if no model may be chosen or the chosen one fails its audit, 4 if its audit lacks evidence.",
    ),
]


def register(app: typer.Typer, say: Callable[[str], None], progress: Callable[[], OnProgress]) -> None:
    """Add the command ``select`` to ``app``, which speaks through ``say`` and ``progress``."""

    @app.command()
    def select(record: Record, *, out: Out, file: Files = None, strict: Strict = False) -> None:
        """Choose the most accurate model that passes the test of fairness, and audit it on rows of its own.

        Exit status: 0 done, 2 something given is wrong, 3 and 4 with --strict.
        """
        from core.workflows.selection.repeat import read_file, repeat, write

        repeated = repeat(read_file(record), record.parent, tuple(file or ()), progress())
        written = write(repeated, out)
        for line in _told(repeated):
            say(line)
        say(f"Written to {out}: {', '.join(written)}")
        if strict and (status := _status(repeated)):
            raise typer.Exit(status)


def _told(repeated: "RepeatedSelection") -> list[str]:
    from core.workflows.selection.words import headline, sentence

    plan, result = repeated.record.plan, repeated.result
    lines = [f"{headline(plan, result)}: {sentence(plan, result)}"]
    lines += [f"  {notice.level}: {notice.what} {notice.advice}".rstrip() for notice in result.notices]
    if repeated.differences is not None:
        lines.append(
            "The numbers are the same as in the record, to the last digit."
            if not repeated.differences
            else f"The numbers differ from the record in {len(repeated.differences)} places:"
        )
        lines += [f"  {one.place}: {one.recorded} in the record, {one.found} now" for one in repeated.differences[:10]]
    return lines


def _status(repeated: "RepeatedSelection") -> int:
    from core.inference.estimate import Verdict
    from core.workflows.selection.words import read_by

    result = repeated.result
    if result.audited is None:
        return VIOLATION
    verdict = result.audited_detail.verdict(read_by(repeated.record.plan, result))
    return {Verdict.VIOLATION: VIOLATION, Verdict.INSUFFICIENT: INSUFFICIENT}.get(verdict, 0)

"""The command that fits fairer models and says what they cost."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.progress import OnProgress

if TYPE_CHECKING:
    from core.workflows.mitigation.repeat import RepeatedFairer

Record = Annotated[Path, typer.Argument(help="The record of a comparison, or a bare plan (JSON).")]
Out = Annotated[
    Path, typer.Option(help="Folder for fairer.json, the fitted models (safetensors) and the folder result.")
]
Files = Annotated[
    list[Path] | None,
    typer.Option("--file", help="A file the record names; repeat for more. Others are looked for beside the record."),
]


def register(app: typer.Typer, say: Callable[[str], None], progress: Callable[[], OnProgress]) -> None:
    """Add the command ``fairer`` to ``app``, which speaks through ``say`` and ``progress``."""

    @app.command()
    def fairer(record: Record, *, out: Out, file: Files = None) -> None:
        """Fit models that trade accuracy for equalized odds, and say what each of them costs.

        Exit status: 0 done, 2 something given is wrong.
        """
        from core.workflows.mitigation.repeat import read_file, repeat, write

        repeated = repeat(read_file(record), record.parent, tuple(file or ()), progress())
        written = write(repeated, out)
        for line in _told(repeated):
            say(line)
        say(f"Written to {out}: {', '.join(written)}")


def _told(repeated: "RepeatedFairer") -> list[str]:
    from core.workflows.mitigation.words import headings, row, sentence

    result = repeated.result
    table = [headings(result), *(row(result, fit) for fit in result.fits)]
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]
    lines += [sentence(result, fit) for fit in result.fits if not fit.is_plain]
    lines += [f"  {notice.level}: {notice.what} {notice.advice}".rstrip() for notice in result.notices]
    if repeated.differences is not None:
        lines.append(
            "The numbers are the same as in the record, to the last digit."
            if not repeated.differences
            else f"The numbers differ from the record in {len(repeated.differences)} places:"
        )
        lines += [f"  {one.place}: {one.recorded} in the record, {one.found} now" for one in repeated.differences[:10]]
    return lines

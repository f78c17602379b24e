"""The command line: repeat an audit from its record, for people and for pipelines.

Exit status: 0 the audit ran; 2 the command, the record, a file or a setting is wrong, and the message says which;
3 ``--fail-on`` was given and a violation was found; 4 ``--fail-on insufficient`` was given and the evidence is
insufficient; 130 interrupted.
"""

import sys
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.mitigate import register as register_fairer
from core.cli.select import register as register_selection
from core.errors import EvenhandError, Notice, SettingsError
from core.progress import OnProgress, Progress

if TYPE_CHECKING:
    from core.records.repeat import Repeat
    from core.result import DataSummary
    from core.study import Study

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Evenhand: test whether a model treats similar people similarly.",
)


_CLEAR = "\r\033[K"
"""Back to the start of the terminal's line, and empty it."""


class Exit(IntEnum):
    """What the exit status says."""

    DONE = 0
    BAD_INPUT = 2
    VIOLATION = 3
    INSUFFICIENT = 4
    INTERRUPTED = 130


class FailOn(StrEnum):
    """Which verdicts make the command fail."""

    VIOLATION = "violation"
    INSUFFICIENT = "insufficient"


Out = Annotated[
    Path,
    typer.Option(
        help="Folder for record.json, report.html and a folder for each test's result. Only these hold rows of "
        "people: the worst pairs."
    ),
]
Files = Annotated[
    list[Path] | None,
    typer.Option("--file", help="A file the record names; repeat for more. Others are looked for beside the record."),
]
Fail = Annotated[
    FailOn | None,
    typer.Option(help="violation: exit 3 if one is found. insufficient: also exit 4 if the evidence is insufficient."),
]
Delta = Annotated[
    list[str] | None,
    typer.Option(help="Read by this tolerance δ instead of the record's; TEST=VALUE where there are several tests."),
]
Alpha = Annotated[float | None, typer.Option(help="Read by this error rate α instead of the record's.")]


@app.command()
def run(
    record: Annotated[Path, typer.Argument(help="A downloaded record, or a bare plan (JSON).")],
    *,
    out: Out,
    file: Files = None,
    fail_on: Fail = None,
    delta: Delta = None,
    alpha: Alpha = None,
) -> None:
    """Repeat the audit of a record and say whether its numbers come out the same.

    Exit status: 0 done, 2 something given is wrong, 3 violation and 4 insufficient evidence (both with --fail-on).
    """
    from core.records.repeat import read_record_file, repeat

    read = read_record_file(record)
    study = _read_as(read.study, tuple(delta or ()), alpha)
    _write_and_tell(repeat(read, study, record.parent, tuple(file or ()), _progress()), out, fail_on)


@app.command()
def examples() -> None:
    """List the built-in examples."""
    from core.examples import EXAMPLES

    for known in EXAMPLES:
        _say(known.key)
        _say(f"    {known.title}")
        _say(f"    {known.story}" + (" Its table is fetched once." if known.needs_network else ""))


@app.command()
def example(
    name: Annotated[str, typer.Argument(help="An example's name, from the list of examples.")],
    *,
    out: Out,
    fail_on: Fail = None,
    delta: Delta = None,
    alpha: Alpha = None,
) -> None:
    """Run a built-in example; its model is put beside the record, so that the record can be repeated."""
    import tempfile

    from core.examples import open_example
    from core.files import FileStore
    from core.records.record import Record
    from core.records.repeat import keep_files, repeat

    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        study = _read_as(open_example(name, files), tuple(delta or ()), alpha)
        repeated = repeat(Record(study, None, {}), study, files.root, (), _progress())
        keep_files(study, files, out)
    _write_and_tell(repeated, out, fail_on)


def main() -> None:
    """The door of ``python -m core``: every mistake of a user ends in a sentence and a status, never in a traceback."""
    try:
        app()
    except EvenhandError as error:
        for label, text in (("Error", error.what), ("Where", error.where), ("What to do", error.advice)):
            if text:
                _say(f"{label}: {text}", to_people=True)
        sys.exit(Exit.BAD_INPUT)


def _write_and_tell(repeated: "Repeat", out: Path, fail_on: FailOn | None) -> None:
    from core.records.repeat import write

    write(repeated, out)
    _tell(repeated, out)
    status = _status(repeated, fail_on)
    if status is not Exit.DONE:
        raise typer.Exit(status)


def _read_as(study: "Study", delta: tuple[str, ...], alpha: float | None) -> "Study":
    """The study with the decision settings the options ask for.

    Raises:
        SettingsError: An option is out of range, no number, or names no test of the study.
    """
    from pydantic import ValidationError

    tolerances = _tolerances(study, delta)
    decisions = []
    for plan in study.plans:
        asked = {
            name: value
            for name, value in (("delta", tolerances.get(plan.audit.kind)), ("alpha", alpha))
            if value is not None
        }
        try:
            decisions.append(type(plan.decision).model_validate({**plan.decision.model_dump(), **asked}))
        except ValidationError as error:
            first = error.errors()[0]
            raise SettingsError(
                f"The option --{first['loc'][0]} is out of range: {first['msg']}.", advice="Choose another value."
            ) from error
    return study.read(tuple(decisions))


def _tolerances(study: "Study", given: tuple[str, ...]) -> dict[str, str]:
    """Tolerances by the kind of test: ``1.25`` for the only one, ``transport=0.04`` for one of several."""
    kinds = [plan.audit.kind for plan in study.plans]
    found: dict[str, str] = {}
    for text in given:
        kind, named, value = text.rpartition("=")
        if not named and len(kinds) == 1:
            kind = kinds[0]
        if kind not in kinds:
            raise SettingsError(
                f"The option --delta {text} does not say for which test it is.",
                advice=f"Write --delta {kinds[0]}=VALUE; the tests are {', '.join(kinds)}.",
            )
        found[kind] = value
    return found


def _tell(repeated: "Repeat", out: Path) -> None:
    from core.report.model import build
    from core.report.multiple_tests import Together

    report = build(repeated.study, Together.of(repeated.study, repeated.results))
    _say(f"{report.headline}: {report.explanation}")
    _say(_rows(repeated.results[0].data))
    told: set[Notice] = set()
    for test in report.tests:
        _say("")
        if report.comparison:
            _say(f"{test.name} - {test.headline}: {test.explanation}")
        for notice in dict.fromkeys((*test.reasons, *test.notices)):
            if notice not in told:
                _say(f"  {notice.level}: {notice.what} {notice.advice}".rstrip())
        told.update(test.notices)
        _say(test.statistics.caption)
        rows = (test.statistics.header, *test.statistics.rows)
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            _say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    _say("")
    for line in _comparison(repeated):
        _say(line)
    folders = ", ".join(f"result-{number}" for number in range(1, len(repeated.results) + 1))
    _say(f"Written to {out}: record.json, report.html, {folders}")


def _rows(data: "DataSummary") -> str:
    from core.phrases import count

    filled = ", ".join(f"{count(cells, 'missing value')} of {name} filled in" for name, cells in data.cells_imputed)
    said = (
        f"{count(data.rows_read, 'row')} in the table, {data.rows_left_out:,} left out for missing values",
        filled,
        f"{data.rows_audited:,} audited",
    )
    return ", ".join(filter(None, said))


def _comparison(repeated: "Repeat") -> list[str]:
    if repeated.differences is None:
        return []
    if not repeated.differences:
        return ["The numbers are the same as in the record, to the last digit."]
    lines = [f"The numbers differ from the record in {len(repeated.differences)} places:"]
    lines += [f"  {one.place}: {one.recorded} in the record, {one.found} now" for one in repeated.differences[:10]]
    if len(repeated.differences) > 10:
        lines.append(f"  and {len(repeated.differences) - 10} more")
    lines += [f"  {name} is {now} here; the record used {then}" for name, then, now in repeated.other_versions]
    return lines


def _status(repeated: "Repeat", fail_on: FailOn | None) -> Exit:
    from core.inference.estimate import Verdict
    from core.report.multiple_tests import Together

    verdict = Together.of(repeated.study, repeated.results).verdict
    if fail_on is not None and verdict is Verdict.VIOLATION:
        return Exit.VIOLATION
    if fail_on is FailOn.INSUFFICIENT and verdict is Verdict.INSUFFICIENT:
        return Exit.INSUFFICIENT
    return Exit.DONE


def _progress() -> OnProgress:
    """Progress on standard error: one moving line on a terminal, one line a phase elsewhere."""
    terminal = sys.stderr.isatty()
    last = ""

    def show(progress: Progress) -> None:
        nonlocal last
        line = f"{progress.done:4.0%} {_printable(progress.phase)}"
        if terminal:
            sys.stderr.write(f"{_CLEAR}{line}")
        elif progress.phase != last or progress.done >= 1:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
        last = progress.phase

    return show


def _say(line: str, *, to_people: bool = False) -> None:
    """One line on standard output, or on standard error for a message; control characters are shown, not obeyed."""
    if sys.stderr.isatty():
        sys.stderr.write(_CLEAR)
    typer.echo(_printable(line), err=to_people)


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


register_selection(app, _say, _progress)
register_fairer(app, _say, _progress)

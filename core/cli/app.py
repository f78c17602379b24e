"""The command line: run a plan or repeat a record, whatever its workflow, for people and for pipelines.

Exit status: 0 the plan ran, and a record's numbers came out the same; 2 the command, the record, a file or a setting
is wrong, and the message says which; 3 ``--fail-on`` was given and a violation was found; 4 ``--fail-on insufficient``
was given and the evidence is insufficient; 5 the numbers differ from the record (3 and 4 come first); 130 interrupted.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer

from core.base.errors import EvenhandError
from core.base.memory import is_out_of_memory, memory_of_a_run, too_large
from core.cli import register
from core.cli.elsewhere import computing_elsewhere
from core.cli.ending import Exit, FailOn, write_and_tell
from core.cli.options import OptionsLater, chosen_by_options
from core.cli.terminal import say, shown_progress

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Evenhand: test whether a model treats similar people similarly.",
)
app.add_typer(register.app, name="register")


Out = Annotated[
    Path,
    typer.Option(
        help="Folder for record.json, report.html, a folder for each result, and fitted models or the rows of an "
        "audit. Only results (the worst pairs) and rows of an audit hold rows of people."
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
    typer.Option(
        help="Read by this tolerance δ instead of the record's; TEST=VALUE where there are several tests. As in the "
        "record: 0.05 is 5 percentage points."
    ),
]
Strict = Annotated[bool, typer.Option("--strict", hidden=True, help="As --fail-on insufficient.")]
Alpha = Annotated[float | None, typer.Option(help="Read with this risk α of a wrong verdict instead of the record's.")]
Stated = Annotated[
    Path | None,
    typer.Option(
        "--statement",
        help="JSON file of what people state: system, purpose, auditor, reviewer, decision, …; it is put into record "
        "and report, and decides no number.",
    ),
]


def _device(context: typer.Context, chosen: str | None) -> str | None:
    from core.base.device import Choice, choosing

    context.with_resource(choosing(cast("Choice | None", chosen)))
    return chosen


Device = Annotated[
    Literal["auto", "processor", "accelerator"] | None,
    typer.Option(
        "--device",
        callback=_device,
        help="Where networks compute: on an accelerator (CUDA, MPS) where there is one and the work is worth it (auto, "
        "unless EVENHAND_DEVICE says otherwise), never, or not without one. A record made on the processor is repeated "
        "there.",
    ),
]


Trusted = Annotated[
    list[Path] | None,
    typer.Option(
        "--trust-file",
        help="Open this model file though the system has no wall to confine the library that reads it: you know who "
        "made it; repeat for more.",
    ),
]


Slides = Annotated[
    bool,
    typer.Option("--slides", help="Also write the result as slides: slides.html and slides.pptx."),
]


Printed = Annotated[
    Literal["whole", "short"] | None,
    typer.Option(
        "--pdf",
        help="Also print the report as report.pdf: whole as made for paper, or short without appendix. Needs Chromium.",
    ),
]


@app.command()
@app.command("select", hidden=True)
@app.command("fairer", hidden=True)
@computing_elsewhere
def run(
    record: Annotated[Path, typer.Argument(help="A record of an audit, a selection or a mitigation, or a bare plan.")],
    *,
    out: Out,
    file: Files = None,
    fail_on: Fail = None,
    delta: Delta = None,
    alpha: Alpha = None,
    statement: Stated = None,
    slides: Slides = False,
    pdf: Printed = None,
    trust_file: Trusted = None,
    device: Device = None,
    strict: Strict = False,
) -> None:
    """Run a plan, or repeat a record and say whether its numbers come out the same.

    Exit status: 0 done, 2 something given is wrong, 3 violation and 4 insufficient evidence (both with --fail-on), 5
    numbers differ from the record.
    """
    from core.api.bringing import stated_in, trust_files
    from core.records.repeat import record_bytes, repeat
    from core.records.workflow import read_record
    from core.workflows.table import WORKFLOWS

    trust_files(trust_file or ())
    read = read_record(record_bytes(record), WORKFLOWS)
    plan = read.workflow.decided(read.plan, tuple(delta or ()), alpha, known=read.numbers is not None)
    read = replace(read, statement=stated_in(statement) or read.statement)
    repeated = repeat(read, record.parent, tuple(file or ()), plan=plan, on_progress=shown_progress())
    write_and_tell(repeated, out, FailOn.INSUFFICIENT if strict else fail_on, slides, pdf)


@app.command(cls=OptionsLater)
@chosen_by_options
@computing_elsewhere
def audit(
    *,
    table: Annotated[
        Path,
        typer.Option(
            help="The table: CSV, Parquet or Excel, one row a person or text; or a folder of Parquet files, whose rows "
            "are counted where they lie."
        ),
    ],
    out: Out,
    model: Annotated[Path | None, typer.Option(help="The model's file; else --predictions.")] = None,
    fail_on: Fail = None,
    delta: Delta = None,
    alpha: Alpha = None,
    statement: Stated = None,
    slides: Slides = False,
    pdf: Printed = None,
    trust_file: Trusted = None,
    device: Device = None,
    **given: Any,
) -> None:
    """Audit a model, or its predictions, on a table; what is not given is guessed and said.

    Exit status as for run.
    """
    import tempfile

    from core.api.bringing import brought_model, files_named, stated_in, table_file, trust_files
    from core.api.choices import Choices
    from core.api.planning import plan, read
    from core.base.files import FileStore, files_of
    from core.cli.patience import seconds_to_read, within
    from core.records.audits import AUDITS
    from core.records.repeat import keep_files, repeat
    from core.records.workflow import Record

    stated = stated_in(statement)
    trust_files(trust_file or ())
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        chosen = Choices.of(files_named(given, files))
        source = table_file(table, chosen, files)
        with within(seconds_to_read(sum(file.bytes for file in files_of(source))), table.name):
            known = read(chosen, source, files)
        planned = plan(chosen, known, brought_model(model, files), files)
        for line in planned.told:
            say(line)
        study = AUDITS.decided(planned.study, tuple(delta or ()), alpha)
        repeated = repeat(Record(AUDITS, study, statement=stated), files.root, on_progress=shown_progress())
        keep_files(study, files, out)
    write_and_tell(repeated, out, fail_on, slides, pdf)


@app.command(cls=OptionsLater)
@chosen_by_options
@computing_elsewhere
def compare(
    *,
    table: Annotated[
        Path,
        typer.Option(
            help="The table: CSV, Parquet or Excel, one row a person or text; or a folder of Parquet files, whose rows "
            "are counted where they lie."
        ),
    ],
    out: Out,
    model: Annotated[
        list[str] | None, typer.Option(help="A model's file, or NAME=FILE; repeat for more. Beside --predictions.")
    ] = None,
    baseline: Annotated[str, typer.Option(help="The model with which the others are compared; else the first.")] = "",
    fail_on: Fail = None,
    statement: Stated = None,
    slides: Slides = False,
    pdf: Printed = None,
    trust_file: Trusted = None,
    device: Device = None,
    **given: Any,
) -> None:
    """Audit several models, or columns with their predictions, on the same rows, and say by how much they differ.

    Each of --predictions is the answers of one model. Exit status as for run; a violation of any model is one.
    """
    import tempfile

    from core.api.bringing import files_named, stated_in, table_file, trust_files
    from core.api.choices import Choices
    from core.api.comparing import by_name, planned
    from core.api.planning import read
    from core.base.files import FileStore
    from core.records.repeat import keep_files, repeat
    from core.records.workflow import Record
    from core.workflows.comparison.record import COMPARISON

    trust_files(trust_file or ())
    columns = given.pop("predictions") or ()
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        chosen = Choices.of(files_named(given, files))
        known = read(chosen, table_file(table, chosen, files), files)
        plan, told = planned(chosen, known, by_name(model or (), columns, files), files, baseline)
        for name, lines in told.items():
            for line in lines:
                say(f"{name}: {line}")
        record = Record(COMPARISON, plan, statement=stated_in(statement))
        repeated = repeat(record, files.root, on_progress=shown_progress())
        keep_files(plan, files, out)
    write_and_tell(repeated, out, fail_on, slides, pdf)


@app.command()
def encoding(
    *,
    table: Annotated[Path, typer.Option(help="The table: CSV, Parquet or Excel, one row a person.")],
    features: Annotated[list[str], typer.Option(help="A column that the model reads, in its order; repeat.")],
    out: Annotated[Path, typer.Option(help="The JSON file.")],
    numbers: Annotated[
        Literal["raw", "standardised"],
        typer.Option(help="Whether the model reads numbers as they stand in the table, or standardised."),
    ] = "standardised",
) -> None:
    """Write a preprocessing that is filled from a table, to be corrected and given to an audit by --encoding."""
    from core.cli.preparing import fill_from_table

    say(f"Reads, in order: {', '.join(fill_from_table(table, tuple(features), numbers, out))}.")
    say(f"Written to {out}")


@app.command()
def counting(
    record: Annotated[Path, typer.Argument(help="A record of an audit, or a plan: its roles name what is counted.")],
    *,
    table: Annotated[str, typer.Option(help="The table's name in the database.")],
    database: Annotated[
        Literal["generic", "PostgreSQL", "BigQuery", "Spark SQL"],
        typer.Option(help="Whose SQL it is.", case_sensitive=False),
    ] = "generic",
    limits: Annotated[
        list[str] | None,
        typer.Option(help="COLUMN=30,45: count a column of numbers in ranges between these limits; repeat."),
    ] = None,
    suppress: Annotated[
        int,
        typer.Option(
            help="Suppress combinations of fewer people, 5 as a rule: they are added up by group, outcome and answer. "
            "A test of answers alone still counts them; to one that reads features they are people with gaps, who can "
            "keep it from finding no violation.",
            min=0,
        ),
    ] = 0,
) -> None:
    """Print the SQL that makes a table of counts, a row for each combination; --count people then audits it."""
    from core.cli.preparing import sql_of_record

    for line in sql_of_record(record, table, database, tuple(limits or ()), suppress).splitlines():
        say(line)


@app.command()
def convert(
    file: Annotated[Path, typer.Argument(help="A pickle, joblib, .pt, TorchScript, .h5, .keras or .cbm file.")],
    *,
    out: Annotated[Path, typer.Option(help="The converted file.")],
    trusted: Annotated[
        bool, typer.Option("--trusted", help="You know who made the file: opening it runs whatever it carries.")
    ] = False,
    columns: Annotated[int | None, typer.Option(help="How many numbers a TorchScript model reads.", min=1)] = None,
) -> None:
    """Convert a model file that can run code into one that cannot; only for files whose makers you trust."""
    from core.base.errors import SettingsError
    from core.models.conversion import convert as carry_out

    if not trusted:
        raise SettingsError(
            "Opening this file runs whatever code it carries, so it is not opened.",
            where=str(file),
            advice="If you know who made it and that nobody changed it since, add --trusted.",
        )
    for line in carry_out(file, out, columns).splitlines():
        say(f"  {line}")
    say(f"Written to {out}")


@app.command()
def schema() -> None:
    """Print the JSON schema of a plan, which ``run`` takes."""
    import json

    from core.study import Study

    for line in json.dumps(Study.model_json_schema(), indent=1).splitlines():
        say(line)


@app.command()
def examples() -> None:
    """List the built-in examples."""
    from core.workflows.examples import EXAMPLES

    for known in EXAMPLES:
        say(known.key)
        say(f"    {known.title}")
        say(f"    {known.story}" + (" Its table is fetched once." if known.needs_network else ""))


@app.command()
@computing_elsewhere
def example(
    name: Annotated[str, typer.Argument(help="An example's name, from the list of examples.")],
    *,
    out: Out,
    fail_on: Fail = None,
    delta: Delta = None,
    alpha: Alpha = None,
    statement: Stated = None,
    slides: Slides = False,
    pdf: Printed = None,
    device: Device = None,
) -> None:
    """Run a built-in example; its model is put beside the record, so that the record can be repeated."""
    import tempfile

    from core.api.bringing import stated_in
    from core.base.files import FileStore
    from core.records.audits import AUDITS
    from core.records.repeat import keep_files, repeat
    from core.records.workflow import Record
    from core.workflows.examples import open_example

    stated = stated_in(statement)
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        study = AUDITS.decided(open_example(name, files), tuple(delta or ()), alpha)
        repeated = repeat(Record(AUDITS, study, statement=stated), files.root, on_progress=shown_progress())
        keep_files(study, files, out)
    write_and_tell(repeated, out, fail_on, slides, pdf)


@app.command()
@computing_elsewhere
def paper(
    name: Annotated[str, typer.Argument(help="A table or figure; without one, all are listed.")] = "",
    *,
    out: Annotated[Path, typer.Option(help="Folder for page, JSON and CSV, and for the pieces that are done.")] = Path(
        "papers"
    ),
    data: Annotated[
        Path | None, typer.Option(help="Your folder of the data; else EVENHAND_DATA, or what is fetched once.")
    ] = None,
    splits: Annotated[int, typer.Option(help="Random splits; else as many as the paper made.", min=0)] = 0,
    quick: Annotated[bool, typer.Option("--quick", help="Rough numbers in minutes.")] = False,
    jobs: Annotated[
        int | None, typer.Option(help="Processes beside each other; else one for each processor core.", min=1)
    ] = None,
) -> None:
    """Compute a table or figure of the four papers again, and put it beside the printed one; run again, it goes on."""
    from core.cli.papers import compute_again, listed

    if data is not None:
        os.environ["EVENHAND_DATA"] = str(data)
    again = (
        compute_again(name, out, splits=splits, quick=quick, jobs=jobs, on_progress=shown_progress())
        if name
        else listed()
    )
    for line in again:
        say(line)


def main(commands: typer.Typer = app) -> None:
    """The door of the command line: every mistake of a user ends in a sentence and a status, never in a traceback."""
    try:
        commands()
    except Exception as error:
        if is_out_of_memory(error):
            error = too_large(memory_of_a_run())
        if not isinstance(error, EvenhandError):
            raise
        for label, text in (("Error", error.what), ("Where", error.where), ("What to do", error.advice)):
            if text:
                say(f"{label}: {text}", to_people=True)
        sys.exit(Exit.BAD_INPUT)

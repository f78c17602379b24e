"""``python -m core register``: what whoever runs the machine asks of the register of audits."""

from typing import Annotated

import typer

from core.base.errors import RecordError
from core.cli.terminal import say
from core.language.phrases import count

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="The register of audits.")

Expect = Annotated[str, typer.Option(help="A hash that was noted earlier; the log has to hold it still.")]


@app.command()
def verify(*, expect: Expect = "") -> None:
    """Check the log, every entry and every signed file; say which was tampered with.

    Whoever can write the database could replace the whole log. Note the last hash elsewhere, and give it with --expect
    the next time: then that is found out too. Exit status: 0 nothing was tampered with, 2 something was.
    """
    from core.register.register import Register

    register = Register()
    log, problems = register.log(), register.verify()
    for problem in problems:
        say(f"{problem.what}{f' (entry {problem.entry})' if problem.entry else ''}", to_people=True)
    if expect and expect not in {line.hash for line in log}:
        raise RecordError(
            "The log does not hold the hash that was noted earlier: it was replaced or cut off.", where=expect
        )
    if problems:
        raise RecordError(
            f"The register was tampered with, or damaged, in {count(len(problems), 'place')}.",
            where=register.database.address.render_as_string(),
            advice="Do not rely on the entries that are named; put back a copy that was saved earlier.",
        )
    if not log:
        say("The register is empty.")
        return
    last = {line.entry: line.action for line in log}
    entries = sum(action not in ("begun", "deleted") for action in last.values())
    say(f"Nothing was tampered with: {count(entries, 'entry', 'entries')}, {count(len(log), 'line')} of log.")
    say(f"Note this hash elsewhere, and give it with --expect the next time: {log[-1].hash}")

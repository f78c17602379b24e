"""``python -m dashboard forget``: delete audits for good, whoever made them."""

import time
from typing import Annotated

import typer

from core.base.errors import SettingsError
from core.base.files import make_private
from core.cli.terminal import say
from core.language.phrases import count
from core.register.register import Register
from dashboard.jobs.removal import DAY, Removal
from dashboard.jobs.table import JobTable

Name = Annotated[str, typer.Argument(help="Id of an entry of the register or of a run, as their addresses say.")]
OlderThan = Annotated[
    float | None, typer.Option(help="Delete every audit and set-up that nobody opened for so many days.", min=0)
]
SignedToo = Annotated[bool, typer.Option("--signed-too", help="Also entries that were signed, with record and report.")]


def forget(name: Name = "", *, older_than: OlderThan = None, signed_too: SignedToo = False) -> None:
    """Delete an audit with its uploads, results, previews, set-ups and its entry in the register, for everybody.

    Uploads that another audit uses stay with that. The log of the register keeps a line that says that an entry was
    deleted, and of an audit its verdict. Exit status: 0 deleted, 2 there is no such audit.
    """
    if bool(name) == (older_than is not None):
        raise SettingsError(
            "Name either an audit or --older-than DAYS.", advice="See python -m dashboard forget --help."
        )
    make_private()
    register, table = Register(), JobTable()
    removal = Removal(table)
    if older_than is not None:
        runs, drafts = removal.unused_for(older_than)
        before = register.made_before(time.time() - older_than * DAY)
        entries = [entry for entry in before if entry.job in runs or table.get(entry.job) is None]
    else:
        entries, drafts = register.known_as(name), []
        runs = [run for run in {name, *(entry.job for entry in entries)} if table.get(run) is not None]
        entries = list({entry.id: entry for run in (name, *runs) for entry in register.known_as(run)}.values())
        if not runs and not entries:
            raise SettingsError(f"There is no audit {name}.", advice="Take the id from the address of its page.")
    removal.forget(runs)
    for draft, visitor in drafts:
        removal.delete_draft(draft, visitor)
    deleted = sum(register.delete(entry.id, signed_too=signed_too) for entry in entries)
    told = f"{count(len(runs), 'run')}, {count(len(drafts), 'set-up')}, {count(deleted, 'entry', 'entries')}"
    say(f"Deleted: {told} of the register.")
    if kept := len(entries) - deleted:
        say(f"Kept: {count(kept, 'signed entry', 'signed entries')}; add --signed-too to delete them too.")

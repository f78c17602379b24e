"""The task behind "Change a person": a model is asked about a person of the table with some values changed.

Its child stays for a while, with table and model read, so that the next change is answered at once.
"""

from dataclasses import dataclass
from typing import Any

from core.audits import KINDS
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.data.possible import Values
from core.language.told import say
from core.models.edited import Edited, edit, values_of
from dashboard.jobs.answers import pack
from dashboard.jobs.task_inputs import ready


@dataclass(frozen=True)
class ChangedPerson:
    """A person with some values changed, and what else may be changed.

    Attributes:
        edited: The person, as in the table and as changed.
        columns: What each column may hold, where nothing was changed yet; empty for a text.
        first: The first record that can be asked about.
        last: The last one.
    """

    edited: Edited
    columns: tuple[Values, ...]
    first: int
    last: int


def edit_person(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Answer ``arguments["changes"]`` of the person ``arguments["record"]``, of the rows the test ``audit`` reads.

    The record 0 stands for the first of them.
    """
    on_progress(Progress(0.1, say("Reading the table and the model")))
    audit = KINDS[arguments["audit"]["kind"]].settings.model_validate(arguments["audit"])
    model, rows = ready(arguments, audit, files)
    first, last = (int(rows.frame.index[place]) + 1 for place in (0, -1))
    changes = arguments["changes"]
    found = edit(model, rows, arguments["record"] or first, changes)
    names = () if changes else tuple(name for name in model.reads if name != rows.roles.text)
    return pack(ChangedPerson(found, tuple(values_of(model, rows, name) for name in names), first, last), ChangedPerson)

"""Other audits of the same model on the same rows: whoever chooses among them by verdict finds one that suits."""

from sqlalchemy import select

from core.language.phrases import lower_first
from core.language.told import say_count
from core.register.entry import WORST_FIRST, Entry, verdict_words
from core.register.register import Register
from core.register.rights import seen_by
from core.register.rows import entries_of
from core.register.schema import EntryRow
from core.register.timeline import day


def ended_worse(register: Register, person: str, verdict: str, *, rows: str, model: str) -> str:
    """That other audits of a model on the same rows ended in a worse verdict, one sentence; empty where none did.

    Args:
        register: Where they stand.
        person: The visitor, who is told of those only that they may read.
        verdict: The verdict beside which they are told.
        rows: SHA-256 of the rows and the roles of their columns.
        model: SHA-256 of the model.

    Raises:
        StorageError, RecordError: As by every method of the register.
    """
    if not (rows and model and _place(verdict)):
        return ""
    worse = [one for one in _of_same(register, person, rows, model) if _place(one.summary.verdict) < _place(verdict)]
    if not worse:
        return ""
    worst = min(worse, key=lambda one: _place(one.summary.verdict))
    return say_count(
        "{n} other audit of this model on these rows ended worse: {verdict}, on {day}.",
        "{n} other audits of this model on these rows ended worse, the worst on {day}: {verdict}.",
        len(worse),
        verdict=lower_first(verdict_words(worst.summary.verdict)),
        day=day(worst.made),
    )


def _of_same(register: Register, person: str, rows: str, model: str) -> list[Entry]:
    """The newest first."""
    with register.database.reading() as session:
        if session is None:
            return []
        same = {"rows_fingerprint": rows, "fingerprint_of_model": model}
        summary = (EntryRow.summary[name].as_string() == value for name, value in same.items())
        found = select(EntryRow).where(seen_by(person), *summary).order_by(EntryRow.made.desc(), EntryRow.id)
        return entries_of(session, session.scalars(found))


def _place(verdict: str) -> int:
    return WORST_FIRST.index(verdict)

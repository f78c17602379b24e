"""Other audits of the same model on the same rows: whoever chooses among them by verdict finds one that suits."""

from collections.abc import Iterable

from sqlalchemy import or_, select

from core.language.phrases import lower_first
from core.language.told import say_count
from core.register.entry import WORST_FIRST, verdict_words
from core.register.register import Register
from core.register.rights import seen_by
from core.register.schema import EntryRow
from core.register.timeline import day


def ended_worse(register: Register, people: Iterable[str], verdict: str, *, rows: str, model: str) -> str:
    """That other audits of a model on the same rows ended in a worse verdict, one sentence; empty where none did.

    Args:
        register: Where they stand.
        people: Visitors; told of are those that one of them may read.
        verdict: The verdict beside which they are told.
        rows: SHA-256 of the rows and the roles of their columns.
        model: SHA-256 of the model.

    Raises:
        StorageError, RecordError: As by every method of the register.
    """
    worse_ones = WORST_FIRST[: WORST_FIRST.index(verdict)] if verdict in WORST_FIRST else ()
    worse = _found(register, people, worse_ones, rows, model) if rows and model and worse_ones else []
    if not worse:
        return ""
    worst, made, headline = min(worse, key=lambda one: WORST_FIRST.index(one[0]))
    return say_count(
        "{n} other audit of this model on these rows ended worse, on {day}: {verdict}. {headline}.",
        "{n} other audits of this model on these rows ended worse, the worst on {day}: {verdict}. {headline}.",
        len(worse),
        verdict=lower_first(verdict_words(worst)),
        day=day(made),
        headline=headline,
    )


def _found(
    register: Register, people: Iterable[str], verdicts: tuple[str, ...], rows: str, model: str
) -> list[tuple[str, float, str]]:
    """Verdict, time and headline of each, the newest first; the headline is in English, as the register keeps it."""
    with register.database.reading() as session:
        if session is None:
            return []
        kept = EntryRow.summary
        found = select(EntryRow.verdict, EntryRow.made, kept["headline"].as_string()).where(
            or_(*map(seen_by, people)),
            EntryRow.verdict.in_(verdicts),
            kept["rows_fingerprint"].as_string() == rows,
            kept["fingerprint_of_model"].as_string() == model,
        )
        return [(verdict, made, told) for verdict, made, told in session.execute(found.order_by(EntryRow.made.desc()))]

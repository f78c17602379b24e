"""Other audits of the same model on the same rows: whoever chooses among them by verdict finds one that suits."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from core.language.phrases import lower_first
from core.language.told import say_count
from core.register.chain import left_of
from core.register.entry import WORST_FIRST, verdict_words
from core.register.register import Register
from core.register.rights import seen_by
from core.register.schema import EntryRow, LogRow, MemberRow
from core.register.timeline import day


def ended_worse(
    register: Register, people: Iterable[str], verdict: str, *, subject: str, rows: str = "", model: str = ""
) -> str:
    """That other audits of a model on the same rows ended in a worse verdict, or did before they were deleted.

    Args:
        register: Where they stand.
        people: Visitors; told of are those that one of them may read.
        verdict: The verdict beside which they are told.
        subject: SHA-256 of table and model, whatever the roles of the columns; empty where unknown.
        rows: SHA-256 of the rows and the roles of their columns: an older version entered no subject.
        model: SHA-256 of the model, likewise.

    Returns:
        A sentence or two; empty where there are none.

    Raises:
        StorageError, RecordError: As by every method of the register.
    """
    worse = WORST_FIRST[: WORST_FIRST.index(verdict)] if verdict in WORST_FIRST else ()
    with register.database.reading() as session:
        if session is None or not worse:
            return ""
        people = tuple(people)
        there = _there(session, people, worse, subject=subject, rows=rows, model=model)
        deleted = _deleted(session, people, worse, subject) if subject else []
    return " ".join(filter(None, (_tell(there), _tell_deleted(deleted))))


def _tell(found: list[tuple[str, float, str]]) -> str:
    if not found:
        return ""
    worst, made, headline = min(found, key=lambda one: WORST_FIRST.index(one[0]))
    return say_count(
        "{n} other audit of this model on these rows ended worse, on {day}: {verdict}. {headline}.",
        "{n} other audits of this model on these rows ended worse, the worst on {day}: {verdict}. {headline}.",
        len(found),
        verdict=lower_first(verdict_words(worst)),
        day=day(made),
        headline=headline,
    )


def _tell_deleted(found: list[tuple[str, float]]) -> str:
    if not found:
        return ""
    worst, at = min(found, key=lambda one: WORST_FIRST.index(one[0]))
    return say_count(
        "{n} other audit of this model on these rows ended worse and was deleted, on {day}. Its verdict was: "
        "{verdict}.",
        "{n} other audits of this model on these rows ended worse and were deleted, the worst on {day}. Its verdict "
        "was: {verdict}.",
        len(found),
        verdict=lower_first(verdict_words(worst)),
        day=day(at),
    )


def _there(
    session: Session, people: tuple[str, ...], verdicts: tuple[str, ...], *, subject: str, rows: str, model: str
) -> list[tuple[str, float, str]]:
    """Verdict, time and headline of each, the newest first; the headline is in English, as the register keeps it."""
    kept = EntryRow.summary
    same = {"rows_fingerprint": rows, "fingerprint_of_model": model}
    known = [{"subject": subject}] if subject else []
    known += [same] if rows and model else []
    if not known:
        return []
    found = select(EntryRow.verdict, EntryRow.made, kept["headline"].as_string()).where(
        or_(*map(seen_by, people)),
        EntryRow.verdict.in_(verdicts),
        or_(*(and_(*(kept[name].as_string() == value for name, value in one.items())) for one in known)),
    )
    return [(verdict, made, told) for verdict, made, told in session.execute(found.order_by(EntryRow.made.desc()))]


def _deleted(
    session: Session, people: tuple[str, ...], verdicts: tuple[str, ...], subject: str
) -> list[tuple[str, float]]:
    """Verdict of each, and when it was deleted, the newest first, as the log has them."""
    projects = session.scalars(select(MemberRow.project).where(MemberRow.person.in_(people)))
    left = {left_of(verdict, one, subject): verdict for one in {*people, *projects} for verdict in verdicts}
    found = select(LogRow.content, LogRow.at).where(LogRow.action == "deleted", LogRow.content.in_(left))
    lines = session.execute(found.order_by(LogRow.number.desc()))
    return [(left[content], datetime.fromisoformat(at).timestamp()) for content, at in lines]

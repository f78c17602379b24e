"""A table becomes the one that is worked with."""

from core.sources import DataSource
from dashboard import forms, session
from dashboard.audits import ROOMS
from dashboard.draft import Draft


def take(source: DataSource) -> Draft:
    """A new table starts with new roles and no model, and knows nobody and no words; the one before is kept aside.

    What is repeated with new data keeps all of it.
    """
    if session.draft().after:
        return session.change(data=source)
    for form in ("roles", "tests", *(form for room in ROOMS.values() for form in room.forms)):
        forms.forget(form)
    session.set_aside()
    fresh = Draft(data=source)
    forgotten = session.draft().having(
        *(fresh.audits[kind] for kind, room in ROOMS.items() if "settings" in room.forgotten),
        *(fresh.decisions[kind] for kind, room in ROOMS.items() if "decision" in room.forgotten),
    )
    return session.change(
        data=source,
        roles=fresh.roles,
        roles_are=fresh.roles_are,
        may_count=fresh.may_count,
        may_be_answers=fresh.may_be_answers,
        may_differ=fresh.may_differ,
        model=None,
        tests=(),
        audits=forgotten.audits,
        decisions=forgotten.decisions,
    )

"""With whom candidates are compared: as an audit of each of them would begin, until somebody chooses otherwise."""

from typing import Literal

import streamlit as st

from core.audits.transport.proposal import proposed_space
from core.audits.transport.settings import Transport
from core.base.settings import name_of_choice, title_of
from core.language.told import retold, say
from dashboard.draft import Draft
from dashboard.text import literal
from dashboard.views.model.preview import preview_of
from dashboard.views.selection.draft import SelectionDraft

Space = Literal["observed", "all groups"]  # verbatim
_SPACES: tuple[Space, ...] = ("observed", "all groups")  # verbatim


def choose(draft: Draft, chosen: SelectionDraft) -> SelectionDraft:
    """The draft with what is compared: chosen here where every candidate can be asked about other people."""
    found = _proposed(draft, chosen)
    if found is None:
        return chosen
    proposed, why = found
    if why:
        st.caption(say("People are compared with people in the table. {why}", why=literal(retold(why))))
        return chosen.model_copy(update={"space": None, "proposed_space": "observed"})
    space: Space = st.radio(
        title_of(Transport.model_fields["space"]),
        _SPACES,
        index=_SPACES.index(chosen.space or proposed),
        format_func=lambda one: name_of_choice(Transport, "space", one),
        key=f"selection.space.{proposed}",
        help=say("An audit of one of these models begins with the same choice."),
    )
    kept = space if chosen.space is not None or space != proposed else None
    return chosen.model_copy(update={"space": kept, "proposed_space": proposed})


def _proposed(draft: Draft, chosen: SelectionDraft) -> tuple[Space, str] | None:
    """What an audit of every candidate would begin with, and why some can only be asked about people in the table.

    Where audits of the candidates would begin differently people in the table are proposed; None while models are read.
    """
    roles = draft.roles.roles
    if roles is None:
        return "observed", ""
    if chosen.way == "logistic_path":
        return proposed_space(roles.features, roles, True), ""
    seen = [preview_of(draft.model_copy(update={"model": model})) for model in chosen.models]
    known = [one for one in seen if one is not None]
    if len(known) < len(seen):
        return None
    if why := next((one.answers_only_here for one in known if one.answers_only_here), ""):
        return "observed", why
    begun = [test.space for one in known for test in one.settings if isinstance(test, Transport)]
    return ("all groups" if begun and set(begun) == {"all groups"} else "observed"), ""  # verbatim

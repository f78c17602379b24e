"""Who is similar to whom for the transport test: what may differ, and what tells people apart."""

from typing import Any

import streamlit as st

from core.audits.transport.settings import CellColumn, Space, Transport
from core.base.settings import name_of_choice, title_of
from core.language.told import retold, say
from dashboard import forms, session
from dashboard.audits.transport import setup_columns as cells_columns
from dashboard.audits.transport import setup_costs as cells_costs
from dashboard.audits.transport import setup_look as cells_look
from dashboard.audits.transport import setup_rules as cells_rules
from dashboard.audits.transport.previews import CellsLook, ColumnsProposal
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.text import literal
from dashboard.views.model.preview import preview_of
from dashboard.waiting import answer, known

_SAID: dict[Space, str] = {
    "all groups": say(  # verbatim
        "The model is asked how it would judge the same person in every other group, all else equal. "
        "That finds what it makes of the protected attributes themselves; one that does not read them "
        "always answers alike."
    ),
    "observed": say(
        "Who is in the table limits the comparison. It also sees what comes in through other columns, as "
        "far as the columns that tell people apart leave them open."
    ),
}


def show(draft: Draft) -> str:
    """Say who is compared with whom, and see what that means in the table; returns why the next step is shut."""
    columns_proposed = proposal(draft)
    if columns_proposed is None:
        return say("The columns are not looked at yet.")
    st.write(
        say(
            "Everybody is compared with similar people of other groups who have the same recorded outcome. What "
            "is proposed below follows from the table; please check it."
        )
    )
    similarity, missing = cells_costs.choose(draft, draft.settings(Transport).columns or columns_proposed.together)
    draft = _keep(draft, similarity=similarity)
    draft = _keep(draft, space=_choose_space(draft))
    place = st.container()
    seen = _seen(known("look_at_cells", _arguments(draft)))
    edited = draft
    asked = draft.settings(Transport).asks_for_everybody(draft.roles.protected)
    columns = (
        say("How people are sorted for the pictures")
        if asked
        else say("Columns that tell people apart, and their bins")
    )
    with st.expander(columns, icon=":material/view_column:"):
        edited = _keep(edited, columns=_explicit(cells_columns.show(edited, columns_proposed, seen), columns_proposed))
    with st.expander(say("More rules"), icon=":material/rule:"):
        edited = _keep(edited, **cells_rules.show(edited, seen))
    if edited != draft:
        st.rerun()
    with place:
        now = look(draft)
        if now is not None:
            cells_look.show(*draft.told((draft, now)))
            if not (asked or draft.settings(Transport).columns):
                cells_columns.offer_left_out(draft, columns_proposed)
            if seen is None:
                st.rerun()
        elif draft.settings(Transport).columns:
            cells_columns.offer_proposal()
    if missing:
        return missing
    return "" if now is not None else say("It cannot be worked out like this yet who is alike.")


def proposal(draft: Draft) -> ColumnsProposal | None:
    """How the columns of the draft's table may tell people apart; None while they are looked at."""
    found = answer("propose_cells", _about(draft), say("Looking at the columns"))
    return None if found is None else unpack(found, ColumnsProposal)


def look(draft: Draft) -> CellsLook | None:
    """The cells of the draft's transport test; None while they are worked out or if they cannot be had."""
    return _seen(answer("look_at_cells", _arguments(draft), say("Looking for people who are alike")))


def _arguments(draft: Draft) -> dict[str, Any]:
    return _about(draft) | {"audit": draft.settings(Transport).model_dump(mode="json")}


def _about(draft: Draft) -> dict[str, Any]:
    """Table, roles and, where there is one already, the model, whose answers decide which columns are proposed."""
    return draft.about_table if draft.model is None else draft.about_model


def _seen(found: Any) -> CellsLook | None:
    return None if found is None else unpack(found, CellsLook)


def _explicit(columns: tuple[CellColumn, ...], proposal: ColumnsProposal) -> tuple[CellColumn, ...]:
    """The columns as settings hold them: none where they are the proposed ones."""
    return () if columns == proposal.together else columns


def _keep(draft: Draft, **values: Any) -> Draft:
    """The draft with these fields of its transport test."""
    return session.keep(draft, draft.settings(Transport).model_copy(update=values))


def _choose_space(draft: Draft) -> Space:
    """The choice, where the model can be asked about people who are not in the table; else why it cannot."""
    if draft.model is None:
        return "observed"
    seen = preview_of(draft)
    if seen is None or seen.answers_only_here:
        if seen is not None:
            st.caption(
                say(
                    "People are compared with people in the table. {why}",
                    why=literal(retold(seen.answers_only_here)),
                )
            )
        return "observed"
    spaces = list(_SAID)
    chosen: Space = st.radio(
        title_of(Transport.model_fields["space"]),
        spaces,
        index=spaces.index(draft.settings(Transport).space),
        format_func=lambda space: name_of_choice(Transport, "space", space),
        captions=[retold(_SAID[space]) for space in spaces],
        key=forms.key_of("rules.space"),
    )
    return chosen

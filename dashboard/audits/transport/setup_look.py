"""What a choice of columns and costs makes of the table: kinds of people, how many share one, who can be compared."""

import numpy as np
import streamlit as st

from core.audits.transport.binning import kind_told
from core.audits.transport.figures import cells as transport_cells
from core.audits.transport.preview import ColumnPreview
from core.audits.transport.settings import DifferOnlyIn, Transport
from core.base.files import FileStore
from core.language.phrases import count, percent, whole
from core.language.told import say
from dashboard.audits.transport import setup_columns as cells_columns
from dashboard.audits.transport.previews import CellsLook
from dashboard.draft import Draft
from dashboard.drawings import show_drawing
from dashboard.messages import show_caveats
from dashboard.text import literal

_MOST_KINDS = 6
_LITTLE = 0.5
_MUCH = 0.2


def show(draft: Draft, seen: CellsLook) -> None:
    """Counts, what speaks against them, a figure, and the list of cells to take along."""
    st.header(say("What this means for your table"))
    asked = draft.settings(Transport).asks_for_everybody(draft.roles.protected)
    if asked:
        st.write(
            say(
                "Each of the {people} is compared with themselves in every other group: the model is asked again "
                "with only the protected attributes changed. So nobody needs to find somebody like them in the "
                "table.",
                people=count(seen.people, "person", "people"),
            )
        )
        st.write(
            say(
                "The pictures of the result sort people by {columns} and by the recorded outcome. The verdict does "
                "not.",
                columns=", ".join(map(_column, seen.columns)),
            )
        )
    else:
        st.write(_who_is_similar(draft, seen))
        proposed = not draft.settings(Transport).columns and draft.model is not None
        if proposed and any(one.column.name not in draft.roles.protected for one in seen.columns):
            st.caption(
                say(
                    "These columns and limits are proposed: with them at least four people in five have somebody of "
                    "every group to be compared with."
                )
            )
        _count(seen)
    show_caveats(seen.caveats)
    if draft.settings(Transport).columns and not asked and (seen.comparable < _LITTLE or seen.alone > _MUCH):
        cells_columns.offer_proposal()
    if asked:
        return
    drawing = transport_cells.draw_people(np.repeat(seen.sizes, seen.cells))
    st.markdown(f"**{say('How many people are alike')}**")
    show_drawing(drawing, "cells_people")
    if seen.listed is not None:
        st.download_button(
            say("List of who is alike (CSV)"),
            FileStore().path(seen.listed).read_bytes(),
            "cells.csv",
            "text/csv",
            key="cells.list",
            icon=":material/download:",
            help=say("One line for people who are alike, in the order that a table of costs of your own must have."),
        )


def _who_is_similar(draft: Draft, seen: CellsLook) -> str:
    """In which columns people agree, and in which of those that make kinds they may differ all the same."""
    similarity = draft.settings(Transport).similarity
    free = (similarity.columns or draft.roles.protected) if isinstance(similarity, DifferOnlyIn) else ()
    agree = ", ".join(_column(one) for one in seen.columns if one.column.name not in free)
    differ = ", ".join(_column(one) for one in seen.columns if one.column.name in free)
    if not (agree and differ):
        return say("People are alike if they agree in {columns} and in the recorded outcome.", columns=agree or differ)
    return say(
        "Similar people agree in {columns} and in the recorded outcome. They may differ in {differ}, and in any column "
        "not named here. Who agrees in {differ} too is alike.",
        columns=agree,
        differ=differ,
    )


def _count(seen: CellsLook) -> None:
    with st.container(horizontal=True, key="cells_counts"):
        st.metric(
            say("Kinds of people"),
            whole(seen.occurring),
            border=True,
            help=say("Combinations of these columns, the protected groups and the recorded outcome."),
        )
        st.metric(
            say("People who can be compared"),
            percent(round(seen.comparable, 3)),
            border=True,
            help=say("Somebody of another protected group is similar to them. The test says nothing about the others."),
        )
        st.metric(
            say("People alone of their kind"),
            percent(round(seen.alone, 3)),
            border=True,
            help=say(
                "Nobody of their protected groups is like them in every column; somebody of another group may be."
            ),
        )


def _column(one: ColumnPreview) -> str:
    """A column with its kinds: "**age** (under 25, 25 to 44, 45 and over)"."""
    many = len(one.kinds) > _MOST_KINDS
    names = [literal(kind_told(one.column, kind)) for kind in one.kinds]
    kinds = count(len(one.kinds), "value") if many else ", ".join(names)
    return f"**{literal(one.column.name)}** ({kinds})"

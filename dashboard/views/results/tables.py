"""Tables and facts of the report as the page shows them."""

import hashlib
from collections.abc import Iterable
from typing import Any

import pandas as pd
import streamlit as st

from core.base.tables import Table
from core.finding import AbstractFinding
from core.language.fitted import sentences
from core.language.phrases import whole
from core.language.told import retold, say
from core.report.names import file_part
from core.report.templating import css_string
from dashboard.messages import show_facts
from dashboard.text import literal
from dashboard.views.results.chart import show_chart

_MOST_OPEN = 3
"""Charts and tables of a tab of which the first chart stands in the open; of more each is chosen by its title."""
_MOST_BESIDE = 5
"""Columns that a telephone shows beside each other."""
_MOST_WRAPPED = 24
"""Rows of a table that wraps its words; one of more can be sorted, but cuts them."""


def show_table(table: Table) -> None:
    """The table without its caption, the first column naming the rows.

    Raises:
        ValueError: Two columns have the same heading, so that one of them would be lost.
    """
    columns = {literal(head): [literal(row[i + 1]) for row in table.rows] for i, head in enumerate(table.header[1:])}
    if len(columns) < len(table.header) - 1:
        raise ValueError(f"Two columns of the table {table.caption!r} have the same heading: {table.header}.")
    index = pd.Index([literal(row[0]) for row in table.rows], name=literal(table.header[0] or say("Quantity")))
    if len(table.header) > _MOST_BESIDE:
        st.html(_as_blocks(table.header))
    st.table(pd.DataFrame(columns, index=index), border="horizontal")


def _as_blocks(header: tuple[str, ...]) -> str:
    """What stands before a table for a telephone to set each of its rows as a block, with headings beside the cells."""
    name = f"ev-wide-{hashlib.sha256(repr(header).encode()).hexdigest()[:12]}"
    cells = f".stElementContainer:has(.{name}) + * td:nth-of-type"
    labels = [
        f"{cells}({place})::before {{ content: {css_string(head)} / ''; }}"  # verbatim
        for place, head in enumerate(header[1:], 1)
    ]
    style = f"@media (max-width: 640px) {{ {' '.join(labels)} }}"  # verbatim
    return f'<span class="ev-wide {name}"></span><style>{style}</style>'  # verbatim


def offer_csv(table: Table) -> None:
    """The table as a file, named after what its caption says first."""
    title = table.caption.partition(". ")[0]
    st.download_button(
        say("Save as CSV"),
        table.csv,
        f"{file_part(title) or say('table')}.csv",
        "text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        key=f"csv_{hashlib.sha256(table.csv).hexdigest()[:12]}",
    )


def show_statistics(finding: AbstractFinding[Any, Any], about: str = "") -> None:
    """Estimate, interval, bounds and p-value, with the file to save them, folded away: the verdict's card has what
    decides.

    Args:
        finding: The finding.
        about: What else is to be said of these numbers.
    """
    with st.expander(say("All numbers of this test")):
        show_table(finding.statistics)
        offer_csv(finding.statistics)
        if about:
            st.markdown(literal(about))


def show_table_of(finding: AbstractFinding[Any, Any], name: str, *, folded: bool = True) -> None:
    """The finding's table ``name`` under its own caption; nothing where there is none."""
    table = finding.tables.get(name)
    if table is None:
        return
    if not folded:
        st.caption(literal(table.caption))
        show_table(table)
        offer_csv(table)
        return
    with st.expander(literal(table.caption)):
        show_table(table)
        offer_csv(table)


def show_folded(tables: Iterable[Table], heading: str) -> None:
    """All tables behind one fold: a single one under its caption, several under ``heading`` and how many there are."""
    known = list(tables)
    if not known:
        return
    alone = len(known) == 1
    with st.expander(literal(known[0].caption) if alone else f"{heading} ({whole(len(known))})"):
        for table in known:
            if not alone:
                st.markdown(f"**{literal(table.caption)}**")
            show_table(table)
            offer_csv(table)


def show_sortable(table: Table, key: str) -> None:
    """The table without its caption, to be sorted and searched; the first column names the rows."""
    st.dataframe(pd.DataFrame(table.rows, columns=table.header).set_index(table.header[0]), key=key)


def show_short(table: Table, key: str) -> None:
    """The table without its caption: one of many rows can be sorted, a short one wraps its words."""
    if len(table.rows) > _MOST_WRAPPED:
        show_sortable(table, key)
    else:
        show_table(table)


def show_titled(table: Table, key: str) -> None:
    """A table folded away under the first sentence of its caption; the rest, which says how to read it, in the fold."""
    title, *more = sentences(table.caption)
    with st.expander(literal(title.removesuffix("."))):
        if more:
            st.caption(literal(" ".join(more)))
        show_short(table, key)
        offer_csv(table)


def show_captioned(table: Table, key: str) -> None:
    """A table below its caption, with the file to save it."""
    st.caption(literal(table.caption))
    show_short(table, key)
    offer_csv(table)


def show_diagnostics(finding: AbstractFinding[Any, Any]) -> None:
    """What tells whether the numbers can be trusted, as the report says it, folded away."""
    with st.expander(say("Can the numbers be trusted?")):
        show_facts({fact.label: fact.value for fact in finding.diagnostics}, say("Check"))


def show_charts_and_tables(finding: AbstractFinding[Any, Any], names: Iterable[str]) -> None:
    """Charts, each with its table folded below it: the first in the open, what follows folded away; many all folded.

    The first sentence of a table's caption names it, the rest says how to read it. Where no chart is drawn, the first
    table stands in the open.
    """
    names = tuple(name for name in names if name in finding.charts or name in finding.tables)
    drawn = [name for name in names if name in finding.charts]
    opened = drawn[:1] if len(names) <= _MOST_OPEN else []
    for name in names:
        show_chart(finding, name, folded=name not in opened)
        if (table := finding.tables.get(name)) is None:
            continue
        title, _, more = table.caption.partition(". ")
        if name in drawn and title == retold(finding.charts[name].title):
            title = say("{title}, in numbers", title=title)
        alone = not drawn and name == names[0]
        if alone:
            st.header(literal(title), anchor=False)
        with st.container() if alone else st.expander(literal(title)):
            if more:
                st.caption(literal(more))
            show_short(table, f"table_{name}")
            offer_csv(table)

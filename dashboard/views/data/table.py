"""The chosen table: how it was read, what its columns are for, and what is the matter with it."""

import json
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from core.base.errors import Caveat
from core.base.files import FileRef, FileStore
from core.data.guess_roles import RolesGuess
from core.data.labels import labelled_by
from core.data.left_out import caveats
from core.data.quality.health import Health
from core.data.roles import Roles
from core.figures import data as figures
from core.language.phrases import count, lower_first, quoted, several, whole
from core.language.told import say
from core.result import DataSummary
from core.sources import DataSource
from core.sources.upload.uploaded import TableDescription
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.drawings import show_drawing
from dashboard.fields import name_of_mark
from dashboard.jobs.answers import unpack
from dashboard.messages import show_caveats
from dashboard.tables import TableSummary
from dashboard.text import literal
from dashboard.views.data import column_list, counting
from dashboard.views.data import outcome as data_outcome
from dashboard.views.data import roles as data_roles
from dashboard.views.data.taking import take
from dashboard.views.results.tables import show_folded
from dashboard.waiting import answer


def show(draft: Draft, source: DataSource) -> str:
    """The table, its roles and its health; returns why the next step is shut."""
    read = answer("read_table", {"source": source.model_dump(mode="json")}, say("Reading the table"))
    if read is None:
        return say("The table is not read yet.")
    summary = unpack(read["summary"], TableSummary)
    if absent := draft.roles.columns - set(summary.names):
        return _tell_absent(source, absent)
    table = FileRef.model_validate(read["table"])
    noticed = _show_decision(source, summary, read["description"])
    with st.expander(say("First rows"), icon=":material/table_rows:"):
        first = json.loads(FileStore().path(FileRef.model_validate(read["first"])).read_bytes())
        st.dataframe(unpack(first, pd.DataFrame), hide_index=True, key="data.preview")
    guess = None if read["guess"] is None else unpack(read["guess"], RolesGuess)
    chosen = data_roles.show(draft, summary, guess, read["roles"])
    if chosen != draft.roles:
        other = not chosen.judged_like(draft.roles)
        draft = session.change(roles=chosen, tests=() if other else draft.tests)
    missing = draft.roles_problem
    if missing or draft.roles.roles is None:
        show_caveats(noticed)
        return missing
    problem = _show_health(draft.roles.roles, table, noticed)
    counting.show(draft.roles.roles)
    return problem


def _tell_absent(source: DataSource, absent: set[str]) -> str:
    """Say which chosen columns the table lacks, and offer to choose anew."""
    told = say(
        "The table {title} has no {absent}, chosen before.", title=quoted(source.title), absent=several(sorted(absent))
    )
    st.warning(
        literal(f"{told} {say('Bring a table with the same names, or choose anew.')}"), icon=":material/warning:"
    )
    if st.button(say("Choose the columns and the model anew"), key="data.anew", icon=":material/restart_alt:"):
        session.change(after="")
        take(source)
        st.rerun()
    return told


def _show_decision(source: DataSource, summary: TableSummary, description: Any) -> tuple[Caveat, ...]:
    """How the table was read; returns what was noticed on the way."""
    title = source.title
    size = say("{rows} and {columns}", rows=count(summary.rows, "row"), columns=count(len(summary.columns), "column"))
    if description is None:
        st.success(f"{literal(title)}: {size}.", icon=":material/table:")
        return ()
    how = unpack(description, TableDescription)
    found = [
        how.format,
        say("separator {name}", name=lower_first(name_of_mark(how.separator))) if how.separator else "",
        say("encoding {encoding}", encoding=how.encoding) if how.encoding else "",
        say("sheet {sheet}", sheet=how.sheet) if how.sheet else "",
    ]
    st.success(
        say(
            "{title}: {size}, read as {how}.",
            title=literal(title),
            size=size,
            how=literal(", ".join(part for part in found if part)),
        ),
        icon=":material/table:",
    )
    if len(how.sheets) > 1:
        _choose_sheet(source, how)
    return how.caveats


def _choose_sheet(source: DataSource, how: TableDescription) -> None:
    """The other sheets of a workbook, of which the largest is read first."""
    sizes = {sheet.name: f"{count(sheet.rows, 'row')}, {count(sheet.columns, 'column')}" for sheet in how.sheets}
    names = list(sizes)
    chosen = st.selectbox(
        say("The workbook has {sheets}. Which one holds the table?", sheets=count(len(names), "sheet")),
        names,
        index=names.index(how.sheet),
        format_func=lambda name: f"{name} ({sizes[name]})",
        key=forms.key_of("data.sheet"),
    )
    if chosen != how.sheet:
        forms.forget("data.reading")
        take(source.model_copy(update={"sheet": chosen}))
        st.rerun()


def _show_health(roles: Roles, table: FileRef, noticed: tuple[Caveat, ...]) -> str:
    """What is the matter with the table, with what was ``noticed`` while it was read."""
    st.header(say("Health of the table"))
    unlabelled = roles.model_copy(update={"labels": ()})
    arguments = {"table": table.model_dump(mode="json"), "roles": unlabelled.model_dump(mode="json")}
    checked = answer("examine_table", arguments, say("Checking the table"))
    if checked is None:
        show_caveats(noticed)
        return say("The table cannot be audited with these roles yet.")
    _offer_to_leave_out(checked["same"])
    health = labelled_by(unpack(checked["health"], Health), roles)
    found, least = (labelled_by(unpack(checked[name], DataSummary), roles) for name in ("found", "least"))
    roles = labelled_by(roles, roles)
    with st.container(horizontal=True, key="health"):
        st.metric(say("Rows to audit"), _rows(found, least), border=True)
        st.metric(say("Rows with gaps"), whole(health.rows_with_missing), border=True)
        st.metric(say("Repeated rows"), whole(health.duplicates), border=True)
    if least.rows_audited > found.rows_audited:
        st.caption(_about_gaps(roles, found, least))
    if found.clusters:
        st.caption(say("{rows}: rows of one count together.", rows=literal(found.rows)))
    left_out = caveats(found.left_out, found.rows_left_out, found.rows_read)
    show_caveats((*noticed, *found.about_copies, *health.findings, *left_out))
    show_folded((one.table for one in found.left_out), say("Who was left out for missing values"))
    data_outcome.show_outcome(health, roles)
    if roles.protected:
        _show_groups(health, roles)
    with st.expander(say("Every column"), icon=":material/view_column:"):
        st.dataframe(health.columns, hide_index=True, key="health.columns")
    return ""


def _offer_to_leave_out(same: list[str]) -> None:
    """A button that leaves out the features that are nearly the outcome or the audited score; why is told below it."""
    if not same:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="same_as_the_answer"):
        st.markdown(
            say(
                "**Nearly the answer itself: {features}.** Leave them out, unless the audited model reads them.",
                features=literal(several(same)),
            )
        )
        if st.button(say("Leave them out"), key="data.leave_out", icon=":material/remove:"):
            roles = session.draft().roles
            left = tuple(name for name in roles.features if name not in same)
            column_list.keep(roles, roles.model_copy(update={"features": left}))


def _rows(fewest: DataSummary, most: DataSummary) -> str:
    """The rows of a test that reads every column, and those of one that reads as little as can be."""
    if fewest.rows_audited == most.rows_audited:
        return whole(most.rows_audited)
    return say("{fewest} to {most}", fewest=whole(fewest.rows_audited), most=whole(most.rows_audited))


def _about_gaps(roles: Roles, fewest: DataSummary, most: DataSummary) -> str:
    """That a test loses rows only for gaps in the columns it reads, and how many rows each then has."""
    numbers = {"fewest": count(fewest.rows_audited, "row"), "most": count(most.rows_audited, "row")}
    told = (
        say("A test that reads every column has {fewest}. A test of the predictions alone has {most}.", **numbers)
        if roles.predictions
        else say("A test of a model that reads every feature has {fewest}, others up to {most}.", **numbers)
    )
    return say("Rows are lost only in tests that read the column with the gap. {told}", told=told)


def _show_groups(health: Health, roles: Roles) -> None:
    """How many people each group has, and how groups differ in the outcome where there is one; all of them folded."""
    drawn = replace(health, groups=figures.fitting(health.groups))
    left, right = st.columns(2)
    texts = bool(roles.text)
    with left:
        st.markdown(say("**Texts of each group**") if texts else say("**People in each group**"))
        show_drawing(figures.draw_group_sizes(drawn.groups, texts=texts), "group_sizes")
    with right:
        data_outcome.show_by_group(drawn, roles)
    if len(drawn.groups) < len(health.groups):
        show_folded([figures.listed_groups(health.groups, data_outcome.what_is_good(roles))], "")

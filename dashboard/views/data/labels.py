"""Readable labels for columns and values, which are optional."""

from collections.abc import Iterator

import pandas as pd
import streamlit as st

from core.data.label import Label, what_clashes
from core.language.told import say
from dashboard import forms
from dashboard.draft import RolesChoice
from dashboard.tables import TableSummary
from dashboard.text import literal

_MOST_VALUES = 12
"""Values of a column that are listed; a column of more has none to be read one by one."""
_COLUMN, _VALUE, _LABEL = "column", "value", "label"


def show(choice: RolesChoice, summary: TableSummary) -> tuple[Label, ...]:
    """The labels as the table of the form says; those of before while they clash."""
    named = {(one.column, one.value): one.label for one in choice.labels}
    rows = [(column, value, named.get((column, value), "")) for column, value in _listed(choice, summary)]
    if not rows:
        return choice.labels
    with st.expander(say("Readable labels"), icon=":material/label:"):
        st.caption(
            say(
                "If a column or a value has a name that only insiders understand, write beside it what everybody reads "
                "instead: on every page, in charts, reports and slides. Record and files keep the names of the table "
                "as well."
            )
        )
        edited = st.data_editor(
            pd.DataFrame(rows, columns=[_COLUMN, _VALUE, _LABEL]),
            key=forms.key_of(f"roles.labels.{len(rows)}"),
            hide_index=True,
            disabled=[_COLUMN, _VALUE],
            height="content" if len(rows) <= _MOST_VALUES else 400,
            column_config={_COLUMN: say("Column"), _VALUE: say("Value"), _LABEL: say("Label")},
        )
        written = zip(rows, edited[_LABEL].fillna("").astype(str).str.strip(), strict=True)
        found = tuple(
            Label(column=column, value=value, label=label[:80]) for (column, value, _), label in written if label
        )
        if clash := what_clashes(found):
            st.error(f"{literal(clash)}.", icon=":material/error:")
            return choice.labels
    return found


def _listed(choice: RolesChoice, summary: TableSummary) -> Iterator[tuple[str, str]]:
    """Every column with a role, and each value of those that hold few, outcome and protected attributes first."""
    single = [choice.outcome, *choice.protected, *choice.predictions, *choice.features, choice.belongs_to]
    for name in dict.fromkeys(name for name in single if name):
        column = summary.column(name)
        yield name, ""
        if not column.quantity and column.distinct <= _MOST_VALUES:
            yield from ((name, value) for value in sorted(column.values))

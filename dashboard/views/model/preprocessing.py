"""How each column was prepared for a model, as a form that is filled from the table, downloaded and brought again."""

from typing import Any

import pandas as pd
import streamlit as st
from pydantic import ValidationError

from core.data.encoder import Column, Encoder, NumericColumn, categories_of
from core.language.phrases import count, quoted
from core.language.settings_words import what_is_wrong
from core.language.told import retold, say
from core.models.declared import encoding_bytes
from core.models.prepared import PreparedSource
from dashboard import forms, samples, session, uploads
from dashboard.draft import Draft
from dashboard.text import literal
from dashboard.waiting import answer

_KEY = "model.encoding"
_KINDS = {
    "numeric": say("number, less a mean, divided by a scale"),
    "raw": say("number as it stands in the table"),
    "categorical": say("an indicator for each category"),
    "binary": say("one indicator, of the second of two categories"),
    "dropped": say("an indicator for each category but the first"),
    "code": say("place of the category: 0, 1, 2, …"),
}
_PLACE, _COLUMN, _KIND, _CATEGORIES, _MEAN, _SCALE = "place", "column", "kind", "categories", "mean", "scale"


def ask(draft: Draft, source: Any) -> Any:
    """The model with the preprocessing that the form declares, if one is wanted; as it was while that is open."""
    declared = st.toggle(
        say("Declare how each column was prepared"),
        value=source.encoder is not None,
        key=forms.key_of(f"{_KEY}.declared"),
        help=say(
            "Where the file does not say it: the columns in the order of training, the order of their categories, "
            "means and scales."
        ),
    )
    if not declared:
        return source.model_copy(update={"encoder": None})
    if (begun := _begun(draft, source)) is None:
        return source
    base, open_numbers = begun
    encoder = _edited(base, open_numbers=open_numbers)
    with st.container(horizontal=True, key="model_encoding"):
        st.download_button(
            say("Download as JSON"),
            encoding_bytes(encoder or base),
            "encoding.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
            key=f"{_KEY}.download",
            disabled=encoder is None,
            help=say("For the next audit of this model, here or with --encoding on the command line."),
        )
        if st.button(say("Fill from the table again"), key=f"{_KEY}.again", icon=":material/restart_alt:"):
            _take(source, None)
    _bring(source)
    if encoder is None:
        return source
    _list(encoder)
    return source.model_copy(update={"encoder": encoder})


def _begun(draft: Draft, source: Any) -> tuple[Encoder, bool] | None:
    """What the form shows at first: what was declared before, or the table's own; None while that is read.

    Beside it whether it is open how numbers are read, which the table does not tell.
    """
    known = st.session_state.get(_KEY)
    if known is not None and known[0] == source.file.sha256:
        kept: tuple[Encoder, bool] = known[1]
        return kept
    asked = isinstance(source, PreparedSource)
    if source.encoder is not None:
        found = source.encoder, False
    else:
        raw = source.numbers == "raw" if asked else True
        filled = answer("fill_encoding", draft.about_table | {"raw": raw}, say("Reading the table"))
        if filled is None:
            return None
        found = Encoder.model_validate(filled["encoder"]), asked and source.numbers is None
    st.session_state[_KEY] = (source.file.sha256, found)
    return found


def _edited(base: Encoder, *, open_numbers: bool) -> Encoder | None:
    """The preprocessing as the table of the form says; None, with the reason, while it is none."""
    edited = st.data_editor(
        rows_of(base, open_numbers=open_numbers),
        key=forms.key_of(f"{_KEY}.table.{base.fingerprint[:12]}.{open_numbers}"),
        hide_index=True,
        disabled=[_COLUMN],
        height="content",
        column_config={
            _PLACE: st.column_config.NumberColumn(
                say("Place"), help=say("Columns are read in this order."), width=70, step=1, required=True
            ),
            _COLUMN: st.column_config.TextColumn(say("Column"), width=140),
            _KIND: st.column_config.SelectboxColumn(
                say("Read as"),
                options=list(_KINDS),
                format_func=lambda kind: retold(_KINDS[str(kind)]),
                required=True,
                width=300,
            ),
            _CATEGORIES: st.column_config.ListColumn(
                say("Categories in order"), help=say("In the order of training; the first has the number 0."), width=300
            ),
            _MEAN: st.column_config.NumberColumn(say("Mean"), format="%.6g", width=100),
            _SCALE: st.column_config.NumberColumn(say("Scale"), format="%.6g", width=100),
        },
    )
    found = encoder_of(edited)
    if isinstance(found, Encoder):
        return found
    st.error(literal(found), icon=":material/error:")
    return None


def rows_of(encoder: Encoder, *, open_numbers: bool = False) -> pd.DataFrame:
    """A row for each column of the table, in the order in which the model reads them.

    Args:
        encoder: The preprocessing.
        open_numbers: Whether nobody said yet how numbers are read: those that would be standardised have no kind.
    """
    return pd.DataFrame(
        [
            {
                _PLACE: place,
                _COLUMN: column.name,
                _KIND: None if open_numbers and _is_scaled(column) else column.kind,
                _CATEGORIES: list(categories_of(column)),
                _MEAN: column.mean if isinstance(column, NumericColumn) else None,
                _SCALE: column.scale if isinstance(column, NumericColumn) else None,
            }
            for place, column in enumerate(encoder.columns, 1)
        ]
    ).astype({_MEAN: "float64", _SCALE: "float64"})


def _is_scaled(column: Column) -> bool:
    return isinstance(column, NumericColumn) and (column.mean, column.scale) != (0.0, 1.0)


def encoder_of(rows: pd.DataFrame) -> Encoder | str:
    """The preprocessing that the form's rows say, or what is wrong with them, one sentence."""
    columns = []
    if open_rows := [row for row in rows.to_dict("records") if pd.isna(row[_KIND])]:
        return say("Choose under “Read as” how the model reads {column}.", column=quoted(open_rows[0][_COLUMN]))
    for row in rows.sort_values(_PLACE, kind="stable").to_dict("records"):
        column: dict[str, Any] = {"kind": row[_KIND], "name": row[_COLUMN]}
        if row[_KIND] == "numeric":
            column |= {name: row[name] for name in (_MEAN, _SCALE) if not pd.isna(row[name])}
        elif row[_KIND] != "raw":
            column["categories"] = [str(one) for one in row[_CATEGORIES] if one is not None]
        columns.append(column)
    try:
        return Encoder.model_validate({"columns": columns})
    except ValidationError as error:
        first = error.errors()[0]
        place = next((part for part in first["loc"] if isinstance(part, int)), None)
        wrong = what_is_wrong(first)
        return wrong if place is None else say("{column}: {wrong}.", column=columns[place]["name"], wrong=wrong)


def _bring(source: Any) -> None:
    """An uploader for a preprocessing that was downloaded before."""
    file = st.file_uploader(say("Or bring a preprocessing (JSON)"), key=forms.key_of(f"{_KEY}.file"))
    samples.offer("preprocessing")
    if file is None or st.session_state.get(f"{_KEY}.seen") == file.file_id:
        return
    if (ref := uploads.keep(file)) is None:
        return
    found = answer("read_encoding", {"file": ref.model_dump(mode="json")}, say("Reading the file"))
    if found is not None:
        st.session_state[f"{_KEY}.seen"] = file.file_id
        _take(source, Encoder.model_validate(found["encoder"]))


def _take(source: Any, encoder: Encoder | None) -> None:
    """Begin the form again with another preprocessing, or with the table's own."""
    st.session_state.pop(_KEY, None)
    forms.forget(f"{_KEY}.table")
    session.change(model=source.model_copy(update={"encoder": encoder}))
    if encoder is not None:
        st.session_state[_KEY] = (source.file.sha256, (encoder, False))
    st.rerun()


def _list(encoder: Encoder) -> None:
    """All numbers that the model is given of a row, in order."""
    with st.expander(
        say("The model is given {numbers} of each row", numbers=count(encoder.width, "number")),
        icon=":material/view_column:",
    ):
        st.dataframe(
            pd.DataFrame({"name": encoder.names}, index=range(1, encoder.width + 1)),
            column_config={"_index": say("Place"), "name": say("Prepared column")},
            key=f"{_KEY}.names",
        )

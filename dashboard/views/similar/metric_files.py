"""What an auditor brings for a fair metric: weights, a matrix, pairs of comparable people."""

from typing import Any

import pandas as pd
import streamlit as st

from core.language.phrases import count
from core.language.told import say
from core.metrics.expert import UploadedMatrix
from dashboard import uploads
from dashboard.draft import Draft
from dashboard.waiting import answer


def expert(draft: Draft, values: dict[str, Any], key: str) -> dict[str, Any]:
    """Weights of the columns, or an own matrix; returns the fields they fill."""
    with st.expander(say("Weights of the other columns"), icon=":material/balance:"):
        known = dict(values.get("weights", ()))
        table = pd.DataFrame(
            {"column": draft.roles.features, "weight": [known.get(name, 1.0) for name in draft.roles.features]}
        )
        st.caption(say("1 is the usual weight; 2 makes a difference count twice as much, 0 makes it free."))
        edited = st.data_editor(
            table,
            hide_index=True,
            disabled=["column"],
            key=f"{key}.weights",
            column_config={
                "column": say("Column"),
                "weight": st.column_config.NumberColumn(say("Weight"), min_value=0.0, required=True),
            },
        )
    weights = tuple(
        (str(name), float(weight))
        for name, weight in zip(edited["column"], edited["weight"], strict=True)
        if weight != 1.0
    )
    with st.expander(say("Bring an own matrix instead"), icon=":material/grid_on:"):
        st.caption(say("A CSV file, one line per prepared column: symmetric, and no negative distance."))
        rows = _uploaded(say("Matrix"), f"{key}.matrix", "read_matrix", say("Reading the matrix"))
        matrix = values.get("matrix") if rows is None else UploadedMatrix.model_validate(rows)
        if matrix is not None:
            st.caption(say("A matrix of {lines} is used.", lines=count(len(matrix.rows), "line")))
            if st.button(say("Use no matrix"), key=f"{key}.no_matrix"):
                matrix = None
    return {"weights": weights, "matrix": matrix}


def pairs(values: dict[str, Any], key: str) -> dict[str, Any]:
    """Pairs of record numbers; returns the field they fill, or nothing while there are none."""
    st.caption(say("A CSV file with two record numbers a line, counted from 1 without the header: who is like whom."))
    found = _uploaded(say("Comparable pairs"), f"{key}.pairs", "read_pairs", say("Reading the pairs"))
    kept = values.get("pairs") if found is None else tuple(map(tuple, found))
    if not kept:
        st.info(say("Upload comparable pairs to use this metric."), icon=":material/upload_file:")
        return {}
    st.caption(say("{pairs} used.", pairs=count(len(kept), "pair")))
    return {"pairs": kept}


def _uploaded(label: str, key: str, task: str, waiting: str) -> Any:
    """What the worker reads from the file that lies in this uploader; None if there is none or it is refused."""
    file = st.file_uploader(label, key=key, type=["csv", "txt", "tsv"])
    if file is None:
        return None
    ref = uploads.keep(file)
    return None if ref is None else answer(task, {"file": ref.model_dump(mode="json")}, waiting)

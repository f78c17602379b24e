"""What no single widget of a metric's form can hold: weights of columns, a matrix, pairs of comparable people."""

from collections.abc import Callable
from typing import Any, get_args

import pandas as pd
import streamlit as st
from pydantic.fields import FieldInfo

from core.base.settings import help_of, title_of
from core.contracts.metric import AbstractMetric
from core.language.phrases import count
from core.language.told import say
from core.metrics.expert import UploadedMatrix
from dashboard import samples, uploads
from dashboard.draft import Draft
from dashboard.fields import plain_type, without_none
from dashboard.views.similar import judging
from dashboard.waiting import answer

Editor = Callable[[FieldInfo, Draft, Any, str], Any]
"""Shows a field: (field, draft, what it holds, key) -> what it holds now; None for nothing."""


def editors_of(kind: type[AbstractMetric]) -> dict[str, Editor]:
    """What shows those fields that no single widget can hold, by field: each by the type of what it holds."""
    held = {name: _held(field.annotation) for name, field in kind.model_fields.items()}
    return {name: _EDITORS[what] for name, what in held.items() if what in _EDITORS}


def _held(annotation: Any) -> Any:
    """The type of a field; of a list of pairs the two types that a pair holds."""
    inner, _ = without_none(annotation)
    arguments = get_args(inner)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(map(plain_type, get_args(arguments[0])))
    return inner


def _weights(field: FieldInfo, draft: Draft, held: Any, key: str) -> Any:
    """A number for each column, 1 where nothing is said."""
    with st.expander(title_of(field), icon=":material/balance:"):
        known = dict(held or ())
        table = pd.DataFrame(
            {"column": draft.roles.features, "weight": [known.get(name, 1.0) for name in draft.roles.features]}
        )
        st.caption(help_of(field))
        edited = st.data_editor(
            table,
            hide_index=True,
            disabled=["column"],
            key=key,
            column_config={
                "column": say("Column"),
                "weight": st.column_config.NumberColumn(say("Weight"), min_value=0.0, required=True),
            },
        )
    pairs = zip(edited["column"], edited["weight"], strict=True)
    return tuple((str(name), float(weight)) for name, weight in pairs if weight != 1.0)


def _matrix(field: FieldInfo, draft: Draft, held: Any, key: str) -> Any:
    """A matrix from a file, until somebody wants none."""
    with st.expander(say("Bring an own matrix instead"), icon=":material/grid_on:"):
        st.caption(say("A CSV file, one line per prepared column: symmetric, and no negative distance."))
        rows = _uploaded(say("Matrix"), key, "read_matrix", say("Reading the matrix"), "matrix")
        matrix = held if rows is None else UploadedMatrix.model_validate(rows)
        if matrix is not None:
            st.caption(say("A matrix of {lines} is used.", lines=count(len(matrix.rows), "line")))
            if st.button(say("Use no matrix"), key=f"{key}.none"):
                matrix = None
    return matrix


def _pairs(field: FieldInfo, draft: Draft, held: Any, key: str) -> Any:
    """Pairs of record numbers: those that were judged similar on the page, and those of a file."""
    with st.container(border=True, key=f"{key}.judge"):
        known = judging.kept(draft, held or ())
        judging.show(draft, known, key)
    with st.expander(say("Bring pairs in a file"), icon=":material/upload_file:"):
        told = say("A CSV file with two row numbers a line, counted from 1 without the header: who is like whom.")
        st.caption(told)
        found = _uploaded(title_of(field), key, "read_pairs", say("Reading the pairs"), "pairs")
    if found is not None:
        known = judging.with_file(known, tuple((int(one), int(other)) for one, other in found))
    kept = known.comparable
    if not kept:
        st.info(say("Judge some pairs, or bring a file of them, to use this metric."), icon=":material/balance:")
        return None
    st.caption(say("{pairs} used.", pairs=count(len(kept), "pair")))
    return kept


_EDITORS: dict[Any, Editor] = {(str, float): _weights, UploadedMatrix: _matrix, (int, int): _pairs}


def _uploaded(label: str, key: str, task: str, waiting: str, sample: str) -> Any:
    """What the worker reads from the file that lies in this uploader; None if there is none or it is refused."""
    file = st.file_uploader(label, key=key, type=["csv", "txt", "tsv"])
    samples.offer(sample, key)
    if file is None:
        return None
    ref = uploads.keep(file)
    return None if ref is None else answer(task, {"file": ref.model_dump(mode="json")}, waiting)

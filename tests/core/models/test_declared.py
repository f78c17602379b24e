"""A declared preprocessing as a file: filled from a table, read again, and refused in words."""

import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ModelError
from core.data.encoder import CategoricalColumn, CodeColumn, DroppedColumn, Encoder, NumericColumn, RawColumn
from core.models.declared import encoding_bytes, read_encoding, what_differs
from core.models.prepared import filled_from

NAMES = st.text(min_size=1, max_size=20)
COLUMNS = st.one_of(
    st.builds(NumericColumn, name=NAMES, mean=st.floats(-1e9, 1e9), scale=st.floats(1e-6, 1e9)),
    st.builds(RawColumn, name=NAMES),
    *(
        st.builds(kind, name=NAMES, categories=st.lists(NAMES, min_size=2, max_size=5, unique=True).map(tuple))
        for kind in (CategoricalColumn, DroppedColumn, CodeColumn)
    ),
)


@given(st.lists(COLUMNS, min_size=1, max_size=5, unique_by=lambda column: column.name))
def test_what_is_written_is_read_again(columns: list[RawColumn]) -> None:
    encoder = Encoder(columns=tuple(columns))
    assert read_encoding(encoding_bytes(encoder), "e.json") == encoder


def test_a_table_fills_the_form(frame: pd.DataFrame) -> None:
    gaps = frame.assign(age=frame["age"].where(frame.index > 3))
    encoder = filled_from(gaps, ("age", "job", "sex"), raw=False)
    assert encoder.names == ("age", "job = clerk", "job = cook", "job = nurse", "sex = m")
    assert encoder.columns[0].mean == pytest.approx(gaps["age"].mean())
    assert filled_from(gaps, ("age", "job"), raw=True).columns[0] == RawColumn(name="age")


WRONG = {
    "no JSON": (b"columns: age", "it is not valid JSON"),
    "no list": (b'{"columns": 3}', "it must be a list"),
    "an unknown kind": (b'{"columns": [{"kind": "pickle", "name": "age"}]}', "its kind must be one of"),
    "a scale of nothing": (b'{"columns": [{"kind": "numeric", "name": "a", "scale": 0}]}', "more than 0"),
    "no number": (b'{"columns": [{"kind": "numeric", "name": "a", "mean": NaN}]}', "."),
    "twice": (b'{"columns": [{"kind": "raw", "name": "a"}, {"kind": "raw", "name": "a"}]}', "'a' is prepared twice"),
    "a category twice": (
        b'{"columns": [{"kind": "code", "name": "a", "categories": ["x", "x"]}]}',
        "a category of 'a' is listed twice",
    ),
    "coordinates": (b'{"columns": [{"kind": "coordinate", "name": "a"}]}', "no columns of a table"),
    "too large": (b" " * (2**22 + 1), "more than 4 MB"),
    "deep": (b"[" * 100_000, "."),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_preprocessing_is_refused_in_a_sentence(case: str) -> None:
    content, said = WRONG[case]
    with pytest.raises(ModelError, match=said) as refused:
        read_encoding(content, "e.json")
    assert refused.value.where.startswith("e.json")
    assert "core encoding" in refused.value.advice


def test_what_differs_is_named() -> None:
    encoder = Encoder(columns=(RawColumn(name="age"), CategoricalColumn(name="job", categories=("cook", "nurse"))))
    assert what_differs(("age", "job = cook", "job = nurse"), encoder) == ""
    more = ("age", "job = clerk", "job = cook", "job = nurse", "job = smith")
    assert what_differs(more, encoder) == "The model reads 5 numbers; missing are 'job = clerk', 'job = smith'."
    assert "not read are 'job = nurse'" in what_differs(("age", "job = cook"), encoder)
    assert "number 1 is 'job = cook', and 'age' was" in what_differs(("job = cook", "age", "job = nurse"), encoder)


def test_the_file_is_plain_json() -> None:
    written = json.loads(encoding_bytes(Encoder(columns=(NumericColumn(name="age", mean=40, scale=2),))))
    assert written == {"columns": [{"kind": "numeric", "name": "age", "mean": 40.0, "scale": 2.0}]}

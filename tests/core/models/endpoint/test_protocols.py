"""Each protocol alone: rows become the bytes that its document asks for, and bytes become answers or a sentence."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ModelError
from core.models.endpoint.protocols import PROTOCOLS
from core.models.endpoint.rows import Rows
from core.models.endpoint.settings import EndpointSettings

FRAME = pd.DataFrame({"age": [20, 30], "pay": [1.5, 2.0], "sex": ["f", "m"], "owner": [True, False]})
ROWS = Rows.of(FRAME, ("age", "pay", "gender", "owner"))


def settings(protocol: str, **changes: Any) -> EndpointSettings:
    return EndpointSettings(**{"protocol": protocol, "url": "https://models.example.org/a", **changes})


def posted(protocol: str, **changes: Any) -> tuple[str, Any]:
    path, body = PROTOCOLS[protocol].request(settings(protocol, **changes), ROWS)
    return path, json.loads(body)


def replied(protocol: str, told: Any, asked: int = 2, **changes: Any) -> Any:
    content = told if isinstance(told, bytes) else json.dumps(told).encode()
    return PROTOCOLS[protocol].reply(settings(protocol, **changes), content, asked)


def test_the_open_inference_protocol_gets_an_input_a_column() -> None:
    path, body = posted("open inference", model="in come", version="3", answer="predict_proba")
    assert path == "/a/v2/models/in%20come/versions/3/infer"
    assert body["outputs"] == [{"name": "predict_proba"}]
    assert [(one["name"], one["datatype"], one["shape"], one["data"]) for one in body["inputs"]] == [
        ("age", "INT64", [2, 1], [20, 30]),
        ("pay", "FP64", [2, 1], [1.5, 2.0]),
        ("gender", "BYTES", [2, 1], ["f", "m"]),
        ("owner", "BOOL", [2, 1], [True, False]),
    ]


def test_the_open_inference_protocol_gets_a_matrix_of_numbers_row_by_row() -> None:
    endpoint = settings("open inference", model="m", rows_as="matrix", datatype="FP32")
    _, body = PROTOCOLS["open inference"].request(endpoint, Rows.of(FRAME[["age", "pay"]], ("age", "pay")))
    assert json.loads(body)["inputs"] == [
        {"name": "input-0", "datatype": "FP32", "shape": [2, 2], "data": [20.0, 1.5, 30.0, 2.0]}
    ]
    with pytest.raises(ModelError, match="'gender' and 'owner' hold no numbers"):
        posted("open inference", model="m", rows_as="matrix")


def test_mlflow_gets_a_split_table_and_plain_a_list_of_rows() -> None:
    path, body = posted("mlflow")
    assert path == "/a/invocations"
    assert body == {
        "dataframe_split": {
            "columns": ["age", "pay", "gender", "owner"],
            "data": [[20, 1.5, "f", True], [30, 2.0, "m", False]],
        }
    }
    path, body = posted("plain", rows_field="rows")
    assert path == "/a"
    assert body == {
        "rows": [
            {"age": 20, "pay": 1.5, "gender": "f", "owner": True},
            {"age": 30, "pay": 2.0, "gender": "m", "owner": False},
        ]
    }
    assert posted("plain", rows_field="")[1] == body["rows"]


OUTPUT = {"name": "p", "datatype": "FP64", "shape": [2, 2], "data": [0.1, 0.9, 0.4, 0.6]}


def test_answers_of_every_protocol_are_read() -> None:
    pairs = ((0.1, 0.9), (0.4, 0.6))
    nested = {**OUTPUT, "data": [[0.1, 0.9], [0.4, 0.6]]}
    for output in (OUTPUT, nested):
        found = replied("open inference", {"model_version": "7", "outputs": [output]})
        assert (found.answers, found.version) == (pairs, "7")
    both = {"outputs": [{"name": "label", "shape": [2], "datatype": "BYTES", "data": ["a", "b"]}, OUTPUT]}
    assert replied("open inference", both, answer="label").answers == (("a",), ("b",))
    assert replied("mlflow", {"predictions": [[0.1, 0.9], [0.4, 0.6]]}).answers == pairs
    assert replied("mlflow", {"predictions": [{"p": 1}, {"p": 0}]}, answer="p").answers == ((1,), (0,))
    assert replied("plain", [0.2, 0.3]).answers == ((0.2,), (0.3,))
    told = {"results": [{"out": {"p": 0.2}}, {"out": {"p": 0.3}}]}
    assert replied("plain", told, answer="results.*.out.p").answers == ((0.2,), (0.3,))
    assert replied("plain", {"a": [{"b": ["x", "y"]}]}, answer="a.0.b").answers == (("x",), ("y",))


@pytest.mark.parametrize(
    ("protocol", "told", "changes", "said"),
    [
        ("open inference", b"<html>", {}, "no JSON"),
        ("open inference", b"[" * 100_000, {}, "no JSON"),
        ("open inference", {"error": "x"}, {}, "no outputs"),
        ("open inference", {"outputs": [OUTPUT, {**OUTPUT, "name": "q"}]}, {}, "2 outputs"),
        ("open inference", {"outputs": [OUTPUT]}, {"answer": "q"}, "no output 'q'"),
        ("open inference", {"outputs": [{**OUTPUT, "shape": [4, 1]}]}, {}, "sent 2 rows and returned 4 values"),
        ("open inference", {"outputs": [{**OUTPUT, "shape": [2, 3]}]}, {}, "values of shape"),
        ("open inference", {"outputs": [{**OUTPUT, "shape": [2, 0], "data": []}]}, {}, "returned 0 values"),
        ("open inference", {"outputs": [{**OUTPUT, "data": None}]}, {}, "returned 0 values"),
        ("open inference", {"outputs": [{**OUTPUT, "data": [0.1, None, 0.4, 0.6]}]}, {}, "no value for a row"),
        ("mlflow", [1, 2], {}, "no predictions"),
        ("mlflow", {"predictions": [1]}, {}, "sent 2 rows and returned 1 answers"),
        ("mlflow", {"predictions": [[1, 2], [1]]}, {}, "differ in length"),
        ("mlflow", {"predictions": [{"p": 1}, {"q": 1}]}, {"answer": "p"}, "no 'p'"),
        ("plain", {"results": {"p": 1}}, {"answer": "results.*.p"}, r"no '\*'"),
        ("plain", {"p": 0.5}, {"answer": "p"}, "no list of answers"),
        ("plain", [None, 1], {}, "no value for a row"),
        ("plain", [[], []], {}, "no value for a row"),
    ],
)
def test_what_is_wrong_with_an_answer_is_a_sentence(
    protocol: str, told: Any, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(ModelError, match=said) as refused:
        replied(protocol, told, **changes)
    assert refused.value.advice


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_every_protocol_reads_the_same_numbers_to_the_last_digit(pairs: list[tuple[float, float]]) -> None:
    flat = [value for pair in pairs for value in pair]
    output = {"name": "p", "shape": [len(pairs), 2], "datatype": "FP64", "data": flat}
    told = {
        "open inference": {"outputs": [output]},
        "mlflow": {"predictions": pairs},
        "plain": pairs,
    }
    for protocol, one in told.items():
        assert replied(protocol, one, len(pairs)).answers == tuple(pairs)


def test_a_row_has_one_key_however_its_numbers_are_written() -> None:
    as_whole = Rows.of(pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), ("a", "b"))
    as_floats = Rows.of(pd.DataFrame({"a": np.array([1.0, 2.0]), "b": ["x", "y"]}), ("a", "b"))
    assert as_whole.keys == as_floats.keys
    assert len(set(as_whole.keys)) == 2
    assert Rows.of(pd.DataFrame({"a": ["1"], "b": ["x"]}), ("a", "b")).keys[0] not in as_whole.keys
    assert Rows(("b", "a"), as_whole.cells).keys[0] not in as_whole.keys

"""What people are told of odd files is right English of a bounded length."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from core.audits import KINDS
from core.base.errors import LONGEST_SENTENCE, DataError, RecordError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.quality.health import examine
from core.data.roles import Roles
from core.records.audits import AUDITS
from core.sources.upload.uploaded import UploadedTable
from tests.builders import make_plan


def test_one_usable_row_is_left() -> None:
    frame = pd.DataFrame({"hired": ["no"] + [None] * 9, "sex": ["f"] * 10})
    with pytest.raises(DataError, match="Only 1 usable row is left"):
        Dataset.build(frame, Roles(outcome="hired", favourable="no", protected=("sex",)))


def test_one_infinite_value_is_one() -> None:
    frame = pd.DataFrame({"hired": ["no", "yes"] * 20, "sex": ["f", "f", "m", "m"] * 10, "x": [np.inf] + [0.0] * 39})
    with pytest.raises(DataError, match="1 value is infinite"):
        Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=("x",)))


def test_a_second_wrong_setting_is_one() -> None:
    plan = json.loads(make_plan().model_dump_json())
    plan["seed"] = "x"
    with pytest.raises(RecordError) as caught:
        AUDITS.read(json.dumps(plan))
    assert caught.value.what.endswith("it must be a whole number.")
    plan["colour"] = "red"
    with pytest.raises(RecordError) as caught:
        AUDITS.read(json.dumps(plan))
    assert caught.value.what.endswith("1 other setting is wrong too.")


def test_a_record_that_is_nested_deep_is_refused_before_anything_walks_it() -> None:
    deep = "[" * 300 + "]" * 300
    with pytest.raises(RecordError, match="nests them deeper"):
        AUDITS.read(f'{make_plan().model_dump_json()[:-1]}, "audit": {deep}}}')


def test_text_in_another_encoding_is_not_called_no_text() -> None:
    with pytest.raises(RecordError) as caught:
        AUDITS.read('{"format": "é"}'.encode("latin-1"))
    assert "text file" not in caught.value.what
    assert "UTF-8" in caught.value.what
    assert caught.value.where == "byte 13"


LONG = "ab c_" * 1_000
NAMES = st.text(min_size=1, max_size=20).map(lambda text: f"x{text}" * 400)


def said(*texts: str) -> None:
    """Each sentence is short, and begins and ends as ours do."""
    for text in texts:
        assert len(text) <= LONGEST_SENTENCE


@settings(max_examples=15, deadline=None)
@given(label=NAMES, column=NAMES, fault=st.sampled_from(["number", "favourable", "one group", "infinite", "absent"]))
def test_long_labels_and_columns_are_shortened(label: str, column: str, fault: str) -> None:
    values = {"hired": ["no", "yes"] * 20, "sex": ["f", "f", "m", "m"] * 10, column: [*map(str, range(39)), label]}
    values |= {"sex": [label] * 40} if fault == "one group" else {}
    values |= {column: [float("inf")] * 40} if fault == "infinite" else {}
    roles = Roles(
        outcome=column if fault == "favourable" else "hired",
        favourable=label if fault == "favourable" else "yes",
        protected=("sex",),
        features=() if fault == "favourable" else (column + ("?" if fault == "absent" else ""),),
    )
    frame = pd.DataFrame(values)
    with pytest.raises(DataError) as caught:
        Dataset.build(frame, roles)
    said(caught.value.what, caught.value.where, caught.value.advice)
    if fault != "absent":
        for caveat in examine(frame, roles).findings:
            said(caveat.what, caveat.advice)


@pytest.mark.parametrize(
    "content",
    [
        f"{LONG},{LONG}\n1,2\n".encode(),
        f"a,{LONG}\n1\n".encode(),
        f"a,b\n{LONG * 40},2\n".encode(),
        f"a\n{LONG}\n".encode(),
        b",".join(b"0%d" % number for number in range(900)) + b"\n" + b",".join([b"07"] * 900) + b"\n",
    ],
    ids=["doubled", "ragged", "long cell", "one column", "many codes"],
)
@pytest.mark.parametrize("name", ["people.csv", f"{LONG}.csv", f"{LONG}.{LONG}"], ids=["", "long name", "long ending"])
def test_readers_say_it_in_short(content: bytes, name: str, tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    try:
        _, description = UploadedTable(file=files.put(content, name)).read(files)
    except DataError as error:
        said(error.what, error.where, error.advice)
    else:
        said(*(caveat.what for caveat in description.caveats))


def test_what_is_left_out_is_counted_and_the_rest_of_the_sentence_stays() -> None:
    frame = pd.DataFrame(
        {"hired": ["no", "yes"] * 20, "sex": ["f", "f", "m", "m"] * 10, "x": [*range(39), "z" * 5_000]}
    )
    with pytest.raises(DataError) as caught:
        Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=("x",)))
    assert caught.value.what.startswith("1 of 40 cells")
    assert caught.value.what.endswith("zzz' is the first.")
    assert "4,912 characters" in caught.value.what


WRONG_SETTINGS = (
    ({"decision": {"kind": "gradient_flow", "delta": "many"}}, "it must be a number"),
    ({"decision": {"kind": "gradient_flow", "delta": 0.5}}, "it must be at least 1"),
    ({"decision": {"kind": "gradient_flow", "statistic": "mean"}}, "it must be 'loss ratio' or 'error-rate ratio'"),
    ({"audit": {"kind": "gradient_flow", "steps": 5}}, "it is missing"),
    ({"audit": {"kind": "none"}}, "its kind must be one of"),
    ({"audit": []}, "it "),
    ({"colour": "red"}, "there is no such setting"),
    ({"seed": 1.5}, "it must be a whole number"),
    ({"model": None}, "it "),
)
PYDANTICS_OWN = ("Input should", "Input tag", "Unable to", "Field required", "Extra inputs", "Value error", "valid")


@pytest.mark.parametrize(("change", "says"), WRONG_SETTINGS, ids=lambda value: str(value)[:40])
def test_a_wrong_setting_is_told_in_our_words(change: dict[str, object], says: str) -> None:
    plan = json.loads(make_plan().model_dump_json()) | change
    with pytest.raises(RecordError) as caught:
        AUDITS.read(json.dumps(plan))
    assert says in caught.value.what
    assert caught.value.advice
    assert not [words for words in PYDANTICS_OWN if words in caught.value.what]


IMPOSSIBLE_TOLERANCES = (
    {"kind": "transport", "delta": 5.0},
    {"kind": "transport", "loss": "squared", "delta": 5.0},
    {"kind": "text_sensitivity", "delta": 5.0},
    {"kind": "text_sensitivity", "judged": "swaps", "delta": 1.01},
    {"kind": "column_sensitivity", "delta": 5.0},
    {"kind": "equalized_odds", "delta": 5.0},
    {"kind": "group_fairness", "delta": 5.0},
    {"kind": "gradient_flow", "delta": 0.99},
    {"kind": "gradient_flow", "delta": 500.0},
)


@pytest.mark.parametrize("decision", IMPOSSIBLE_TOLERANCES, ids=str)
def test_a_tolerance_that_no_value_can_exceed_is_refused(decision: dict[str, object]) -> None:
    settings = KINDS[str(decision["kind"])].decision
    with pytest.raises(ValidationError, match=r"most|less|greater"):
        settings.model_validate(decision)
    assert settings.model_validate(decision | {"delta": 1.0}).delta == 1.0
    if decision["kind"] == "transport":
        assert settings.model_validate({"kind": "transport", "loss": "log", "delta": 5.0}).delta == 5.0

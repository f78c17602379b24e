"""What people are told of odd files is right English of a bounded length."""

import json

import numpy as np
import pandas as pd
import pytest

from core.data.dataset import Dataset
from core.data.roles import Roles
from core.errors import DataError, RecordError
from core.records.audits import AUDITS
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
    plan["seed"], plan["colour"] = "x", "red"
    with pytest.raises(RecordError) as caught:
        AUDITS.read(json.dumps(plan))
    assert caught.value.what.endswith("1 other setting is wrong too.")


def test_text_in_another_encoding_is_not_called_no_text() -> None:
    with pytest.raises(RecordError) as caught:
        AUDITS.read('{"format": "é"}'.encode("latin-1"))
    assert "text file" not in caught.value.what
    assert "UTF-8" in caught.value.what
    assert caught.value.where == "byte 13"

"""What a process behind the wall says of its graph and answers, if a stranger's code says it."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from core.base.errors import ModelError
from core.contracts.model import AbstractModel, are_shares_of_one
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.data.roles import Roles
from core.models.formats.onnx.graph import Description


def described(*nodes: tuple[str, list[str], list[str]]) -> dict[str, Any]:
    told = [{"op_type": op, "domain": "", "input": read, "output": given, "settings": {}} for op, read, given in nodes]
    return {
        "nodes": told, "opset": 17, "input": "x", "width": 2, "output": "y", "labels": [], "metadata": {},
    }  # fmt: skip


@pytest.mark.parametrize(
    "nodes",
    [
        [("Identity", ["y"], ["y"])],
        [("Relu", ["b"], ["a"]), ("Relu", ["a"], ["b"])],
        [("Relu", ["x"], ["y"]), ("Relu", ["x"], ["y"])],
        [("Identity", [], ["y"])],
    ],
)
def test_a_graph_that_runs_in_circles_is_none(nodes: list[tuple[str, list[str], list[str]]]) -> None:
    Description.model_validate(described(("Relu", ["x"], ["a"]), ("Gemm", ["a", "weights"], ["y"])), strict=False)
    with pytest.raises(ValidationError, match="a value is"):
        Description.model_validate(described(*nodes), strict=False)


class Answering(AbstractModel):
    name, kind, classes, fingerprint, no_gradients = "model", "made by hand", ("no", "yes"), "0", "none"

    def __init__(self, answers: list[float], dataset: Dataset) -> None:
        self.encoder = Encoder.fit(dataset.frame, dataset.roles.features)
        self._answers = np.tile(answers, (40, 1))

    def answers(self, data: Any) -> np.ndarray:
        return self._answers


@pytest.mark.parametrize("answers", [[-1.0, 2.0], [5.0, 7.0], [0.4, 0.4]])
def test_what_is_no_share_of_one_is_no_probability(answers: list[float]) -> None:
    frame = pd.DataFrame({"y": ["no", "yes"] * 20, "sex": ["f", "f", "m", "m"] * 10, "age": np.arange(40.0)})
    dataset = Dataset.build(frame, Roles(outcome="y", favourable="yes", protected=("sex",), features=("age",)))
    sound = Answering([0.25, 0.75], dataset)
    assert sound.predict_proba(sound.encode(dataset)).tolist() == [[0.25, 0.75]] * 40
    model = Answering(answers, dataset)
    with pytest.raises(ModelError, match="no probabilities"):
        model.predict_proba(model.encode(dataset))


def test_shares_of_one_may_be_kept_in_single_precision_and_gaps_do_not_count() -> None:
    shares = np.random.default_rng(0).dirichlet((1, 1, 1), 50)
    assert are_shares_of_one(shares.astype(np.float32))
    assert are_shares_of_one(np.array([[np.nan, 0.5], [0.25, 0.75]]))
    assert not are_shares_of_one(np.array([[0.25, 0.75], [0.5, 0.502]]))
    assert not are_shares_of_one(np.array([[-0.002, 1.002]]))

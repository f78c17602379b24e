"""Which outcome each of a model's outputs stands for: what a person or the file says, else the table's, ascending."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ModelError
from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.cells import ascending
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder
from core.models import OnnxFile, PredictionColumns, TorchMLP, TreesFile
from core.models.checked import class_order
from tests.core.models.test_onnx_model import node, numbers


def table(outcomes: list[str] | list[int], favourable: str) -> Dataset:
    """As many rows of each outcome, in turn, with one feature that counts the rows."""
    rows = 40 * len(outcomes)
    frame = pd.DataFrame({"x": np.arange(rows) / rows, "sex": np.tile(["f", "m", "m", "f"], rows // 4)})
    frame["y"] = np.repeat(outcomes, 40)
    return Dataset.build(frame, Roles(outcome="y", favourable=favourable, protected=("sex",), features=("x",)))


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1))
def test_numbers_ascend_as_numpy_sorts_them(values: list[int]) -> None:
    assert ascending(map(str, values)) == tuple(map(str, np.unique(values)))


@given(st.lists(st.text("abc1.", min_size=1), min_size=1))
def test_the_order_is_of_all_values_and_does_not_depend_on_theirs(values: list[str]) -> None:
    assert set(ascending(values)) == set(values)
    assert ascending(values) == ascending(values[::-1])


def test_numbers_in_words_and_what_is_no_number_are_sorted_as_text() -> None:
    assert ascending(["10", "9", "-1", "2.5"]) == ("-1", "2.5", "9", "10")
    assert ascending(["10", "9", "nan"]) == ("10", "9", "nan")
    assert ascending(["10", "9", ">50"]) == ("10", "9", ">50")


@pytest.mark.parametrize("favourable", ["0", "1"])
def test_the_favourable_outcome_does_not_turn_a_network(
    favourable: str, files: FileStore, make_onnx: Any, tmp_path: Any
) -> None:
    dataset = table([0, 1], favourable)
    graph = make_onnx(
        [node("MatMul", ["x", "w"], ["z"]), node("Sigmoid", ["z"], ["p"])],
        {"w": np.array([[4.0]])},
        [numbers("p", 1)],
        width=1,
    )
    encoder = Encoder.fit(dataset.frame, ("x",))
    found: list[AbstractModel] = [
        OnnxFile(file=files.put(graph.SerializeToString(), "m.onnx"), encoder=encoder).load(files, dataset),
        TorchMLP(file=files.put(_layer(4.0), "w.safetensors"), encoder=encoder).load(files, dataset),
    ]
    for model in found:
        assert model.classes == ("0", "1")
        right = model.predict_proba(model.encode(dataset)).argmax(axis=1) == dataset.frame["y"]
        assert right.mean() > 0.95
        assert any("'y = 0', 'y = 1', in ascending order" in caveat.what for caveat in model.caveats)


def test_whole_numbers_are_ordered_as_lightgbm_orders_them(files: FileStore, tmp_path: Any) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    dataset = table([9, 10, 11, 1], "10")
    own = lightgbm.LGBMClassifier(n_estimators=8, verbose=-1).fit(dataset.frame[["x"]], dataset.frame["y"])
    own.booster_.save_model(tmp_path / "m.txt")
    model = TreesFile(file=files.put((tmp_path / "m.txt").read_bytes(), "m.txt")).load(files, dataset)
    assert model.classes == tuple(map(str, own.classes_)) == ("1", "9", "10", "11")
    expected = own.predict_proba(dataset.frame[["x"]])
    np.testing.assert_allclose(model.predict_proba(model.encode(dataset)), expected, atol=1e-9)


@pytest.mark.parametrize("favourable", ["no", "yes"])
def test_columns_of_probabilities_are_in_ascending_order_where_nobody_names_theirs(favourable: str) -> None:
    dataset = table(["no", "yes"], favourable)
    shares = pd.DataFrame({"a": np.linspace(0.9, 0.1, 80), "b": np.linspace(0.1, 0.9, 80)})
    roles = dataset.roles.model_copy(update={"predictions": ("a", "b")})
    brought = Dataset.build(pd.concat([dataset.frame, shares], axis=1), roles)
    model = PredictionColumns(columns=("a", "b"), holds="class probabilities").load(FileStore(), brought)
    assert model.classes == ("no", "yes")


def test_what_is_declared_goes_before_the_file_and_the_file_before_the_table() -> None:
    dataset = table(["No", "Not yet", "Yes"], "Yes")
    assert class_order(("Yes", "No", "Not yet"), ("a", "b", "c"), dataset, 3, "m")[0] == ("Yes", "No", "Not yet")
    classes, caveats = class_order((), ("yes", "not_yet", "no"), dataset, 3, "m")
    assert (classes, caveats) == (("Yes", "Not yet", "No"), ())
    classes, (caveat,) = class_order((), ("LABEL_0", "LABEL_1", "LABEL_2"), dataset, 3, "m")
    assert classes == ("No", "Not yet", "Yes")
    assert caveat.level == "warning"
    assert class_order((), ("2.0", "1.0"), table([1, 2], "1"), 2, "m")[0] == ("2", "1")
    with pytest.raises(ModelError, match="no class for the outcome 'No'") as refused:
        class_order((), ("0", "1", "2"), dataset, 3, "m")
    assert "--classes" in refused.value.advice


def _layer(slope: float) -> bytes:
    import torch
    from safetensors.torch import save

    return save({"0.weight": torch.tensor([[slope]]), "0.bias": torch.tensor([0.0])})

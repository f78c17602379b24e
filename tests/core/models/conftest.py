"""A table with numbers and categories, a place for files, and one model file of every format."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder
from core.models import OnnxFile, PredictionColumns, SklearnFile, TorchMLP
from tests.core.models.without_wall import without_wall  # noqa: F401

FEATURES = ("age", "job", "children")


@pytest.fixture(scope="session")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    rows = 240
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, rows),
            "job": rng.choice(["clerk", "nurse", "cook"], rows),
            "children": rng.integers(0, 4, rows),
            "sex": rng.choice(["f", "m"], rows),
        }
    )
    frame["hired"] = np.where(frame.age + 4 * frame.children + rng.normal(0, 4, rows) > 46, "yes", "no")
    frame["level"] = rng.choice(["junior", "middle", "senior"], rows)
    frame["says"] = np.where(rng.random(rows) < 0.8, frame.hired, "no")
    frame["chance"] = rng.random(rows)
    return frame


@pytest.fixture(scope="session")
def dataset(frame: pd.DataFrame) -> Dataset:
    roles = Roles(
        outcome="hired", favourable="yes", protected=("sex",), features=FEATURES, predictions=("says", "chance")
    )
    return Dataset.build(frame, roles)


@pytest.fixture(scope="session")
def with_sex(frame: pd.DataFrame) -> Dataset:
    """Two features only: a number and one of two words."""
    return Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=("age", "sex")))


@pytest.fixture(scope="session")
def three_classes(frame: pd.DataFrame) -> Dataset:
    return Dataset.build(frame, Roles(outcome="level", favourable="senior", protected=("sex",), features=FEATURES))


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "files")


@pytest.fixture
def network() -> Any:
    import torch
    from torch import nn

    torch.manual_seed(3)
    return nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))


@pytest.fixture
def make_onnx() -> Callable[..., Any]:
    """Build an ONNX model from nodes, constants and outputs (name, type, shape)."""
    return _make_onnx


def _make_onnx(nodes: list[Any], constants: dict[str, Any], outputs: list[Any], *, rows: Any = None, width: int = 5):
    from onnx import TensorProto, helper, numpy_helper

    def tensor(name: str, value: Any) -> Any:
        array = np.asarray(value)
        return numpy_helper.from_array(array.astype(np.float32) if array.dtype.kind == "f" else array, name)

    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, width])],
        [helper.make_tensor_value_info(*output) for output in outputs],
        [tensor(name, value) for name, value in constants.items()],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


@pytest.fixture
def onnx_network(network: Any) -> Any:
    """``network`` as ONNX with a softmax at its end."""
    from onnx import TensorProto, helper

    state = {name: value.numpy() for name, value in network.state_dict().items()}
    nodes, last = [], "x"
    for number in (0, 2, 4):
        inputs = [last, f"{number}.weight", f"{number}.bias"]
        nodes.append(helper.make_node("Gemm", inputs, [f"z{number}"], transB=1))
        nodes.append(helper.make_node("Relu" if number < 4 else "Softmax", [f"z{number}"], [f"a{number}"]))
        last = f"a{number}"
    return _make_onnx(nodes, state, [(last, TensorProto.FLOAT, [None, 2])])


@pytest.fixture(params=["predictions", "torch_mlp", "onnx", "sklearn", "sklearn forest"])
def any_model(request: Any, dataset: Dataset, files: FileStore, tmp_path: Path) -> AbstractModel:
    """One loaded model of every format, and a black box."""
    from core.models.formats.safetensors.source import write_mlp

    request.getfixturevalue("without_wall")
    network = request.getfixturevalue("network")
    onnx_network = request.getfixturevalue("onnx_network")
    encoder = Encoder.fit(dataset.frame, FEATURES)
    if request.param == "predictions":
        return PredictionColumns(columns=("chance",), holds="probability").load(files, dataset)
    if request.param == "torch_mlp":
        write_mlp(tmp_path / "w", network, encoder=encoder, classes=("no", "yes"))
        return TorchMLP(file=files.put((tmp_path / "w").read_bytes(), "w.safetensors")).load(files, dataset)
    if request.param == "onnx":
        reference = files.put(onnx_network.SerializeToString(), "m.onnx")
        return OnnxFile(file=reference, encoder=encoder).load(files, dataset)
    return SklearnFile(file=files.put(_fitted(request.param, dataset.frame), "m.skops")).load(files, dataset)


def _fitted(which: str, frame: pd.DataFrame) -> bytes:
    import skops.io
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    last = (
        RandomForestClassifier(5, random_state=0) if "forest" in which else MLPClassifier((6,), tol=1, random_state=0)
    )
    prepare = make_column_transformer((StandardScaler(), ["age", "children"]), (OneHotEncoder(), ["job"]))
    return skops.io.dumps(make_pipeline(prepare, last).fit(frame[list(FEATURES)], frame["hired"]))

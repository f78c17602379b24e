"""Models of four classes: every format names, orders and answers them as its own library does."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder
from core.models import OnnxFile, PredictionColumns, SklearnFile, TorchMLP
from core.models.formats.safetensors.source import write_mlp
from core.models.inspection import inspect
from tests.core.models.conftest import FEATURES
from tests.core.models.test_onnx_model import node, numbers

pytestmark = [
    pytest.mark.usefixtures("without_wall"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:skops"),
]
CLASSES = ("first", "fourth", "second", "third")
OTHER_ORDER = ("first", "second", "third", "fourth")


@pytest.fixture(scope="module")
def ranked(frame: pd.DataFrame) -> Dataset:
    """An outcome of four classes that age decides, roughly; without a favourable one it has to be named."""
    rng = np.random.default_rng(9)
    place = np.clip((frame["age"] + rng.normal(0, 4, len(frame)) - 25) // 10, 0, 3).astype(int)
    shares = pd.DataFrame(rng.dirichlet(np.ones(4), len(frame)).round(3), columns=[f"p {name}" for name in OTHER_ORDER])
    table = pd.concat([frame.assign(place=np.array(OTHER_ORDER)[place]), shares], axis=1)
    roles = Roles(
        outcome="place", favourable="first", protected=("sex",), features=FEATURES, predictions=tuple(shares.columns)
    )
    return Dataset.build(table, roles)


def answers(model: AbstractModel, dataset: Dataset) -> np.ndarray:
    return model.predict_proba(model.encode(dataset))


def four_outputs() -> Any:
    import torch
    from torch import nn

    torch.manual_seed(6)
    return nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Linear(7, 4))


@pytest.mark.parametrize(
    "last",
    [
        LogisticRegression(),
        SGDClassifier(loss="log_loss", random_state=0),
        MLPClassifier((6,), max_iter=8, random_state=0),
        RandomForestClassifier(4, random_state=0),
        GradientBoostingClassifier(n_estimators=2, random_state=0),
        HistGradientBoostingClassifier(max_iter=3),
    ],
    ids=lambda last: type(last).__name__,
)
def test_scikit_learns_probabilities_of_four_classes(last: Any, files: FileStore, ranked: Dataset) -> None:
    prepare = make_column_transformer((StandardScaler(), ["age", "children"]), (OneHotEncoder(), ["job"]))
    rows = ranked.frame[list(FEATURES)]
    estimator = make_pipeline(prepare, last).fit(rows, ranked.frame["place"])
    model = SklearnFile(file=files.put(skops.io.dumps(estimator), "m.skops")).load(files, ranked)
    assert model.classes == CLASSES == tuple(estimator.classes_)
    np.testing.assert_allclose(answers(model, ranked), estimator.predict_proba(rows), atol=1e-9)


@pytest.mark.parametrize("kind", ["safetensors", "ONNX logits", "ONNX probabilities"])
def test_networks_of_four_outputs(kind: str, request: Any, files: FileStore, ranked: Dataset, tmp_path: Path) -> None:
    import torch

    network, encoder = four_outputs(), Encoder.fit(ranked.frame, FEATURES)
    with torch.no_grad():
        expected = network(torch.from_numpy(encoder.transform(ranked.frame)).float()).softmax(dim=1).numpy()
    if kind == "safetensors":
        write_mlp(tmp_path / "w", network, encoder=encoder, classes=OTHER_ORDER)
        source: Any = TorchMLP(file=files.put((tmp_path / "w").read_bytes(), "w.safetensors"))
    else:
        weights = {name: value.numpy() for name, value in network.state_dict().items()}
        nodes = [
            node("Gemm", ["x", "0.weight", "0.bias"], ["a"], transB=1),
            node("Relu", ["a"], ["h"]),
            node("Gemm", ["h", "2.weight", "2.bias"], ["z"], transB=1),
            node("Softmax", ["z"], ["p"]),
        ]
        last = "p" if kind == "ONNX probabilities" else "z"
        graph = request.getfixturevalue("make_onnx")(nodes[: 4 if last == "p" else 3], weights, [numbers(last, 4)])
        source = OnnxFile(file=files.put(graph.SerializeToString(), "m.onnx"), encoder=encoder, classes=OTHER_ORDER)
    model = source.load(files, ranked)
    assert model.classes == OTHER_ORDER
    assert model.no_gradients == ""
    np.testing.assert_allclose(answers(model, ranked), expected, atol=1e-5)


def test_a_probability_column_for_each_of_four_classes(files: FileStore, ranked: Dataset) -> None:
    columns = ranked.roles.predictions
    model = PredictionColumns(columns=columns, holds="class probabilities", classes=OTHER_ORDER).load(files, ranked)
    shares = ranked.frame[list(columns)].to_numpy()
    np.testing.assert_allclose(answers(model, ranked), shares / shares.sum(axis=1, keepdims=True))
    report = inspect(model, ranked)
    assert report.confusion.shape == (4, 4)
    said = np.array(OTHER_ORDER)[shares.argmax(axis=1)]
    assert report.accuracy == pytest.approx(float((said == ranked.frame["place"]).mean()))


def test_labels_of_four_classes(files: FileStore, ranked: Dataset) -> None:
    table = replace(ranked, frame=ranked.frame.assign(says=ranked.frame["place"].to_numpy()[::-1]))
    model = PredictionColumns(columns=("says",)).load(files, table)
    assert model.classes == CLASSES
    assert (np.array(CLASSES)[answers(model, table).argmax(axis=1)] == table.frame["says"]).all()

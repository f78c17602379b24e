"""How a table becomes what a model reads: raw or standardised numbers, categories, and the way to gradients."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.base.errors import DataError, ModelError
from core.base.files import FileStore
from core.data.dataset import Dataset, Roles
from core.data.encoder import (
    BinaryColumn,
    CategoricalColumn,
    CodeColumn,
    DroppedColumn,
    Encoder,
    NumericColumn,
    RawColumn,
)
from core.models import OnnxFile, TorchMLP
from core.models.formats.safetensors.source import write_mlp
from core.models.inspection import inspect
from core.models.prepared import Prepared
from core.models.proof import prove
from tests.core.models.conftest import FEATURES
from tests.core.models.test_onnx_model import node, numbers

JOBS = ("nurse", "cook", "clerk")
KINDS = {
    "raw": RawColumn(name="age"),
    "declared mean": NumericColumn(name="age", mean=12.0, scale=3.0),
    "indicators": CategoricalColumn(name="job", categories=JOBS),
    "all but the first": DroppedColumn(name="job", categories=JOBS),
    "code": CodeColumn(name="job", categories=JOBS),
    "one of two": BinaryColumn(name="sex", categories=("m", "f")),
    "one of two dropped": DroppedColumn(name="sex", categories=("m", "f")),
    "code of two": CodeColumn(name="sex", categories=("m", "f")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_is_affine_in_what_is_compared(kind: str, frame: pd.DataFrame) -> None:
    prepared = Prepared.of(Encoder(columns=(KINDS[kind], NumericColumn(name="children"))), frame)
    reads, compared = prepared.reads.transform(frame), prepared.encoder.transform(frame)
    np.testing.assert_allclose(compared @ prepared.matrix.T + prepared.constants, reads, atol=1e-12)
    pd.testing.assert_frame_equal(prepared.reads.inverse(reads), prepared.encoder.inverse(compared), check_dtype=False)
    assert {column.kind for column in prepared.encoder.columns} <= {"numeric", "binary", "categorical"}
    assert Encoder.model_validate_json(prepared.reads.model_dump_json()) == prepared.reads


def test_declared_columns_are_encoded_as_pandas_encodes_them(frame: pd.DataFrame) -> None:
    ordered = pd.Categorical(frame["job"], categories=JOBS)
    dropped = Encoder(columns=(KINDS["all but the first"],)).transform(frame)
    np.testing.assert_array_equal(dropped, pd.get_dummies(ordered, drop_first=True).to_numpy(dtype=float))
    np.testing.assert_array_equal(Encoder(columns=(KINDS["code"],)).transform(frame)[:, 0], ordered.codes)
    assert Encoder(columns=(KINDS["code"],)).categories == {"job": JOBS}


def test_a_category_that_is_listed_twice_and_a_raw_column_of_words_are_refused(frame: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="a category of 'job' is listed twice"):
        Encoder(columns=(CodeColumn(name="job", categories=("cook", "cook")),))
    with pytest.raises(DataError, match="not finite numbers"):
        Prepared.of(Encoder(columns=(RawColumn(name="job"),)), frame)


def linear(files: FileStore, weights: list[float], make_onnx: Any, kind: str) -> Any:
    """A logit, the weighted sum of the columns, as each format writes it."""
    import torch
    from safetensors.torch import save

    if kind == "safetensors":
        content = save({"0.weight": torch.tensor([weights]), "0.bias": torch.zeros(1)})
        return TorchMLP(file=files.put(content, "w.safetensors"))
    nodes = [node("MatMul", ["x", "w"], ["z"]), node("Sigmoid", ["z"], ["p"])]
    graph = make_onnx(nodes, {"w": np.array(weights)[:, None]}, [numbers("p", 1)], width=len(weights))
    return OnnxFile(file=files.put(graph.SerializeToString(), "m.onnx"))


@pytest.mark.parametrize("kind", ["safetensors", "onnx"])
def test_nobody_guesses_whether_numbers_are_standardised(
    kind: str, files: FileStore, dataset: Dataset, make_onnx: Any
) -> None:
    weights = [0.1, 1.0, 0.0, -1.0, 0.3]
    source = linear(files, weights, make_onnx, kind)
    with pytest.raises(ModelError, match="'age' as they stand in the table, or standardised") as asked:
        source.load(files, dataset)
    assert "--numbers raw" in asked.value.advice
    job = pd.get_dummies(dataset.frame["job"]).to_numpy(dtype=float)
    plain = dataset.frame[["age", "children"]].to_numpy(dtype=float)
    for said, read in (("raw", plain), ("standardised", (plain - plain.mean(axis=0)) / plain.std(axis=0))):
        model = source.model_copy(update={"numbers": said}).load(files, dataset)
        x = np.column_stack([read[:, :1], job, read[:, 1:]])
        data = model.encode(dataset)
        np.testing.assert_allclose(model.predict_proba(data)[:, 1], 1 / (1 + np.exp(-x @ weights)), atol=1e-6)
        np.testing.assert_allclose(data.x[:, 0].std(), 1.0)
        assert_module_agrees(model, data)


def test_two_models_that_read_raw_and_standardised_numbers_compare_people_alike(
    files: FileStore, dataset: Dataset, make_onnx: Any
) -> None:
    source = linear(files, [0.1, 1.0, 0.0, -1.0, 0.3], make_onnx, "onnx")
    raw, standardised = (
        source.model_copy(update={"numbers": said}).load(files, dataset) for said in ("raw", "standardised")
    )
    assert raw.encoder == standardised.encoder == Encoder.fit(dataset.frame, FEATURES)
    assert raw.fingerprint != standardised.fingerprint
    declared = source.model_copy(update={"encoder": raw.preprocessing}).load(files, dataset)
    assert declared.encoder == raw.encoder
    np.testing.assert_array_equal(
        declared.predict_proba(declared.encode(dataset)), raw.predict_proba(raw.encode(dataset))
    )


def test_a_table_without_such_numbers_leaves_nothing_to_ask(files: FileStore, frame: pd.DataFrame) -> None:
    import torch
    from safetensors.torch import save

    table = frame.assign(old=(frame["age"] > 40).astype(int))
    roles = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("old", "sex"))
    content = save({"0.weight": torch.tensor([[1.0, 2.0]]), "0.bias": torch.zeros(1)})
    model = TorchMLP(file=files.put(content, "w.safetensors")).load(files, Dataset.build(table, roles))
    assert model.encoder.names == ("old", "sex = m")


STARTS = {
    "Scaler": ([node("Scaler", ["x"], ["a"], domain="ai.onnx.ml", offset=[40.0] * 5, scale=[0.1] * 5)], "Scaler"),
    "Scaler behind a cast": (
        [
            node("Cast", ["x"], ["c"], to=1),
            node("Scaler", ["c"], ["a"], domain="ai.onnx.ml", offset=[40.0] * 5, scale=[0.1] * 5),
        ],
        "Scaler",
    ),
    "Normalizer": ([node("Normalizer", ["x"], ["a"], domain="ai.onnx.ml", norm="L2")], "Normalizer"),
    "mean taken off": ([node("Sub", ["x", "mean"], ["a"])], "Sub"),
    "means of raw numbers": (
        [node("BatchNormalization", ["x", "one", "one", "mean", "one"], ["a"])],
        "BatchNormalization",
    ),
}


@pytest.mark.usefixtures("without_wall")
@pytest.mark.parametrize("start", STARTS)
def test_a_graph_that_scales_its_input_is_given_the_tables_numbers(
    start: str, files: FileStore, dataset: Dataset, make_onnx: Any
) -> None:
    import onnxruntime

    nodes, operator = STARTS[start]
    nodes = [*nodes, node("MatMul", ["a", "w"], ["z"]), node("Sigmoid", ["z"], ["p"])]
    constants = {"w": np.linspace(-1, 1, 5)[:, None], "mean": np.full(5, 30.0), "one": np.ones(5)}
    content = make_onnx(nodes, constants, [numbers("p", 1)]).SerializeToString()
    model = OnnxFile(file=files.put(content, "m.onnx")).load(files, dataset)
    job = pd.get_dummies(dataset.frame["job"]).to_numpy(dtype=float)
    x = np.column_stack([dataset.frame["age"], job, dataset.frame["children"]]).astype(np.float32)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    data = model.encode(dataset)
    np.testing.assert_allclose(model.predict_proba(data)[:, 1], session.run(None, {"x": x})[0].ravel(), atol=1e-7)
    assert any(f"begins with {operator}" in caveat.what for caveat in model.caveats)
    assert inspect(model, dataset).inputs == model.preprocessing.names
    if not model.no_gradients:
        assert_module_agrees(model, data)


def test_trees_split_the_tables_own_numbers(files: FileStore, make_onnx: Any) -> None:
    """A threshold that is a value of the table: a number that went to standard deviations and back could miss it."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"x": rng.integers(0, 4, 90) * 1e5 + 0.1, "sex": rng.choice(["f", "m"], 90)})
    frame["y"] = np.where(frame["x"] > 1.5e5, "yes", "no")
    roles = Roles(outcome="y", favourable="yes", protected=("sex",), features=("x",))
    dataset = Dataset.build(frame, roles)
    tree = node(
        "TreeEnsembleClassifier",
        ["x"],
        ["label", "p"],
        domain="ai.onnx.ml",
        nodes_treeids=[0] * 3,
        nodes_nodeids=[0, 1, 2],
        nodes_featureids=[0, 0, 0],
        nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
        nodes_values=[float(np.float32(1e5 + 0.1)), 0.0, 0.0],
        nodes_truenodeids=[1, 0, 0],
        nodes_falsenodeids=[2, 0, 0],
        nodes_hitrates=[1.0] * 3,
        nodes_missing_value_tracks_true=[0] * 3,
        class_treeids=[0, 0, 0, 0],
        class_nodeids=[1, 1, 2, 2],
        class_ids=[0, 1, 0, 1],
        class_weights=[1.0, 0.0, 0.0, 1.0],
        classlabels_strings=["no", "yes"],
        post_transform="NONE",
    )
    from onnx import TensorProto

    graph = make_onnx([tree], {}, [("label", TensorProto.STRING, [None]), numbers("p")], width=1)
    model = OnnxFile(file=files.put(graph.SerializeToString(), "m.onnx")).load(files, dataset)
    answers = model.predict_proba(model.encode(dataset))
    np.testing.assert_array_equal(answers[:, 1] > 0.5, frame["y"] == "yes")


def test_a_declared_preprocessing_of_other_kinds_keeps_gradients(
    files: FileStore, dataset: Dataset, tmp_path: Any
) -> None:
    import torch
    from torch import nn

    torch.manual_seed(1)
    encoder = Encoder(columns=(KINDS["raw"], KINDS["all but the first"], RawColumn(name="children")))
    network = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 2))
    write_mlp(tmp_path / "w", network, encoder=encoder, classes=("no", "yes"))
    model = TorchMLP(file=files.put((tmp_path / "w").read_bytes(), "w.safetensors")).load(files, dataset)
    with torch.no_grad():
        own = network.double()(torch.from_numpy(encoder.transform(dataset.frame))).softmax(dim=1).numpy()
    data = model.encode(dataset)
    np.testing.assert_allclose(model.predict_proba(data), own, atol=1e-9)
    assert data.x.shape[1] == 5
    assert model.preprocessing.names == ("age", "job = cook", "job = clerk", "children")
    assert_module_agrees(model, data)


def assert_module_agrees(model: Any, data: Any) -> None:
    import torch

    module = model.module()
    assert not any(parameter.requires_grad for parameter in module.parameters())
    dtype = next(module.parameters()).dtype
    logits = module(torch.from_numpy(data.x).to(dtype))
    np.testing.assert_allclose(logits.softmax(dim=1).numpy(), model.predict_proba(data), atol=1e-5)


@pytest.mark.parametrize("kind", ["safetensors", "onnx"])
def test_known_answers_tell_that_numbers_were_read_the_other_way(
    kind: str, files: FileStore, dataset: Dataset, make_onnx: Any
) -> None:
    source = linear(files, [0.02, 1.0, 0.0, -1.0, 0.3], make_onnx, kind)
    read = {said: source.model_copy(update={"numbers": said}).load(files, dataset) for said in ("raw", "standardised")}
    for own, other in (("raw", "standardised"), ("standardised", "raw")):
        known = read[own].predict_proba(read[own].encode(dataset))[:, 1]
        table = Dataset.build(dataset.frame.assign(score=known), dataset.roles)
        data = read[other].encode(table)
        (found,) = prove(read[other], data, read[other].predict_proba(data), ("score",))
        assert not found.proved
        way = "as they stand in the table" if own == "raw" else "standardised by this table"
        assert f"With numbers {way} they agree" in found.cause


def test_rows_that_were_moved_are_read_where_they_are(files: FileStore, dataset: Dataset, make_onnx: Any) -> None:
    model = linear(files, [0.1, 1.0, 0.0, -1.0, 0.3], make_onnx, "onnx")
    model = model.model_copy(update={"numbers": "raw"}).load(files, dataset)
    data = model.encode(dataset)
    older = dataset.frame.assign(age=dataset.frame["age"] + 5)
    moved = replace(data, x=model.encoder.transform(older))
    expected = model.predict_proba(replace(data, dataset=replace(dataset, frame=older), x=moved.x))
    np.testing.assert_allclose(model.predict_proba(moved), expected, atol=1e-6)
    assert (model.predict_proba(moved)[:, 1] > model.predict_proba(data)[:, 1]).all()

"""ONNX: onnxruntime's answers, our conversion to torch, and graphs that stay black boxes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.base.errors import ModelError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.models import OnnxFile
from core.models.formats.onnx.source import OnnxModel
from core.models.formats.onnx.to_torch import OPERATORS
from tests.core.models.conftest import FEATURES

pytestmark = pytest.mark.usefixtures("without_wall")

Make = Callable[..., Any]
RNG = np.random.default_rng(12)
W1, B1, W2, B2 = RNG.normal(size=(5, 8)), RNG.normal(size=8), RNG.normal(size=(8, 2)), RNG.normal(size=2)
W3 = RNG.normal(size=(8, 1))


def node(*arguments: Any, **attributes: Any) -> Any:
    from onnx import helper

    return helper.make_node(*arguments, **attributes)


def numbers(name: str, columns: int | None = 2) -> tuple[Any, ...]:
    from onnx import TensorProto

    return (name, TensorProto.FLOAT, [None, columns] if columns else [None])


def load(files: FileStore, dataset: Dataset, model: Any, **settings: Any) -> OnnxModel:
    content = model if isinstance(model, bytes) else model.SerializeToString()
    given = {"numbers": "standardised", **settings}
    return OnnxFile(file=files.put(content, "m.onnx"), **given).load(files, dataset)


def runtime_answers(model: Any, dataset: Dataset) -> np.ndarray:
    import onnxruntime

    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    x = Encoder.fit(dataset.frame, FEATURES).transform(dataset.frame).astype(np.float32)
    return session.run(None, {"x": x})[0].astype(np.float64)


def check_module(model: OnnxModel, dataset: Dataset, atol: float = 1e-5) -> None:
    import torch

    data = model.encode(dataset)
    assert model.no_gradients == ""
    logits = model.module()(torch.from_numpy(data.x).double())
    np.testing.assert_allclose(logits.softmax(dim=1).numpy(), model.predict_proba(data), atol=atol)


def test_a_network_ending_in_softmax_gives_its_logits_and_onnxruntimes_answers(
    files: FileStore, dataset: Dataset, onnx_network: Any
) -> None:
    model = load(files, dataset, onnx_network)
    expected = runtime_answers(onnx_network, dataset)
    np.testing.assert_allclose(model.predict_proba(model.encode(dataset)), expected, atol=1e-6)
    assert model.gives == "probabilities"
    assert [type(stage).__name__ for stage in model.module()] == ["Linear", "ReLU", "Linear", "ReLU", "Linear"]
    check_module(model, dataset)


def test_logits_are_recovered_where_the_probability_is_one_to_the_last_bit(
    files: FileStore, dataset: Dataset, make_onnx: Make
) -> None:
    import torch

    nodes = [node("MatMul", ["x", "w"], ["z"]), node("Softmax", ["z"], ["p"])]
    model = load(files, dataset, make_onnx(nodes, {"w": 1000 * RNG.normal(size=(5, 2))}, [numbers("p")]))
    data = model.encode(dataset)
    assert (model.predict_proba(data).max(axis=1) == 1).mean() > 0.9
    losses = -model.module()(torch.from_numpy(data.x)).log_softmax(dim=1)
    assert torch.isfinite(losses).all()
    assert losses.max() > 500


CHAINS = {
    "standardised inside": [
        ("Sub", ["x", "mean"], ["a"], {}),
        ("Div", ["a", "spread"], ["b"], {}),
        ("MatMul", ["b", "W1"], ["c"], {}),
        ("Add", ["c", "B1"], ["d"], {}),
        ("Relu", ["d"], ["e"], {}),
        ("Gemm", ["e", "W2", "B2"], ["z"], {"alpha": 0.5, "beta": 2.0}),
    ],
    "batch normalisation": [
        ("Gemm", ["x", "W1", "B1"], ["a"], {}),
        ("BatchNormalization", ["a", "B1", "B1", "B1", "positive"], ["b"], {"epsilon": 0.01}),
        ("Tanh", ["b"], ["c"], {}),
        ("Dropout", ["c"], ["d"], {}),
        ("Gemm", ["d", "W2", "B2"], ["z"], {}),
    ],
    "constant first": [
        ("Sub", ["mean", "x"], ["a"], {}),
        ("Mul", ["spread", "a"], ["b"], {}),
        ("Gemm", ["b", "W1", "B1"], ["c"], {}),
        ("Elu", ["c"], ["d"], {"alpha": 0.7}),
        ("Identity", ["d"], ["e"], {}),
        ("Flatten", ["e"], ["f"], {}),
        ("Gemm", ["f", "W2t", "B2"], ["z"], {"transB": 1}),
    ],
    "reshaped and cast": [
        ("Cast", ["x"], ["a"], {"to": 1}),
        ("Gemm", ["a", "W1"], ["b"], {}),
        ("LeakyRelu", ["b"], ["c"], {"alpha": 0.3}),
        ("Reshape", ["c", "shape"], ["d"], {}),
        ("Softplus", ["d"], ["e"], {}),
        ("MatMul", ["e", "W2"], ["z"], {}),
    ],
}
CONSTANTS = {
    "W1": W1,
    "B1": B1,
    "W2": W2,
    "W2t": W2.T.copy(),
    "B2": B2,
    "W3": W3,
    "mean": RNG.normal(size=5),
    "spread": np.array([[2.0, 1.0, 0.5, 3.0, 1.5]]),
    "positive": RNG.uniform(0.5, 2, 8),
    "shape": np.array([-1, 8]),
    "one": np.array(1.0),
    "low": np.array(-0.6),
    "high": np.array(0.9),
    "slope": np.array([0.2]),
}


@pytest.mark.parametrize("case", CHAINS)
@pytest.mark.parametrize("closing", ["", "Softmax", "LogSoftmax"])
def test_chains_become_plain_sequentials(
    case: str, closing: str, files: FileStore, dataset: Dataset, make_onnx: Make
) -> None:
    from torch import nn

    steps = CHAINS[case] + ([(closing, ["z"], ["p"], {})] if closing else [])
    nodes = [node(name, inputs, outputs, **attributes) for name, inputs, outputs, attributes in steps]
    exported = make_onnx(nodes, CONSTANTS, [numbers("p" if closing else "z")])
    model = load(files, dataset, exported)
    assert isinstance(model.module(), nn.Sequential)
    assert isinstance(model.module()[0], nn.Linear)
    assert isinstance(model.module()[-1], nn.Linear)
    check_module(model, dataset)


@pytest.mark.parametrize(
    "operator",
    ["Abs", "Clip", "Exp", "Erf", "Gelu", "Neg", "PRelu", "Pow", "Selu", "Sqrt", "Sum", "Relu", "Sigmoid", "Softmax"],
)
def test_every_operator_computes_what_onnxruntime_does(
    operator: str, files: FileStore, dataset: Dataset, make_onnx: Make
) -> None:
    extra = {"Clip": ["low", "high"], "PRelu": ["slope"], "Pow": ["two"], "Sum": ["x"]}.get(operator, [])
    model = make_onnx(
        [
            node("Mul", ["x", "x"] if operator == "Sqrt" else ["x", "half"], ["a"]),
            node(operator, ["a", *extra], ["b"]),
            node("Concat", ["x", "b"], ["c"], axis=1),
            node("Gemm", ["c", "w"], ["z"]),
        ],
        {**CONSTANTS, "half": np.array(0.5), "two": np.array(2.0), "w": RNG.normal(size=(10, 2))},
        [numbers("z")],
    )
    if operator == "Gelu":
        model.opset_import[0].version = 20
    check_module(load(files, dataset, model), dataset)


def test_residual_connections_are_followed(files: FileStore, dataset: Dataset, make_onnx: Make) -> None:
    nodes = [
        node("Gemm", ["x", "W1", "B1"], ["a"]),
        node("Relu", ["a"], ["b"]),
        node("Add", ["a", "b"], ["c"]),
        node("Gemm", ["c", "W3"], ["d"]),
        node("Sigmoid", ["d"], ["p"]),
    ]
    model = load(files, dataset, make_onnx(nodes, CONSTANTS, [numbers("p", 1)]))
    assert model.gives == "probabilities"
    check_module(model, dataset)


def test_a_single_logit_and_a_flat_output_are_two_classes(files: FileStore, dataset: Dataset, make_onnx: Make) -> None:
    nodes = [
        node("Gemm", ["x", "W1"], ["a"]),
        node("Relu", ["a"], ["b"]),
        node("MatMul", ["b", "W3"], ["c"]),
        node("Squeeze", ["c", "axes"], ["z"]),
    ]
    exported = make_onnx(nodes, {**CONSTANTS, "axes": np.array([1])}, [numbers("z", None)])
    model = load(files, dataset, exported, output="logits")
    z = runtime_answers(exported, dataset)
    np.testing.assert_allclose(model.predict_proba(model.encode(dataset))[:, 1], 1 / (1 + np.exp(-z)), atol=1e-6)
    check_module(model, dataset)


def test_what_torch_exports_is_read(files: FileStore, dataset: Dataset, network: Any) -> None:
    import io
    import warnings

    import torch
    from torch import nn

    network = nn.Sequential(network, nn.BatchNorm1d(2), nn.Dropout(), nn.Softmax(dim=1)).eval()
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network, torch.zeros(2, 5), stream, dynamo=False, input_names=["x"], dynamic_axes={"x": {0: "rows"}}
        )
    model = load(files, dataset, stream.getvalue())
    data = model.encode(dataset)
    expected = network.double()(torch.from_numpy(data.x)).detach().numpy()
    np.testing.assert_allclose(model.predict_proba(data), expected, atol=1e-6)
    check_module(model, dataset)


def tree() -> Any:
    return node(
        "TreeEnsembleClassifier",
        ["x"],
        ["label", "proba"],
        domain="ai.onnx.ml",
        classlabels_strings=["yes", "no"],
        nodes_treeids=[0, 0, 0],
        nodes_nodeids=[0, 1, 2],
        nodes_featureids=[0, 0, 0],
        nodes_values=[0.0, 0.0, 0.0],
        nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
        nodes_truenodeids=[1, 0, 0],
        nodes_falsenodeids=[2, 0, 0],
        class_treeids=[0, 0, 0, 0],
        class_nodeids=[1, 1, 2, 2],
        class_ids=[0, 1, 0, 1],
        class_weights=[0.75, 0.25, 0.125, 0.875],
        post_transform="NONE",
    )


@pytest.mark.parametrize("zipped", [False, True])
def test_tree_ensembles_answer_and_name_the_operator_without_gradients(
    zipped: bool, files: FileStore, dataset: Dataset, make_onnx: Make
) -> None:
    from onnx import TensorProto, helper

    label = ("label", TensorProto.STRING, [None])
    model = make_onnx([tree()], {}, [label] if zipped else [label, numbers("proba")])
    if zipped:
        model.graph.node.append(
            node("ZipMap", ["proba"], ["zipped"], domain="ai.onnx.ml", classlabels_strings=["yes", "no"])
        )
        pairs = helper.make_map_type_proto(TensorProto.STRING, helper.make_tensor_type_proto(TensorProto.FLOAT, []))
        model.graph.output.append(helper.make_value_info("zipped", helper.make_sequence_type_proto(pairs)))
    loaded = load(files, dataset, model)
    assert loaded.classes == ("yes", "no")
    assert "TreeEnsembleClassifier" in loaded.no_gradients
    data = loaded.encode(dataset)
    np.testing.assert_array_equal(loaded.predict_proba(data)[:, 0], np.where(data.x[:, 0] <= 0, 0.75, 0.125))
    with pytest.raises(ModelError, match="no gradients"):
        loaded.module()


def test_probabilities_that_do_not_come_from_a_softmax_have_no_gradients(
    files: FileStore, dataset: Dataset, make_onnx: Make
) -> None:
    nodes = [
        node("Gemm", ["x", "w"], ["z"]),
        node("Sigmoid", ["z"], ["p"]),
        node("Sub", ["one", "p"], ["q"]),
        node("Concat", ["q", "p"], ["both"], axis=1),
    ]
    model = load(
        files, dataset, make_onnx(nodes, {"w": RNG.normal(size=(5, 1)), "one": np.array(1.0)}, [numbers("both")])
    )
    assert model.gives == "probabilities"
    assert "operator Concat" in model.no_gradients
    assert "taken for probabilities" in model.caveats[1].what


def test_outputs_taken_for_logits_say_why(files: FileStore, dataset: Dataset, make_onnx: Make) -> None:
    nodes = [node("Gemm", ["x", "w"], ["z"]), node("Abs", ["z"], ["y"])]
    model = load(files, dataset, make_onnx(nodes, {"w": RNG.normal(size=(5, 2))}, [numbers("y")]))
    assert model.gives == "logits"
    assert any(
        "taken for logits, because on this table some lie below 0 or above 1, or those of a row do not add up to one."
        in caveat.what
        for caveat in model.caveats
    )


def test_a_graph_that_fails_names_the_operator_and_not_the_librarys_words(
    files: FileStore, dataset: Dataset, make_onnx: Make
) -> None:
    nodes = [node("Concat", ["x", "w"], ["z"], axis=1)]
    broken = make_onnx(nodes, {"w": np.ones((3, 2))}, [numbers("z")])
    with pytest.raises(ModelError, match=r"operator Concat") as caught:
        load(files, dataset, broken)
    said = str(caught.value)
    assert "ONNXRuntime" not in said
    assert "/onnxruntime_src" not in said


def test_a_wrong_conversion_is_noticed_and_leaves_a_black_box(
    files: FileStore, dataset: Dataset, make_onnx: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = [
        node("Gemm", ["x", "W1"], ["a"]),
        node("Relu", ["a"], ["b"]),
        node("Add", ["a", "b"], ["c"]),
        node("Gemm", ["c", "W2"], ["z"]),
    ]
    exported = make_onnx(nodes, CONSTANTS, [numbers("z")])
    assert load(files, dataset, exported).no_gradients == ""
    monkeypatch.setitem(OPERATORS, "Relu", lambda values, _: values[0])
    wrong = load(files, dataset, exported)
    assert "differs from onnxruntime's answers on this table by up to" in wrong.no_gradients
    expected = runtime_answers(exported, dataset)
    odds = np.exp(expected[:, 1] - expected[:, 0])
    np.testing.assert_allclose(wrong.predict_proba(wrong.encode(dataset))[:, 1], odds / (1 + odds), atol=1e-6)


def test_a_model_that_mixes_people_is_refused(files: FileStore, dataset: Dataset, make_onnx: Make) -> None:
    nodes = [node("Softmax", ["x"], ["a"], axis=0), node("Gemm", ["a", "w"], ["z"])]
    with pytest.raises(ModelError, match="changes with the other rows"):
        load(files, dataset, make_onnx(nodes, {"w": 50 * RNG.normal(size=(5, 2))}, [numbers("z")]))


def test_answers_that_are_not_numbers_name_their_rows(files: FileStore, dataset: Dataset, make_onnx: Make) -> None:
    nodes = [node("Sqrt", ["x"], ["a"]), node("Gemm", ["a", "w"], ["z"])]
    model = load(files, dataset, make_onnx(nodes, {"w": np.ones((5, 2))}, [numbers("z")]))
    data = model.encode(dataset)
    bad = np.flatnonzero((data.x < 0).any(axis=1))
    with pytest.raises(ModelError, match=rf"for {len(bad)} of 240 rows.*row {bad[0] + 1},"):
        model.predict_proba(data)


def test_declared_probabilities_that_are_none_are_refused(files: FileStore, dataset: Dataset, make_onnx: Make) -> None:
    exported = make_onnx([node("Gemm", ["x", "w"], ["z"])], {"w": RNG.normal(size=(5, 2))}, [numbers("z")])
    with pytest.raises(ModelError, match="declared as probabilities and are not"):
        load(files, dataset, exported, output="probabilities")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 4}, "reads 4 numbers a row and the prepared table has 5"),
        ({"width": None}, "cannot answer rows of 5 numbers"),
        ({"rows": 1}, "reads exactly 1 row at a time"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(
    options: dict[str, Any], message: str, files: FileStore, dataset: Dataset, make_onnx: Make
) -> None:
    weight = np.ones((options.get("width") or 4, 2))
    if "rows" in options:
        weight = np.ones((5, 2))
    exported = make_onnx([node("MatMul", ["x", "w"], ["z"])], {"w": weight}, [numbers("z")], **options)
    with pytest.raises(ModelError, match=message):
        load(files, dataset, exported)


def test_several_inputs_are_refused_with_advice(files: FileStore, dataset: Dataset, make_onnx: Make) -> None:
    from onnx import TensorProto, helper

    exported = make_onnx([node("Add", ["x", "other"], ["z"])], {}, [numbers("z")])
    exported.graph.input.append(helper.make_tensor_value_info("other", TensorProto.FLOAT, [None, 5]))
    with pytest.raises(ModelError, match=r"reads 2 separate inputs.*single input"):
        load(files, dataset, exported)


def test_a_three_class_model_on_two_outcomes_is_refused(files: FileStore, dataset: Dataset, make_onnx: Make) -> None:
    exported = make_onnx([node("MatMul", ["x", "w"], ["z"])], {"w": np.ones((5, 3))}, [numbers("z", 3)])
    with pytest.raises(ModelError, match="has 3 classes and the table has 2 outcomes"):
        load(files, dataset, exported)


def test_a_card_in_the_metadata_names_classes_and_preprocessing(
    files: FileStore, dataset: Dataset, onnx_network: Any
) -> None:
    from core.models.card import CARD_KEY, NetworkCard

    encoder = Encoder.fit(dataset.frame.iloc[:100], FEATURES)
    card = NetworkCard(classes=("yes", "no"), encoder=encoder)
    onnx_network.metadata_props.add(key=CARD_KEY, value=card.model_dump_json())
    model = load(files, dataset, onnx_network)
    assert (model.classes, model.encoder) == (("yes", "no"), encoder)
    assert not any("learned from this table" in caveat.what for caveat in model.caveats)
    onnx_network.metadata_props[0].value = "{"
    with pytest.raises(ModelError, match="description of the network cannot be read"):
        load(files, dataset, onnx_network)

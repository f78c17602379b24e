"""Uploads that are small to send and slow to read: each ends soon, in a sentence or in an answer."""

import time
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from core.base.errors import DataError
from core.models.formats.onnx.chain import chain
from core.models.formats.onnx.file import read_onnx
from core.sources.upload.delimited import read_delimited
from core.wall.inside import RefusedError

WIDTH = 3


@pytest.mark.parametrize(
    "content", [b"\n", b"a,b\n" + b"1,2\n" * 300 + b"\n", b"\r"], ids=["blank", "table", "old Mac"]
)
def test_blank_lines_without_end_are_a_sentence_within_a_second(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "blank.csv"
    path.write_bytes(content + content[-1:] * 20_000_000)
    before = time.process_time()
    with pytest.raises(DataError, match="more than 1,000,000 blank lines"):
        read_delimited(path, "auto", "auto", ("",))
    assert time.process_time() - before < 2


def onnx_file(path: Path, steps: list[tuple[str, str]], weights: dict[str, np.ndarray]) -> Path:
    """A chain of operators with one weight each, as an ONNX file."""
    nodes, current = [], "x"
    for number, (operator, weight) in enumerate(steps):
        nodes.append(helper.make_node(operator, [current, weight], [f"z{number}"]))
        current = f"z{number}"
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, WIDTH])],
        [helper.make_tensor_value_info(current, TensorProto.FLOAT, [None, 2])],
        [numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    path.write_bytes(model.SerializeToString())
    return path


def test_thousands_of_multiplications_row_by_row_fold_into_one_layer_at_once(tmp_path: Path) -> None:
    rng, wide, many = np.random.default_rng(0), 1500, 100
    scales = {f"s{number}": rng.uniform(0.9, 1.1, wide) for number in range(many)}
    weights = {"in": rng.normal(size=(WIDTH, wide)), **scales, "out": rng.normal(size=(wide, 2))}
    steps = [("MatMul", "in"), *(("Mul", name) for name in scales), ("MatMul", "out")]
    path = onnx_file(tmp_path / "slow.onnx", steps, weights)
    before = time.process_time()
    graph = read_onnx(path).graph
    folded = chain(graph, graph.nodes, WIDTH)
    assert time.process_time() - before < 2
    assert folded is not None
    (layer,) = folded
    single = {name: value.astype(np.float32).astype(np.float64) for name, value in weights.items()}
    expected = single["in"] * np.prod([single[name] for name in scales], axis=0) @ single["out"]
    np.testing.assert_allclose(layer.weight.detach().numpy(), expected.T, rtol=1e-9)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([("MatMul", "in"), *[("MatMul", "square")] * 2000, ("MatMul", "out")], "A row meets 320,0"),
        ([("MatMul", "in"), ("MatMul", "out")], "multiplies weights with each other"),
    ],
    ids=["the same weights again and again", "weights with weights"],
)
def test_a_file_that_asks_for_more_computing_than_its_size_is_refused(
    tmp_path: Path, steps: list[tuple[str, str]], said: str
) -> None:
    weights = {"in": np.ones((WIDTH, 400)), "square": np.eye(400), "out": np.ones((400, 2))}
    path = onnx_file(tmp_path / "slow.onnx", steps, weights)
    if "each other" in said:
        import onnx

        model = onnx.load(path)
        model.graph.node.insert(0, helper.make_node("MatMul", ["square", "square"], ["made"]))
        path.write_bytes(model.SerializeToString())
    with pytest.raises(RefusedError, match=said):
        read_onnx(path)

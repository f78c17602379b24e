"""How many numbers a graph holds at once while it answers a block of rows, known before any of it is computed."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import onnx

from core.language.phrases import whole
from core.language.told import say
from core.models.checked import ROWS_AT_ONCE
from core.wall.inside import RefusedError

MOST_NUMBERS = 2**29
"""2 GB of those that most models compute with."""
_WIDTH = 1_000
"""Columns of an input that leaves their number open."""
_SHORT = 4_096
"""Numbers of a constant that may say a shape; of longer ones only the size counts."""
_MOST_ROUNDS = 50
_LABELS = ("classlabels_int64s", "classlabels_ints", "classlabels_strings")
_CATEGORIES = ("cats_int64s", "cats_strings")

Shape = tuple[int, ...]


def check_sizes(model: Any, constants: Mapping[str, np.ndarray], given: str, width: int | None) -> None:
    """Refuse a graph that makes too many numbers of few.

    Args:
        model: The parsed file; it is not changed.
        constants: Its constants, by name.
        given: The name of its input.
        width: The input's columns; None where it leaves them open.

    Raises:
        RefusedError: It does, or its sizes cannot be told.
    """
    known = {name: value.shape for name, value in constants.items()} | {given: (ROWS_AT_ONCE, width or _WIDTH)}
    shapes = _shapes(model, constants, known)
    most = max(_held(model.graph.node, shapes), default=0)
    if most > MOST_NUMBERS:
        raise RefusedError(
            say(
                "For {rows} rows the graph holds {made} million numbers at once; at most {most} million are computed.",
                rows=whole(ROWS_AT_ONCE),
                made=whole(most >> 20),
                most=whole(MOST_NUMBERS >> 20),
            ),
            say("Export a smaller model, or put its answers into a column of the table."),
        )


def _held(nodes: Any, shapes: Mapping[str, Shape]) -> Iterator[int]:
    """Numbers that are held while each node is computed, in order; a value is held until it is read last."""
    last = {name: place for place, node in enumerate(nodes) for name in node.input}
    held: dict[str, int] = {}
    now = 0
    for place, node in enumerate(nodes):
        sizes = [math.prod(shapes[name]) if name in shapes else held.get(name, 0) for name in node.input]
        for name in node.output:
            held[name] = math.prod(shapes[name]) if name in shapes else sum(sizes)
            now += held[name]
        yield now
        for name in {*node.input, *node.output}:
            if name in held and last.get(name, place) <= place:
                now -= held.pop(name)


def _shapes(model: Any, constants: Mapping[str, np.ndarray], known: dict[str, Shape]) -> dict[str, Shape]:
    """Shapes of the values of which they can be told; operators of classical models first, which onnx knows less of."""
    left = [node for node in model.graph.node if node.output[0] not in constants]
    for _ in range(_MOST_ROUNDS):
        found = known | _inferred(model, left, constants, known)
        own = {name: shape for node in left for name, shape in (*_of_classical(node, found), *_at_most(node, found))}
        if not own:
            return found
        known = known | own
        left = [node for node in left if node.output[0] not in own]
    raise RefusedError(
        say("The graph has too many operators of classical models one behind the other."),
        say("Export a smaller model, or put its answers into a column of the table."),
    )


def _inferred(
    model: Any, nodes: list[Any], constants: Mapping[str, np.ndarray], known: Mapping[str, Shape]
) -> dict[str, Shape]:
    """What onnx tells of the values that these nodes give, from known shapes and nothing that the file says of them.

    What a graph computes as a shape is computed here too, but only where all of it is short.
    """
    made = {name for node in nodes for name in node.output}
    read = {name for node in nodes for name in node.input} - made
    short = {name: value for name, value in constants.items() if value.size <= _SHORT and value.dtype.kind in "biuf"}
    inputs = [
        onnx.helper.make_tensor_value_info(name, _type_of(constants.get(name)), known[name])
        for name in read & (known.keys() - short.keys())
    ]
    graph = onnx.helper.make_graph(
        nodes,
        "sizes",  # verbatim
        inputs,
        [onnx.helper.make_empty_tensor_value_info(name) for name in nodes[-1].output] if nodes else [],
        [onnx.numpy_helper.from_array(short[name], name) for name in read & short.keys()],
    )
    light = onnx.helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    found = _told(onnx.shape_inference.infer_shapes(light))
    computed = _computed_as_shapes(nodes, constants)
    if all(math.prod(found.get(name, (_SHORT + 1,))) <= _SHORT for name in computed):
        found |= _told(onnx.shape_inference.infer_shapes(light, data_prop=True))
    return found


def _told(model: Any) -> dict[str, Shape]:
    found = {}
    for value in (*model.graph.value_info, *model.graph.output):
        kind = value.type.tensor_type
        sizes = [size.dim_value for size in kind.shape.dim if size.HasField("dim_value")]
        if kind.HasField("shape") and len(sizes) == len(kind.shape.dim):
            found[value.name] = tuple(sizes)
    return found


def _computed_as_shapes(nodes: list[Any], constants: Mapping[str, np.ndarray]) -> set[str]:
    """Values that are made of constants and of shapes of others alone."""
    known, computed = {"", *constants}, set()
    for node in nodes:
        if node.op_type in ("Shape", "Size") or all(name in known for name in node.input):
            known.update(node.output)
            computed.update(node.output)
    return computed - {""}


def _type_of(constant: np.ndarray | None) -> int:
    if constant is None:
        return int(onnx.TensorProto.FLOAT)
    return int(onnx.helper.np_dtype_to_tensor_dtype(constant.dtype))


def _at_most(node: Any, shapes: Mapping[str, Shape]) -> Iterator[tuple[str, Shape]]:
    """The largest shape that an operator gives whose sizes depend on the numbers it reads."""
    if node.op_type not in ("NonZero", "Compress", "Unique") or node.input[0] not in shapes:
        return
    given = shapes[node.input[0]]
    whole_axis = any(one.name == "axis" for one in node.attribute)
    for name in node.output:
        if name and name not in shapes:
            size = math.prod(given)
            yield name, (len(given), size) if node.op_type == "NonZero" else given if whole_axis else (size,)


def _of_classical(node: Any, shapes: Mapping[str, Shape]) -> Iterator[tuple[str, Shape]]:
    """The shapes that an operator of classical models gives for those that it reads, once they are known."""
    if node.domain != "ai.onnx.ml" or not all(name in shapes for name in node.input if name):
        return
    if all(name in shapes for name in node.output if name):
        return
    settings = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
    rows, *rest = shapes[node.input[0]] or (1,)
    width = math.prod(rest)
    classes = max((len(settings.get(name, ())) for name in _LABELS), default=0)
    match node.op_type:
        case "FeatureVectorizer":
            width = sum(math.prod(shapes[name][1:]) for name in node.input if name)
        case "OneHotEncoder":
            width *= max(len(settings.get(name, ())) for name in _CATEGORIES)
        case "ArrayFeatureExtractor":
            width = math.prod(shapes[node.input[1]])
        case "LinearClassifier" | "TreeEnsembleClassifier":
            width = max(classes, 2)
        case "SVMClassifier":
            width = max(classes * (classes - 1) // 2, classes, 2)
        case "LinearRegressor" | "SVMRegressor" | "TreeEnsembleRegressor" | "TreeEnsemble":
            width = max(int(settings.get("n_targets", settings.get("targets", 1))), 1)
    for name in filter(None, node.output):
        yield name, (rows, width)

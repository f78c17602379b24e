"""An ONNX file, checked inside the wall before onnxruntime sees it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from core.language.phrases import count, whole
from core.language.told import say
from core.models.formats.onnx.graph import MAXIMUM_NODES, Attribute, Description, Node, OnnxGraph
from core.models.formats.onnx.sizes import check_sizes
from core.wall.inside import RefusedError

MAXIMUM_BYTES = 256 * 1024 * 1024
_MAXIMUM_MADE = 1_000_000
_MAXIMUM_USES = 2**28
"""Weights a row meets, each counted as often as it is used: as many as the largest file can hold."""
_DOMAINS = frozenset({"", "ai.onnx", "ai.onnx.ml"})
_REFUSED = frozenset(
    {
        *("If", "Loop", "Scan", "SequenceMap"),
        *("Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"),
        *("Range", "Resize", "Upsample", "EyeLike"),
    }
)
_SHAPE_INPUT = {"ConstantOfShape": 0, "Expand": 1, "Tile": 1, "Pad": 1}
"""Operators that make data of a declared size, and which input declares it."""

_MISSING_VALUES = frozenset({"replaced_value_float", "imputed_value_floats"})
"""Attributes of the operator that fills gaps; it knows a gap as NaN."""

_MULTIPLIES = frozenset({"MatMul", "Gemm", "Conv", "ConvTranspose", "Einsum", "MatMulInteger", "QLinearMatMul"})

_ADVICE = say("Export the model again as one file with plain operators, or put its answers into a column of the table.")


@dataclass(frozen=True)
class OnnxContent:
    """A checked file.

    Attributes:
        content: Its bytes.
        graph: What leaves the wall of it.
        input_type: The type of its input.
    """

    content: bytes
    graph: OnnxGraph
    input_type: np.dtype[Any]


def read_onnx(path: Path) -> OnnxContent:
    """Parse and check an ONNX file; nothing in it is run.

    Raises:
        RefusedError: It is too large, damaged, refers to other files, uses operators that are not allowed, or does not
            read one table of numbers.
    """
    if path.stat().st_size > MAXIMUM_BYTES:
        raise _refused(say("The file is larger than {most} MB.", most=MAXIMUM_BYTES >> 20))
    content = path.read_bytes()
    try:
        return _checked(onnx.load_model_from_string(content), content)
    except (RefusedError, MemoryError):
        raise
    except Exception as error:
        raise _refused(say("The ONNX file is damaged, cut off or not valid.")) from error


def _checked(model: Any, content: bytes) -> OnnxContent:
    graph = model.graph
    if not graph.node or model.functions:
        raise _refused(say("The ONNX file holds no graph, or functions of its own."))
    _check_nodes(graph)
    for tensor in (*graph.initializer, *(tensor for node in graph.node for tensor in _attribute_tensors(node))):
        _check_tensor(tensor)
    onnx.checker.check_model(model)
    constants = _constants(graph)
    _check_numbers(graph, constants)
    _check_made_sizes(graph, constants)
    _check_uses(graph, constants)
    given, kind, width = _input(graph)
    check_sizes(model, constants, given, width)
    said = Description(
        nodes=tuple(_node(node) for node in graph.node if node.output[0] not in constants),
        opset=max((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), default=1),
        input=given,
        width=width,
        output=_output(graph),
        labels=_labels(graph),
        metadata={entry.key: entry.value for entry in model.metadata_props},
    )
    numbers = {name: value for name, value in constants.items() if value.dtype.kind in "biuf"}
    return OnnxContent(content, OnnxGraph(said, numbers), kind)


def _node(node: Any) -> Node:
    """A node as it leaves the wall."""
    settings: dict[str, Attribute] | None = {}
    for name, value in () if node.domain == "ai.onnx.ml" else _attributes(node).items():
        plain = _plain(value)
        settings = None if plain is None or settings is None else {**settings, name: plain}
    return Node(
        op_type=node.op_type,
        domain=node.domain,
        input=tuple(node.input),
        output=tuple(node.output),
        settings=None if node.domain == "ai.onnx.ml" else settings,
    )


def _plain(value: Any) -> Attribute | None:
    """The value of an attribute in words and finite numbers; None if it is none."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, int | float):
        return value if math.isfinite(value) else None
    items = tuple(value) if isinstance(value, Sequence) else (None,)
    return items if all(isinstance(item, int | float) and math.isfinite(item) for item in items) else None


def _attributes(node: Any) -> dict[str, Any]:
    """A node's attributes as Python values."""
    return {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}


def _check_nodes(graph: Any) -> None:
    if len(graph.node) > MAXIMUM_NODES:
        raise _refused(
            say(
                "The graph has {nodes} nodes; at most {most} are read.",
                nodes=len(graph.node),
                most=MAXIMUM_NODES,
            ),
        )
    if graph.sparse_initializer:
        raise _refused(say("The graph holds sparse weights."))
    for node in graph.node:
        if node.domain not in _DOMAINS:
            raise _refused(
                say(
                    "The operator {operator} belongs to {domain}, which is not standard ONNX.",
                    operator=node.op_type,
                    domain=repr(node.domain),
                ),
            )
        if node.op_type in _REFUSED or any(attribute.g.node or attribute.graphs for attribute in node.attribute):
            raise _refused(
                say("The operator {operator} loops, branches, draws random numbers or resizes.", operator=node.op_type),
            )


def _attribute_tensors(node: Any) -> Iterator[Any]:
    for attribute in node.attribute:
        if attribute.HasField("sparse_tensor") or attribute.sparse_tensors:
            raise _refused(say("The operator {operator} holds sparse weights.", operator=node.op_type))
        if attribute.HasField("t"):
            yield attribute.t
        yield from attribute.tensors


def _check_tensor(tensor: Any) -> None:
    if tensor.data_location == onnx.TensorProto.EXTERNAL or tensor.external_data:
        raise RefusedError(
            say("The weights lie in another file beside the ONNX file, which is never opened."),
            where=say("tensor {tensor}", tensor=repr(tensor.name)),
            advice=say(
                "Save it as one file: onnx.save(onnx.load('model.onnx'), 'single.onnx'), or export with "
                "torch.onnx.export(..., external_data=False)."
            ),
        )
    declared = math.prod(tensor.dims)
    if tensor.data_type == onnx.TensorProto.STRING:
        held = len(tensor.string_data)
    elif tensor.data_type in _ITEM_SIZES and tensor.HasField("raw_data"):
        held, rest = divmod(len(tensor.raw_data), _ITEM_SIZES[tensor.data_type])
        held = -1 if rest else held
    else:
        held = max(len(tensor.float_data), len(tensor.int32_data), len(tensor.int64_data), len(tensor.double_data))
    if any(size < 0 for size in tensor.dims) or declared != held:
        raise _refused(
            say(
                "The tensor {tensor} declares {declared} numbers and the file holds {held}.",
                tensor=repr(tensor.name),
                declared=declared,
                held=max(held, 0),
            ),
        )


_ITEM_SIZES = {1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4, 13: 8, 16: 2}
"""Bytes per number by onnx.TensorProto.DataType."""


def _constants(graph: Any) -> dict[str, np.ndarray]:
    found = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            value = next(iter(_attributes(node).values()))
            array = onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.array(value)
            found[node.output[0]] = array.astype(np.float32) if isinstance(value, float) else array
        elif node.op_type == "Identity" and node.input[0] in found:
            found[node.output[0]] = found[node.input[0]]
    return found


def _check_numbers(graph: Any, constants: dict[str, np.ndarray]) -> None:
    settings = {
        f"{node.op_type}, {key}": np.asarray(value)
        for node in graph.node
        for key, value in (_attributes(node) if node.domain == "ai.onnx.ml" else {}).items()
        if key not in _MISSING_VALUES
    }
    for key, value in (constants | settings).items():
        if value.dtype.kind == "f" and np.isnan(value).any():
            raise RefusedError(
                say("A weight is not a number."),
                where=key,
                advice=say("The training probably diverged: bring a model from before it did."),
            )


def _check_made_sizes(graph: Any, constants: dict[str, np.ndarray]) -> None:
    for node in graph.node:
        position = _SHAPE_INPUT.get(node.op_type)
        if position is None:
            continue
        shape = constants.get(node.input[position]) if len(node.input) > position else None
        made = math.inf if shape is None else math.prod(max(abs(int(size)), 1) for size in np.ravel(shape))
        if made > _MAXIMUM_MADE:
            raise _refused(
                say(
                    "The operator {operator} makes data of a size that is not fixed, or too large.",
                    operator=node.op_type,
                ),
            )


def _check_uses(graph: Any, constants: dict[str, np.ndarray]) -> None:
    """Refuse a graph that multiplies its weights with each other, or uses the same ones over and over."""
    size = {key: value.size for key, value in constants.items()}
    uses = 0
    for node in graph.node:
        used = sum(size.get(given, 0) for given in node.input)
        uses += used
        if all(given in size for given in node.input if given):
            if node.op_type in _MULTIPLIES:
                raise _refused(
                    say("The operator {operator} multiplies weights with each other.", operator=node.op_type)
                )
            for name in node.output:
                size.setdefault(name, used)
    if uses > _MAXIMUM_USES:
        raise _refused(
            say(
                "A row meets {uses} weights, most of them again and again; at most {most} are computed.",
                uses=whole(uses),
                most=whole(_MAXIMUM_USES),
            ),
        )


def _input(graph: Any) -> tuple[str, np.dtype[Any], int | None]:
    initialised = {tensor.name for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in initialised]
    if len(inputs) != 1:
        raise RefusedError(
            say(
                "The model reads {inputs} separate inputs; one table of numbers, (rows, columns), is needed.",
                inputs=len(inputs),
            ),
            where=", ".join(value.name for value in inputs[:8]),
            advice=say("Export it with a single input, for example initial_types=[('x', FloatTensorType([None, d]))]."),
        )
    kind = inputs[0].type.tensor_type
    types: dict[int, np.dtype[Any]] = {
        onnx.TensorProto.FLOAT: np.dtype(np.float32),
        onnx.TensorProto.DOUBLE: np.dtype(np.float64),
    }
    dims = kind.shape.dim
    if kind.elem_type not in types or len(dims) != 2:
        raise RefusedError(
            say("The model does not read a table of numbers of shape (rows, columns)."),
            where=say("input {input}", input=repr(inputs[0].name)),
            advice=say("Export it with one input of floating-point numbers with two dimensions."),
        )
    if dims[0].HasField("dim_value") and dims[0].dim_value > 0:
        raise RefusedError(
            say("The model reads exactly {rows} at a time.", rows=count(dims[0].dim_value, "row")),
            where=say("input {input}", input=repr(inputs[0].name)),
            advice=say(
                "Export it with an open number of rows: dynamic_shapes=({0: torch.export.Dim.DYNAMIC},), or "
                "dynamic_axes={'x': {0: 'rows'}}."
            ),
        )
    width = dims[1].dim_value if dims[1].HasField("dim_value") and dims[1].dim_value > 0 else None
    return inputs[0].name, types[kind.elem_type], width


def _output(graph: Any) -> str:
    """The one output that can hold a number for each class."""
    numbers = (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE)
    found: list[str] = [
        value.name
        for value in graph.output
        if value.type.HasField("sequence_type") or value.type.tensor_type.elem_type in numbers
    ]
    if len(found) != 1:
        raise RefusedError(
            say("The model gives {outputs} outputs of numbers; one, with its answers, is needed.", outputs=len(found)),
            where=", ".join(value.name for value in graph.output[:8]),
            advice=say("Export it with the probabilities or the logits as its only output of numbers."),
        )
    return found[0]


def _labels(graph: Any) -> tuple[str, ...]:
    for node in graph.node:
        for key, value in _attributes(node).items() if node.domain == "ai.onnx.ml" else ():
            if key.startswith("classlabels_") and len(value):
                return tuple(label.decode() if isinstance(label, bytes) else str(label) for label in value)
    return ()


def _refused(what: str) -> RefusedError:
    return RefusedError(what, _ADVICE)

"""A chain of ONNX operators as ``Sequential(Linear, activation, ..., Linear)``, affine operators folded together."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from torch import nn

from core.models.formats.onnx.graph import NEUTRAL, OnnxGraph
from core.models.layers import linear

Affine = tuple[np.ndarray, np.ndarray]
"""z = W x + b: W, shape (outputs, inputs), or its diagonal alone, shape (outputs,), and b, shape (outputs,)."""

_ACTIVATIONS: dict[str, Callable[[dict[str, Any]], nn.Module]] = {
    "Relu": lambda settings: nn.ReLU(),
    "LeakyRelu": lambda settings: nn.LeakyReLU(settings.get("alpha", 0.01)),
    "Elu": lambda settings: nn.ELU(settings.get("alpha", 1.0)),
    "Selu": lambda settings: nn.SELU(),
    "Sigmoid": lambda settings: nn.Sigmoid(),
    "Tanh": lambda settings: nn.Tanh(),
    "Softplus": lambda settings: nn.Softplus(),
}


def chain(graph: OnnxGraph, nodes: Sequence[Any], width: int) -> nn.Sequential | None:
    """The nodes as a float64 ``Sequential``; None when they are no plain chain of affine operators and activations."""
    stages: list[Affine | nn.Module] = []
    current = graph.said.input
    for node in nodes:
        if [name for name in node.input if name and name not in graph.constants] != [current]:
            return None
        current = node.output[0]
        settings = node.attributes
        if node.op_type in NEUTRAL:
            if not _keeps_table(node, graph, width):
                return None
        elif node.op_type in _ACTIVATIONS:
            stages.append(_ACTIVATIONS[node.op_type](settings))
        else:
            affine = _affine(node, graph, settings, width)
            if affine is None:
                return None
            width = len(affine[1])
            if stages and isinstance(stages[-1], tuple):
                affine = _after(stages.pop(), affine)  # type: ignore[arg-type]
            stages.append(affine)
    if not stages or not isinstance(stages[-1], tuple):
        return None
    return nn.Sequential(*(_layer(stage) if isinstance(stage, tuple) else stage for stage in stages)).eval()


def _after(first: Affine, second: Affine) -> Affine:
    """``second`` applied to what ``first`` gives; the product of a diagonal costs no more than what it scales."""
    (weight, offset), (outer, shift) = first, second
    if outer.ndim == 1:
        return (outer[:, None] if weight.ndim == 2 else outer) * weight, outer * offset + shift
    return (outer @ weight if weight.ndim == 2 else outer * weight), outer @ offset + shift


def _layer(affine: Affine) -> nn.Module:
    weight, offset = affine
    return linear(weight if weight.ndim == 2 else np.diag(weight), offset)


def _keeps_table(node: Any, graph: OnnxGraph, width: int) -> bool:
    if node.op_type == "Reshape":
        shape = [int(size) for size in np.ravel(graph.constants.get(node.input[1], ()))]
        return len(shape) == 2 and shape[0] in (0, -1) and (shape[1] == width or (shape[1] == -1 and shape[0] == 0))
    if node.op_type == "Cast":
        return node.attributes["to"] in (1, 10, 11, 16)
    return bool(node.op_type != "Squeeze")


def _affine(node: Any, graph: OnnxGraph, settings: dict[str, Any], width: int) -> Affine | None:
    constants = [np.asarray(graph.constants[name]) for name in node.input if name in graph.constants]
    if not all(value.dtype.kind == "f" for value in constants):
        return None
    constants = [value.astype(np.float64) for value in constants]
    first = node.input[0] not in graph.constants
    if node.op_type == "Gemm" and first:
        return _gemm(constants, settings, width)
    if node.op_type == "MatMul" and first and constants[0].ndim == 2 and len(constants[0]) == width:
        return constants[0].T, np.zeros(constants[0].shape[1])
    if node.op_type == "BatchNormalization" and first and not settings.get("training_mode"):
        scale, shift, mean, variance = constants
        slope = scale / np.sqrt(variance + settings.get("epsilon", 1e-5))
        return slope, shift - slope * mean
    if node.op_type in ("Add", "Sub", "Mul", "Div"):
        return _elementwise(node.op_type, constants[0], first, width)
    return None


def _gemm(constants: list[np.ndarray], settings: dict[str, Any], width: int) -> Affine | None:
    weight = settings.get("alpha", 1.0) * (constants[0] if settings.get("transB") else constants[0].T)
    if settings.get("transA") or weight.ndim != 2 or weight.shape[1] != width:
        return None
    offset = _row(constants[1], len(weight)) if len(constants) > 1 else np.zeros(len(weight))
    return None if offset is None else (weight, settings.get("beta", 1.0) * offset)


def _elementwise(operator: str, value: np.ndarray, first: bool, width: int) -> Affine | None:
    row = _row(value, width)
    if row is None or (operator == "Div" and not first):
        return None
    slopes = {"Add": np.ones(width), "Sub": np.full(width, 1.0 if first else -1.0), "Mul": row, "Div": 1 / row}
    offsets = {"Add": row, "Sub": -row if first else row}
    return slopes[operator], offsets.get(operator, np.zeros(width))


def _row(value: np.ndarray, width: int) -> np.ndarray | None:
    """One number per column from a scalar or a row; None if the value has another shape."""
    if (
        value.size not in (1, width)
        or (value.ndim > 1 and value.shape[:-1] != (1,) * (value.ndim - 1))
        or value.ndim > 2
    ):
        return None
    return np.array(np.broadcast_to(value.reshape(-1), (width,)))

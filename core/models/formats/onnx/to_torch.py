"""A checked ONNX graph as a torch module that gives logits. Imports torch, so it is imported inside functions only.

A plain chain becomes ``Sequential(Linear, ReLU, ..., Linear)`` with every affine operator folded into the layers
(:mod:`core.models.formats.onnx.chain`); any other graph is followed operator by operator through the table below. A
closing
softmax, log-softmax or sigmoid is taken off, because its input is the logits: nothing here takes the logarithm of a
probability.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Literal

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from core.language.told import say
from core.models.checked import NoGradientsError
from core.models.formats.onnx.chain import chain
from core.models.formats.onnx.graph import NEUTRAL, OnnxGraph

Values = list[Any]
Operator = Callable[[Values, dict[str, Any]], torch.Tensor]


def to_torch(graph: OnnxGraph, width: int, gives: Literal["logits", "probabilities"]) -> nn.Module:
    """A float64 module from (n, ``width``) to logits (n, k), or to the one logit (n, 1) of the second class.

    Args:
        graph: The checked graph.
        width: Number of input columns.
        gives: What the graph's own output is; log-probabilities count as logits.

    Raises:
        NoGradientsError: An operator has no differentiable counterpart here, or probabilities cannot be undone.
    """
    nodes, output = _without_closing(graph, gives)
    foreign = [node.op_type for node in nodes if node.op_type not in OPERATORS or node.domain == "ai.onnx.ml"]
    if foreign:
        raise NoGradientsError(
            say("its operator {operator} has no differentiable counterpart here", operator=foreign[0])
        )
    if gives == "probabilities" and output == graph.said.output:
        raise NoGradientsError(
            say(
                "its probabilities come from the operator {operator}, from which the logits cannot be recovered "
                "exactly",
                operator=closing_operator(graph) or "Identity",
            )
        )
    folded = chain(graph, nodes, width)
    return folded if folded is not None else FollowedGraph(graph, nodes, output)


def closing_operator(graph: OnnxGraph) -> str:
    """The operator that gives the answers, apart from those that only reshape or rename them."""
    last = _last(graph)
    return last.op_type if last is not None else ""


def _last(graph: OnnxGraph) -> Any:
    producers = {name: node for node in graph.nodes for name in node.output}
    producer = producers.get(graph.said.output)
    while producer is not None and producer.op_type in NEUTRAL:
        producer = producers.get(producer.input[0])
    return producer


def _without_closing(graph: OnnxGraph, gives: Literal["logits", "probabilities"]) -> tuple[list[Any], str]:
    """The nodes the logits need, and the name of the logits; the graph's own output where nothing can be taken off."""
    output = graph.said.output
    producer = _last(graph)
    closing = ("Softmax", "Sigmoid") if gives == "probabilities" else ("LogSoftmax",)
    if producer is not None and producer.op_type in closing:
        axis = producer.attributes.get("axis", -1 if graph.said.opset >= 13 else 1)
        if producer.op_type == "Sigmoid" or axis in (-1, 1):
            output = producer.input[0]
    needed, nodes = {output}, []
    for node in reversed(graph.nodes):
        if needed.intersection(node.output):
            needed.update(node.input)
            nodes.append(node)
    return nodes[::-1], output


class FollowedGraph(nn.Module):
    """The graph's operators, one after the other.

    Args:
        graph: The checked graph.
        nodes: The nodes to follow, in topological order, all of the table's operators.
        output: The value to give.
    """

    def __init__(self, graph: OnnxGraph, nodes: Sequence[Any], output: str) -> None:
        super().__init__()
        self._names: dict[str, str] = {}
        for name in dict.fromkeys(name for node in nodes for name in node.input if name in graph.constants):
            value = torch.from_numpy(np.array(graph.constants[name]))
            self._names[name] = f"constant_{len(self._names)}"
            if value.is_floating_point():
                self.register_parameter(self._names[name], nn.Parameter(value.double(), requires_grad=False))
            else:
                self.register_buffer(self._names[name], value)
        self._steps = [
            (node.op_type, list(node.input), node.output[0], {"opset": graph.said.opset, **node.attributes})
            for node in nodes
        ]
        self._input, self._output = graph.said.input, output

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(n, d) to (n, k)."""
        values: dict[str, Any] = {name: getattr(self, kept) for name, kept in self._names.items()}
        values.update({"": None, self._input: x})
        for operator, inputs, output, settings in self._steps:
            values[output] = OPERATORS[operator]([values[name] for name in inputs], settings)
        answer: torch.Tensor = values[self._output]
        return answer.reshape(-1, 1) if answer.ndim == 1 else answer


def _gemm(values: Values, settings: dict[str, Any]) -> torch.Tensor:
    a = values[0].T if settings.get("transA") else values[0]
    b = values[1].T if settings.get("transB") else values[1]
    product: torch.Tensor = settings.get("alpha", 1.0) * (a @ b)
    return product if len(values) < 3 or values[2] is None else product + settings.get("beta", 1.0) * values[2]


def _clip(values: Values, settings: dict[str, Any]) -> torch.Tensor:
    low = values[1] if len(values) > 1 else settings.get("min")
    high = values[2] if len(values) > 2 else settings.get("max")
    return torch.clamp(values[0], low, high)


def _batch_normalisation(values: Values, settings: dict[str, Any]) -> torch.Tensor:
    x, scale, shift, mean, variance = values
    if settings.get("training_mode"):
        raise NoGradientsError(say("its BatchNormalization was exported in training mode"))
    return functional.batch_norm(x, mean, variance, scale, shift, training=False, eps=settings.get("epsilon", 1e-5))


def _softmax(values: Values, settings: dict[str, Any]) -> torch.Tensor:
    return torch.softmax(values[0], dim=settings.get("axis", -1 if settings["opset"] >= 13 else 1))


def _log_softmax(values: Values, settings: dict[str, Any]) -> torch.Tensor:
    return torch.log_softmax(values[0], dim=settings.get("axis", -1 if settings["opset"] >= 13 else 1))


def _reshape(values: Values, settings: dict[str, Any]) -> torch.Tensor:
    x, shape = values[0], [int(size) for size in values[1]]
    reshaped: torch.Tensor = x.reshape([x.shape[i] if size == 0 else size for i, size in enumerate(shape)])
    if not x.shape[0] == reshaped.shape[0]:
        raise NoGradientsError(say("its operator Reshape mixes rows"))
    return reshaped


def _cast(values: Values, settings: dict[str, Any]) -> torch.Tensor:
    if settings["to"] not in (1, 10, 11, 16):
        raise NoGradientsError(say("its operator Cast turns numbers into whole numbers or text"))
    value: torch.Tensor = values[0]
    return value


def _squeeze(values: Values, settings: dict[str, Any]) -> torch.Tensor:
    axes = values[1].tolist() if len(values) > 1 and values[1] is not None else settings.get("axes", [-1])
    return torch.squeeze(values[0], tuple(int(axis) for axis in axes))


def _gelu(values: Values, settings: dict[str, Any]) -> torch.Tensor:
    return functional.gelu(values[0], approximate=settings.get("approximate", "none"))


OPERATORS: dict[str, Operator] = {
    "Abs": lambda values, _: torch.abs(values[0]),
    "Add": lambda values, _: values[0] + values[1],
    "BatchNormalization": _batch_normalisation,
    "Cast": _cast,
    "Clip": _clip,
    "Concat": lambda values, settings: torch.cat(values, dim=settings["axis"]),
    "Div": lambda values, _: values[0] / values[1],
    "Dropout": lambda values, _: values[0],
    "Elu": lambda values, settings: functional.elu(values[0], settings.get("alpha", 1.0)),
    "Erf": lambda values, _: torch.erf(values[0]),
    "Exp": lambda values, _: torch.exp(values[0]),
    "Flatten": lambda values, _: values[0].flatten(1),
    "Gelu": _gelu,
    "Gemm": _gemm,
    "Identity": lambda values, _: values[0],
    "LeakyRelu": lambda values, settings: functional.leaky_relu(values[0], settings.get("alpha", 0.01)),
    "LogSoftmax": _log_softmax,
    "MatMul": lambda values, _: values[0] @ values[1],
    "Mul": lambda values, _: values[0] * values[1],
    "Neg": lambda values, _: -values[0],
    "PRelu": lambda values, _: torch.where(values[0] < 0, values[1] * values[0], values[0]),
    "Pow": lambda values, _: torch.pow(values[0], values[1]),
    "Relu": lambda values, _: torch.relu(values[0]),
    "Reshape": _reshape,
    "Selu": lambda values, _: torch.selu(values[0]),
    "Sigmoid": lambda values, _: torch.sigmoid(values[0]),
    "Softmax": _softmax,
    "Softplus": lambda values, _: functional.softplus(values[0]),
    "Sqrt": lambda values, _: torch.sqrt(values[0]),
    "Squeeze": _squeeze,
    "Sub": lambda values, _: values[0] - values[1],
    "Sum": lambda values, _: reduce(torch.add, values),
    "Tanh": lambda values, _: torch.tanh(values[0]),
}
"""Every operator that can be differentiated here."""

"""What an ONNX graph does with its input first, which says whether it reads numbers as they stand in a table."""

from __future__ import annotations

import numpy as np

from core.models.formats.onnx.graph import NEUTRAL, Node, OnnxGraph

_OF_RAW_NUMBERS = frozenset(
    {
        *("Scaler", "Normalizer", "Imputer"),
        *("TreeEnsemble", "TreeEnsembleClassifier", "TreeEnsembleRegressor"),
    }
)
_PASSING = NEUTRAL | {"ArrayFeatureExtractor", "Gather", "Slice", "Split"}
"""Operators that hand numbers on, or some columns of them."""
_FAR, _WIDE = 3.0, 9.0
"""A mean and a variance beyond which numbers were not standardised."""


def prepares_numbers(graph: OnnxGraph) -> str:
    """The operator at the start that takes numbers as they are: it scales, normalises or splits them; "" for none."""
    given = {graph.said.input}
    for node in graph.nodes:
        if given.isdisjoint(node.input):
            continue
        if node.op_type in _OF_RAW_NUMBERS or _standardises(node, graph):
            return node.op_type
        if node.op_type in _PASSING:
            given.update(node.output)
    return ""


def _standardises(node: Node, graph: OnnxGraph) -> bool:
    """Whether a node subtracts constants, divides by some, or normalises by means and variances of raw numbers."""
    if node.op_type in {"Sub", "Div"}:
        return any(name in graph.constants for name in node.input)
    if node.op_type != "BatchNormalization" or not {*node.input[3:5]} <= set(graph.constants):
        return False
    mean, variance = (graph.constants[name] for name in node.input[3:5])
    return bool((np.abs(mean) > _FAR).any() or (variance > _WIDE).any())

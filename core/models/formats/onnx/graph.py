"""What is known of an ONNX graph outside the wall: a description in plain words and numbers, and its constants."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.language.told import say
from core.models.checked import NoGradientsError

MAXIMUM_NODES = 20_000
NEUTRAL = frozenset({"Identity", "Flatten", "Dropout", "Cast", "Reshape", "Squeeze"})
"""Operators that change no number of a table, where they keep its rows."""
Attribute = int | float | str | tuple[int, ...] | tuple[float, ...]
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


class _SaidGraph(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Node(_SaidGraph):
    """A node.

    Attributes:
        op_type: Its operator.
        domain: Whose operator it is.
        input: Names of the values it reads; empty for one that is left out.
        output: Names of the values it gives.
        settings: Its attributes; None where some are neither numbers nor words.
    """

    op_type: str
    domain: str
    input: tuple[str, ...]
    output: tuple[str, ...] = Field(min_length=1)
    settings: dict[str, Attribute] | None

    @property
    def attributes(self) -> dict[str, Attribute]:
        """Its attributes.

        Raises:
            NoGradientsError: Some are neither numbers nor words.
        """
        if self.settings is None:
            raise NoGradientsError(say("its operator {operator} has settings of its own kind", operator=self.op_type))
        return self.settings


class Description(_SaidGraph):
    """What a checked file says of its graph.

    Attributes:
        nodes: Its nodes, in topological order, without constants.
        opset: Version of the main operator set.
        input: Name of the input.
        width: Its declared number of columns; None when left open.
        output: Name of the output that holds the answers.
        labels: The classes the graph itself names, as text; empty when it names none.
        metadata: The file's free metadata.
    """

    nodes: tuple[Node, ...] = Field(max_length=MAXIMUM_NODES)
    opset: int
    input: str
    width: int | None = Field(gt=0)
    output: str
    labels: tuple[str, ...]
    metadata: dict[str, str]

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        """Nothing is given twice or read before it is given, so that walks along the graph end."""
        given: set[str] = set()
        later = [name for node in self.nodes for name in node.output if name]
        if len(set(later)) < len(later):
            raise ValueError("a value is given twice")
        made = set(later)
        for node in self.nodes:
            if made.intersection(node.input) - given or (node.op_type in NEUTRAL and not node.input):
                raise ValueError("a value is read before it is given")
            given.update(node.output)
        return self


@dataclass(frozen=True)
class OnnxGraph:
    """A graph with one input of plain numbers.

    Attributes:
        said: What the file says of it.
        constants: Initialisers and constant nodes of numbers, by name.
    """

    said: Description
    constants: dict[str, np.ndarray]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Its nodes, in topological order, without constants."""
        return self.said.nodes


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

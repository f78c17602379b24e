"""Layers that came out of a skops file, as an encoder and a torch module that reads its columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.data.cells import is_number_column
from core.data.encoder import CategoricalColumn, Column, Encoder, NumericColumn
from core.language.told import say
from core.models.checked import NoGradientsError
from core.models.formats.skops.inputs import Inputs
from core.models.formats.skops.said import Layers, ReadColumn, SklearnSaid
from core.models.prepared import Prepared

if TYPE_CHECKING:
    import torch


def to_torch(
    said: SklearnSaid, arrays: Mapping[str, np.ndarray], inputs: Inputs, frame: pd.DataFrame
) -> tuple[Encoder, torch.nn.Module]:
    """The encoder that a classifier reads through, and the module that maps its columns to logits.

    Raises:
        NoGradientsError: It is not converted (says why), weights and columns do not fit together, or a column of text
            is read as a number.
    """
    layers = said.gradients
    if not isinstance(layers, Layers):
        raise NoGradientsError(layers.why if layers else "")
    weights, offsets = _checked(layers, arrays, len(said.classes))
    if inputs.prepared is None:
        encoder, matrix, constants = _of_table(layers.read, inputs.columns, frame)
    elif said.columns is not None and len(said.columns) != said.width:
        raise NoGradientsError(say("it leaves out some of the prepared columns"))
    else:
        encoder, matrix, constants = _of_encoded(layers.read, inputs.prepared)
    offsets[0] = offsets[0] + weights[0] @ constants
    weights[0] = weights[0] @ matrix
    return encoder, _module(weights, offsets, layers.activation)


def _checked(layers: Layers, arrays: Mapping[str, np.ndarray], k: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    weights = [arrays.get(f"weights_{number}") for number in range(layers.layers)]
    offsets = [arrays.get(f"offsets_{number}") for number in range(layers.layers)]
    width = sum(len(column.categories) or 1 for column in layers.read)
    found = []
    for weight, offset in zip(weights, offsets, strict=True):
        if weight is None or offset is None or weight.ndim != 2 or offset.shape != weight.shape[:1]:
            raise _odd()
        if weight.shape[1] != width or not np.isfinite(weight).all() or not np.isfinite(offset).all():
            raise _odd()
        width = len(weight)
        found.append((weight.astype(np.float64), offset.astype(np.float64)))
    if width != (1 if k == 2 else k):
        raise _odd()
    return [weight for weight, _ in found], [offset for _, offset in found]


def _odd() -> NoGradientsError:
    return NoGradientsError(say("its weights do not have the shape that scikit-learn gives them"))


def _of_table(
    read: tuple[ReadColumn, ...], columns: tuple[str, ...], frame: pd.DataFrame
) -> tuple[Encoder, np.ndarray, np.ndarray]:
    """An encoder of the table's columns, and (A, c) with A x + c what the layers read of its numbers x."""
    found: list[Column] = []
    scales, constants = [], []
    for one in read:
        name = columns[one.place]
        if one.categories:
            found.append(CategoricalColumn(name=name, categories=one.categories))
            scales += [1.0] * len(one.categories)
            constants += [0.0] * len(one.categories)
            continue
        if not is_number_column(frame[name]):
            raise NoGradientsError(say("it reads the text column {column} as a number", column=repr(name)))
        if one.scaled is not None:
            found.append(NumericColumn(name=name, mean=one.scaled[0], scale=one.scaled[1]))
            scales.append(1.0)
            constants.append(0.0)
        else:
            column = Encoder.fit(frame, (name,)).columns[0]
            if not isinstance(column, NumericColumn):
                raise NoGradientsError(say("it reads the text column {column} as a number", column=repr(name)))
            found.append(column)
            scales.append(column.scale)
            constants.append(column.mean)
    return Encoder(columns=tuple(found)), np.diag(scales), np.array(constants)


def _of_encoded(read: tuple[ReadColumn, ...], prepared: Prepared) -> tuple[Encoder, np.ndarray, np.ndarray]:
    """The same for numbers that were prepared before training."""
    if any(one.categories for one in read):
        raise NoGradientsError(say("it turns numbers computed by an earlier step into categories"))
    matrix, constants = np.zeros((len(read), prepared.reads.width)), np.zeros(len(read))
    for row, one in enumerate(read):
        centre, scale = one.scaled or (0.0, 1.0)
        matrix[row, one.place], constants[row] = 1 / scale, -centre / scale
    return prepared.encoder, matrix @ prepared.matrix, constants + matrix @ prepared.constants


def _module(weights: list[np.ndarray], offsets: list[np.ndarray], activation: str) -> torch.nn.Module:
    from torch import nn

    from core.models.layers import LogSigmoids, linear, perceptron

    stages = [linear(weight, offset) for weight, offset in zip(weights, offsets, strict=True)]
    if activation == "one-vs-rest":
        return nn.Sequential(*stages, LogSigmoids()).eval()
    return perceptron(stages, activation)

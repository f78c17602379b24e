"""A model exported as ONNX: predicted by onnxruntime, differentiated through our own conversion to torch."""

from __future__ import annotations

from typing import Literal

from core.files import FileRef
from core.model import AbstractModelSource
from core.settings import setting


class OnnxFile(AbstractModelSource):
    """A model exported as ONNX, with one input of shape (rows, columns)."""

    kind: Literal["onnx"] = "onnx"
    file: FileRef = setting(label="ONNX file", help="A single .onnx file with its weights inside.")
    output: Literal["logits", "probabilities", "log-probabilities"] | None = setting(
        None,
        label="Output",
        help="What the model gives. Left empty: by its last operator, otherwise by whether its answers on this table "
        "are probabilities.",
    )

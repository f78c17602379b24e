"""To be built by the models part."""

from typing import Literal

from core.model import AbstractModelSource


class OnnxFile(AbstractModelSource):
    """Settings."""

    kind: Literal["onnx"] = "onnx"

"""ONNX files: checked, run with onnxruntime, converted to torch for gradients."""

from core.language.told import say
from core.models.signature import Signature


def _seems(head: bytes) -> bool:
    """A protocol buffer whose first field is a version number."""
    return len(head) > 2 and head[0] == 0x08 and 1 <= head[1] <= 100


SIGNATURE = Signature("onnx", say("ONNX file"), seems=_seems, suffix=".onnx")

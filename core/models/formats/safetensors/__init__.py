"""Perceptrons with weights as safetensors."""

from core.language.told import say
from core.models.signature import Signature

_LARGEST_CLAIM = 1 << 32


def _begins(head: bytes, size: int) -> bool:
    """The length of a JSON header, then the header."""
    return head[8:9] == b"{" and int.from_bytes(head[:8], "little") <= max(size, _LARGEST_CLAIM)


SIGNATURE = Signature("torch_mlp", say("safetensors file"), begins=_begins, suffix=".safetensors")

"""Model files, one package a format.

Each says in its ``SIGNATURE`` how its files are told. Nothing outside this package names a format but
:mod:`core.models`.
"""

from core.models.formats import hugging_face, lstm, onnx, safetensors, skops, trees

SIGNATURES = (
    trees.SIGNATURE,
    safetensors.SIGNATURE,
    onnx.SIGNATURE,
    skops.SIGNATURE,
    lstm.SIGNATURE,
    hugging_face.SIGNATURE,
)
"""In the order in which they are asked: what describes itself goes before what is told by several files."""

"""What computes the numbers here: the libraries, by their versions, and Evenhand's own code, by its fingerprint."""

import functools
import hashlib
import platform
from importlib.metadata import version
from pathlib import Path

LIBRARIES = (
    *("torch", "numpy", "scipy", "pandas", "scikit-learn", "skops", "cvxpy", "highspy", "fairlearn"),
    *("onnx", "onnxruntime", "safetensors", "transformers", "tokenizers", "xgboost-cpu", "lightgbm", "pyarrow"),
    "python-calamine",
)
"""Libraries that compute numbers, and those that read them from files. highspy solves what cvxpy states."""


@functools.cache
def library_versions() -> tuple[tuple[str, str], ...]:
    """Python and every library the numbers depend on, with versions."""
    return (("python", platform.python_version()), *((name, version(name)) for name in LIBRARIES))


@functools.cache
def code_of_core() -> str:
    """SHA-256 of the Python files of ``core``, with their names, as this process found them."""
    core, digest = Path(__file__).parents[1], hashlib.sha256()
    for path in sorted(core.rglob("*.py")):
        digest.update(path.relative_to(core).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()

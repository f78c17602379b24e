"""Naming the model formats must not load the libraries that read them."""

import subprocess
import sys

HEAVY = ("torch", "onnx", "onnxruntime", "skops", "sklearn", "safetensors")
LIGHT = "core.model, core.models, core.models.sniff, core.models.inspection, core.models.module"


def loaded(imports: str) -> set[str]:
    code = f"import {imports}; import sys; print(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_table_of_formats_is_light() -> None:
    assert loaded(LIGHT) == set()


def test_the_test_above_can_fail() -> None:
    assert "torch" in loaded(f"{LIGHT}, core.models.layers")

"""The import order of design.md, proved in fresh processes: core knows no page, and the first page knows no torch."""

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
CORE = sorted(
    ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)
    for path in (REPOSITORY / "core").rglob("*.py")
    if path.name != "__main__.py"
)
FIRST_PAGE = ("dashboard.views.home.page", "dashboard.session", "dashboard.jobs.queue")


def loaded_after(statement: str) -> set[str]:
    """Top-level packages in ``sys.modules`` once a fresh interpreter has run ``statement``."""
    program = f"import sys; {statement}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=REPOSITORY, check=True)
    return set(ran.stdout.split())


def test_no_module_of_core_imports_streamlit_or_the_dashboard() -> None:
    loaded = loaded_after("import " + ", ".join(CORE))
    assert {"core", "numpy"} <= loaded
    assert not {"streamlit", "dashboard"} & loaded


@pytest.mark.parametrize("module", FIRST_PAGE)
def test_the_first_page_waits_for_no_heavy_library(module: str) -> None:
    heavy = {"torch", "sklearn", "onnxruntime", "onnx", "skops", "transformers", "cvxpy"}
    assert not heavy & loaded_after(f"import {module}")


def test_the_check_can_fail() -> None:
    assert "torch" in loaded_after("import torch")
    assert "streamlit" in loaded_after("import streamlit")

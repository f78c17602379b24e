"""What the first page waits for: no heavy library, and no page of a later step."""

import subprocess
import sys
from pathlib import Path

from dashboard.pages import PAGES

REPOSITORY = Path(__file__).parents[2]
HEAVY = {"torch", "sklearn", "onnxruntime", "onnx", "skops"}


def loaded_after(program: str) -> set[str]:
    program += "; import sys; print(*sorted(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=REPOSITORY, check=True)
    return set(ran.stdout.split())


def test_the_first_page_needs_neither_torch_nor_statistics() -> None:
    loaded = loaded_after("import dashboard.pages, dashboard.views.home.page, core.examples, dashboard.jobs.queue")
    assert "core.plan" in loaded
    assert not (HEAVY | {"scipy.stats", "dashboard.views.results.page"}) & loaded


def test_no_page_needs_torch() -> None:
    views = ", ".join(f"dashboard.views.{name}.page" for name in (*PAGES, "results"))
    loaded = loaded_after(f"import {views}")
    assert "plotly" in loaded
    assert not HEAVY & loaded


def test_the_page_is_found_from_any_folder(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(REPOSITORY / "dashboard" / "script.py")],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert "ModuleNotFoundError" not in ran.stderr

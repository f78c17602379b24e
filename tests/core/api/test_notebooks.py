"""The notebooks under ``assets/examples`` run as they are, and the last value of each cell shows itself."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from core import Audit, Finding

FOLDER = Path(__file__).parents[3] / "assets" / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def run(source: str, names: dict[str, Any]) -> Any:
    """The value of a cell's last expression, as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - our own notebooks
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
    return None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_shows_an_audit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    names: dict[str, Any] = {}
    values = [run("".join(cell["source"]), names) for cell in cells(path) if cell["cell_type"] == "code"]
    shown = [one for one in values if isinstance(one, Audit | Finding)]
    assert shown
    for one in shown:
        assert "<table>" in one._repr_html_()
    assert "object at 0x" not in " ".join(map(repr, values))


def test_they_are_kept_without_what_they_show() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["predictions_only", "tabular_model", "text_model"]
    for path in NOTEBOOKS:
        code = [cell for cell in cells(path) if cell["cell_type"] == "code"]
        assert [(cell["outputs"], cell["execution_count"]) for cell in code] == [([], None)] * len(code)

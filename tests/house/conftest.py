"""A copy of the house with rooms and a metric of a stranger in it, entered in its tables as a stranger would."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.imports import REPOSITORY

HERE = Path(__file__).parent
Run = Callable[[str], None]
FORKS = """
import os, runpy, sys

import pandas, plotly.graph_objects, scipy.stats, sklearn.linear_model, streamlit, torch
from streamlit.components.v2 import manifest_scanner

from core import run
from core.api import door
from core.report import html
from core.workflows import examples
from dashboard.views.results import page

components = manifest_scanner.scan_component_manifests()
manifest_scanner.scan_component_manifests = lambda: components

for program in sys.stdin:
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    told = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(told, 1), os.dup2(told, 2)
    runpy.run_path(program.strip(), run_name="__main__")
    break
"""
"""Runs each program that it is told of in a process of its own, in which nothing has to be imported anew."""


def entered(source: str, table: str, entry: str, line: str = "") -> str:
    """A module in whose ``table``, its first tuple, ``entry`` stands last; below its docstring ``line``.

    Raises:
        ValueError: There is no such table.
    """
    module = ast.parse(source)
    for node in module.body:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        if table not in [getattr(target, "id", "") for target in targets]:
            continue
        last = next(one for one in ast.walk(node.value) if isinstance(one, ast.Tuple)).elts[-1]
        lines = source.splitlines(keepends=True)
        end = lines[last.end_lineno - 1]  # type: ignore
        lines[last.end_lineno - 1] = f"{end[: last.end_col_offset]}, {entry}{end[last.end_col_offset :]}"  # type: ignore
        if line:
            lines.insert(module.body[0].end_lineno, f"{line}\n")  # type: ignore[arg-type]
        return "".join(lines)
    raise ValueError(f"there is no table {table}")


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs a program in a copy of the house with all of them in it."""
    copy = tmp_path_factory.mktemp("house")
    for folder in ("core", "dashboard"):
        shutil.copytree(REPOSITORY / folder, copy / folder)
    for added in ("room", "groups", "further", "metric"):
        shutil.copytree(HERE / added, copy, dirs_exist_ok=True)
    for folder in ("assets", "sample_models", "tests", "pyproject.toml"):
        (copy / folder).symlink_to(REPOSITORY / folder)
    for file, table, entry, line in (
        ("core/audits/__init__.py", "ORDER", '"shared_answers"', ""),
        ("core/audits/__init__.py", "ORDER", '"sure_answers"', ""),
        ("core/audits/__init__.py", "ORDER", '"rare_answers"', ""),
        (
            "dashboard/audits/__init__.py",
            "OWN",
            "RARE_ANSWERS",
            "from dashboard.audits.rare_answers import ROOM as RARE_ANSWERS",
        ),
        (
            "core/metrics/__init__.py",
            "METRICS",
            "WeightedMaxNorm",
            "from core.metrics.weighted_max_norm import WeightedMaxNorm",
        ),
    ):
        path = copy / file
        path.write_text(entered(path.read_text(encoding="utf-8"), table, entry, line), encoding="utf-8")

    told = copy / "told.txt"
    with subprocess.Popen(
        [sys.executable, "-c", FORKS, str(told)],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def run(program: str) -> None:
            assert process.stdin is not None
            assert process.stdout is not None
            (copy / "program.py").write_text(program, encoding="utf-8")
            process.stdin.write("program.py\n")
            process.stdin.flush()
            status = process.stdout.readline().strip()
            assert status == "0", told.read_text(encoding="utf-8")[-3000:]

        yield run

"""A record names every library whose numbers enter a result."""

import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import core
from core.base.versions import LIBRARIES, library_versions
from tests.imports import packages

WITHOUT_NUMBERS = {
    *("plotly", "Jinja2", "MarkupSafe", "python-pptx", "xlsxwriter", "tqdm"),  # draw
    "babel",  # reads translations
    *("pydantic", "pydantic_core", "typing_extensions", "typer"),  # check and ask
    *("platformdirs", "pooch"),  # find and fetch files, which are known by their SHA-256
    *("threadpoolctl", "joblib"),  # limit threads
    *("SQLAlchemy", "alembic"),  # keep the register
    *("dask", "distributed"),  # carry pieces of work to other machines
    "urllib3",  # carries what a model behind an address computes
}
"""Libraries that core imports and no number depends on."""

SOLVERS = {"highspy"}
"""Libraries that others call: cvxpy solves with it."""


distributions = cache(packages_distributions)


def imported(folder: Path) -> set[str]:
    """Distributions that any module below ``folder`` imports, wherever in the file."""
    known = distributions()
    names: set[str] = set()
    for path in folder.rglob("*.py"):
        names |= packages(path.read_text(encoding="utf-8"))
    return {known[name][0] for name in names - set(sys.stdlib_module_names) - {"core", "dashboard"}}


def test_every_library_is_named_or_gives_no_numbers() -> None:
    assert imported(Path(core.__file__).parent) == (set(LIBRARIES) - SOLVERS) | WITHOUT_NUMBERS
    assert set(LIBRARIES).isdisjoint(WITHOUT_NUMBERS)


def test_each_has_its_version() -> None:
    names = [name for name, version in library_versions() if version]
    assert names == ["python", *LIBRARIES]


def test_an_import_inside_a_function_is_seen(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("def solve():\n    import cvxpy.atoms\n")
    assert imported(tmp_path) == {"cvxpy"}

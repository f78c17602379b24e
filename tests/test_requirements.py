"""Every third-party module that is imported is pinned, exactly."""

import re
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions

import pytest

from tests.imports import REPOSITORY, packages


def pins() -> dict[str, str]:
    """What the product and its checks need, by distribution."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["check"]]
    return {line.partition("==")[0].lower().replace("_", "-"): line for line in lines}


PINNED = pins()
OWN = {"core", "dashboard", "tests", "benchmarks", "sample_models"}
TYPES_ONLY = {"_typeshed"}
"""Modules of the type checker, which nothing imports while it runs."""


def imported(folder: str) -> dict[str, str]:
    """Modules that a folder's files import anywhere, each with a file that does; not those that lie beside the file."""
    found = {}
    for path in (REPOSITORY / folder).rglob("*.py"):
        beside = {other.stem for other in path.parent.glob("*.py")}
        named = packages(path.read_text(encoding="utf-8")) - beside
        found |= dict.fromkeys(named, str(path.relative_to(REPOSITORY)))
    return {name: path for name, path in found.items() if name not in sys.stdlib_module_names | OWN | TYPES_ONLY}


@cache
def installed() -> Mapping[str, list[str]]:
    """The distributions of every module that can be imported; finding them takes seconds."""
    return packages_distributions()


@pytest.mark.parametrize("folder", sorted(OWN))
def test_what_is_imported_is_pinned(folder: str) -> None:
    distributions = installed()
    strangers = {
        f"{name} in {path}"
        for name, path in imported(folder).items()
        if not PINNED.keys() & {one.lower().replace("_", "-") for one in distributions.get(name, [name])}
    }
    assert not strangers


def test_pins_are_exact() -> None:
    loose = [line for line in PINNED.values() if not re.fullmatch(r"[A-Za-z0-9_.-]+==\d[\w.]*", line)]
    assert not loose

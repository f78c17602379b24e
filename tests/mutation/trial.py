"""Whether a folder's tests notice a fault: ``python -m tests.mutation.trial MODULES --tests TESTS``.

Every trial is a fork of one process that has imported the libraries, so that it costs what the tests cost. The
fault is in what the fork imports; no file is changed.
"""

import argparse
import ast
import contextlib
import importlib
import os
import random
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from tests.mutation.mutants import Mutant, mutants, mutated
from tests.mutation.watching import Order, Watch, read

REPOSITORY = Path(__file__).parents[2]
LIBRARIES = ("numpy", "scipy.stats", "scipy.optimize", "pandas", "sklearn.ensemble", "torch", "cvxpy", "hypothesis")


@dataclass(frozen=True)
class Trial:
    """What came of a fault.

    Attributes:
        mutant: The fault.
        noticed: Whether a test failed, or ran far longer.
        seconds: How long that took.
    """

    mutant: Mutant
    noticed: bool
    seconds: float


def sample(modules: Sequence[str], number: int, seed: int) -> list[Mutant]:
    """Faults of these modules, drawn without replacement; those that change nothing anybody could see are left out."""
    every = [one for module in modules for one in mutants(REPOSITORY, module) if not is_equivalent(one)]
    return random.Random(seed).sample(every, min(number, len(every)))  # noqa: S311


def is_equivalent(mutant: Mutant) -> bool:
    """Whether ``equivalent.toml`` gives a reason why no test could notice it."""
    found = (mutant.module, mutant.before, mutant.after)
    return any((one["module"], one["before"], one["after"]) == found for one in listed())


@cache
def listed() -> list[dict[str, str]]:
    """What ``equivalent.toml`` lists."""
    found: list[dict[str, str]] = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text())["mutant"]
    return found


def try_each(chosen: Sequence[Mutant], tests: Sequence[str]) -> Iterator[Trial]:
    """Run the tests with each fault, those that run its function first.

    Raises:
        RuntimeError: They fail without one.
    """
    for library in LIBRARIES:
        importlib.import_module(library)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "watched.json"
        if not _run(None, tests, Watch(REPOSITORY, file))[0]:
            raise RuntimeError(f"{' '.join(tests)} fail without any fault.")
        watched = read(file)
    for one in chosen:
        passed, taken = _run(one, tests, Order(one.module, one.function, watched))
        yield Trial(one, noticed=not passed, seconds=taken)


def _run(mutant: Mutant | None, tests: Sequence[str], plugin: object) -> tuple[bool, float]:
    started = time.monotonic()
    child = os.fork()
    if not child:
        _child(mutant, tests, plugin)
    _, status = os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return status == 0, time.monotonic() - started


def _child(mutant: Mutant | None, tests: Sequence[str], plugin: object) -> None:
    os.setpgid(0, 0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    if mutant is not None:
        sys.meta_path.insert(0, _Finder(mutant))
    try:
        status = int(pytest.main(["-n", "0", "-x", "-q", "-p", "no:cacheprovider", *tests], plugins=[plugin]))
    except BaseException:
        status = 1
    os._exit(status)


class _Finder(MetaPathFinder):
    """Finds the module with the fault."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = mutant.module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.tree = mutated(REPOSITORY, mutant)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(fullname, spec.origin, self.tree)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, tree: ast.Module) -> None:
        super().__init__(fullname, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.path, "exec")


def main() -> None:
    """Print every fault that the tests do not notice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    trials = []
    for one in try_each(sample(chosen.modules, chosen.number, chosen.seed), chosen.tests):
        trials.append(one)
        if not one.noticed:
            print(one.mutant, flush=True)
    print(f"{sum(one.noticed for one in trials)} of {len(trials)} noticed, {sum(one.seconds for one in trials):.0f} s")


if __name__ == "__main__":
    main()

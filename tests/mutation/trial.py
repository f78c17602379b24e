"""Whether a folder's tests caveat a fault: ``python -m tests.mutation.trial MODULES --tests TESTS``.

Tests are gathered once. A trial is a fork of the process that gathered them, in which the function with the fault gets
its code, and runs the tests that run this function: some tenths of a second. A fault that acts when its module is
imported, such as one in a constant, is put there before the tests are gathered. No file is changed.
"""

import argparse
import importlib
import json
import os
import random
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import CodeType

import pytest

from tests.imports import REPOSITORY, imported, modules
from tests.mutation.forks import begun, succeeding, succeeds
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.replacing import changed_code, functions_below, import_with, name_of, place_of
from tests.mutation.watching import Watched, all_pass, gathered, read_watched, watch_each

LIBRARIES = ("numpy", "scipy.stats", "scipy.optimize", "pandas", "sklearn.ensemble", "torch", "cvxpy", "hypothesis")


@dataclass(frozen=True)
class Trial:
    """What came of a fault.

    Attributes:
        mutant: The fault.
        noticed: Whether a test failed, or ran far longer.
    """

    mutant: Mutant
    noticed: bool


def every(files: Sequence[str]) -> list[Mutant]:
    """Every fault of these modules but those that change nothing anybody could see."""
    return [one for module in files for one in mutants(REPOSITORY, module) if not is_equivalent(one)]


def is_equivalent(mutant: Mutant) -> bool:
    """Whether a file of ``equivalent/`` gives a reason why no test could caveat it."""
    return str(mutant) in judged()


@cache
def judged() -> frozenset[str]:
    """Every fault that is listed with a reason."""
    files = (Path(__file__).parent / "equivalent").glob("*.toml")
    read = [one for file in files for one in tomllib.loads(file.read_text(encoding="utf-8"))["judged"]]
    return frozenset(fault for one in read for fault in one["faults"])


@cache
def importers(module: str) -> frozenset[str]:
    """The files that import a module themselves."""
    known = modules("core", "tests")
    sources = ((path, path.read_text(encoding="utf-8")) for path in known.values())
    return frozenset(str(path) for path, source in sources if name_of(module) in imported(source, known))


def try_each(chosen: Sequence[Mutant], tests: Sequence[str], at_once: int = 1) -> Iterator[Trial]:
    """Run with each fault the tests that could caveat it.

    Raises:
        RuntimeError: Some fail without one, or cannot be gathered.
    """
    begins, ends = os.pipe()
    child = begun(_Bench(tuple(chosen), tuple(tests), at_once, ends).try_all)
    os.close(ends)
    with os.fdopen(begins) as lines:
        for line in lines:
            told = json.loads(line)
            if isinstance(told, str):
                raise RuntimeError(told)
            yield Trial(chosen[told[0]], noticed=told[1])
    if os.waitpid(child, 0)[1]:
        raise RuntimeError(f"{' '.join(tests)} cannot be gathered.")


@dataclass(frozen=True)
class _Bench:
    """Faults, tests, how many forks at once, and the descriptor on which what comes of it is told, a line each."""

    chosen: tuple[Mutant, ...]
    tests: tuple[str, ...]
    at_once: int
    told: int

    def try_all(self) -> bool:
        for module in (*LIBRARIES, *{name_of(one.module) for one in self.chosen}):
            importlib.import_module(module)
        changed = [changed_code(REPOSITORY, one) for one in self.chosen]
        with tempfile.TemporaryDirectory() as folder:
            if not succeeds(partial(gathered, self.tests, partial(self._try_replaced, changed, Path(folder)))):
                return False
            watched = read_watched(Path(folder))
            self._try(
                (place, partial(self._pass_importing, place, watched))
                for place, codes in enumerate(changed)
                if codes is None
            )
        return True

    def _try_replaced(self, changed: list[list[CodeType] | None], folder: Path, session: pytest.Session) -> bool:
        try:
            watched = watch_each(session, REPOSITORY, folder, self.at_once)
        except RuntimeError as error:
            self._tell(str(error))
            return False
        functions = functions_below(REPOSITORY / "core")

        def passing(codes: list[CodeType]) -> bool:
            places = {place_of(code) for code in codes}
            for code in codes:
                for function in functions.get(place_of(code), ()):
                    function.__code__ = code
            return all_pass(session, [item for item in session.items if places & watched[item.nodeid].ran], watched)

        self._try((place, partial(passing, codes)) for place, codes in enumerate(changed) if codes is not None)
        return True

    def _pass_importing(self, place: int, watched: dict[str, Watched]) -> bool:
        """Whether all pass that stand in a file that imports the module with the fault, or run one that does."""
        near = {str(REPOSITORY / self.chosen[place].module), *importers(self.chosen[place].module)}
        files = {name: name.partition("::")[0] for name in watched}
        names = {
            name
            for name, one in watched.items()
            if near & {str(REPOSITORY / files[name]), *(file for file, *_ in one.ran)}
        }
        import_with(REPOSITORY, self.chosen[place])
        return not names or gathered(
            sorted({files[name] for name in names}),
            lambda session: all_pass(session, [item for item in session.items if item.nodeid in names], watched),
        )

    def _try(self, works: Iterator[tuple[int, partial[bool]]]) -> None:
        for place, passed in succeeding(works, self.at_once):
            self._tell((place, not passed))

    def _tell(self, something: object) -> None:
        os.write(self.told, f"{json.dumps(something)}\n".encode())


def main() -> None:
    """Print every fault that the tests do not caveat."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--number", type=int, help="try so many, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at-once", type=int, default=1)
    given = parser.parse_args()
    chosen = every(given.modules)
    if given.number is not None:
        chosen = random.Random(given.seed).sample(chosen, min(given.number, len(chosen)))  # noqa: S311
    missed = 0
    for one in try_each(chosen, given.tests, given.at_once):
        missed += not one.noticed
        if not one.noticed:
            print(one.mutant, flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} noticed")


if __name__ == "__main__":
    main()

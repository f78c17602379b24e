"""Verdicts, ranks and p-values are pinned: of a hundred small faults their own folder's tests caveat ninety-five."""

from pathlib import Path

import pytest

from tests.imports import REPOSITORY
from tests.mutation.mutants import mutants
from tests.mutation.replacing import changed_code
from tests.mutation.trial import every, judged, try_each

ROOMS = sorted(path.parent.name for path in REPOSITORY.glob("core/audits/*/verdict.py"))
FOLDERS = {
    **{
        folder: (
            sorted(REPOSITORY.glob(f"core/{folder}/*.py")),
            sorted(REPOSITORY.glob(f"tests/core/{folder}/test_*.py")),
        )
        for folder in ("inference", "inference/transport")
    },
    **{
        room: (
            [
                path
                for name in ("verdict.py", "engine.py", "question.py", "sizes.py")
                if (path := REPOSITORY / "core/audits" / room / name).exists()
            ],
            [REPOSITORY / "tests/core/audits" / room],
        )
        for room in ROOMS
    },
    "data": ([REPOSITORY / "core/data/left_out.py"], sorted(REPOSITORY.glob("tests/core/data/test_left_out*.py"))),
    "report": ([REPOSITORY / "core/report/multiple_tests.py"], [REPOSITORY / "tests/core/report/test_together.py"]),
}
"""Modules, and the tests that must caveat a fault in them."""


def test_a_fault_is_one_small_change(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text(
        '"""Words + words."""\n\ndef p(b: int | None, k: int) -> float:\n    """1 + 1."""\n'
    )
    with (tmp_path / "some.py").open("a") as file:
        file.write("    if not b < k:\n        raise ValueError('1 + 1')\n    return -(b + 1) / (k + 1)\n")
    told = [(one.before, one.after) for one in mutants(tmp_path, "some.py")]
    assert ("not b < k", "b < k") in told
    assert ("not b < k", "not b <= k") in told
    assert ("return -(b + 1) / (k + 1)", "return -(b - 1) / (k + 1)") in told
    assert ("return -(b + 1) / (k + 1)", "return -(b + 1) * (k + 1)") in told
    assert ("return -(b + 1) / (k + 1)", "return (b + 1) / (k + 1)") in told
    assert ("return -(b + 1) / (k + 1)", "return -(b + 1) / (k + 2)") in told
    assert len(told) == 8


def test_what_is_replaced_is_the_function_unless_its_fault_acts_at_import(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text(
        "A = 1\n\n\ndef f(b: int = 2) -> int:\n    return b + len([c for c in range(3)])\n\n\n"
        "class G:\n    n: int = 5\n\n    def h(self) -> int:\n        return (lambda: 4)()\n"
    )
    changed = {one.after: changed_code(tmp_path, one) for one in mutants(tmp_path, "some.py")}
    assert changed.pop("A = 2") is changed.pop("n: int = 6") is changed.pop("3") is None
    assert {after: [code.co_qualname for code in codes or ()] for after, codes in changed.items()} == {
        "return b - len([c for c in range(3)])": ["f"],
        "return b + len([c for c in range(4)])": ["f"],
        "return (lambda: 5)()": ["G.h"],
    }


def test_what_is_left_out_are_faults_that_there_are() -> None:
    modules = {fault.split()[0] for fault in judged()}
    assert judged() - {str(one) for name in modules for one in mutants(REPOSITORY, name)} == set()


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS)
def test_faults_are_noticed(folder: str) -> None:
    modules, tests = ([str(path.relative_to(REPOSITORY)) for path in paths] for paths in FOLDERS[folder])
    trials = list(try_each(every(modules), tests, at_once=2))
    missed = [str(one.mutant) for one in trials if not one.noticed]
    assert len(missed) <= 0.05 * len(trials), "\n".join(missed)

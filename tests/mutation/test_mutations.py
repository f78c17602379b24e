"""Verdicts, ranks and p-values are pinned: of a hundred small faults their own folder's tests notice ninety-five."""

from pathlib import Path

import pytest

from tests.mutation.mutants import mutants
from tests.mutation.trial import REPOSITORY, listed, sample, try_each

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
            [REPOSITORY / "core/audits" / room / name for name in ("verdict.py", "engine.py")],
            [REPOSITORY / "tests/core/audits" / room],
        )
        for room in ROOMS
    },
}
"""Modules, and the tests that must notice a fault in them."""


def test_a_fault_is_one_small_change(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text(
        '"""Words + words."""\n\ndef p(b: int | None, k: int) -> float:\n    """1 + 1."""\n'
    )
    with (tmp_path / "some.py").open("a") as file:
        file.write("    if not b < k:\n        raise ValueError('1 + 1')\n    return -(b + 1) / (k + 1)\n")
    told = [(one.before, one.after) for one in mutants(tmp_path, "some.py")]
    assert ("not b < k", "b < k") in told
    assert ("not b < k", "not b <= k") in told
    assert ("-(b + 1) / (k + 1)", "-(b - 1) / (k + 1)") in told
    assert ("-(b + 1) / (k + 1)", "-(b + 1) * (k + 1)") in told
    assert ("-(b + 1) / (k + 1)", "(b + 1) / (k + 1)") in told
    assert ("-(b + 1) / (k + 1)", "-(b + 1) / (k + 2)") in told
    assert len(told) == 8


def test_what_is_left_out_are_faults_that_there_are() -> None:
    judged = [(one["module"], one["before"], one["after"]) for one in listed()]
    found = {
        (one.module, one.before, one.after) for name in {one[0] for one in judged} for one in mutants(REPOSITORY, name)
    }
    assert [one for one in judged if one not in found] == []


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS)
def test_faults_are_noticed(folder: str) -> None:
    modules, tests = ([str(path.relative_to(REPOSITORY)) for path in paths] for paths in FOLDERS[folder])
    trials = list(try_each(sample(modules, 100, seed=0), tests))
    missed = [str(one.mutant) for one in trials if not one.noticed]
    assert len(missed) <= 0.05 * len(trials), "\n".join(missed)

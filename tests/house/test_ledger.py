"""The ledger of the long tests says what is due."""

import subprocess
from pathlib import Path

import pytest

from tests import ledger
from tests.ledger import Line

PASSED = Line("tests/core/inference/test_association.py", "0123abcd", "2026-11-24", 7, "3 passed")


def test_a_line_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / "ledger.csv"
    file.write_text("file,commit,day,seconds,outcome\n")
    failed = Line(PASSED.file, "89abcdef", "2026-11-25", 9, "1 failed, 2 passed")
    other = Line("tests/core/a.py", "89abcdef", "2026-11-25", 1, "1 passed, 1 skipped")
    for line in (PASSED, other, failed):
        ledger.write(line, file)
    assert ledger.read(file) == {other.file: other, failed.file: failed}
    assert (PASSED.passed, other.passed, failed.passed) == (True, True, False)


def test_what_an_import_imports_is_reached() -> None:
    reached = ledger.reached_from(PASSED.file)
    assert {PASSED.file, "core/inference/association.py", "core/inference/clusters.py", "tests/conftest.py"} <= set(
        reached
    )
    assert "core/run.py" not in reached


def test_what_a_room_loads_by_name_is_reached_from_a_test_of_it() -> None:
    reached = ledger.reached_from("tests/core/test_boundaries.py")
    assert {"core/audits/transport/verdict.py", "core/audits/text_sensitivity/engine.py"} <= set(reached)


def test_a_file_is_due_until_it_passes_and_once_something_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "_git", lambda *_: "")
    assert ledger.why_due(PASSED.file, PASSED) is None
    assert ledger.why_due(PASSED.file, None) == "never ran"
    failed = Line(PASSED.file, "0123abcd", "2026-11-24", 7, "1 failed, 2 passed")
    assert ledger.why_due(PASSED.file, failed) == "1 failed, 2 passed on 0123abcd"
    monkeypatch.setattr(ledger, "_git", lambda what, *_: "core/inference/bins.py\n" if what == "diff" else "")
    assert ledger.why_due(PASSED.file, PASSED) == "changed since 0123abcd: 1 files, such as core/inference/bins.py"


def test_words_alone_make_nothing_due() -> None:
    before = 'def told(n):\n    """Of n."""\n    return say("{n} of them", n=n) if n > 2 else ""\n'
    assert ledger.wordless(before) == ledger.wordless(before.replace("of them", "people").replace("Of n", "Of all"))
    assert ledger.wordless(before) != ledger.wordless(before.replace("n > 2", "n > 3"))
    assert ledger.wordless(before) != ledger.wordless(before.replace('else ""', 'else "none"'))


def test_a_commit_that_is_not_in_the_history_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*given: str) -> str:
        raise subprocess.CalledProcessError(128, given)

    monkeypatch.setattr(ledger, "_git", unknown)
    assert ledger.why_due(PASSED.file, PASSED) == "3 passed on 0123abcd, which is not in this history"


def test_every_file_of_the_ledger_is_there() -> None:
    assert [name for name in ledger.read() if not (ledger.REPOSITORY / name).exists()] == []

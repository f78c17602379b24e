"""The ledger of the long tests says what is due."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ledger
from tests.kinds import SHIPPED
from tests.ledger import Line
from tests.measured import Measured, measured

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
    assert {PASSED.file, "core/inference/association.py", "core/inference/p_values.py", "tests/conftest.py"} <= set(
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
    monkeypatch.setattr(ledger, "_git", lambda what, *_: "core/inference/p_values.py\n" if what == "diff" else "")
    assert ledger.why_due(PASSED.file, PASSED) == "changed since 0123abcd: 1 files, such as core/inference/p_values.py"


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


def test_what_a_simulation_measured_is_read_from_the_report_of_its_run(report_of_two: str) -> None:
    assert ledger.measured_in(report_of_two) == (
        Measured("two groups", 500, 200, 0.035, None, 0.81),
        Measured("three", 9, 1, alpha=0.2),
    )


@pytest.fixture
def report_of_two(tmp_path: Path) -> str:
    """What pytest writes of a test that notes two designs."""
    (tmp_path / "test_noting.py").write_text(
        "from tests.measured import measured\n"
        "def test_it(record_property):\n"
        "    record_property(*measured('two groups', n=500, repeats=200, false_violations=7 / 200, power=0.81))\n"
        "    record_property('other', 1)\n"
        "    record_property(*measured('three', n=9, repeats=1, alpha=0.2))\n"
    )
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "--rootdir", str(tmp_path))
    files = (str(tmp_path / "test_noting.py"), f"--junitxml={tmp_path / 'report.xml'}")
    environment = os.environ | {"PYTHONPATH": str(ledger.REPOSITORY)}
    subprocess.run((*command, *files), cwd=tmp_path, env=environment, check=True, capture_output=True)
    return (tmp_path / "report.xml").read_text(encoding="utf-8")


def test_what_was_measured_takes_the_place_of_what_was_before(tmp_path: Path) -> None:
    table = tmp_path / "measured.csv"
    table.write_text("file,design,n,repeats,false_violations,false_clearings,power,alpha\n")
    first, second = Measured("a, b", 10, 20, 0.05, None, 1.0), Measured("c", 10, 20, alpha=0.2)
    ledger.write_measured("tests/two.py", [first], table)
    ledger.write_measured("tests/one.py", [first, second], table)
    ledger.write_measured("tests/two.py", [second], table)
    assert ledger.read_measured(table) == {"tests/one.py": (first, second), "tests/two.py": (second,)}


def test_the_handbook_shows_what_was_measured_and_what_was_only_run() -> None:
    text = "before\n<!-- measured: tests/core/a -->\nold\n<!-- end of measured -->\nafter\n"
    lines = {
        "tests/core/a/one.py": Line("tests/core/a/one.py", "0123abcd", "2026-11-24", 7, "3 passed"),
        "tests/core/a/two.py": Line("tests/core/a/two.py", "89abcdef", "2026-11-25", 7, "1 failed"),
        "tests/core/b/one.py": Line("tests/core/b/one.py", "0123abcd", "2026-11-24", 7, "3 passed"),
    }
    shown = ledger.handbook(text, lines, {"tests/core/a/one.py": (Measured("pairs", 1_000, 200, 0.05, None, 0.8),)})
    assert "| pairs | 1,000 | 200 | 0.05 | 0.050 |  | 0.800 | 0123abcd, 2026-11-24 |" in shown
    assert "| `tests/core/a/two.py` | 1 failed | 89abcdef, 2026-11-25 |" in shown
    assert "core/b" not in shown
    assert "old" not in shown
    assert ledger.handbook(
        shown, lines, {"tests/core/a/one.py": (Measured("pairs", 1_000, 200, 0.05, None, 0.8),)}
    ) == (shown)


def test_the_tables_of_the_handbook_are_the_ledgers() -> None:
    """Otherwise: python -m tests.ledger handbook."""
    text = ledger.HANDBOOK.read_text(encoding="utf-8")
    assert ledger.handbook(text, ledger.read(), ledger.read_measured()) == text
    assert {name for name in ledger.read_measured() if name not in ledger.read()} == set()


def test_every_kind_of_test_has_its_table_in_the_handbook() -> None:
    shown = {match[2] for match in ledger.BLOCK.finditer(ledger.HANDBOOK.read_text(encoding="utf-8"))}
    assert {f"tests/core/audits/{kind}/" for kind in SHIPPED} <= shown


def test_rates_are_noted_to_four_digits() -> None:
    assert '"false_violations": 0.3333' in measured("thirds", n=3, repeats=3, false_violations=1 / 3)[1]

"""``python -m core register verify``: nothing, all well, tampered with, replaced."""

from pathlib import Path

import pytest
from sqlalchemy import text

from core.register.register import Register
from tests.command_line import command
from tests.core.register.made import make_entry


@pytest.fixture(autouse=True)
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Register:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    return Register()


def test_an_empty_register_and_one_as_it_was_written_are_well(register: Register) -> None:
    assert command("register", "verify").out == "The register is empty.\n"
    register.enter(make_entry("e1"))
    register.enter(make_entry("e2"))
    register.delete("e2", "anna")
    ran = command("register", "verify")
    assert (ran.status, ran.err) == (0, "")
    assert "Nothing was tampered with: 1 entry, 4 lines of log." in ran.out
    noted = register.log()[-1].hash
    assert noted in ran.out
    register.enter(make_entry("e3"))
    assert command("register", "verify", "--expect", noted).status == 0


def test_it_says_which_entry_was_tampered_with(register: Register) -> None:
    register.enter(make_entry("e1"))
    register.enter(make_entry("e2\x1b[31m"))
    with register.database.writing() as session:
        session.execute(text("UPDATE entries SET notes = 'better' WHERE id LIKE 'e2%'"))
    ran = command("register", "verify")
    assert ran.status == 2
    assert "This entry was changed without a line in the log. (entry e2\\x1b[31m)" in ran.err
    assert "tampered with, or damaged, in 1 place" in ran.err
    assert "e1" not in ran.err


def test_a_log_that_was_replaced_is_found_by_a_hash_that_was_noted(register: Register) -> None:
    register.enter(make_entry("e1"))
    noted = register.log()[-1].hash
    assert register.database.file is not None
    register.database.file.unlink()
    register.enter(make_entry("e1"))
    assert command("register", "verify").status == 0
    ran = command("register", "verify", "--expect", noted)
    assert ran.status == 2
    assert "it was replaced or cut off" in ran.err

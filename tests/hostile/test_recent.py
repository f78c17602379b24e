"""The list of recent audits: of this visitor only; an audit's address still opens it for whoever has it."""

from pathlib import Path

from dashboard.jobs.table import JobTable


def finished(table: JobTable, visitor: str, seed: int) -> str:
    job = table.add("audit", {"seed": seed}, "code", visitor)
    table.finish(job.id, "done", {})
    return job.id


def listed(table: JobTable, visitor: str) -> list[str]:
    return [job.id for job in table.recent(("audit",), visitor, 10)]


def test_each_visitor_sees_the_own_audits_newest_first(tmp_path: Path) -> None:
    table = JobTable(tmp_path)
    first, other, second = finished(table, "me", 1), finished(table, "you", 2), finished(table, "me", 3)
    assert listed(table, "me") == [second, first]
    assert listed(table, "you") == [other]
    assert listed(table, "nobody") == []


def test_what_is_asked_for_or_opened_again_is_the_newest_of_whoever_did(tmp_path: Path) -> None:
    table = JobTable(tmp_path)
    first, second = finished(table, "me", 1), finished(table, "me", 2)
    assert finished(table, "you", 1) == first
    finished(table, "you", 2)
    assert table.add("audit", {"seed": 1}, "code", "me").id == first
    assert listed(table, "me") == [second, first], "a page that only asks whether it is there has not used it"
    assert table.add("audit", {"seed": 1}, "code", "me", again=True).id == first
    assert listed(table, "me") == [first, second]
    assert listed(table, "you") == [second, first]
    table.touch(second, "me")
    assert listed(table, "me") == [second, first]


def test_an_audit_that_two_asked_for_is_in_both_lists(tmp_path: Path) -> None:
    table = JobTable(tmp_path)
    shared = finished(table, "me", 1)
    assert finished(table, "you", 1) == shared
    assert listed(table, "me") == listed(table, "you") == [shared]


def test_an_audit_from_before_there_were_visitors_is_in_no_list_and_keeps_its_address(tmp_path: Path) -> None:
    table = JobTable(tmp_path)
    old = finished(table, "me", 1)
    with table._database.writing() as connection:
        connection.execute("DELETE FROM claims")
    assert listed(table, "me") == []
    found = table.get(old)
    assert found is not None
    assert found.state == "done"

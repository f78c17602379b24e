"""Deleting on the pages: asked once, said afterwards, and gone from the disk; and pages on a disk that is full."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from dashboard.jobs import queue as jobs
from tests.dashboard import bad_files as bad
from tests.dashboard.walking import assert_sound, click, home_folder, keys, open_app, open_page, settled, texts, upload
from tests.hostile.disks import full_disk

MARKER = "Zyxwvut-4711"


def holders(home: Path) -> list[str]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return [str(path.relative_to(home)) for path in files if MARKER.encode() in path.read_bytes()]


def confirmed(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert_sound(app)
    return app


def test_a_table_and_all_that_was_read_of_it_goes() -> None:
    head, *rows = bad.people(90).decode().splitlines()
    marked = "\n".join([f"{head},note", *(f"{row},{MARKER}{i}" for i, row in enumerate(rows))]).encode()
    app = upload(click(open_app(), "start"), "data.file", "marked.csv", marked)
    assert "deleted 30 days after you last used it" in texts(click(open_app(), "start"))
    assert holders(home_folder())
    confirmed(app, "delete_table")
    assert "This deletes marked.csv and everything you chose for it" in texts(app)
    confirmed(app, "delete_table_yes")
    assert "Deleted marked.csv" in texts(app)
    assert_sound(settled(app))
    assert holders(home_folder()) == []
    assert "delete_table" not in keys(app)


def test_an_audit_goes_from_the_first_page() -> None:
    app = click(open_app(), "example_hiring-predictions-fair")  # which no other test of pages asks for
    audit = app.query_params["audit"]
    audit = audit if isinstance(audit, str) else audit[0]
    (result,) = jobs.find(audit).answer["results"]  # type: ignore[union-attr]
    app = confirmed(open_app(), f"delete_{audit}")
    assert "Save its report first" in texts(app)
    confirmed(app, f"delete_{audit}_yes")
    assert "Deleted the audit" in texts(app)
    assert_sound(settled(app))
    assert jobs.find(audit) is None
    assert not (home_folder() / "results" / result).exists()
    assert f"open_{audit}" not in keys(app)


def test_pages_go_on_where_the_disk_is_full() -> None:
    app = click(open_app(), "example_hiring-sensr")
    audit = app.query_params["audit"]
    started = upload(click(open_app(), "start"), "data.file", "full.csv", bad.people(90))
    with full_disk():
        opened = open_page("audit", audit=audit if isinstance(audit, str) else audit[0])
        assert_sound(opened)
        assert "Loss ratio" in texts(opened) or "loss ratio" in texts(opened)
        settled(started)
        assert_sound(started)
        assert "full.csv: 90 rows" in texts(started)
        fresh = click(open_app(), "start")
        assert_sound(fresh)
        assert "The disk is full" in texts(fresh)
        upload(fresh, "data.file", "another.csv", bad.people(91))
        assert_sound(fresh)
        assert "step_next" in keys(fresh)

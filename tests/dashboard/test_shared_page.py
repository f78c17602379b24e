"""A link shows one entry to a stranger: its verdict, statement and signed files; its end is said in a sentence."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from core.register.links import opened, revoke, share
from core.register.register import Register
from core.report.statement import Statement
from dashboard.visitor import LOCAL
from tests.core.register.made import make_entry
from tests.dashboard.walking import assert_sound, click, keys, open_page, texts


@pytest.fixture
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Register:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    monkeypatch.setattr("dashboard.jobs.queue.ensure_worker", lambda: None)
    register = Register()
    stated = Statement(system="Hiring", purpose="Decides who is invited.")
    register.enter(make_entry("e1", LOCAL, statement=stated, notes="for us only"))
    register.enter(make_entry("e2", "ben", notes="another"))
    return register


def test_a_link_is_made_told_once_and_revoked(register: Register) -> None:
    app = open_page("register", entry="e1")
    app.number_input(key="link_days").set_value(3)
    click(app, "link_make")
    assert_sound(app)
    address = urlsplit(app.code[0].value)
    asked = parse_qs(address.query)
    assert address.path.endswith("shared")
    entry = opened(register, asked["entry"][0], asked["key"][0])
    assert (entry.id, round(entry.links[0].ends - entry.links[0].made)) == ("e1", 3 * 86400)
    click(app, "link_revoke_1")
    assert_sound(app)
    assert "Link 1 was revoked" in texts(app)
    assert not app.code
    assert "link_revoke_1" not in keys(app)


def test_a_stranger_reads_one_entry_and_nothing_else(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.sign_in.people_sign_in", lambda: True)
    monkeypatch.setattr("dashboard.sign_in.person", lambda: None)
    secret = share(register, "e1", LOCAL)
    app = open_page("shared", entry="e1", key=secret)
    assert_sound(app)
    said = texts(app)
    assert "violation found" in said
    assert "Decides who is invited" in str(app.table[0].value.to_dict())
    assert "It is not signed yet" in said
    assert "for us only" not in said
    assert not keys(app), "nothing to press"
    revision = register.send_to_review("e1", LOCAL).revision
    register.sign("e1", LOCAL, revision, {"report": b"<p>"})
    app = open_page("shared", entry="e1", key=secret)
    assert_sound(app)
    assert [button.label for button in app.get("download_button")] == ["Signed report (HTML)"]
    for address in ({"entry": "e2", "key": secret}, {"entry": "e1", "key": "guess"}, {}):
        app = open_page("shared", **address)
        assert "This link shows nothing" in " ".join(error.value for error in app.error)
        assert "another" not in texts(app)
    revoke(register, "e1", LOCAL, opened(register, "e1", secret).links[0])
    app = open_page("shared", entry="e1", key=secret)
    assert "This link was revoked on" in " ".join(error.value for error in app.error)
    assert "Sign in" in [button.label for button in open_page("register", entry="e1", key=secret).button]

"""A link shows one entry to a stranger: its verdict, statement and signed files; its end is said in a sentence."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from core.base.files import home
from core.records.codec import save_result
from core.register.links import comment, opened, revoke, share
from core.register.register import Register
from core.report.statement import Statement
from core.study import Study
from dashboard import seen
from dashboard.views.register import sharing
from dashboard.visitor import LOCAL
from tests.core.register.made import make_entry
from tests.dashboard import results_made
from tests.dashboard.walking import assert_sound, click, keys, open_page, settled, texts


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


def test_a_link_for_comments_puts_a_draft_into_review_and_says_so_at_the_tick(register: Register) -> None:
    app = open_page("register", entry="e1")
    assert app.checkbox(key="link_comments").label == "lets them write comments, and sends it to review"
    app.checkbox(key="link_comments").check()
    click(app, "link_make")
    assert_sound(app)
    assert "Comments can be written through the link." in texts(app)
    asked = parse_qs(urlsplit(app.code[0].value).query)
    assert open_page("shared", entry="e1", key=asked["key"][0]).text_area
    assert app.checkbox(key="link_comments").label == "lets them write comments"
    click(app, "link_make")
    assert_sound(app)
    assert [line.action for line in register.log("e1")] == ["entered", "sent", "shared", "shared"]


def test_a_stranger_writes_what_the_auditor_reads_letter_by_letter(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    register.send_to_review("e1", LOCAL)
    reading, secret = share(register, "e1", LOCAL), share(register, "e1", LOCAL, comments=True)
    other = share(register, "e1", LOCAL, comments=True)
    assert not open_page("shared", entry="e1", key=reading).text_area
    app = open_page("shared", entry="e1", key=secret)
    assert_sound(app)
    app.text_input(key="comment_name_0").set_value("<b>Rita</b> :smile:")
    app.text_area(key="comment_text_0").set_value(f"=1+1 <img src=x onerror=alert(1)>\n{'x' * 1500} \u202egnp.exe $x$")
    next(button for button in app.button if button.label == "Send the comment").click()
    settled(app)
    assert_sound(app)
    assert "Your comment was sent." in texts(app)
    assert app.text_area(key="comment_text_1").value == ""
    shown = "=1+1 <img src=x onerror=alert(1)>"
    assert shown in texts(app)
    assert shown not in texts(open_page("shared", entry="e1", key=other)), "each link shows what came through it"
    listed = open_page("register")
    assert ":blue-badge[1 new comment]" in " ".join(one.value for one in listed.markdown)
    app = open_page("register", entry="e1")
    assert_sound(app)
    for told in (shown, "<U+202E>gnp.exe", "<b>Rita</b> :smile:", "identity not verified", "through link 2"):
        assert told in texts(app)
    assert not any(element.allow_html and "<img" in str(element.value) for element in app.markdown)
    listed = open_page("register")
    assert "new comment" not in " ".join(one.value for one in listed.markdown), "it was read"
    comment(register, "e1", other, "Rita", "Another")
    assert seen.new_comments(opened(register, "e1", other)) == 1
    for value in ("", " "):
        app = open_page("shared", entry="e1", key=secret)
        app.text_input(key="comment_name_0").set_value(value)
        next(button for button in app.button if button.label == "Send the comment").click()
        settled(app)
        assert "A comment needs a name" in " ".join(error.value for error in app.error)
    revoke(register, "e1", LOCAL, opened(register, "e1", secret).links[1])
    app = open_page("shared", entry="e1", key=secret)
    assert not app.text_area
    assert "This link was revoked" in " ".join(error.value for error in app.error)


def test_who_is_asked_to_review_reads_the_report_before_it_is_signed(register: Register) -> None:
    plan, result = results_made.transport()
    save_result(result, home() / "results" / plan.result_fingerprint)
    register.enter(make_entry("e3", LOCAL, plan=Study(plans=(plan,)).model_dump(mode="json")))
    reading, secret = share(register, "e3", LOCAL), share(register, "e3", LOCAL, comments=True)
    for key, status, offered in ((secret, "draft", 0), (secret, "in review", 1), (reading, "in review", 0)):
        if status == "in review" and key == secret:
            register.send_to_review("e3", LOCAL)
        app = open_page("shared", entry="e3", key=key)
        assert_sound(app)
        assert [one.key for one in app.button].count("entry_packet") == offered


def test_a_page_that_was_open_when_its_link_was_revoked_writes_nothing(register: Register) -> None:
    register.send_to_review("e1", LOCAL)
    secret = share(register, "e1", LOCAL, comments=True)
    app = open_page("shared", entry="e1", key=secret)
    revoke(register, "e1", LOCAL, opened(register, "e1", secret).links[0])
    app.text_input(key="comment_name_0").set_value("Rita")
    app.text_area(key="comment_text_0").set_value("Too late")
    next(button for button in app.button if button.label == "Send the comment").click()
    settled(app)
    assert "This link was revoked" in " ".join(error.value for error in app.error)
    entry = register.get("e1", LOCAL)
    assert entry is not None
    assert entry.comments == ()


@pytest.mark.parametrize(
    ("address", "reachable"),
    [
        ("http://localhost:8501/register", False),
        ("http://127.0.0.1:8501", False),
        ("http://[::1]:8501", False),
        ("", False),
        ("https://audits.example/register", True),
        ("http://192.168.1.20:8501", True),
        ("http://127.example", True),
    ],
)
def test_a_link_comes_with_the_review_where_others_reach_the_server(
    register: Register, monkeypatch: pytest.MonkeyPatch, address: str, reachable: bool
) -> None:
    monkeypatch.setattr(sharing, "_own_address", lambda: address)
    app = open_page("register", entry="e1")
    if reachable:
        app.number_input(key="send_days").set_value(5)
    app = click(app, "entry_send")
    assert_sound(app)
    entry = register.get("e1", LOCAL)
    assert entry is not None
    assert [link.comments for link in entry.links] == [True] * reachable
    assert all(round(link.ends - link.made) == 5 * 86400 for link in entry.links)
    assert bool(app.code) == reachable
    assert ("This dashboard answers on this computer only" in texts(app)) != reachable
    if reachable:
        link = urlsplit(app.code[0].value)
        asked = parse_qs(link.query)
        assert link.netloc == urlsplit(address).netloc
        assert opened(register, asked["entry"][0], asked["key"][0]) == entry


def test_a_stranger_reads_one_entry_and_nothing_else(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.sign_in.people_sign_in", lambda: True)
    monkeypatch.setattr("dashboard.sign_in.person", lambda: None)
    for module in ("dashboard.visitor", "dashboard.views.register.words"):
        monkeypatch.setattr(f"{module}.people_sign_in", lambda: True)
        monkeypatch.setattr(f"{module}.person", lambda: None)
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

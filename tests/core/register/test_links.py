"""Links show one entry to whoever has them; guessing, another entry's name, and ended or revoked ones show nothing."""

import json
import time
from collections.abc import Callable

import pytest

from core.base.errors import RecordError, SettingsError
from core.register import links
from core.register.links import opened, revoke, share, shared_file
from core.register.register import Register
from core.register.search import Search, find
from tests.core.register.made import make_entry

DAY = 86400


def test_a_link_shows_its_entry_and_its_secret_is_kept_nowhere(register: Register) -> None:
    register.enter(make_entry())
    secret = share(register, "e1", "anna", 7)
    entry = opened(register, "e1", secret)
    assert entry == register.get("e1", "anna")
    (link,) = entry.links
    assert link.ends - link.made == 7 * DAY
    assert len(secret) >= 43, "256 bits"
    assert secret not in json.dumps(entry.model_dump(mode="json")) + str(register.log())
    assert register.get("e1", secret) is None, "a link is nobody's name"
    assert find(register, secret, Search()).total == 0
    assert [line.action for line in register.log("e1")] == ["entered", "shared"]
    assert register.verify() == ()


@pytest.mark.parametrize(
    "attack",
    [
        lambda secret, link: ("e1", ""),
        lambda secret, link: ("e1", "x" * 43),
        lambda secret, link: ("e1", secret[:-1]),
        lambda secret, link: ("e1", secret + "\0"),
        lambda secret, link: ("e1", link.sha256),
        lambda secret, link: ("e2", secret),
        lambda secret, link: ("", secret),
        lambda secret, link: ("e1' OR '1'='1", secret),
    ],
)
def test_no_other_secret_and_no_other_entry_is_opened(
    register: Register, attack: Callable[..., tuple[str, str]]
) -> None:
    register.enter(make_entry("e1"))
    register.enter(make_entry("e2"))
    secret = share(register, "e1", "anna")
    share(register, "e2", "anna")
    with pytest.raises(RecordError, match="not whole, or what it showed was deleted"):
        opened(register, *attack(secret, opened(register, "e1", secret).links[0]))


def test_a_link_ends_and_is_revoked_alone_and_goes_with_its_entry(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    register.enter(make_entry())
    first, second = share(register, "e1", "anna", 2), share(register, "e1", "anna", 5)
    link = opened(register, "e1", first).links[0]
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3 * DAY)
    with pytest.raises(RecordError, match="This link ended on"):
        opened(register, "e1", first)
    revoke(register, "e1", "anna", link)
    with pytest.raises(RecordError, match="This link was revoked on"):
        opened(register, "e1", first)
    with pytest.raises(RecordError, match="revoked before"):
        revoke(register, "e1", "anna", link)
    assert opened(register, "e1", second).id == "e1"
    assert [line.action for line in register.log("e1")] == ["entered", "shared", "shared", "revoked"]
    assert register.verify() == ()
    register.delete("e1", "anna")
    with pytest.raises(RecordError, match="what it showed was deleted"):
        opened(register, "e1", second)


def test_only_the_owner_makes_and_revokes_links(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    register.enter(make_entry())
    link = opened(register, "e1", share(register, "e1", "anna")).links[0]
    for act in (lambda: share(register, "e1", "ben"), lambda: revoke(register, "e1", "ben", link)):
        with pytest.raises(RecordError, match="no such entry"):
            act()
    for days in (0, 366):
        with pytest.raises(SettingsError, match="1 to 365 days"):
            share(register, "e1", "anna", days)
    monkeypatch.setattr(links, "_MOST", 2)
    share(register, "e1", "anna")
    with pytest.raises(RecordError, match="2 links already"):
        share(register, "e1", "anna")


def test_what_is_signed_can_be_shared_and_stays_signed(register: Register) -> None:
    register.enter(make_entry())
    register.sign("e1", "anna", register.send_to_review("e1", "anna").revision, {"report": b"<p>"})
    secret = share(register, "e1", "anna")
    assert opened(register, "e1", secret).signed
    assert shared_file(register, "e1", secret, "report") == b"<p>"
    assert register.verify() == ()

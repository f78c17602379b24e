"""Who a person is where people sign in, and that knowing a name of another's work opens nothing."""

from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from core.base.errors import RecordError, SettingsError
from dashboard import session, visitor
from dashboard.draft import Draft
from dashboard.jobs import queue
from dashboard.jobs.table import JobTable

ISSUER = "https://login.example"


@pytest.fixture
def sign_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Who signs in next, by the claims of the token."""
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    monkeypatch.setattr(st, "secrets", {"auth": {}})
    monkeypatch.setattr(visitor, "get_script_run_ctx", lambda **_: object())
    monkeypatch.setattr(queue, "ensure_worker", lambda: None)

    def signed_in(**claims: Any) -> None:
        told = {"is_logged_in": True, "iss": ISSUER, **claims} if claims else {"is_logged_in": False}
        monkeypatch.setattr(visitor, "_claims", lambda: told)

    signed_in()
    return signed_in


def test_a_person_is_issuer_and_subject_and_not_a_name_or_a_mail(sign_in: Any) -> None:
    claims: list[dict[str, Any]] = [
        {"sub": "anna"},
        {"sub": "ben"},
        {"sub": "anna", "iss": "https://other.example"},
        {"iss": ISSUER + "anna", "sub": "x"},
        {"iss": ISSUER, "sub": "annax"},
    ]
    names = []
    for one in claims:
        sign_in(email="same@example.org", name="Same", **one)
        names.append(visitor.visitor())
    assert len(set(names)) == len(claims)
    sign_in(sub="anna", email="new@example.org", name="Married")
    assert visitor.visitor() == names[0]


@pytest.mark.parametrize("claims", [{}, {"sub": ""}, {"sub": 7}, {"sub": "anna", "iss": ""}, {"name": "Anna"}])
def test_who_is_not_wholly_signed_in_is_nobody(sign_in: Any, claims: dict[str, Any]) -> None:
    sign_in(**claims)
    assert visitor.person() is None
    with pytest.raises(RecordError, match="not signed in"):
        visitor.visitor()


def test_secrets_that_cannot_be_read_let_nobody_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Broken:
        def __contains__(self, _: object) -> bool:
            raise StreamlitSecretNotFoundError("broken")

    path = tmp_path / "secrets.toml"
    monkeypatch.setattr(st, "secrets", Broken())
    monkeypatch.setattr(visitor.config, "get_option", lambda _: [str(path)])
    assert not visitor.people_sign_in()
    path.write_text("[auth")
    with pytest.raises(SettingsError, match="cannot be read"):
        visitor.people_sign_in()


def test_the_name_of_another_s_job_opens_nothing(sign_in: Any) -> None:
    sign_in(sub="anna")
    job = JobTable().add("audit", {"plan": {}}, "code", visitor.visitor())
    assert queue.find(job.id) is not None
    sign_in(sub="ben")
    assert queue.find(job.id) is None
    queue.cancel(job.id)
    assert queue.recent(["audit"], 9) == []
    sign_in(sub="anna")
    found = queue.find(job.id)
    assert found is not None
    assert found.unfinished


def test_the_name_of_another_s_draft_is_no_way_to_a_copy(sign_in: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    sign_in(sub="anna")
    name = session.begin(Draft())
    sign_in(sub="ben")
    monkeypatch.setattr(st, "session_state", {})
    assert session._copied(name) == ""
    assert not session._is_issued(name)

"""On a busy server a fragment asks to run between the end of a page's run and the telling of it: nothing is dropped."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from dashboard import ends_of_runs


class Session:
    """A session whose runner has ended; what it has to tell still waits in the loop."""

    def __init__(self, *, told_after: float) -> None:
        self._event_loop = asyncio.get_running_loop()
        self._scriptrunner: Any = SimpleNamespace(_requests=SimpleNamespace(_state=ScriptRequestType.STOP))
        self.said: list[str] = []
        self._event_loop.call_later(told_after, self.tell)

    def tell(self) -> None:
        self.said.append("the end of the run")
        self._scriptrunner = None


def asked(monkeypatch: pytest.MonkeyPatch, fragment: str, told_after: float) -> list[str]:
    """What happens, in order, when a rerun of the fragment or of the page ("") is asked for."""

    def begin(session: Session, _: Any) -> None:
        session.said.append("another run")

    monkeypatch.setattr(AppSession, "request_rerun", begin)
    monkeypatch.setattr(ends_of_runs, "_TRIES", 20)
    monkeypatch.setattr(ends_of_runs, "_EVERY", 0.005)
    ends_of_runs.wait_for_ends_of_runs()

    async def run() -> list[str]:
        session = Session(told_after=told_after)
        AppSession.request_rerun(session, SimpleNamespace(fragment_id=fragment))  # type: ignore[arg-type]
        await asyncio.sleep(max(told_after, 0.2) + 0.1)
        return session.said

    with ThreadPoolExecutor() as threads:  # whose own thread runs no loop, whatever ran before
        return threads.submit(asyncio.run, run()).result()


def test_a_fragment_waits_for_the_end_of_the_run_before(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(monkeypatch, "fragment", 0.03) == ["the end of the run", "another run"]


def test_a_click_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(monkeypatch, "", 0.03) == ["another run", "the end of the run"]


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(monkeypatch, "fragment", 0.6) == ["another run", "the end of the run"]

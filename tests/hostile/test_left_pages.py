"""A browser that asks a fragment of a page to run while the server goes on to another page keeps the other page."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dashboard import own_sessions
from dashboard.door import Door

DATA, MODEL, MAIN = "data", "model", "main"


def begun(run: str, page: str, *fragments: str) -> ForwardMsg:
    told = ForwardMsg()
    told.new_session.page_script_hash = page
    told.new_session.initialize.session_id = "one"
    told.metadata.run.script_run_id = run
    told.metadata.run.fragment_ids.extend(fragments)
    return told


def navigated(run: str, page: str) -> ForwardMsg:
    told = ForwardMsg()
    told.navigation.page_script_hash = page
    told.metadata.run.script_run_id = run
    return told


def drawn(run: str, text: str) -> ForwardMsg:
    told = ForwardMsg()
    told.delta.new_element.markdown.body = text
    told.metadata.run.script_run_id = run
    return told


def ended(run: str) -> ForwardMsg:
    told = ForwardMsg()
    told.script_finished = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
    told.metadata.run.script_run_id = run
    return told


def heard(monkeypatch: pytest.MonkeyPatch, *said: ForwardMsg) -> list[ForwardMsg]:
    """What a browser hears of what Streamlit says over one WebSocket."""
    monkeypatch.setattr(own_sessions, "_sessions", {})
    told: list[ForwardMsg] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for message in said:
            await send({"type": "websocket.send", "bytes": message.SerializeToString()})

    async def send(message: Any) -> None:
        told.append(ForwardMsg.FromString(message["bytes"]))

    scope = {
        "type": "websocket",
        "path": "/_stcore/stream",
        "headers": [(b"host", b"localhost")],
        "server": ("localhost", 80),
        "scheme": "ws",
        "query_string": b"",
    }
    with ThreadPoolExecutor() as threads:  # whose own thread runs no loop, whatever ran before
        threads.submit(asyncio.run, Door(app)(scope, None, send)).result()  # type: ignore[arg-type]
    return told


def test_a_fragment_of_a_page_that_was_left_is_not_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = (begun("1", DATA), navigated("1", DATA), drawn("1", "a"), begun("2", MODEL), navigated("2", MODEL))
    stale = (begun("3", DATA, "fragment"), drawn("3", "of the page that was left"), ended("3"))
    then = (begun("4", MODEL, "another"), drawn("4", "b"), ended("4"))
    assert heard(monkeypatch, *sound, *stale, *then) == [*sound, *then]


def test_a_page_named_by_its_navigation_keeps_its_fragments(monkeypatch: pytest.MonkeyPatch) -> None:
    said = (
        begun("1", MAIN),
        navigated("1", DATA),
        begun("2", DATA, "f"),
        ended("2"),
        begun("3", MAIN, "f"),
        ended("3"),
    )
    assert heard(monkeypatch, *said) == list(said)


def test_a_page_that_is_left_and_opened_again_is_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    said = (begun("1", DATA), begun("2", MODEL), begun("3", DATA), begun("4", DATA, "f"), ended("4"))
    assert heard(monkeypatch, *said) == list(said)

"""A browser's side of Streamlit's own protocol, without a browser: what a page shows, how its buttons are pressed.

It speaks protobuf over the WebSocket as Streamlit's JavaScript does: it keeps the elements of the page by their place,
runs fragments again when their time has come, and sends files over HTTP. It draws nothing.
"""

import asyncio
import contextlib
import http.client
import time
import uuid
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from types import TracebackType
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

_XSRF = "_streamlit_xsrf"


class PageError(Exception):
    """The page shows an exception, the server hung up, or what was waited for did not come."""


class Session:
    """One visitor's open page.

    Args:
        host: Host and port of the server.
    """

    def __init__(self, host: str) -> None:
        self._host = host
        self._cookies: dict[str, str] = {}
        self._elements: dict[tuple[int, ...], Any] = {}
        self._drawn: dict[tuple[int, ...], Any] = {}
        self._fragments: dict[str, float] = {}
        self._files: dict[str, Any] = {}
        self._kept: dict[str, ForwardMsg] = {}
        self._answered: dict[str, Any] = {}
        self._page = self._query = self._id = ""
        self._runs = 0
        self._socket: ClientConnection
        self._tasks: list[asyncio.Task[None]] = []
        self._changed = asyncio.Condition()
        self._broken = ""

    async def __aenter__(self) -> Self:
        """Ask for the page and the health of the server, as a browser does, and connect."""
        for path in ("/", "/_stcore/health", "/_stcore/host-config"):
            await asyncio.to_thread(self._get, path)
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        self._socket = await connect(
            f"ws://{self._host}/_stcore/stream",
            origin=f"http://{self._host}",  # type: ignore[arg-type]
            subprotocols=["streamlit", self._cookies.get(_XSRF, "none")],  # type: ignore[list-item]
            additional_headers={"Cookie": cookies},
            max_size=None,
            open_timeout=120,
            ping_interval=None,
        )
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._keep_fragments_running())]
        await self._rerun()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the page."""
        for task in self._tasks:
            task.cancel()
        await self._socket.close()

    def __str__(self) -> str:
        """What the page shows, for a message."""
        buttons = [f"{element.button.label}{' (shut)' * element.button.disabled}" for element in self._of("button")]
        return f"{self._runs} runs, buttons {buttons}, texts {self.texts()[-300:]!r}"

    def button(self, key: str) -> Any:
        """The button of this key; None if the page has none that may be pressed."""
        found = (element.button for element in self._of("button") if element.button.id.endswith(f"-{key}"))
        return next((button for button in found if not button.disabled), None)

    def waits(self) -> bool:
        """Whether the page waits for an answer of the worker, or will go on by itself once one has come.

        While a bar is drawn again it is not there for a moment.
        """
        bars = any("-stop_" in element.button.id for element in self._of("button"))
        return bars or "Going on as soon as this is ready" in self.texts()

    def texts(self) -> str:
        """What is written on the page, as Markdown."""
        told = [element.markdown.body for element in self._of("markdown")]
        return "\n".join(told + [element.heading.body for element in self._of("heading")])

    async def until(self, reached: Callable[[], bool], seconds: float, what: str) -> None:
        """Wait for a whole page of which ``reached`` holds.

        Raises:
            PageError: It does not come, or the page shows an exception.
        """
        end = time.monotonic() + seconds
        async with self._changed:
            while self._broken or not (self._runs and reached()):
                if self._broken or time.monotonic() > end:
                    raise PageError(f"{what}: {self._broken or 'nothing came'}; {self}")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), max(0.1, end - time.monotonic()))

    async def press(self, key: str) -> None:
        """Press a button.

        Raises:
            PageError: There is none that may be pressed.
        """
        button = self.button(key)
        if button is None:
            raise PageError(f"no button {key}; {self._broken} {self}")
        await self._rerun(pressed=button.id)

    async def upload(self, key: str, name: str, content: bytes) -> None:
        """Bring a file to an uploader."""
        uploader = next(e.file_uploader for e in self._of("file_uploader") if e.file_uploader.id.endswith(f"-{key}"))
        asked = BackMsg()
        asked.file_urls_request.request_id = request = uuid.uuid4().hex
        asked.file_urls_request.file_names.append(name)
        asked.file_urls_request.session_id = self._id
        await self._socket.send(asked.SerializeToString())
        await self.until(lambda: request in self._answered, 120, "an address for the file")
        place = self._answered[request].file_urls[0]
        await asyncio.to_thread(self._put, place.upload_url, name, content)
        state = BackMsg().rerun_script.widget_states.widgets.add()
        state.id = uploader.id
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = name, len(content), place.file_id
        info.file_urls.CopyFrom(place)
        self._files[uploader.id] = state
        await self._rerun()

    def _of(self, kind: str) -> Iterator[Any]:
        return (element for element in self._elements.values() if element.WhichOneof("type") == kind)

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {
            "Cookie": cookies,
            "Origin": f"http://{self._host}",
            "X-Xsrftoken": self._cookies.get(_XSRF, ""),
        }

    def _get(self, path: str) -> None:
        connection = http.client.HTTPConnection(self._host, timeout=120)
        connection.request("GET", path, headers=self._headers())
        answer = connection.getresponse()
        answer.read()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                self._cookies |= {key: morsel.value for key, morsel in SimpleCookie(value).items()}
        connection.close()

    def _put(self, path: str, name: str, content: bytes) -> None:
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        body = b"".join([head.encode(), b"Content-Type: text/csv\r\n\r\n", content, f"\r\n--{boundary}--\r\n".encode()])
        connection = http.client.HTTPConnection(self._host, timeout=600)
        kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        connection.request("PUT", path, body=body, headers=self._headers() | kind)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status >= 400:
            raise PageError(f"the upload was answered with {answer.status}")

    async def _rerun(self, pressed: str = "", fragment: str = "") -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash, state.fragment_id = self._query, self._page, fragment
        state.is_auto_rerun = bool(fragment)
        state.widget_states.widgets.extend(self._files.values())
        if pressed:
            trigger = state.widget_states.widgets.add()
            trigger.id, trigger.trigger_value = pressed, True
        await self._socket.send(message.SerializeToString())

    async def _keep_fragments_running(self) -> None:
        due: dict[str, float] = {}
        while True:
            await asyncio.sleep(0.05)
            now = time.monotonic()
            due = {name: due.get(name, now + every) for name, every in self._fragments.items()}
            late = [name for name, when in due.items() if now >= when]
            due |= {name: now + self._fragments[name] for name in late}
            for name in late:
                if name in self._fragments:
                    await self._rerun(fragment=name)

    async def _listen(self) -> None:
        try:
            async for content in self._socket:
                message = ForwardMsg.FromString(content)  # type: ignore[arg-type]
                if message.WhichOneof("type") == "ref_hash":
                    kept = ForwardMsg()
                    kept.CopyFrom(self._kept[message.ref_hash])
                    kept.metadata.CopyFrom(message.metadata)
                    message = kept
                elif message.metadata.cacheable and message.hash:
                    self._kept[message.hash] = message
                async with self._changed:
                    self._hear(message)
                    self._changed.notify_all()
            self._broken = "the server hung up"
        except Exception as error:
            self._broken = f"{type(error).__name__}: {error}"
        async with self._changed:
            self._changed.notify_all()

    def _hear(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._id = message.new_session.initialize.session_id or self._id
            other = message.new_session.page_script_hash != self._page
            if not message.metadata.run.fragment_ids:
                self._drawn, self._fragments, self._runs = {}, {}, 0
                if other:
                    self._page, self._files = message.new_session.page_script_hash, {}
            elif other:
                self._drawn = self._elements = {}
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
        elif kind == "delta":
            self._draw(message)
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            self._fragments[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "file_urls_response":
            self._answered[message.file_urls_response.response_id] = message.file_urls_response
        elif kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                self._elements, self._runs = self._drawn, self._runs + 1
            elif message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                self._broken = "the script does not compile"

    def _draw(self, message: ForwardMsg) -> None:
        place = tuple(message.metadata.delta_path)
        if message.delta.WhichOneof("type") != "new_element":
            if not message.delta.fragment_id:
                return
            self._drawn = {path: one for path, one in self._drawn.items() if path[: len(place)] != place}
            self._elements = self._drawn if self._runs else self._elements
            return
        element = message.delta.new_element
        self._drawn[place] = element
        if element.WhichOneof("type") == "exception":
            self._broken = f"an exception: {element.exception.message[:300]}"

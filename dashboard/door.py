"""What every request passes before Streamlit sees it: who may come in, to which rooms, and as which visitor."""

import asyncio
import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from core.language.told import say
from dashboard import own_sessions
from dashboard.visitor import COOKIE, SECRET

_CORE = "/_stcore/"
_STREAM, _UPLOAD = "stream", "upload_file"
_OPEN = ("health", "host-config", _STREAM, _UPLOAD, "bidi-components")
"""What Streamlit's browser side asks for under ``/_stcore/``; the rest (metrics, agents) is shut."""
_ISSUES_COOKIES = "health"
"""The page asks for it before it connects. Unlike the page itself it is always asked for from the page, also when a
link on another site led there, so that a browser with a cookie (SameSite=Strict) then sends it."""
_SAID_WITH_EVERY_ANSWER = {
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
"""No page of others may show one of ours in a frame, learn an audit's address from a link, or have a file taken for
something else than it is said to be."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:]+)(:\d+)?")
"""A name or an address with its port: Streamlit's own check stops reading at the bracket that ends an address."""
_PROTOCOLS = "sec-websocket-protocol"
"""Streamlit's browser side says here, behind two others, which session it goes on with."""
_MOST_DIGITS = 20
_MOST_OF_A_NOTE = 2**18
"""Bytes of a message that is looked into; what begins and ends a run is shorter."""
_YEAR = 365 * 24 * 3600


class Door:
    """ASGI middleware that refuses strangers and gives each browser the cookie of its visitor.

    Refused, over HTTP and WebSocket alike: a ``Host`` that is not among ``server.allowedHosts`` (DNS rebinding), an
    ``Origin`` that is neither that host nor among ``server.corsAllowedOrigins`` (pages of others, also those that
    another program serves on this machine), the rooms of Streamlit that nobody here needs, and files that one browser
    would put into another's session, that nobody who signed in brings, or that are too many. Who asks to go on with
    another browser's session gets a new one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on to Streamlit."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        asked, room = HTTPConnection(scope), _room(scope["path"])
        line = _Line(receive, send, _cookie(asked) if room == _ISSUES_COOKIES else "")
        app = self._app
        if refusal := _refusal(asked.headers):
            app = PlainTextResponse(refusal, status_code=403)
        elif room not in (None, *_OPEN):
            app = PlainTextResponse(say("There is nothing here."), status_code=404)
        elif room == _UPLOAD:
            app = _Upload(app, asked)
        elif room == _STREAM and scope["type"] == "websocket":
            app = _Stream(app, asked)
        try:
            await app(scope, line.receive, line.send)
        except Exception:
            if not line.ended:
                raise


class _Stream:
    """A WebSocket over which a browser opens a session, or goes on with one of its own.

    Args:
        app: Streamlit.
        asked: The handshake.
    """

    def __init__(self, app: ASGIApp, asked: HTTPConnection) -> None:
        self._app, self._secret = app, asked.cookies.get(COOKIE, "")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on what is asked and answered, and note the session's name, which the first answers tell."""
        session, place = "", _Place()

        async def noting(message: Message) -> None:
            nonlocal session
            if message["type"] == "websocket.send" and len(message.get("bytes") or b"") < _MOST_OF_A_NOTE:
                told = ForwardMsg.FromString(message.get("bytes") or b"")
                if not session and (session := told.new_session.initialize.session_id):
                    own_sessions.note(session, self._secret)
                if place.left(told):
                    return
            await send(message)

        try:
            await self._app(self._of_own_session(scope), receive, noting)
        finally:
            own_sessions.note_lost(session)
            asyncio.get_running_loop().call_later(own_sessions.RESUMED_FOR, own_sessions.forget_lost)

    def _of_own_session(self, scope: Scope) -> Scope:
        """The handshake without the name of a session that is not this browser's."""
        said = [value.strip() for value in Headers(scope=scope).get(_PROTOCOLS, "").split(",")]
        kept = said[:3] if len(said) > 2 and own_sessions.is_own(said[2], self._secret) else said[:2]
        headers = [pair for pair in scope["headers"] if pair[0].lower() != _PROTOCOLS.encode()]
        if any(kept):
            headers.append((_PROTOCOLS.encode(), ", ".join(kept).encode("latin-1")))
        return {**scope, "headers": headers}


class _Place:
    """The page that a browser shows, by what it is told."""

    def __init__(self) -> None:
        self._page = self._navigated = self._dropped = ""

    def left(self, told: ForwardMsg) -> bool:
        """Whether a message is of a fragment of a page that was left.

        A browser asks a fragment to run again until it hears that another page has begun. Streamlit (1.67) then runs
        the fragment that is there no more, and says so with the name of the page that was left; the browser takes that
        for another page and clears the one that it shows.
        """
        kind, run = told.WhichOneof("type"), told.metadata.run
        if kind == "navigation":
            self._navigated = told.navigation.page_script_hash
        elif kind == "new_session" and not run.fragment_ids:
            self._page = self._navigated = told.new_session.page_script_hash
        elif kind == "new_session" and told.new_session.page_script_hash not in (self._page, self._navigated):
            self._dropped = run.script_run_id
        return bool(self._dropped) and run.script_run_id == self._dropped


class _Upload:
    """A file that is put into a session, or taken out of it.

    Args:
        app: Streamlit.
        asked: The request.
    """

    def __init__(self, app: ASGIApp, asked: HTTPConnection) -> None:
        self._app, self._secret = app, asked.cookies.get(COOKIE)
        self._session = asked.scope["path"].partition(f"{_CORE}{_UPLOAD}/")[2].partition("/")[0]
        self._said = asked.headers.get("content-length", "")
        self._puts = asked.scope.get("method") == "PUT"
        self._arrived = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the file on as far as there is room for it."""
        if not own_sessions.is_own(self._session, self._secret):
            refusal = 403, say("This is the session of another browser. Reload the page.")
        elif self._puts:
            said = int(self._said) if self._said.isdecimal() and len(self._said) < _MOST_DIGITS else 0
            refusal = own_sessions.upload_refusal(self._session, said)
        else:
            refusal = 0, ""
        if refusal[0]:
            await PlainTextResponse(refusal[1], status_code=refusal[0])(scope, receive, send)
            return
        try:
            await self._app(scope, self._counting(receive), send)
        finally:
            own_sessions.note_arriving(self._session, -self._arrived)

    def _counting(self, receive: Receive) -> Receive:
        async def counting() -> Message:
            message = await receive()
            size = len(message.get("body", b""))
            status, why = own_sessions.upload_refusal(self._session, size) if self._puts and size else (0, "")
            if status:
                raise HTTPException(status, why)
            self._arrived += size
            own_sessions.note_arriving(self._session, size)
            return message

        return counting


class _Line:
    """What goes to and fro over one request or WebSocket; what fails once the other side has gone is no fault.

    Args:
        receive: The server's.
        send: The server's.
        cookie: To give with the answer; empty if none is.
    """

    def __init__(self, receive: Receive, send: Send, cookie: str) -> None:
        self._receive, self._send, self._cookie = receive, send, cookie
        self.ended = False

    async def receive(self) -> Message:
        """The next message; Streamlit speaks in bytes, and whoever sends text over its WebSocket is hung up on."""
        message = await self._receive()
        if message["type"] == "websocket.receive" and message.get("bytes") is None:
            message = {"type": "websocket.disconnect", "code": 1003}
        self.ended |= message["type"] in ("http.disconnect", "websocket.disconnect")
        return message

    async def send(self, message: Message) -> None:
        """Hand an answer on, with what is said with every one."""
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            headers.update(_SAID_WITH_EVERY_ANSWER)
            if self._cookie:
                headers.append("set-cookie", self._cookie)
        await self._send(message)


def _room(path: str) -> str | None:
    """What of Streamlit's own is asked for; None if it is a page or a file of one."""
    _, core, rest = path.partition(_CORE)
    return rest.partition("/")[0] if core else None


def _refusal(headers: Headers) -> str:
    """Why a request is refused, one or two sentences; empty if it is not."""
    host, origin = headers.get("host"), headers.get("origin")
    if not (host and _HOST.fullmatch(host) and is_host_allowed(host)):
        return say(
            "This dashboard does not answer under this address. Whoever runs it can allow the address by the "
            "setting server.allowedHosts."
        )
    own = origin is None or origin.partition("://")[2] == host
    if not own and origin not in config.get_option("server.corsAllowedOrigins"):
        return say(
            "This dashboard does not answer pages of other sites. Whoever runs it can allow a site by the "
            "setting server.corsAllowedOrigins."
        )
    return ""


def _cookie(asked: HTTPConnection) -> str:
    """The visitor's cookie, as given or new, for another year."""
    given = asked.cookies.get(COOKIE, "")
    secret = given if SECRET.fullmatch(given) else secrets.token_hex(16)
    secure = "; Secure" if asked.url.scheme == "https" else ""
    return f"{COOKIE}={secret}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Strict{secure}"  # verbatim

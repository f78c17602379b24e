"""What every request passes before Streamlit sees it: who may come in, to which rooms, and as which visitor."""

import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime import get_instance
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from core.language.told import say
from dashboard.visitor import COOKIE, SECRET

_CORE = "/_stcore/"
_UPLOAD = "upload_file"
_OPEN = ("health", "host-config", "stream", _UPLOAD, "bidi-components")
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
_YEAR = 365 * 24 * 3600


class Door:
    """ASGI middleware that refuses strangers and gives each browser the cookie of its visitor.

    Refused, over HTTP and WebSocket alike: a ``Host`` that is not among ``server.allowedHosts`` (DNS rebinding), an
    ``Origin`` that is neither that host nor among ``server.corsAllowedOrigins`` (pages of others, also those that
    another program serves on this machine), the rooms of Streamlit that nobody here needs, and files that one browser
    would put into another's session.
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
        elif room == _UPLOAD and not _is_own_session(asked):
            app = PlainTextResponse(say("This is the session of another browser. Reload the page."), status_code=403)
        try:
            await app(scope, line.receive, line.send)
        except Exception:
            if not line.ended:
                raise


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


def _is_own_session(asked: HTTPConnection) -> bool:
    """Whether the session that a file is put into is an open one of the browser that asks."""
    session = asked.scope["path"].partition(f"{_CORE}{_UPLOAD}/")[2].partition("/")[0]
    client = get_instance().get_client(session)
    theirs = client.client_context if client else None
    return theirs is not None and theirs.cookies.get(COOKIE) == asked.cookies.get(COOKIE)


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

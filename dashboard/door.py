"""What every request passes before Streamlit sees it: who may come in, to which rooms, and as which visitor."""

import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from dashboard.visitor import COOKIE, SECRET

_CORE = "/_stcore/"
_OPEN = ("health", "host-config", "stream", "upload_file", "bidi-components")
"""What Streamlit's browser side asks for under ``/_stcore/``; the rest (metrics, agents) is shut."""
_ISSUES_COOKIES = "health"
"""The page asks for it before it connects. Unlike the page itself it is always asked for from the page, also when a
link on another site led there, so that a browser with a cookie (SameSite=Strict) then sends it."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:]+)(:\d+)?")
"""A name or an address with its port: Streamlit's own check stops reading at the bracket that ends an address."""
_YEAR = 365 * 24 * 3600


class Door:
    """ASGI middleware that refuses strangers and gives each browser the cookie of its visitor.

    Refused, over HTTP and WebSocket alike: a ``Host`` that is not among ``server.allowedHosts`` (DNS rebinding), an
    ``Origin`` that is neither that host nor among ``server.corsAllowedOrigins`` (pages of others, also those that
    another program serves on this machine), and the rooms of Streamlit that nobody here needs.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on to Streamlit."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        asked, room = HTTPConnection(scope), _room(scope["path"])
        if refusal := _refusal(asked.headers):
            await PlainTextResponse(refusal, status_code=403)(scope, receive, send)
        elif room not in (None, *_OPEN):
            await PlainTextResponse("There is nothing here.", status_code=404)(scope, receive, send)
        elif room == _ISSUES_COOKIES:
            cookie = _cookie(asked)

            async def send_with_cookie(message: Message) -> None:
                if message["type"] == "http.response.start":
                    MutableHeaders(scope=message).append("set-cookie", cookie)
                await send(message)

            await self._app(scope, receive, send_with_cookie)
        else:
            await self._app(scope, receive, send)


def _room(path: str) -> str | None:
    """What of Streamlit's own is asked for; None if it is a page or a file of one."""
    _, core, rest = path.partition(_CORE)
    return rest.partition("/")[0] if core else None


def _refusal(headers: Headers) -> str:
    """Why a request is refused, one or two sentences; empty if it is not."""
    host, origin = headers.get("host"), headers.get("origin")
    if not (host and _HOST.fullmatch(host) and is_host_allowed(host)):
        return (
            "This dashboard does not answer under this address. "
            "Whoever runs it can allow the address by the setting server.allowedHosts."
        )
    own = origin is None or origin.partition("://")[2] == host
    if not own and origin not in config.get_option("server.corsAllowedOrigins"):
        return (
            "This dashboard does not answer pages of other sites. "
            "Whoever runs it can allow a site by the setting server.corsAllowedOrigins."
        )
    return ""


def _cookie(asked: HTTPConnection) -> str:
    """The visitor's cookie, as given or new, for another year."""
    given = asked.cookies.get(COOKIE, "")
    secret = given if SECRET.fullmatch(given) else secrets.token_hex(16)
    secure = "; Secure" if asked.url.scheme == "https" else ""
    return f"{COOKIE}={secret}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Strict{secure}"

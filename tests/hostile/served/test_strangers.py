"""Strangers at the door of a served dashboard: real requests and handshakes, and what the server then does."""

import http.client
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import ConnectionClosed, Subprotocol
from websockets.sync.client import ClientConnection, connect

from dashboard import door

SECRET = "0123456789abcdef" * 2


def ask(address: str, path: str, *, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in ({"Host": address} | headers).items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    return connection.getresponse()


def shake_hands(address: str, **headers: str) -> int:
    """The status of a WebSocket handshake: 101 where it is accepted."""
    asked = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec_WebSocket_Protocol": "streamlit",
    }
    return ask(address, "/_stcore/stream", **asked, **headers).status


def test_starting_asks_nobody_on_the_network(address: str, watched: Path) -> None:
    assert ask(address, "/").status == 200
    assert not watched.exists(), watched.read_text()


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "LOCALHOST"])
def test_this_machine_may_come_in(address: str, host: str) -> None:
    host = host.format(port=address.partition(":")[2])
    assert shake_hands(address, Host=host) == 101
    assert shake_hands(address, Host=host, Origin=f"http://{host}") == 101
    assert ask(address, "/", Host=host).status == 200


HOSTS = (
    "rebound.example",
    "rebound.example:{port}",
    "127.0.0.1.rebound.example",
    "localhost@rebound.example",
    "rebound.example/@localhost",
    "[::1",
    "[::1].rebound.example",
    "0.0.0.0:{port}",
    "",
)


@pytest.mark.parametrize("host", HOSTS)
def test_a_rebound_name_is_refused_whatever_it_asks_for(address: str, host: str) -> None:
    host = host.format(port=address.partition(":")[2])
    assert shake_hands(address, Host=host, Origin=f"http://{host}") in (400, 403)
    assert shake_hands(address, Host=host) in (400, 403)
    for method, path in (
        ("GET", "/"),
        ("GET", "/health"),
        ("GET", "/_stcore/health"),
        ("GET", "/media/a.csv"),
        ("GET", "/static/a.js"),
    ):
        assert ask(address, path, method=method, Host=host).status in (400, 403)
    assert ask(address, "/_stcore/upload_file/a/b", method="PUT", Host=host).status in (400, 403)


@pytest.mark.parametrize(
    "origin", ["http://rebound.example", "http://localhost:3000", "http://{address}.example", "null"]
)
def test_a_page_of_somebody_else_is_refused_and_nobody_is_asked_about_it(
    address: str, watched: Path, origin: str
) -> None:
    assert shake_hands(address, Origin=origin.format(address=address)) == 403
    assert ask(address, "/_stcore/health", Origin=origin.format(address=address)).status == 403
    assert not watched.exists(), watched.read_text()


@pytest.mark.parametrize("path", ["metrics", "metrics/", "agent/openapi.json", "agent/mcp", "script-health-check", ""])
def test_rooms_that_nobody_needs_are_shut(address: str, path: str) -> None:
    assert ask(address, f"/_stcore/{path}").status == 404


def test_what_is_open_says_nothing_of_anybody(address: str) -> None:
    assert ask(address, "/_stcore/health").read() == b"ok"
    assert b'"allowedOrigins":[]' in ask(address, "/_stcore/host-config").read()
    assert ask(address, "/media/").status == 404
    assert ask(address, "/_stcore/upload_file/a/b", method="PUT").status == 403


def test_the_cookie_is_new_or_as_given_and_no_script_reads_it(address: str) -> None:
    cookies = {given: _cookie_after(address, given) for given in ("", "local", SECRET, SECRET.upper(), f"{SECRET}0")}
    assert all(cookie.endswith("HttpOnly; SameSite=Strict") for cookie in cookies.values())
    values = [cookie.partition(";")[0] for cookie in cookies.values()]
    assert all(re.fullmatch(r"evenhand_visitor=[0-9a-f]{32}", value) for value in values)
    assert len(set(values)) == len(values)
    assert values[2].endswith(SECRET)


def test_a_link_on_another_site_takes_nobody_s_cookie_away(address: str) -> None:
    """A browser that follows it sends no strict cookie: had the page itself a new one, the old one were lost."""
    assert ask(address, "/").getheader("set-cookie") is None


def _cookie_after(address: str, given: str) -> str:
    answer = ask(address, "/_stcore/health", Cookie=f"evenhand_visitor={given}")
    (cookie,) = (value for value in answer.headers.get_all("set-cookie") or () if value.startswith("evenhand"))
    return cookie


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/metrics", "/media/a.csv", "/no/such/page"])
@pytest.mark.parametrize("host", ["", "rebound.example"])
def test_no_answer_is_framed_by_others_or_taken_for_something_else(address: str, path: str, host: str) -> None:
    answer = ask(address, path, Host=host or address)
    assert answer.getheader("X-Frame-Options") == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in answer.getheader("Content-Security-Policy", "")
    assert answer.getheader("X-Content-Type-Options") == "nosniff"


FORM = b'--B\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\nabc\r\n--B--\r\n'
FORGED = ("", f"evenhand_visitor={SECRET}", "evenhand_visitor=local", f"evenhand_visitor={SECRET}; evenhand_visitor=x")


@contextmanager
def session(address: str) -> Iterator[tuple[str, dict[str, str], ClientConnection]]:
    """A new browser's session: its name, the cookies that it was given, and its WebSocket."""
    given = ask(address, "/_stcore/health").headers.get_all("set-cookie") or ()
    cookies = dict(cookie.partition(";")[0].split("=", 1) for cookie in given)
    with connect(
        f"ws://{address}/_stcore/stream",
        subprotocols=[Subprotocol("streamlit")],
        additional_headers={"Cookie": "; ".join("=".join(pair) for pair in cookies.items())},
    ) as socket:
        asked = BackMsg()
        asked.rerun_script.query_string = ""
        socket.send(asked.SerializeToString())
        told = ForwardMsg()
        while told.WhichOneof("type") != "new_session":
            told.ParseFromString(socket.recv(timeout=20, decode=False))
        yield told.new_session.initialize.session_id, cookies, socket


def put(address: str, name: str, cookies: str, token: str, *, cut: bool = False) -> int:
    """The status of putting a file into a session; 0 where it is cut off half way."""
    connection = http.client.HTTPConnection(address, timeout=10)
    headers = {"Cookie": cookies, "X-Xsrftoken": token, "Content-Type": "multipart/form-data; boundary=B"}
    connection.putrequest("PUT", f"/_stcore/upload_file/{name}/one")
    for key, value in (headers | {"Content-Length": str(len(FORM))}).items():
        connection.putheader(key, value)
    connection.endheaders(FORM[:40] if cut else FORM)
    if cut:
        connection.close()
        return 0
    return connection.getresponse().status


def test_only_the_browser_of_a_session_puts_files_into_it(address: str) -> None:
    with session(address) as (name, cookies, _):
        token = cookies["_streamlit_xsrf"]
        own = "; ".join("=".join(pair) for pair in cookies.items())
        assert put(address, name, own, token) == 204
        for forged in FORGED:
            assert put(address, name, f"_streamlit_xsrf={token}; {forged}", token) == 403
        with session(address) as (_, others, _):
            theirs = "; ".join("=".join(pair) for pair in others.items())
            assert put(address, name, theirs, others["_streamlit_xsrf"]) == 403
        assert put(address, name, own, token) == 204


def test_whoever_hangs_up_or_talks_nonsense_leaves_no_traceback_of_ours(address: str, log: Path) -> None:
    with session(address) as (name, cookies, socket):
        put(address, name, "; ".join("=".join(pair) for pair in cookies.items()), cookies["_streamlit_xsrf"], cut=True)
        socket.send("text")
        with pytest.raises(ConnectionClosed):
            list(iter(socket.recv, None))
    assert ask(address, "/_stcore/health").status == 200
    assert "Exception in ASGI application" not in log.read_text()


@pytest.mark.parametrize(
    ("host", "origin", "may"),
    [
        ("audits.example:8501", "https://audits.example:8501", True),
        ("localhost:8501", "https://desk.example", True),
        ("localhost:8501", "https://other.example", False),
        ("127.0.0.1:8501", "http://127.0.0.1:8501", False),
    ],
)
def test_addresses_are_allowed_by_streamlit_s_own_settings(
    monkeypatch: pytest.MonkeyPatch, host: str, origin: str, *, may: bool
) -> None:
    settings = {
        "server.allowedHosts": ["audits.example", "localhost"],
        "server.corsAllowedOrigins": ["https://desk.example"],
    }
    monkeypatch.setattr(config, "get_option", settings.__getitem__)
    assert bool(door._refusal({"host": host, "origin": origin})) is not may

"""Sessions of a served dashboard: nobody goes on with another's, and files in them take a bounded share of memory."""

import http.client
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Subprotocol
from websockets.client import ClientProtocol
from websockets.http11 import Request
from websockets.sync import client

from dashboard import own_sessions
from tests.e2e.conftest import served

SECRET = "0123456789abcdef" * 2
LOGIN = """
[auth]
redirect_uri = "http://localhost/oauth2callback"
cookie_secret = "hush"
client_id = "dashboard"
client_secret = "hush"
server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"
"""


def cookies_of(address: str) -> dict[str, str]:
    """What a new browser is given."""
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.request("GET", "/_stcore/health")
    given = connection.getresponse().headers.get_all("set-cookie") or ()
    return dict(cookie.partition(";")[0].split("=", 1) for cookie in given)


class Asking(ClientProtocol):
    """A handshake whose protocols are said letter by letter, whatever the library would make of them."""

    said = "streamlit"

    def send_request(self, request: Request) -> None:
        del request.headers["Sec-WebSocket-Protocol"]
        for line in self.said.split("\n"):
            request.headers["Sec-WebSocket-Protocol"] = line
        super().send_request(request)


Opened = Callable[..., str]


@pytest.fixture
def opened(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """The name of the session that a handshake leads to, which stays open: (cookies, protocols) -> name."""
    monkeypatch.setattr(client, "ClientProtocol", Asking)
    with ExitStack() as streams:

        def ask(cookies: dict[str, str], protocols: str = "streamlit", *, at: str = address, left: bool = False) -> str:
            monkeypatch.setattr(Asking, "said", protocols)
            one = client.connect(
                f"ws://{at}/_stcore/stream",
                subprotocols=[Subprotocol("streamlit")],
                additional_headers={"Cookie": "; ".join("=".join(pair) for pair in cookies.items())},
                close_timeout=0.2,
            )
            stream = streams.enter_context(one)
            asked = BackMsg()
            asked.rerun_script.query_string = ""
            stream.send(asked.SerializeToString())
            told = ForwardMsg()
            while told.WhichOneof("type") != "new_session":
                told.ParseFromString(stream.recv(timeout=30, decode=False))
            if left:
                stream.close()
                time.sleep(0.3)
            return str(told.new_session.initialize.session_id)

        yield ask


def put(address: str, session: str, cookies: dict[str, str], size: int, *, chunked: bool = False) -> int:
    """The status of putting so many bytes into a session."""
    name = uuid.uuid4().hex
    start = b'--B\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'
    body = start + b"x" * size + b"\r\n--B--\r\n"
    headers = {
        "Cookie": "; ".join("=".join(pair) for pair in cookies.items()),
        "X-Xsrftoken": cookies.get("_streamlit_xsrf", ""),
        "Content-Type": "multipart/form-data; boundary=B",
    }
    connection = http.client.HTTPConnection(address, timeout=20)
    parts = iter([body[i : i + 65_536] for i in range(0, len(body), 65_536)])
    try:
        connection.request(
            "PUT",
            f"/_stcore/upload_file/{session}/{name}",
            body=parts if chunked else body,
            headers=headers,
            encode_chunked=chunked,
        )
    except (BrokenPipeError, ConnectionResetError):
        return 413
    return connection.getresponse().status


PROTOCOLS = (
    "streamlit, {token}, {session}",
    "streamlit,,{session}",
    "streamlit, ,\t{session} ",
    ",,{session}",
    "streamlit, {token}, {session}, {session}",
    "streamlit, x, {session}\nstreamlit",
    "streamlit\nstreamlit, x, {session}",
)


@pytest.mark.parametrize("left", [False, True], ids=["open", "left"])
def test_nobody_goes_on_with_another_browser_s_session(address: str, opened: Opened, *, left: bool) -> None:
    mine, theirs = cookies_of(address), cookies_of(address)
    session = opened(mine, left=left)
    for protocols in PROTOCOLS:
        said = protocols.format(session=session, token=theirs["_streamlit_xsrf"])
        assert opened(theirs, said) != session
    for cookies in ({}, {"evenhand_visitor": SECRET}, {"evenhand_visitor": ""}):
        assert opened(cookies, f"streamlit, x, {session}") != session
    assert opened(mine, f"streamlit, x, {session}") == session, "whose session it is goes on with it"


def test_who_has_no_cookie_has_no_session_to_go_on_with(opened: Opened) -> None:
    session = opened({})
    assert opened({}, f"streamlit, x, {session}") != session


def test_the_log_names_no_session(address: str, opened: Opened, log: Path) -> None:
    mine = cookies_of(address)
    session = opened(mine)
    assert opened(mine, f"streamlit, x, {session}") == session
    said = log.read_text()
    assert "is already connected" in said
    assert session not in said


@pytest.mark.parametrize("chunked", [False, True])
def test_files_of_one_session_take_a_bounded_share(address: str, opened: Opened, *, chunked: bool) -> None:
    mine = cookies_of(address)
    session = opened(mine)
    statuses = [put(address, session, mine, 900_000, chunked=chunked) for _ in range(10)]
    assert statuses == [204] * 2 + [413] * 8


def test_files_of_all_sessions_take_a_bounded_share(address: str, opened: Opened) -> None:
    kept = 0
    for _ in range(6):
        mine = cookies_of(address)
        session = opened(mine)
        kept += [put(address, session, mine, 900_000) for _ in range(3)].count(204)
    assert kept <= 8


def test_nobody_brings_files_before_signing_in(opened: Opened, tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(LOGIN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAMLIT_SECRETS_FILES", str(secrets))
        with served("dashboard/app.py", tmp_path) as url:
            shut = urlsplit(url).netloc
            mine = cookies_of(shut)
            assert put(shut, opened(mine, at=shut), mine, 1000) == 403


class Held:
    """A manager of files in memory."""

    def __init__(self) -> None:
        self.file_storage: dict[str, dict[str, object]] = {}

    def remove_session_files(self, session: str) -> None:
        self.file_storage.pop(session, None)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    found = Held()
    monkeypatch.setattr(own_sessions, "_sessions", {})
    monkeypatch.setattr(own_sessions, "get_instance", lambda: type("Runtime", (), {"uploaded_file_mgr": found}))
    return found


def test_what_a_session_holds_goes_with_it(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(own_sessions.time, "monotonic", lambda: now[0])
    own_sessions.note("a", SECRET)
    held.file_storage["a"] = {}
    own_sessions.note_lost("a")
    own_sessions.forget_lost()
    assert "a" in held.file_storage, "it may be gone on with"
    now[0] = own_sessions.RESUMED_FOR
    own_sessions.note("a", SECRET)
    own_sessions.forget_lost()
    assert "a" in held.file_storage, "it was gone on with"
    own_sessions.note_lost("a")
    own_sessions.note_arriving("a", 5)
    now[0] *= 2
    own_sessions.forget_lost()
    assert "a" not in held.file_storage
    held.file_storage["a"] = {}
    own_sessions.note_arriving("a", -5)
    assert "a" not in held.file_storage, "what arrives too late is not kept"
    assert not own_sessions._sessions


def test_a_session_that_nobody_was_told_of_is_forgotten(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(own_sessions.time, "monotonic", lambda: now[0])
    own_sessions.note_person("a", signed_in=True)
    now[0] = own_sessions.RESUMED_FOR
    own_sessions.forget_lost()
    assert not own_sessions._sessions

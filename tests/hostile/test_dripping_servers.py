"""Model servers that talk for as long as they are listened to, and answers that are small and take long."""

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from core.base.errors import ModelError
from core.models.endpoint.address import ALLOWED, pinned
from core.models.endpoint.client import Client
from core.models.endpoint.protocols import PROTOCOLS
from core.models.endpoint.rows import Rows
from core.models.endpoint.settings import EndpointSettings

CERTIFICATE = Path(__file__).parents[1] / "core" / "models" / "endpoint" / "models.test.pem"
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
DRIPS = {
    "before the status": (b"", b"H"),
    "in a header": (OK + b"X: ", b"x"),
    "headers": (OK, b"X: x\r\n"),
    "answers to come": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "headers of answers to come": (b"HTTP/1.1 100 Continue\r\n", b"X: x\r\n"),
    "the size of a chunk": (CHUNKED + b"1", b"0"),
    "what a chunk says of itself": (CHUNKED + b"1;", b"x"),
    "a chunk": (CHUNKED + b"ffff\r\n", b"x"),
    "chunks": (CHUNKED, b"1\r\nx\r\n"),
    "what follows the chunks": (CHUNKED + b"0\r\n", b"X: x\r\n"),
    "a body without a length": (OK + b"\r\n", b"x"),
    "a body with a length": (OK + b"Content-Length: 9999\r\n\r\n", b"x"),
    "an answer that something failed": (b"HTTP/1.1 503 Busy\r\n", b"X: x\r\n"),
}


@contextmanager
def serving(talk: Callable[[socket.socket], object]) -> Iterator[int]:
    """The port of a server that says what it likes to everybody who comes."""

    def serve() -> None:
        while True:
            with suppress(OSError):
                one, _ = listener.accept()
                threading.Thread(target=speak, args=(one,), daemon=True).start()
            if closed:
                return

    def speak(one: socket.socket) -> None:
        with one, suppress(OSError):
            talk(one)

    closed: list[bool] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        closed.append(True)


def asking(port: int, body: bytes = b"{}", scheme: str = "http", **changes: object) -> float:
    """Ask, be told that it took too long, and return the seconds that it took."""
    pace = {"seconds": 0.3, "retries": 0, "requests_per_second": 1000.0}
    settings = EndpointSettings(protocol="plain", url=f"{scheme}://127.0.0.1:{port}/x", **pace | changes)
    began = time.monotonic()
    with pytest.raises(ModelError, match=r"did not answer within 0\.3 seconds|longer than the"):
        Client(settings).post("/x", body)
    return time.monotonic() - began


@pytest.fixture(autouse=True)
def allowed(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    def allow(port: int) -> None:
        monkeypatch.setenv(ALLOWED, f"127.0.0.1:{port}")

    return allow


def dripping(first: bytes, then: bytes) -> Callable[[socket.socket], None]:
    def talk(one: socket.socket) -> None:
        one.recv(1 << 16)
        one.sendall(first)
        for _ in range(60):
            time.sleep(0.05)
            one.sendall(then)

    return talk


@pytest.mark.parametrize("drip", DRIPS)
def test_a_server_that_drips_is_given_its_seconds_and_no_more(drip: str, allowed: Callable[[int], None]) -> None:
    with serving(dripping(*DRIPS[drip])) as port:
        allowed(port)
        assert asking(port) < 1


@pytest.mark.parametrize("drip", ["headers", "answers to come", "chunks"])
def test_the_limit_of_all_requests_ends_one_of_them(drip: str, allowed: Callable[[int], None]) -> None:
    with serving(dripping(*DRIPS[drip])) as port:
        allowed(port)
        assert asking(port, seconds=30.0, minutes=0.005) < 1


def test_answers_to_come_as_fast_as_the_line_allows_end_too(allowed: Callable[[int], None]) -> None:
    def talk(one: socket.socket) -> None:
        one.recv(1 << 16)
        while True:
            one.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)

    with serving(talk) as port:
        allowed(port)
        assert asking(port) < 1


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_takes_rows_in_crumbs_is_given_its_seconds(scheme: str, allowed: Callable[[int], None]) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)

    def talk(one: socket.socket) -> None:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
        if scheme == "https":
            with suppress(ssl.SSLError):
                one = context.wrap_socket(one, server_side=True)
        for _ in range(60):
            time.sleep(0.05)
            one.recv(1 << 14)

    with serving(talk) as port, pytest.MonkeyPatch.context() as patch:
        allowed(port)
        patch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        patch.setattr("urllib3.connection._match_hostname", lambda *_, **__: None)
        assert asking(port, b"x" * (32 << 20), scheme) < 1.5


def test_a_handshake_that_drips_ends_too(allowed: Callable[[int], None]) -> None:
    def talk(one: socket.socket) -> None:
        one.recv(1 << 16)
        one.sendall(b"\x16\x03\x03\x3f\xff")
        for _ in range(60):
            time.sleep(0.05)
            one.sendall(b"\x02")

    with serving(talk) as port:
        allowed(port)
        assert asking(port, scheme="https") < 1


@pytest.mark.parametrize("said", [b"9" * 5000, b"Mon, 01 Jan 99999999999999 00:00:00 GMT", b"\xff", b"-5"])
def test_a_pause_that_cannot_be_read_is_none(said: bytes, allowed: Callable[[int], None]) -> None:
    def talk(one: socket.socket) -> None:
        one.recv(1 << 16)
        one.sendall(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: " + said + b"\r\n\r\n")

    with serving(talk) as port:
        allowed(port)
        settings = EndpointSettings(protocol="plain", url=f"http://127.0.0.1:{port}/x", retries=0)
        with pytest.raises(ModelError, match="status 503"):
            Client(settings).post("/x", b"{}")


INSIDE = (
    *("64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1"),
    *("2002:7f00:1::", "2002:7f00:1::1", "2002:a9fe:a9fe::", "2002:c0a8:101:1::9", "2001:0:7f00:1::"),
    *("::127.0.0.1", "::7f00:1", "::10.0.0.1", "::8.8.8.8", "::ffff:0:7f00:1", "::ffff:10.0.0.1"),
    *("fec0::1", "feff::1", "fe80::1", "fc00::1", "5f00::1", "4000::1", "100::1", "100:0:0:1::1", "1::1"),
    *("2606:4700::5efe:7f00:1", "2606:4700::200:5efe:a00:1", "2001:db8::1", "ff0e::1"),
)
OUTSIDE = ("2606:4700::6810:84e5", "2a00:1450:4001::200e", "64:ff9b::5db8:d822", "2002:5db8:d822::1", "93.184.216.34")


@pytest.mark.parametrize("number", [*INSIDE, *OUTSIDE])
def test_a_number_that_leads_inside_is_known_in_every_disguise(number: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED, "models.example.org:443")
    asked = EndpointSettings(url="https://models.example.org", model="m")
    found = [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (number, 443, 0, 0))]
    if number in OUTSIDE:
        assert pinned(asked, lambda *_, **__: found) == number
        return
    with pytest.raises(ModelError, match="is the private address"):
        pinned(asked, lambda *_, **__: found)
    monkeypatch.setenv(ALLOWED, f"models.example.org:443,[{number}]:443")
    assert pinned(asked, lambda *_, **__: found) == number


ROWS = Rows(("a",), ((1,), (2,)))


@pytest.mark.parametrize(
    "output",
    [
        {"shape": [], "data": [1]},
        {"shape": [2, *[9] * 1_000_000], "data": [1, 2]},
        {"shape": [2, 1], "data": [int("9" * 4000), 1]},
        {"shape": [2, 1], "data": [-(10**309), 1]},
        {"shape": [2], "data": [[[[[1]]]], 2]},
        {"shape": "2", "data": "12"},
        {"shape": None, "data": None},
    ],
    ids=["no shape", "a long shape", "4,000 digits", "beyond 64 bits", "deep", "texts", "nothing"],
)
def test_an_answer_that_makes_no_sense_is_a_sentence_at_once(output: dict[str, object]) -> None:
    asked = EndpointSettings(url="http://a.org", model="m")
    began = time.process_time()
    with pytest.raises(ModelError):
        PROTOCOLS["open inference"].reply(asked, json.dumps({"outputs": [{"name": "p", **output}]}).encode(), len(ROWS))
    assert time.process_time() - began < 2

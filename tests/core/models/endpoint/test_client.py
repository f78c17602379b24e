"""The client: patient where that may help, paced, bounded, and silent about secrets."""

import socket
import time
from pathlib import Path

import pytest

from core.base.errors import ModelError
from core.models.endpoint import client as client_module
from core.models.endpoint.client import Client
from tests.model_server import ModelServer, serving

SECRET = {"secret": "EVENHAND_SECRET_INCOME", "secret_header": "X-Key"}
BODY = b'{"rows": [{"income": 50}]}'


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def ask(server: ModelServer, **changes: object) -> bytes:
    moving = Time()
    return Client(server.settings(**changes), clock=moving, sleep=moving.sleep).post("/score", BODY)


def test_an_answer_comes_back(server: ModelServer) -> None:
    assert b'"p": 0.5' in ask(server)


@pytest.mark.parametrize("fault", [429, 500, 502, 503, 504])
def test_a_passing_fault_is_asked_again_after_growing_pauses(server: ModelServer, fault: int) -> None:
    server.faults = [fault, fault]
    moving = Time()
    client = Client(server.settings(requests_per_second=1000.0), clock=moving, sleep=moving.sleep)
    assert b'"p": 0.5' in client.post("/score", BODY)
    assert server.posts == 3
    assert [pause for pause in moving.slept if pause > 0.1] == [0.5, 1.0]


def test_the_server_says_when_to_come_back(server: ModelServer) -> None:
    server.faults, server.retry_after = [429], "7"
    moving = Time()
    Client(server.settings(), clock=moving, sleep=moving.sleep).post("/score", BODY)
    assert max(moving.slept) == 7
    server.faults, server.retry_after = [503], "soon"
    assert b"p" in ask(server)


def test_the_pace_is_kept(server: ModelServer) -> None:
    moving = Time()
    client = Client(server.settings(requests_per_second=4.0), clock=moving, sleep=moving.sleep)
    for _ in range(5):
        client.post("/score", BODY)
    assert moving.now == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (301, "redirects are not followed"),
        (307, "redirects are not followed"),
        (400, "does not accept the rows"),
        (401, "right secret"),
        (404, "has no model"),
        (422, "does not accept the rows"),
    ],
)
def test_what_will_not_pass_is_told_at_once(server: ModelServer, fault: int, said: str) -> None:
    server.faults = [fault]
    with pytest.raises(ModelError, match=said):
        ask(server)
    assert server.posts == 1
    assert not any("elsewhere" in path for path, _ in server.requests)


def test_a_fault_that_stays_is_told_after_the_last_try(server: ModelServer) -> None:
    server.faults = [500] * 9
    with pytest.raises(ModelError, match=r"fails \(status 500\).*asked 3 times"):
        ask(server)
    assert server.posts == 3


def test_a_slow_answer_is_asked_for_again_and_then_told(server: ModelServer) -> None:
    server.faults = [0.5, 0.5, 0.5]
    began = time.monotonic()
    with pytest.raises(ModelError, match=r"did not answer within 0\.1 seconds, asked 2 times"):
        Client(server.settings(seconds=0.1, retries=1), sleep=lambda _: None).post("/score", BODY)
    assert time.monotonic() - began < 0.5


def test_an_answer_that_drips_is_cut_off_and_the_next_is_read(server: ModelServer) -> None:
    server.faults = ["drip"]
    client = Client(server.settings(seconds=0.2, retries=0), sleep=lambda _: None)
    began = time.monotonic()
    with pytest.raises(ModelError, match=r"did not answer within 0\.2 seconds"):
        client.post("/score", BODY)
    assert time.monotonic() - began < 1
    assert b'"p": 0.5' in client.post("/score", BODY)


def test_only_the_time_of_asking_counts(server: ModelServer) -> None:
    moving = Time()
    client = Client(server.settings(minutes=1.0), clock=moving, sleep=moving.sleep)
    client.post("/score", BODY)
    moving.now += 3600
    assert b'"p": 0.5' in client.post("/score", BODY)
    server.faults = [503] * 9
    slow = Client(server.settings(minutes=0.05, retries=9), clock=moving, sleep=moving.sleep)
    with pytest.raises(ModelError, match=r"longer than the 0\.05 minutes"):
        slow.post("/score", BODY)


def test_nobody_waits_longer_than_the_limit_of_all(server: ModelServer) -> None:
    server.faults, server.retry_after = [503], "3000"
    with pytest.raises(ModelError, match="longer than the 10 minutes"):
        ask(server, minutes=10.0)


def test_an_answer_without_end_is_cut(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MOST_BYTES", 1 << 20)
    server.faults = [b"x" * (2 << 20)]
    with pytest.raises(ModelError, match="longer than 1 MB"):
        ask(server)


def test_a_server_that_is_not_there_is_told(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_ENDPOINTS", "127.0.0.1:9")
    with pytest.raises(ModelError, match="Nothing answers at this address"):
        ask(server, url="http://127.0.0.1:9/score")


def test_the_secret_is_sent_and_nowhere_told(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_SECRET_INCOME", "Bearer hush")
    settings = server.settings(**SECRET)
    server.faults = [400]
    with pytest.raises(ModelError) as refused:
        Client(settings).post("/score", BODY)
    assert server.requests[-1][1]["X-Key"] == "Bearer hush"
    assert "is no key" in str(refused.value)
    assert "hush" not in str(refused.value) + settings.model_dump_json()
    monkeypatch.delenv("EVENHAND_SECRET_INCOME")
    with pytest.raises(ModelError, match="EVENHAND_SECRET_INCOME is not set"):
        Client(settings)
    monkeypatch.setenv("EVENHAND_SECRET_INCOME", "a\r\nX-Other: b")
    with pytest.raises(ModelError, match="holds no header"):
        Client(settings)


@pytest.mark.parametrize("header", ["Host", "content-length", "a b", "X:", ""])
def test_a_secret_has_a_header_of_its_own(server: ModelServer, header: str) -> None:
    with pytest.raises(ValueError, match="secret_header"):
        server.settings(secret_header=header)


@pytest.mark.parametrize("name", ["PATH", "AWS_SECRET_ACCESS_KEY", "EVENHAND_SECRET_", "EVENHAND_SECRET_a b"])
def test_only_variables_of_the_prefix_are_read(server: ModelServer, name: str) -> None:
    with pytest.raises(ValueError, match="pattern"):
        server.settings(secret=name)


def test_a_name_is_asked_at_its_checked_number_and_must_prove_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = Path(__file__).with_name("models.test.pem")

    def resolve(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    looked_up: list[str] = []
    with serving(ModelServer(), certificate) as server:
        names = ("models.test", "other.test", "127.0.0.1")
        monkeypatch.setenv("EVENHAND_ENDPOINTS", ",".join(f"{name}:{server.port}" for name in names))

        def asked(host: str) -> bytes:
            settings = server.settings(url=f"https://{host}:{server.port}/score", retries=0)
            return Client(settings, resolve=resolve).post("/score", BODY)

        with pytest.raises(ModelError, match="certificate is not one that this machine trusts"):
            asked("models.test")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert b'"p": 0.5' in asked("models.test")
        assert server.requests[-1][1]["Host"] == f"models.test:{server.port}"
        with pytest.raises(ModelError, match="certificate"):
            asked("other.test")
        assert looked_up == ["models.test", "models.test", "other.test"]
        assert server.posts == 1

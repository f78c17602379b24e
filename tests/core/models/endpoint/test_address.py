"""Where this machine may ask: nowhere unless its operator says so, and never at a number it did not check."""

import socket
from typing import Any

import pytest
from pydantic import ValidationError

from core.base.errors import ModelError
from core.models.endpoint.address import ALLOWED, pinned
from core.models.endpoint.settings import EndpointSettings


def endpoint(url: str) -> EndpointSettings:
    return EndpointSettings(url=url, model="m")


def leading_to(*numbers: str) -> Any:
    return lambda host, port, **_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port)) for number in numbers]


def test_nothing_is_allowed_by_default_and_the_line_to_set_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ALLOWED, raising=False)
    with pytest.raises(ModelError, match="not allowed to contact") as refused:
        pinned(endpoint("https://models.example.org"), leading_to("93.184.216.34"))
    assert f"{ALLOWED}=models.example.org:443" in refused.value.advice
    monkeypatch.setenv(ALLOWED, "other.org:443, models.example.org:8443")
    with pytest.raises(ModelError, match="not allowed to contact"):
        pinned(endpoint("https://models.example.org"), leading_to("93.184.216.34"))
    monkeypatch.setenv(ALLOWED, "other.org:443, MODELS.example.org\u2060:\u2060443")
    assert pinned(endpoint("https://models.Example.org"), leading_to("93.184.216.34")) == "93.184.216.34"


@pytest.mark.parametrize(
    "number",
    [
        *("10.0.0.5", "127.0.0.1", "169.254.169.254", "192.168.1.1", "172.16.0.1", "0.0.0.0", "100.64.0.1"),  # noqa: S104
        *("::1", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "::", "224.0.0.1", "ff02::1"),
    ],
)
def test_a_name_that_leads_inside_is_refused_unless_the_number_is_listed(
    number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ALLOWED, "models.example.org:443")
    plain = number.partition("%")[0]
    for numbers in ((number,), ("93.184.216.34", number)):
        with pytest.raises(ModelError, match="is the private address") as refused:
            pinned(endpoint("https://models.example.org"), leading_to(*numbers))
    item = f"[{plain}]:443" if ":" in plain else f"{plain}:443"
    assert item in refused.value.advice
    monkeypatch.setenv(ALLOWED, f"models.example.org:443,{item}")
    assert pinned(endpoint("https://models.example.org"), leading_to(number)) == plain


def test_localhost_is_the_loopback_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED, "localhost:8080")
    assert pinned(endpoint("http://localhost:8080"), leading_to("127.0.0.1")) == "127.0.0.1"
    with pytest.raises(ModelError, match="private address"):
        pinned(endpoint("http://localhost:8080"), leading_to("10.0.0.1"))


def test_a_name_that_leads_nowhere_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise socket.gaierror("no such host")

    monkeypatch.setenv(ALLOWED, "models.example.org:443")
    with pytest.raises(ModelError, match=r"no server of the name models\.example\.org"):
        pinned(endpoint("https://models.example.org"), fails)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        *((url, "begins with https") for url in ("", "models.org", "ftp://a.org", "file:///etc/passwd", "http://")),
        *((url, "no password") for url in ("https://me:x@a.org", "https://a.org/?key=1", "https://a.org/#x")),
        ("https://a.org/a b", "blank"),
        ("https://a.org:99999", "begins with https"),
    ],
)
def test_an_address_that_is_none_is_a_sentence(url: str, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        endpoint(url)

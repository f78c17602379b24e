"""Where this machine may ask: hosts that its operator lists, at addresses that are checked and then held on to."""

import ipaddress
import os
import socket
from collections.abc import Callable, Iterable
from typing import Any

from core.base.errors import ModelError
from core.language.told import say
from core.models.endpoint.settings import EndpointSettings

ALLOWED = "EVENHAND_ENDPOINTS"
"""The environment variable that lists ``host:port``, separated by commas or blanks; empty by default."""

_GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""Numbers of IPv4 as networks of IPv6 alone reach them (RFC 6052)."""
_ISATAP = 0x5EFE
"""Stands before the number of IPv4 to which a host sends what it wraps (RFC 5214)."""

Resolve = Callable[..., list[tuple[Any, ...]]]


def allowed() -> frozenset[str]:
    """What the operator lists, each as ``host:port`` in lower case; an IPv6 number in brackets.

    Characters that nobody sees, which come along when a line is copied from a page, are left out.
    """
    listed = os.environ.get(ALLOWED, "").lower().replace(",", " ")
    return frozenset("".join(one for one in listed if one.isprintable()).split())


def line_to_set(endpoint: EndpointSettings, numbers: Iterable[str] = ()) -> str:
    """What an operator sets so that the endpoint may be asked, at these numbers where its name leads inside."""
    items = [_item(host, endpoint.port) for host in (endpoint.host, *numbers)]
    return f"{ALLOWED}={','.join(sorted({*allowed(), *items}))}"


def refusal(endpoint: EndpointSettings) -> ModelError | None:
    """Why the host may not be asked before anything is known of its number; None if it is listed."""
    return None if _item(endpoint.host, endpoint.port) in allowed() else _not_listed(endpoint, ())


def pinned(endpoint: EndpointSettings, resolve: Resolve = socket.getaddrinfo) -> str:
    """The number of the host to connect to; the name is not looked up again.

    A host has to be listed. One whose name leads to a private, loopback, link-local or otherwise reserved number, also
    where it is wrapped into one of IPv6, has to be listed by that number too, save ``localhost``.

    Raises:
        ModelError: The host or a number of it is not listed, or the name leads nowhere.
    """
    if (refused := refusal(endpoint)) is not None:
        raise refused
    try:
        found = resolve(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ModelError(
            say("There is no server of the name {host}.", host=endpoint.host),
            where=endpoint.url,
            advice=say("Check the spelling of the address, and that this machine reaches that network."),
        ) from error
    numbers = list(dict.fromkeys(str(one[4][0]).partition("%")[0] for one in found))
    inside = [number for number in numbers if not _may(number, endpoint)]
    if inside or not numbers:
        raise _not_listed(endpoint, inside)
    return numbers[0]


def _may(number: str, endpoint: EndpointSettings) -> bool:
    address = ipaddress.ip_address(number)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    real = mapped or address
    if _is_outside(real):
        return True
    listed = {_item(number, endpoint.port), _item(str(real), endpoint.port)} & allowed()
    return bool(listed) or (endpoint.host == "localhost" and real.is_loopback)


def _is_outside(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether a number is anybody's on the internet: not reserved, and no cover for one of IPv4 that is.

    Of IPv6, only 2000::/3 is given out (https://www.iana.org/assignments/ipv6-address-space).
    """
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not address.is_multicast
    low = int(address) & 0xFFFFFFFF
    if address in _TRANSLATED:
        return _is_outside(ipaddress.IPv4Address(low))
    if address not in _GIVEN_OUT or not address.is_global:
        return False
    if address.sixtofour is not None:
        return _is_outside(address.sixtofour)
    tunnelled = (int(address) >> 32) & 0xFDFFFFFF == _ISATAP
    return not tunnelled or _is_outside(ipaddress.IPv4Address(low))


def _item(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _not_listed(endpoint: EndpointSettings, inside: Iterable[str]) -> ModelError:
    """That the operator has to list the host, with the line to set."""
    numbers = list(inside)
    what = (
        say(
            "{host} is the private address {number}, and Evenhand is not allowed to contact that.",
            host=endpoint.host,
            number=numbers[0],
        )
        if numbers
        else say("Evenhand is not allowed to contact {host}.", host=_item(endpoint.host, endpoint.port))
    )
    return ModelError(
        what,
        where=endpoint.url,
        advice=say("Ask whoever runs Evenhand to set {line} and to restart it.", line=line_to_set(endpoint, numbers)),
    )

"""The ways to the interval, and which of them a page or a report leaves for later."""

from typing import get_args

from core.audits.transport.decision import Method
from core.audits.transport.result import TransportDetail

METHODS: tuple[Method, ...] = get_args(Method)

LARGEST_AT_ONCE: dict[Method, float] = {
    "m out of n": 1e8,
    "m out of n, chosen from the data": 3e6,
    "directional derivative": 1e8,
    "Efron": 1e8,
}
"""Draws times kinds of people up to which a way takes less than half a minute; the closed form draws nothing."""


def ways_at_once(detail: TransportDetail, read: Method) -> tuple[Method, ...]:
    """The ways that are quick enough to stand beside the one that is read, which is always among them."""
    work = len(detail.cells) * detail.draws
    return tuple(method for method in METHODS if method == read or work <= LARGEST_AT_ONCE.get(method, work))

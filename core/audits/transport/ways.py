"""The ways to the interval, and which of them a page or a report leaves for later."""

from typing import get_args

from core.audits.transport.detail import TransportDetail
from core.audits.transport.reading import Method

METHODS: tuple[Method, ...] = get_args(Method)

SLOW: Method = "m out of n, chosen from the data"
"""It resamples at many sizes, so that it takes many times as long as the others."""

LARGEST_AT_ONCE = 3_000_000
"""Where draws times kinds of people are more, the slow way takes from half a minute to several."""


def ways_at_once(detail: TransportDetail, read: Method) -> tuple[Method, ...]:
    """The ways that are quick enough to stand beside the one that is read, which is always among them."""
    every_one = len(detail.cells) * detail.draws <= LARGEST_AT_ONCE or read == SLOW
    return METHODS if every_one else tuple(method for method in METHODS if method != SLOW)

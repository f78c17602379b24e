"""How many threads a network of texts is computed with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.text.network import AbstractTextNetwork

SMALL_WIDTH = 256
"""Up to this width of the pooled embedding two threads are slower than one: 40 texts of the sample recurrent network
took 6.7 s instead of 2.0 s, of the sample BERT 1.7 s instead of 1.1 s."""


@contextmanager
def threads_for(network: AbstractTextNetwork) -> Iterator[None]:
    """One thread for small networks, torch's own number for others; what was set before is set again."""
    import torch

    before = torch.get_num_threads()
    if network.pooled_width <= SMALL_WIDTH:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)

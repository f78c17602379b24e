"""Networks are computed on one thread, so that digits are the same on every machine; what was set is set again."""

from collections.abc import Iterator

import pytest
import torch

from core.text.network import SMALL_WIDTH, AbstractTextNetwork, computing_with
from tests.builders_text import make_network


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def wide() -> AbstractTextNetwork:
    network = make_network()
    network.pooled_width = SMALL_WIDTH + 1
    return network


def test_networks_get_one_thread_and_what_was_set_comes_back(wide: AbstractTextNetwork) -> None:
    with computing_with(wide):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2
    with pytest.raises(ValueError, match="anything"), computing_with(wide):
        raise ValueError("anything")
    assert torch.get_num_threads() == 2


def test_a_wide_layer_makes_the_same_of_few_texts_however_many_threads_there_are(wide: AbstractTextNetwork) -> None:
    """Of five texts two threads may add up in another order than one."""
    generator, found = torch.Generator().manual_seed(0), []
    pooled, weights = torch.randn(5, 768, generator=generator), torch.randn(768, 768, generator=generator)
    for threads in (1, 2):
        torch.set_num_threads(threads)
        with computing_with(wide):
            found.append(torch.nn.functional.linear(pooled, weights))
    assert torch.equal(*found)

"""Small networks are computed with one thread; what was set before is set again, also after a failure."""

import pytest
import torch

from core.text.network import SMALL_WIDTH, computing_with
from tests.builders_text import make_network


@pytest.fixture
def two_threads() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize(("width", "threads"), [(SMALL_WIDTH, 1), (SMALL_WIDTH + 1, 2)])
def test_small_networks_get_one_thread_and_what_was_set_comes_back(width: int, threads: int) -> None:
    network = make_network()
    network.pooled_width = width
    with computing_with(network):
        assert torch.get_num_threads() == threads
    assert torch.get_num_threads() == 2
    with pytest.raises(ValueError, match="anything"), computing_with(network):
        raise ValueError("anything")
    assert torch.get_num_threads() == 2

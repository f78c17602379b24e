"""The recurrent classifier: padding changes nothing, pooling is what it says, and its card tells every shape."""

import copy
from typing import Any

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from core.base.errors import ModelError
from core.models.formats.lstm.network import LstmCard, LstmNetwork
from tests.builders_text import VOCABULARY, make_network, make_tokeniser

SHAPES: list[dict[str, Any]] = [
    {"pooling": pooling, "directions": directions, "layers": layers}
    for pooling in ("last", "mean", "max")
    for directions in (1, 2)
    for layers in (1, 2)
]


def exact(network: LstmNetwork) -> LstmNetwork:
    """The same network in float64."""
    network.module.double()
    return network


def embedded(network: LstmNetwork, rows: int, tokens: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(rows, tokens, network.width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_pooled_embedding_is_that_of_a_loop_over_the_tokens(shape: dict[str, Any]) -> None:
    """By hand from the equations of an LSTM (Hochreiter and Schmidhuber, 1997), token by token in NumPy."""
    network = exact(make_network(**shape))
    x = embedded(network, 1, 7)
    weights = {name.removeprefix("lstm."): value.numpy() for name, value in network.module.state_dict().items()}
    states = x[0].numpy()
    last: list[np.ndarray] = []
    for layer in range(shape["layers"]):
        both, last = [], []
        for suffix in ("", "_reverse")[: shape["directions"]]:
            run = by_hand(weights, f"l{layer}{suffix}", states[::-1] if suffix else states)
            last.append(run[-1])
            both.append(run[::-1] if suffix else run)
        states = np.concatenate(both, axis=1)
    expected = {"last": np.concatenate(last), "mean": states.mean(axis=0), "max": states.max(axis=0)}
    found = network.pooled(x, torch.ones(1, 7, dtype=torch.bool))
    np.testing.assert_allclose(found.numpy()[0], expected[shape["pooling"]], atol=1e-12)


def by_hand(weights: dict[str, np.ndarray], part: str, x: np.ndarray) -> np.ndarray:
    hidden = cell = np.zeros(weights[f"weight_hh_{part}"].shape[1])
    found = []
    for row in x:
        gates = weights[f"weight_ih_{part}"] @ row + weights[f"bias_ih_{part}"]
        gates = gates + weights[f"weight_hh_{part}"] @ hidden + weights[f"bias_hh_{part}"]
        enter, forget, new, leave = np.split(gates, 4)
        cell = sigmoid(forget) * cell + sigmoid(enter) * np.tanh(new)
        hidden = sigmoid(leave) * np.tanh(cell)
        found.append(hidden)
    return np.array(found)


def sigmoid(value: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-value))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_padding_changes_no_answer_and_gets_no_gradient(shape: dict[str, Any]) -> None:
    network = exact(make_network(**shape))
    x = embedded(network, 4, 6)
    lengths = [6, 3, 1, 0]
    mask = torch.arange(6)[None, :] < torch.tensor(lengths)[:, None]
    padded = torch.where(mask[:, :, None], x, torch.full_like(x, 1e6)).requires_grad_(True)
    together = network.pooled(padded, mask)
    for row, length in enumerate(lengths):
        alone = network.pooled(x[row : row + 1, :length], mask[row : row + 1, :length])
        np.testing.assert_allclose(together[row].detach().numpy(), alone[0].numpy(), atol=1e-12)
    (gradient,) = torch.autograd.grad(network.head()(together).sum(), padded)
    assert torch.isfinite(gradient).all()
    assert (gradient[~mask] == 0).all()
    assert (gradient.abs().amax(dim=(1, 2)) > 0).tolist() == [True, True, True, False]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_text_without_tokens_is_pooled_to_zero(shape: dict[str, Any]) -> None:
    network = make_network(**shape)
    nothing = torch.zeros(2, 0, network.width)
    assert (network.pooled(nothing, torch.zeros(2, 0, dtype=torch.bool)) == 0).all()
    assert network.pooled(torch.ones(1, 3, network.width), torch.zeros(1, 3, dtype=torch.bool)).tolist() == [
        [0.0] * network.pooled_width
    ]


def test_gradients_can_be_taken_again_and_again() -> None:
    """K backwards of one forward, as the sensitivity audit takes them."""
    network = make_network(pooling="max", directions=2)
    x = embedded(network, 3, 5).float().requires_grad_(True)
    mask = torch.arange(5)[None, :] < torch.tensor([5, 2, 4])[:, None]
    answers = network.head()(network.pooled(x, mask)).softmax(dim=1)
    sums = sum(torch.autograd.grad(answers[:, k].sum(), x, retain_graph=True)[0] for k in range(3))
    assert isinstance(sums, torch.Tensor)
    assert sums.abs().max() < 1e-6


def test_a_fresh_network_is_frozen_and_follows_its_generator() -> None:
    first, again, other = make_network(seed=1), make_network(seed=1), make_network(seed=2)
    for name, value in first.module.state_dict().items():
        assert torch.equal(value, again.module.state_dict()[name])
        assert not torch.equal(value, other.module.state_dict()[name])
    assert not first.module.training
    assert not any(parameter.requires_grad for parameter in first.module.parameters())
    assert (first.module["lstm"].bias_ih_l0[5:10] == 1).all()


def test_the_global_random_state_is_not_touched() -> None:
    before = torch.random.get_rng_state()
    make_network()
    assert torch.equal(before, torch.random.get_rng_state())


def test_words_become_rows_of_the_table() -> None:
    network = make_network()
    ids = torch.tensor([[4, 0, 9]])
    expected = network.module["embedding"].weight[[4, 0, 9]]
    assert torch.equal(network.word_embeddings(ids)[0], expected)
    assert (network.width, network.pooled_width, network.classes) == (6, 5, ("doctor", "nurse", "teacher"))


def test_texts_are_cut_to_what_the_network_reads() -> None:
    network = make_network(longest=5)
    (tokens,) = network.read(["she is a nurse and she works"])
    assert [VOCABULARY[number] for number in tokens.ids] == ["[CLS]", "she", "is", "a", "[SEP]"]
    assert network.vocabulary == make_tokeniser().vocabulary


def test_a_copy_can_be_trained_without_the_original() -> None:
    network = make_network()
    copied = copy.deepcopy(network)
    with torch.no_grad():
        copied.module["head"].weight += 1
    assert not torch.equal(copied.module["head"].weight, network.module["head"].weight)
    assert copied.read(["she"])[0].ids.tolist() == network.read(["she"])[0].ids.tolist()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_card_tells_every_tensor_and_their_number(shape: dict[str, Any]) -> None:
    network = make_network(**shape)
    found = {name: tuple(value.shape) for name, value in network.module.state_dict().items()}
    assert found == network.card.shapes
    counted = sum(value.numel() for value in network.module.state_dict().values())
    assert counted == network.card.parameters


def test_a_tokeniser_with_more_tokens_than_embeddings_is_refused() -> None:
    with pytest.raises(ModelError, match=rf"up to {len(VOCABULARY) - 1} and the network has embeddings for 10"):
        make_network(vocabulary=10)


def test_no_room_for_a_text_is_refused() -> None:
    with pytest.raises(ModelError, match="do not fit"):
        make_network(longest=1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"classes": ("nurse",)}, "at least 2"),
        ({"classes": ("nurse", "nurse")}, "named twice"),
        ({"classes": ("nurse", "")}, "at least 1 character"),
        ({"hidden": 5000}, "less than or equal to 4096"),
        ({"vocabulary": 1_000_000, "embedding": 4096}, "weights; at most"),
        ({"hidden": 4096, "layers": 8, "directions": 2}, "weights; at most"),
        ({"layers": 0}, "greater than or equal to 1"),
        ({"directions": 3}, "1 or 2"),
        ({"pooling": "attention"}, "'last', 'mean' or 'max'"),
        ({"version": 2}, "should be 1"),
        ({"format": "other"}, "evenhand text lstm"),
        ({"code": "import os"}, "Extra inputs"),
        ({"longest": 100_000}, "less than or equal to 4096"),
    ],
    ids=str,
)
def test_a_card_with_absurd_numbers_is_refused(change: dict[str, Any], says: str) -> None:
    fields = {"vocabulary": 60, "embedding": 6, "hidden": 5, "classes": ("a", "b")} | change
    with pytest.raises(ValidationError, match=says):
        LstmCard.model_validate(fields)

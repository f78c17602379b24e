"""Derivatives against captum, finite differences and a loop over texts and classes; laws they obey."""

import numpy as np
import pytest
import torch

from core.audits.text_sensitivity.gradients import Gradients, differentiate, softmax
from core.text.tokens import Tokens
from tests.toy_text_models import ToyNetwork, biographies

CLASSES = ("a", "b", "c", "d", "e")
TEXTS = biographies(12, np.random.default_rng(3))[0]
WEIGHTS = np.array([0.1, 0.0, 0.4, 0.3, 0.2])


@pytest.fixture(scope="module")
def network() -> ToyNetwork:
    return ToyNetwork(CLASSES, seed=4)


@pytest.fixture(scope="module")
def tokens(network) -> tuple[Tokens, ...]:
    return network.read(TEXTS)


@pytest.fixture(scope="module")
def found(network, tokens) -> Gradients:
    return differentiate(network, tokens, WEIGHTS)


def by_hand(network: ToyNetwork, one: Tokens) -> np.ndarray:
    """J of one text by one backward pass a class, shape (K, N, D)."""
    ids = torch.from_numpy(one.ids)[None]
    rows = []
    for k in range(len(network.classes)):
        x = network.word_embeddings(ids).clone().requires_grad_()
        f = softmax(network.head()(network.pooled(x, torch.ones_like(ids, dtype=torch.bool))))
        f[0, k].backward()
        rows.append(x.grad[0].abs().numpy())
    return np.array(rows)


def test_a_loop_over_texts_and_classes_gives_the_same(network, tokens, found) -> None:
    for row, one in enumerate(tokens):
        jacobian = by_hand(network, one)
        n = len(one)
        np.testing.assert_allclose(found.weighted[row, :n], np.tensordot(WEIGHTS, jacobian, 1), rtol=2e-4, atol=2e-7)
        np.testing.assert_allclose(found.by_class[row, :n], jacobian.sum(2).T, rtol=2e-4, atol=5e-7)
        assert not found.weighted[row, n:].any()
        assert not found.by_class[row, n:].any()


def test_captum_gives_the_same(network, tokens, found) -> None:
    from captum.attr import Saliency  # which draws: not for every worker that collects this file

    for row, one in enumerate(tokens[:4]):
        ids = torch.from_numpy(one.ids)[None]
        mask = torch.ones_like(ids, dtype=torch.bool)
        saliency = Saliency(lambda x, mask=mask: softmax(network.head()(network.pooled(x, mask))))
        x = network.word_embeddings(ids).requires_grad_()
        theirs = sum(w * saliency.attribute(x, target=k)[0].detach().numpy() for k, w in enumerate(WEIGHTS))
        np.testing.assert_allclose(found.weighted[row, : len(one)], theirs, rtol=2e-4, atol=2e-7)


def test_central_differences_in_float64_give_the_same() -> None:
    exact = ToyNetwork(CLASSES, dtype=torch.float64, seed=4)
    (one,) = exact.read([TEXTS[0][:40]])
    ids = torch.from_numpy(one.ids)[None]
    mask, step = torch.ones_like(ids, dtype=torch.bool), 1e-5
    x = exact.word_embeddings(ids)
    expected = np.zeros(x.shape[1:])
    for place in np.ndindex(*expected.shape):
        move = torch.zeros_like(x)
        move[(0, *place)] = step
        up, down = (softmax(exact.head()(exact.pooled(x + sign * move, mask)))[0] for sign in (1, -1))
        expected[place] = WEIGHTS @ ((up - down) / (2 * step)).abs().numpy()
    np.testing.assert_allclose(differentiate(exact, [one], WEIGHTS).weighted[0], expected, rtol=1e-6, atol=1e-9)


def test_two_classes_have_the_same_derivative_up_to_its_sign(tokens) -> None:
    found = differentiate(ToyNetwork(("no", "yes"), seed=1), tokens)
    np.testing.assert_array_equal(found.by_class[..., 0], found.by_class[..., 1])


def test_one_logit_counts_as_zero_and_itself(tokens) -> None:
    single = ToyNetwork(("no", "yes"), outputs=1, seed=2)
    double = ToyNetwork(("no", "yes"), seed=2)
    double.last.weight.data = torch.cat([torch.zeros_like(single.last.weight), single.last.weight])
    one, two = differentiate(single, tokens), differentiate(double, tokens)
    assert one.probabilities.shape == (len(tokens), 2)
    np.testing.assert_allclose(one.weighted, two.weighted, rtol=1e-5, atol=1e-8)


def test_neither_the_batch_nor_its_order_nor_padding_matters(network, tokens, found) -> None:
    order = np.random.default_rng(0).permutation(len(tokens))
    for size in (1, 5):
        for first in range(0, len(order), size):
            rows = order[first : first + size]
            part = differentiate(network, [tokens[row] for row in rows], WEIGHTS)
            for place, row in enumerate(rows):
                n = len(tokens[row])
                np.testing.assert_allclose(part.weighted[place, :n], found.weighted[row, :n], rtol=2e-4, atol=2e-7)
                np.testing.assert_allclose(part.probabilities[place], found.probabilities[row], atol=1e-6)


def test_classes_in_another_order_give_the_same_in_that_order(network, tokens, found) -> None:
    order = np.array([3, 0, 4, 2, 1])
    turned = ToyNetwork(CLASSES, seed=4)
    turned.last.weight.data = network.last.weight.data[order]
    other = differentiate(turned, tokens, WEIGHTS[order])
    np.testing.assert_allclose(other.weighted, found.weighted, rtol=2e-4, atol=2e-7)
    np.testing.assert_allclose(other.by_class, found.by_class[..., order], rtol=2e-4, atol=5e-7)


def test_a_model_sure_of_itself_keeps_its_derivatives() -> None:
    """Softmax of float32 is 1 here, and the derivative of the sure class as torch computes it is too small."""
    sure, exact = (ToyNetwork(scale=12.0, dtype=dtype, seed=7) for dtype in (torch.float32, torch.float64))
    tokens = sure.read(TEXTS)
    ours, theirs = differentiate(sure, tokens), differentiate(exact, tokens)
    certain = theirs.probabilities.max(axis=1) > 1 - 1e-8
    assert certain.any()
    assert (ours.probabilities.max(axis=1)[certain] == 1).all()
    total = theirs.weighted.sum(axis=(1, 2))
    np.testing.assert_allclose(ours.weighted.sum(axis=(1, 2)), total, rtol=1e-3)


def test_nothing_is_touched(network, tokens) -> None:
    before = {name: value.clone() for name, value in network.last.state_dict().items()}
    state, threads = torch.random.get_rng_state(), torch.get_num_threads()
    with torch.no_grad():
        differentiate(network, tokens)
        assert not torch.is_grad_enabled()
    assert not any(parameter.requires_grad or parameter.grad is not None for parameter in network.last.parameters())
    assert not network.table.requires_grad
    assert not network.last.training
    assert torch.equal(torch.random.get_rng_state(), state)
    assert torch.get_num_threads() == threads
    assert all(torch.equal(value, before[name]) for name, value in network.last.state_dict().items())

"""Theorems 1 and 2 and Appendix B of papers/prediction-sensitivity.md."""

from collections.abc import Sequence

import cvxpy as cp
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audits.text_sensitivity.gradients import differentiate
from core.audits.text_sensitivity.measures import measure
from core.models.formats.lstm.network import LstmNetwork
from core.text.network import AbstractTextNetwork
from core.text.tokens import Tokens
from core.text.word_lists import WordList
from core.workflows.papers.sensitivity import constrained_slope
from tests.builders_text import make_network, make_texts
from tests.toy_text_models import ToyNetwork, biographies


class LinearSoftmax(AbstractTextNetwork):
    """softmax(Wx + b) of all numbers x of N tokens of D numbers each; the tokens are given, not read."""

    def __init__(self, weight: np.ndarray, tokens: int) -> None:
        self.classes = tuple(map(str, range(len(weight))))
        self.width, self.pooled_width = weight.shape[1] // tokens, weight.shape[1]
        self.vocabulary = "given"
        self.last = torch.nn.Linear(weight.shape[1], len(weight), dtype=torch.float64).requires_grad_(False)
        self.last.weight.data = torch.from_numpy(weight)
        self.table = torch.randn(50, self.width, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

    def read(self, texts: Sequence[str]) -> tuple[Tokens, ...]:
        raise NotImplementedError

    def word_embeddings(self, ids: torch.Tensor) -> torch.Tensor:
        return self.table[ids]

    def pooled(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return embeddings.flatten(1)

    def head(self) -> torch.nn.Module:
        return self.last


def given_tokens(ids: np.ndarray) -> Tokens:
    places = np.arange(len(ids))
    return Tokens(ids, places, places + 1, np.zeros(len(ids), dtype=bool), len(ids))


def test_theorem_1_a_model_deaf_to_the_words_of_the_list_has_p4_and_p5_of_zero() -> None:
    words = WordList()
    texts, _ = biographies(20, np.random.default_rng(0))
    deaf = ToyNetwork(("a", "b", "c"), deaf=tuple(sorted(words.listed)), seed=1)
    hears = ToyNetwork(("a", "b", "c"), seed=1)
    for network, silent in ((deaf, True), (hears, False)):
        tokens = network.read(texts)
        found = differentiate(network, tokens)
        for row, (text, one) in enumerate(zip(texts, tokens, strict=True)):
            listed = np.array([word_at(text, start) in words.listed for start in one.start]) & ~one.special
            n = len(one)
            measures, signed = measure(found.weighted[row, :n], found.embeddings[row, :n], None, listed)
            assert measures[0] > 0
            if silent:
                assert measures[3] == measures[4] == signed[1] == 0
            else:
                assert measures[3] > 0


def word_at(text: str, start: int) -> str:
    """The run of letters around a letter; nothing around a sign."""
    if not text[start].isalpha():
        return ""
    begin = start
    while begin and text[begin - 1].isalpha():
        begin -= 1
    end = start
    while end < len(text) and text[end].isalpha():
        end += 1
    return text[begin:end].lower()


@given(seed=st.integers(0, 2**32 - 1), bound=st.floats(0.01, 2.0), norm=st.sampled_from([1, 2]))
@settings(max_examples=60, deadline=None)
def test_theorem_2_p_is_at_most_the_lipschitz_constant(seed: int, bound: float, norm: int) -> None:
    """Of softmax(Wx): half the largest range of a column of W in L1, half the largest singular value in L2.

    Σ_k |p_k (W_ki - Σ_m p_m W_mi)| is at most half the range of W's column i (a mean absolute deviation), and softmax
    is ½-Lipschitz in L2 (Gao and Pavel 2017, prop. 4, with constant 1; the sharper ½ follows from diag(p) - ppᵀ).
    """
    rng = np.random.default_rng(seed)
    classes, tokens, width = int(rng.integers(2, 7)), int(rng.integers(1, 6)), int(rng.integers(1, 4))
    weight = rng.normal(size=(classes, tokens * width)) * rng.gamma(0.5, 4.0, size=tokens * width)
    constant = np.ptp(weight, axis=0).max() / 2 if norm == 1 else np.linalg.norm(weight, 2) / 2
    network = LinearSoftmax(weight * bound / constant, tokens)
    texts = [given_tokens(rng.integers(0, 50, tokens)) for _ in range(4)]
    found = differentiate(network, texts, rng.dirichlet(np.ones(classes)))
    listed = np.arange(tokens) == 0
    for weighted, x in zip(found.weighted, found.embeddings, strict=True):
        for concentration in (0.05, 1.0):
            v = rng.dirichlet(np.full(weighted.size, concentration)).reshape(weighted.shape)
            p = measure(weighted, x, v, listed)[0]
            assert p[[0, 1, 3]].max() <= bound * (1 + 1e-9)
    flat = found.embeddings.reshape(4, -1)
    moved = np.linalg.norm(found.probabilities[1:] - found.probabilities[:-1], ord=norm, axis=1)
    apart = np.linalg.norm(flat[1:] - flat[:-1], ord=norm, axis=1)
    assert (moved <= bound * apart + 1e-12).all(), "the constant is one"


def test_theorem_2_says_something_a_model_without_the_constraint_exceeds_the_bound() -> None:
    steep = LinearSoftmax(np.array([[8.0, 0.0], [0.0, 8.0]]), tokens=1)
    steep.table = torch.zeros(50, 2, dtype=torch.float64)
    assert differentiate(steep, [given_tokens(np.array([0]))]).by_class.max() > 1.0


@pytest.mark.parametrize("bound", [0.02, 0.05, 0.1, 0.1125, 0.15, 0.2])
def test_appendix_b_p_follows_l_up_to_the_unconstrained_optimum(bound: float) -> None:
    """x uniform on [0, 10], y = 1 from 5 on, f = θx, least squares under |θ| ≤ L: P = min(L, 0.1125).

    The paper says that the unconstrained optimum is 0.1. It is E[xy]/E[x²] = 3.75/(100/3) = 0.1125.
    """
    x = (np.arange(2000) + 0.5) / 200
    theta = cp.Variable()
    cp.Problem(cp.Minimize(cp.sum_squares((x >= 5) - theta * x)), [cp.abs(theta) <= bound]).solve()
    assert constrained_slope(bound) == pytest.approx(float(theta.value), abs=2e-5)
    derivative = np.full((1, 1), abs(constrained_slope(bound)))
    p = measure(derivative, derivative, np.ones((1, 1)), np.array([True]))[0]
    assert p[[0, 1, 3]] == pytest.approx(min(bound, 0.1125), abs=2e-5)


def test_p3_and_p5_know_no_unit_of_the_embeddings_and_the_others_do() -> None:
    """An embedding table c times as large, read by a layer with weights c times as small, is the same classifier."""
    network, c = make_network(), 3.7
    weights = {name: value.clone() for name, value in network.module.state_dict().items()}
    weights["embedding.weight"] *= c
    for name in weights:
        if name.startswith("lstm.weight_ih_l0"):
            weights[name] /= c
    larger = LstmNetwork(network.card, network.tokeniser, weights)
    tokens = network.read(make_texts(20)["text"].tolist())
    v = np.random.default_rng(0).dirichlet(np.ones(400)).reshape(-1, 1)
    one, other = differentiate(network, tokens), differentiate(larger, tokens)
    np.testing.assert_allclose(other.probabilities, one.probabilities, rtol=1e-5)
    for row, read in enumerate(tokens):
        n = len(read)
        share = np.repeat(v[:n], network.width, axis=1) / v[:n].sum() / network.width
        listed = np.arange(n) % 2 == 0
        (own, signed), (found, found_signed) = (
            measure(each.weighted[row, :n], each.embeddings[row, :n], share, listed) for each in (one, other)
        )
        np.testing.assert_allclose(found[[2, 4]], own[[2, 4]], rtol=1e-3)
        np.testing.assert_allclose(found_signed, signed, rtol=1e-2, atol=1e-3 * own[[2, 4]].max())
        np.testing.assert_allclose(found[[0, 1, 3]] * c, own[[0, 1, 3]], rtol=1e-3)

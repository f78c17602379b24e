"""P = wᵀJv against explicit matrices, and the laws of the paper and of sums over words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audits.text_sensitivity.at_words import by_word
from core.audits.text_sensitivity.measures import by_coordinates, by_words, measure, swapped

seeds = st.integers(0, 2**32 - 1)


def case(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """w (K,), J (K, N·D), x (N, D), v (N, D) and listed tokens (N,), at least one."""
    rng = np.random.default_rng(seed)
    classes, tokens, width = rng.integers(2, 6), rng.integers(1, 9), rng.integers(1, 5)
    w = rng.dirichlet(np.ones(classes))
    jacobian = np.abs(rng.normal(size=(classes, tokens * width)))
    x = rng.normal(size=(tokens, width))
    v = rng.dirichlet(np.ones(tokens * width)).reshape(tokens, width)
    listed = rng.random(tokens) < 0.5
    listed[rng.integers(tokens)] = True
    return w, jacobian, x, v, listed


@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_every_measure_is_w_j_v_with_explicit_matrices(seed: int) -> None:
    w, jacobian, x, v, listed = case(seed)
    named = np.repeat(listed, x.shape[1])
    even, hard = np.full(x.size, 1 / x.size), named / named.sum()
    flat, sizes = v.ravel(), np.abs(x).ravel()
    found, signed = measure((w @ jacobian).reshape(x.shape), x, v, listed)
    expected = [w @ jacobian @ one for one in (even, flat, flat * sizes, hard, hard * sizes)]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(signed, [w @ jacobian @ (one * x.ravel()) for one in (flat, hard)], atol=1e-12)


@given(seed=seeds, share=st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_p_is_linear_in_v_and_no_more_than_the_largest_derivative(seed: int, share: float) -> None:
    w, jacobian, x, v, listed = case(seed)
    weighted = (w @ jacobian).reshape(x.shape)
    even = np.full(x.shape, 1 / x.size)
    mixed, one, other = (measure(weighted, x, a, listed)[0] for a in (share * v + (1 - share) * even, v, even))
    assert mixed[1] == pytest.approx(share * one[1] + (1 - share) * other[1])
    assert mixed[2] == pytest.approx(share * one[2] + (1 - share) * other[2])
    assert max(one[0], one[1], one[3]) <= jacobian.max() * (1 + 1e-12)
    assert other[1] == pytest.approx(one[0])
    assert abs(measure(weighted, x, v, listed)[1][0]) <= one[2] * (1 + 1e-12)


def test_what_is_not_applicable_is_no_number() -> None:
    weighted = np.ones((2, 3))
    without_v, signed = measure(weighted, weighted, None, np.array([True, False]))
    np.testing.assert_array_equal(np.isnan(without_v), [False, True, True, False, False])
    np.testing.assert_array_equal(np.isnan(signed), [True, False])
    without_list, signed = measure(weighted, weighted, weighted / 6, np.array([False, False]))
    np.testing.assert_array_equal(np.isnan(without_list), [False, False, False, True, True])
    np.testing.assert_array_equal(np.isnan(signed), [False, True])
    nothing, signed = measure(np.ones((0, 3)), np.ones((0, 3)), None, np.zeros(0, dtype=bool))
    assert np.isnan(nothing).all()
    assert np.isnan(signed).all()


@given(seed=seeds)
@settings(max_examples=40, deadline=None)
def test_v_laid_over_words_keeps_each_words_share_and_is_stochastic(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words, width = rng.integers(1, 7), rng.integers(1, 4)
    derivatives = rng.gamma(1.0, size=(rng.integers(1, 12), 3))
    status_word = np.sort(rng.integers(0, words, len(derivatives)))
    word = np.sort(np.r_[np.arange(words), rng.integers(0, words, 4)])
    v = by_words(derivatives, status_word, word, words, width)
    assert v is not None
    assert v.shape == (len(word), width)
    assert v.sum() == pytest.approx(1.0)
    shares = np.array([derivatives[status_word == one].sum() for one in range(words)]) / derivatives.sum()
    np.testing.assert_allclose(by_word(v, word, words).sum(axis=1), shares, atol=1e-12)
    for one in range(words):
        assert np.ptp(v[word == one]) == 0


def test_words_that_the_model_does_not_read_give_their_share_to_the_others() -> None:
    derivatives, status_word = np.array([[1.0], [2.0], [5.0]]), np.array([0, 1, 2])
    v = by_words(derivatives, status_word, np.array([0, 1, 1]), 3, 2)
    np.testing.assert_allclose(v, [[1 / 6] * 2, [1 / 6] * 2, [1 / 6] * 2])


def test_v_by_coordinates_is_what_the_paper_says_where_both_read_all() -> None:
    derivatives = np.random.default_rng(0).gamma(1.0, size=(4, 3))
    np.testing.assert_allclose(by_coordinates(derivatives, 4), derivatives / derivatives.sum())
    shorter = by_coordinates(derivatives, 3)
    np.testing.assert_allclose(shorter, derivatives[:3] / derivatives[:3].sum())
    longer = by_coordinates(derivatives, 6)
    np.testing.assert_allclose(longer[:4], derivatives / derivatives.sum())
    assert not longer[4:].any()


def test_a_status_model_that_reacts_to_nothing_has_no_v() -> None:
    assert by_coordinates(np.zeros((3, 2)), 3) is None
    assert by_words(np.zeros((3, 2)), np.arange(3), np.arange(3), 3, 2) is None
    assert by_words(np.ones((1, 2)), np.array([2]), np.array([0, 1]), 3, 2) is None


@given(seed=seeds)
@settings(max_examples=40, deadline=None)
def test_sums_over_words_conserve_everything(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.gamma(1.0, size=(rng.integers(1, 20), 3))
    word = rng.integers(0, 6, len(values))
    np.testing.assert_allclose(by_word(values, word, 6).sum(axis=0), values.sum(axis=0))


@given(seed=seeds)
@settings(max_examples=40, deadline=None)
def test_cf_is_the_share_of_probability_that_moves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before, after = rng.dirichlet(np.full(4, 0.3), size=(2, 9))
    moved = swapped(before, after)
    assert ((moved >= 0) & (moved <= 1)).all()
    np.testing.assert_allclose(moved, np.maximum(after - before, 0).sum(axis=1), atol=1e-12)
    np.testing.assert_array_equal(swapped(before, before), 0)
    np.testing.assert_allclose(swapped(np.eye(4), np.eye(4)[::-1]), 1.0)

"""Comparable pairs: a planted subspace is found, and its rows stay out of the audit."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.base.errors import MetricError
from core.contracts.metric import principal_angles
from core.metrics import ComparablePairs
from core.metrics.comparable_pairs import contrast


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def planted(encode):
    """400 people in six columns; 150 pairs differ along two known directions and a little noise."""
    draw = np.random.default_rng(6)
    basis = np.linalg.qr(draw.standard_normal((6, 2)))[0].T
    x = draw.standard_normal((400, 6))
    x[150:300] = x[:150] + 2 * draw.standard_normal((150, 2)) @ basis + 0.02 * draw.standard_normal((150, 6))
    frame = pd.DataFrame(x, columns=list("abcdef")).assign(sex=draw.choice(["f", "m"], 400))
    return encode(frame, tuple("abcdef"), ("sex",)), basis, tuple((k, k + 150) for k in range(150))


def test_a_planted_subspace_is_found(planted) -> None:
    data, basis, pairs = planted
    metric = ComparablePairs(pairs=pairs).fit(data, rng())
    assert len(metric.free) == 2
    assert principal_angles(metric.free, basis).max() < 0.5
    assert metric.spectrum[1] > 0.5 > 100 * metric.spectrum[2]
    assert metric.caveats == ()


def test_the_order_within_and_among_pairs_does_not_matter(planted) -> None:
    data, _, pairs = planted
    first = ComparablePairs(pairs=pairs, directions=2).fit(data, rng())
    turned = tuple((j, i) if i % 2 else (i, j) for i, j in reversed(pairs))
    second = ComparablePairs(pairs=turned, directions=2).fit(data, rng())
    np.testing.assert_allclose(first.matrix, second.matrix, atol=1e-12)


def test_row_numbers_are_those_of_the_file_whatever_rows_are_present(planted) -> None:
    data, _, pairs = planted
    order = np.random.default_rng(2).permutation(len(data))
    shuffled = ComparablePairs(pairs=pairs, directions=2).fit(data.take(order), rng())
    np.testing.assert_allclose(
        shuffled.matrix, ComparablePairs(pairs=pairs, directions=2).fit(data, rng()).matrix, atol=1e-12
    )


def test_paired_rows_are_learned_from_and_not_audited(planted) -> None:
    data, _, pairs = planted
    learning, audited = ComparablePairs(pairs=pairs).split(data, rng())
    assert set(learning.dataset.frame.index) == set(range(300))
    assert set(audited.dataset.frame.index) == set(range(300, 400))
    everyone = ComparablePairs(pairs=pairs, learn_on="audited rows").split(data, rng())
    assert [len(part) for part in everyone] == [400, 400]


def test_auditing_paired_rows_is_recorded(planted) -> None:
    data, _, pairs = planted
    metric = ComparablePairs(pairs=pairs, learn_on="audited rows", directions=2).fit(data, rng())
    assert "rows that are audited" in metric.caveats[0].what


def test_too_few_rows_left_to_audit_are_refused(planted) -> None:
    data, _, pairs = planted
    with pytest.raises(MetricError, match="leave 20 rows to audit"):
        ComparablePairs(pairs=pairs).split(data.take(np.arange(320)), rng())


def test_few_pairs_missing_rows_and_missing_directions_are_said(planted) -> None:
    data, _, _ = planted
    metric = ComparablePairs(pairs=((0, 1), (2, 3), (2, 999)), directions=4).fit(data, rng())
    words = " ".join(caveat.what for caveat in metric.caveats)
    assert "Left out 1 of 3 pairs" in words
    assert "Only 2 pairs for 2 free directions" in words
    assert "in 2 directions only, free instead of the 4" in words


def test_pairs_that_say_nothing_are_refused(planted) -> None:
    data, _, _ = planted
    twins = replace(data, x=np.ones_like(data.x))
    for settings, table, words in (
        ({"pairs": ((3, 3),)}, data, "Row 4 is paired with itself"),
        ({"pairs": ((3, 900),)}, data, "row 901"),
        ({"pairs": ((0, 1),)}, twins, "alike in all columns"),
    ):
        with pytest.raises(MetricError, match=words):
            ComparablePairs(**settings).fit(table, rng())


def test_the_ratios_are_those_of_mean_squared_differences() -> None:
    """With rows enough that nothing is shrunk: along each axis, pairs' squared differences over random pairs'."""
    draw = np.random.default_rng(1)
    x = draw.standard_normal((20_000, 3)) * [1.0, 5.0, 0.2]
    differences = draw.standard_normal((5_000, 3)) * [0.3, 0.3, 0.3]
    ratios, directions = contrast(differences, x)
    expected = (differences**2).mean(axis=0) / (2 * x.var(axis=0))
    np.testing.assert_allclose(ratios, np.sort(expected)[::-1], rtol=0.05)
    assert np.abs(directions).argmax(axis=1).tolist() == [2, 0, 1]
    np.testing.assert_allclose(contrast(-differences, x + 7)[0], ratios)
    np.testing.assert_allclose(contrast(differences * 9, x * 9)[0], ratios)


@pytest.mark.parametrize(("noise", "free"), [(0.14, 1), (0.42, 1), (0.6, 1)])
def test_what_pairs_differ_in_by_chance_is_not_free(noise: float, free: int, encode) -> None:
    """60 pairs 1.5 apart along b: a share of .9 of their squared differences freed four of six directions at .42."""
    for seed in range(5):
        draw = np.random.default_rng(seed)
        x = draw.standard_normal((120, 6))
        x[60:] = x[:60] + noise * draw.standard_normal((60, 6))
        x[60:, 1] = x[:60, 1] + 1.5
        frame = pd.DataFrame(x, columns=list("abcdef")).assign(sex=["f", "m"] * 60)
        data, pairs = encode(frame, tuple("abcdef"), ("sex",)), tuple((k, k + 60) for k in range(60))
        metric = ComparablePairs(pairs=pairs).fit(data, rng())
        assert len(metric.free) == metric.found == free
        assert principal_angles(metric.free, np.eye(6)[1:2]).max() < 20
        assert metric.spectrum[0] > 0.5 > 1.3 * metric.spectrum[1]
        half = ComparablePairs(pairs=pairs).learned_again(data, metric, 1, rng())[0]()
        assert half is not None
        assert len(half.free) == free


def test_pairs_that_differ_by_chance_alone_free_nothing_unless_a_number_is_asked_for(encode) -> None:
    draw = np.random.default_rng(0)
    x = draw.standard_normal((120, 6))
    x[60:] = x[:60] + 0.3 * draw.standard_normal((60, 6))
    frame = pd.DataFrame(x, columns=list("abcdef")).assign(sex=["f", "m"] * 60)
    data, pairs = encode(frame, tuple("abcdef"), ("sex",)), tuple((k, k + 60) for k in range(60))
    with pytest.raises(MetricError, match="paired at random"):
        ComparablePairs(pairs=pairs).fit(data, rng())
    assert len(ComparablePairs(pairs=pairs, directions=2).fit(data, rng()).free) == 2


def cliques(encode, size: int, number: int, seed: int):
    """People who differ from those of their set by what should not matter, column a, and half as much by chance.

    Every two of a set are a pair; as many people again stand in none.
    """
    draw = np.random.default_rng(seed)
    x = np.repeat(draw.standard_normal((number, 6)), size, axis=0) + 0.5 * draw.standard_normal((number * size, 6))
    x[:, 0] += draw.standard_normal(number * size)
    frame = pd.DataFrame(np.concatenate([x, 1.5 * draw.standard_normal(x.shape)]), columns=list("abcdef"))
    data = encode(frame.assign(sex=np.resize(["f", "m"], len(frame))), tuple("abcdef"), ("sex",))
    within = [(i, j) for j in range(size) for i in range(j)]
    pairs = tuple((first * size + i, first * size + j) for first in range(number) for i, j in within)
    return data, ComparablePairs(pairs=pairs, directions=1)


@pytest.mark.parametrize(("size", "number"), [(2, 60), (4, 20), (8, 12)], ids="{}".format)
def test_halves_turn_as_far_from_all_pairs_as_these_lie_from_the_truth_though_pairs_share_people(
    encode, size: int, number: int
) -> None:
    """Pairs dealt out one by one, those of sets of eight turned a quarter as far, in the square."""
    turned, wrong = [], []
    for seed in range(20):
        data, metric = cliques(encode, size, number, seed)
        whole = metric.fit(data, rng())
        halves = [metric.learn_from_half(data, whole, np.random.default_rng([seed, k]))() for k in range(3)]
        turned += [principal_angles(whole.free, half.free).max() for half in halves]
        wrong.append(principal_angles(whole.free, np.eye(6)[:1]).max())
    mean = [np.mean(np.sin(np.radians(angles)) ** 2) for angles in (turned, wrong)]
    assert 0.6 < mean[0] / mean[1] < 2


def test_pairs_that_share_too_many_people_are_told_and_no_half_is_learned(encode) -> None:
    data, metric = cliques(encode, 4, 9, 0)
    found = metric.fit(data, rng())
    assert any("9 sets that have nobody in common" in caveat.what for caveat in found.caveats)
    assert [learn() for learn in metric.learned_again(data, found, 3, rng())] == [None] * 3
    chain = metric.model_copy(update={"pairs": tuple((k, k + 1) for k in range(30))})
    assert any("All pairs hang together" in caveat.what for caveat in chain.fit(data, rng()).caveats)
    enough = cliques(encode, 4, 10, 0)
    assert not any("in common" in caveat.what for caveat in enough[1].fit(enough[0], rng()).caveats)


def test_pairs_of_the_same_persons_rows_share_them(encode) -> None:
    data, metric = cliques(encode, 2, 12, 0)
    roles = data.dataset.roles.model_copy(update={"belongs_to": "person"})
    frame = data.dataset.frame.assign(person=np.arange(len(data)) // 4)
    of_persons = replace(data, dataset=replace(data.dataset, roles=roles, frame=frame))
    assert not any("in common" in caveat.what for caveat in metric.fit(data, rng()).caveats)
    assert any("6 sets that have nobody in common" in caveat.what for caveat in metric.fit(of_persons, rng()).caveats)

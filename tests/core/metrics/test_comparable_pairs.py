"""Comparable pairs: a planted subspace is found, and its rows stay out of the audit."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.errors import MetricError
from core.metric import principal_angles
from core.metrics import ComparablePairs


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def planted(encode):
    """400 people in six columns; 150 pairs differ along two known directions and a little noise."""
    draw = np.random.default_rng(6)
    basis = np.linalg.qr(draw.standard_normal((6, 2)))[0].T
    x = draw.standard_normal((400, 6))
    x[150:300] = x[:150] + draw.standard_normal((150, 2)) @ basis + 0.02 * draw.standard_normal((150, 6))
    frame = pd.DataFrame(x, columns=list("abcdef")).assign(sex=draw.choice(["f", "m"], 400))
    return encode(frame, tuple("abcdef"), ("sex",)), basis, tuple((k, k + 150) for k in range(150))


def test_a_planted_subspace_is_found(planted) -> None:
    data, basis, pairs = planted
    metric = ComparablePairs(pairs=pairs, explained_share=0.98).fit(data, rng())
    assert len(metric.free) == 2
    assert principal_angles(metric.free, basis).max() < 0.5
    assert metric.spectrum[1] > 20 * metric.spectrum[2]
    assert metric.notices == ()


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
    assert "rows that are audited" in metric.notices[0].what


def test_too_few_rows_left_to_audit_are_refused(planted) -> None:
    data, _, pairs = planted
    with pytest.raises(MetricError, match="leave 20 rows to audit"):
        ComparablePairs(pairs=pairs).split(data.take(np.arange(320)), rng())


def test_few_pairs_missing_rows_and_missing_directions_are_said(planted) -> None:
    data, _, _ = planted
    metric = ComparablePairs(pairs=((0, 1), (2, 3), (2, 999)), directions=4).fit(data, rng())
    words = " ".join(notice.what for notice in metric.notices)
    assert "Left out 1 of 3 pairs" in words
    assert "Only 2 pairs for 2 free directions" in words
    assert "in 2 directions only, free instead of the 4" in words


def test_pairs_that_say_nothing_are_refused(planted) -> None:
    data, _, _ = planted
    twins = replace(data, x=np.ones_like(data.x))
    for settings, table, words in (
        ({"pairs": ((3, 3),)}, data, "Record 4 is paired with itself"),
        ({"pairs": ((3, 900),)}, data, "record 901"),
        ({"pairs": ((0, 1),)}, twins, "alike in all columns"),
    ):
        with pytest.raises(MetricError, match=words):
            ComparablePairs(**settings).fit(table, rng())

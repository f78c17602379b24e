"""Declared metrics: the laws of Σ, the paper's simulation metric, and every way to declare one wrongly."""

import math

import numpy as np
import pytest

from core.base.errors import MetricError, SettingsError
from core.metrics import Expert
from core.metrics.expert import UploadedMatrix


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def fit(data, **settings):
    return Expert(**settings).fit(data, rng())


def test_free_columns_vanish_from_the_distance_and_the_rest_stays_euclidean(mixed) -> None:
    metric = fit(mixed, free=("job", "sex"))
    held = [name in {"age", "hours", "nothing"} for name in mixed.encoder.names]
    moved = mixed.x[:50] - mixed.x[50:100]
    expected = (moved[:, held] ** 2).sum(axis=1)
    np.testing.assert_allclose(metric.squared_distance(mixed.x[:50], mixed.x[50:100]), expected, atol=1e-12)
    assert metric.caveats == ()


def test_the_sum_over_a_one_hot_block_stays_held(mixed) -> None:
    metric = fit(mixed, free=("job", "sex"))
    job = np.array([name.startswith("job") for name in mixed.encoder.names], dtype=float)
    assert len(metric.free) == 3
    np.testing.assert_allclose(metric.matrix @ job, job, atol=1e-12)


def test_weights_scale_squared_differences_and_zero_frees_a_column(mixed) -> None:
    metric = fit(mixed, weights=(("age", 4.0), ("hours", 0.0), ("job", 0.5)))
    weight = {"age": 4.0, "hours": 0.0, "nothing": 1.0, "sex": 1.0}
    expected = [weight.get(name, 0.5) for name in mixed.encoder.names]
    np.testing.assert_allclose(metric.matrix, np.diag(expected), atol=1e-15)
    np.testing.assert_allclose(np.abs(metric.free), np.eye(len(expected))[[1]], atol=1e-15)


@pytest.mark.parametrize("angle", [0, 5, 10, 20])
def test_the_metric_of_the_papers_simulation_is_given_exactly(encode, linear, angle) -> None:
    # reference/README.md: the penalty is (v·Δ)² with v = R(angle)(0, 1), so the free direction is R(angle)(1, 0).
    data, _ = linear(100, 0)
    plane = encode(data.dataset.frame[["a", "b", "sex"]], ("a", "b"), ("sex",))
    turn = math.radians(angle)
    metric = fit(plane, directions=((3 * math.cos(turn), 3 * math.sin(turn)),))
    held = np.array([-math.sin(turn), math.cos(turn)])
    np.testing.assert_allclose(metric.matrix, np.outer(held, held), atol=1e-15)


def test_directions_are_orthonormalised_and_doubles_count_once(mixed) -> None:
    width = mixed.encoder.width
    one, two = np.zeros(width), np.zeros(width)
    one[:2], two[:3] = (1.0, 1.0), (2.0, 2.0, 1.0)
    metric = fit(mixed, directions=(tuple(one), tuple(two), tuple(3 * one)), weights=(("age", 2.0),))
    assert len(metric.free) == 2
    np.testing.assert_allclose(metric.matrix @ np.stack([one, two], axis=1), 0, atol=1e-12)
    assert np.linalg.eigvalsh(metric.matrix)[0] > -1e-12


def test_protected_features_are_proposed_as_free(mixed) -> None:
    assert Expert.proposed(mixed.dataset.roles) == Expert(free=("sex",))


def test_nothing_free_is_called_a_test_of_plain_robustness(mixed) -> None:
    metric = fit(mixed)
    np.testing.assert_array_equal(metric.matrix, np.eye(mixed.encoder.width))
    assert metric.free.shape == (0, mixed.encoder.width)
    assert "plain robustness" in metric.caveats[0].what


def test_everything_free_leaves_the_weight_of_similarity_without_effect(mixed) -> None:
    metric = fit(mixed, free=mixed.encoder.features)
    np.testing.assert_allclose(metric.squared_distance(mixed.x[:50], mixed.x[50:100]), 0, atol=1e-12)
    assert "no effect" in metric.caveats[0].what


@pytest.mark.parametrize("settings", [{"free": ("salary",)}, {"weights": (("salary", 2.0),)}])
def test_an_unknown_column_is_named(mixed, settings) -> None:
    with pytest.raises(MetricError, match="reads no column 'salary'"):
        fit(mixed, **settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"free": ("age",), "weights": (("age", 1.0),)},
        {"weights": (("age", 1.0), ("age", 2.0))},
        {"weights": (("age", -1.0),)},
        {"free": ("age",), "matrix": UploadedMatrix(rows=((1.0,),))},
        {"directions": ((math.nan, 1.0),)},
        {"matrix": {"rows": ((math.inf,),)}},
    ],
)
def test_contradicting_or_impossible_settings_are_refused(settings) -> None:
    with pytest.raises(SettingsError):
        Expert(**settings)


@pytest.mark.parametrize("direction", [(1.0, 2.0), (0.0,) * 7])
def test_a_direction_of_the_wrong_length_or_of_zeros_is_refused(mixed, direction) -> None:
    assert mixed.encoder.width == 7
    with pytest.raises(MetricError, match="free direction 1"):
        fit(mixed, directions=(direction,))


def uploaded(matrix: np.ndarray, columns: tuple[str, ...] = ()) -> UploadedMatrix:
    return UploadedMatrix(columns=columns, rows=tuple(map(tuple, matrix.tolist())))


def random_form(width: int, rank: int) -> np.ndarray:
    root = np.random.default_rng(4).standard_normal((rank, width))
    return root.T @ root


def test_an_own_matrix_is_taken_as_it_is_and_its_null_space_is_free(mixed) -> None:
    given = random_form(7, 5)
    metric = fit(mixed, matrix=uploaded(given))
    np.testing.assert_allclose(metric.matrix, given, atol=1e-15)
    assert len(metric.free) == 2
    np.testing.assert_allclose(metric.matrix @ metric.free.T, 0, atol=1e-9)


def test_a_header_puts_an_own_matrix_in_the_order_of_the_encoded_columns(mixed) -> None:
    given, order = random_form(7, 7), np.random.default_rng(1).permutation(7)
    names = tuple(mixed.encoder.names[k] for k in order)
    metric = fit(mixed, matrix=uploaded(given[np.ix_(order, order)], names))
    np.testing.assert_allclose(metric.matrix, given)


def test_an_own_matrix_that_is_wrong_is_refused_with_the_entry(mixed) -> None:
    good = random_form(7, 7)
    lopsided, indefinite = good.copy(), good.copy()
    lopsided[1, 4] += 1.0
    indefinite[2, 2] = -10.0
    names = mixed.encoder.names
    for matrix, words in (
        (uploaded(good[:3, :3]), "3 rows; the model reads 7 encoded columns.*category"),
        (UploadedMatrix(rows=((1.0, 0.0), (0.0,))), "not square.*row 2"),
        (uploaded(lopsided), r"not symmetric: hours and nothing|not symmetric: hours.*\(2, 5\)"),
        (uploaded(indefinite), "not positive semidefinite: its smallest eigenvalue is -1.*job = clerk"),
        (uploaded(good, ("salary", *names[1:])), "names a column 'salary'"),
        (uploaded(good, (names[1], *names[1:])), "twice"),
    ):
        with pytest.raises(MetricError, match=words):
            fit(mixed, matrix=matrix)


def test_rounding_in_the_last_digits_of_an_own_matrix_is_tolerated(mixed) -> None:
    given = random_form(7, 5)
    given[0, 1] *= 1 + 1e-12
    metric = fit(mixed, matrix=uploaded(given))
    np.testing.assert_array_equal(metric.matrix, metric.matrix.T)


def test_a_metric_that_frees_nothing_says_so_and_protected_columns_that_count_are_named() -> None:
    assert Expert().frees_nothing
    assert Expert(weights=(("age", 2.0),)).frees_nothing
    assert not Expert(weights=(("age", 0.0),)).frees_nothing
    assert not Expert(directions=((1.0, 0.0),)).frees_nothing
    named = Expert(free=("sex",), weights=(("race", 0.0),))
    assert not named.frees_nothing
    assert named.counted(("sex", "race", "age", "faith"), ("sex", "race", "age")) == ("age",)

"""Rotations of a fitted metric, angles between subspaces, and how a metric divides the rows."""

import numpy as np
import pandas as pd
import pytest

from core.base.errors import MetricError
from core.contracts.metric import FittedMetric, principal_angles
from core.data.dataset import Dataset, Roles
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder, NumericColumn
from core.metrics import Expert, SensitiveSubspace
from core.metrics.subspace import projector


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def metric_of(free: np.ndarray, matrix: np.ndarray | None = None) -> FittedMetric:
    columns = tuple(f"x{k}" for k in range(free.shape[1]))
    return FittedMetric("Declared", columns, projector(free) if matrix is None else matrix, free, np.empty(0))


def random_metric(q: int, d: int) -> FittedMetric:
    return metric_of(np.linalg.qr(np.random.default_rng(7).standard_normal((d, q)))[0].T)


@pytest.mark.parametrize("degrees", [5.0, 10.0, 20.0, 90.0, -30.0])
def test_in_the_plane_a_rotation_is_the_papers(degrees: float) -> None:
    # App. A and Fig. 1: (1, 0) becomes (cos β, sin β), and d² the square along (-sin β, cos β).
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turned = metric_of(np.array([[1.0, 0.0]])).rotated(degrees, rng())
    np.testing.assert_allclose(turned.free, [[cosine, sine]], atol=1e-15)
    np.testing.assert_allclose(turned.matrix, [[sine**2, -sine * cosine], [-sine * cosine, cosine**2]], atol=1e-15)


def test_a_right_angle_in_the_plane_swaps_free_and_held() -> None:
    turned = metric_of(np.array([[1.0, 0.0]])).rotated(90, rng())
    np.testing.assert_allclose(turned.matrix, np.diag([1.0, 0.0]), atol=1e-15)


@pytest.mark.parametrize(("q", "d"), [(1, 2), (1, 5), (2, 5), (3, 5), (4, 5)])
@pytest.mark.parametrize("degrees", [0.0, 12.0, 60.0])
def test_every_direction_that_can_turn_turns_by_the_angle(q: int, d: int, degrees: float) -> None:
    metric = random_metric(q, d)
    turned = metric.rotated(degrees, rng())
    moved = min(q, d - q)
    angles = principal_angles(metric.free, turned.free)
    np.testing.assert_allclose(angles[:moved], degrees, atol=1e-6)
    np.testing.assert_allclose(angles[moved:], 0, atol=1e-5)
    np.testing.assert_allclose(turned.matrix, projector(turned.free), atol=1e-12)
    np.testing.assert_allclose(turned.free @ turned.free.T, np.eye(q), atol=1e-12)


def test_weights_turn_with_the_directions_and_keep_their_eigenvalues() -> None:
    free, held = np.eye(4)[:1], np.diag([0.0, 1.0, 2.0, 5.0])
    turned = metric_of(free, held).rotated(25, rng())
    np.testing.assert_allclose(np.linalg.eigvalsh(turned.matrix), [0, 1, 2, 5], atol=1e-12)
    np.testing.assert_allclose(turned.matrix @ turned.free.T, 0, atol=1e-12)


@pytest.mark.parametrize("free", [np.empty((0, 3)), np.eye(3)])
def test_a_metric_with_nothing_or_everything_free_does_not_turn(free: np.ndarray) -> None:
    metric = metric_of(free)
    np.testing.assert_array_equal(metric.rotated(30, rng()).matrix, metric.matrix)


def test_the_direction_of_a_rotation_follows_the_seed() -> None:
    metric = random_metric(1, 6)
    assert metric.rotated(10, rng()).matrix.tobytes() == metric.rotated(10, rng()).matrix.tobytes()
    assert metric.rotated(10, rng()).matrix.tobytes() != metric.rotated(10, np.random.default_rng(1)).matrix.tobytes()


def test_metrics_share_what_all_of_them_free() -> None:
    """A protected column is freed by every half; what they learn is not, and is held."""
    protected, learned = np.eye(5)[:1], random_metric(3, 5).free
    own, *others = (metric_of(np.linalg.qr(np.concatenate([protected, one[None]]).T)[0].T) for one in learned)
    shared = own.shared_with(others)
    np.testing.assert_allclose(shared.matrix, projector(protected), atol=1e-12)
    np.testing.assert_allclose(projector(shared.free), projector(protected), atol=1e-12)
    np.testing.assert_allclose(own.shared_with([]).matrix, own.matrix)
    np.testing.assert_allclose(own.shared_with([metric_of(np.empty((0, 5)))]).matrix, np.eye(5), atol=1e-12)
    assert metric_of(np.empty((0, 5))).shared_with([own]).free.shape == (0, 5)


def test_the_squared_distance_is_the_quadratic_form() -> None:
    metric, draw = random_metric(2, 5), np.random.default_rng(3)
    x, other = draw.standard_normal((2, 6, 5))
    expected = [(a - b) @ metric.matrix @ (a - b) for a, b in zip(x, other, strict=True)]
    np.testing.assert_allclose(metric.squared_distance(x, other), expected)


def table(n: int) -> EncodedDataset:
    draw = np.random.default_rng(0)
    frame = pd.DataFrame({"a": draw.standard_normal(n), "sex": np.arange(n) % 2, "y": (np.arange(n) // 2) % 2})
    dataset = Dataset.build(frame, Roles(outcome="y", favourable="1", protected=("sex",), features=("a",)))
    encoder = Encoder(columns=(NumericColumn(name="a"),))
    return EncodedDataset(dataset, encoder, encoder.transform(frame), dataset.label_codes(("0", "1")), ("0", "1"))


def test_a_learned_metric_sets_rows_aside_and_a_declared_one_does_not() -> None:
    data = table(200)
    learning, audited = SensitiveSubspace(held_out=0.25).split(data, rng())
    assert (len(learning), len(audited)) == (50, 150)
    assert not set(learning.dataset.frame.index) & set(audited.dataset.frame.index)
    for metric in (Expert(), SensitiveSubspace(learn_on="audited rows")):
        assert [len(part) for part in metric.split(data, rng())] == [200, 200]


def test_holding_out_so_many_rows_that_too_few_are_audited_is_refused() -> None:
    with pytest.raises(MetricError, match="leave 28 rows to audit"):
        SensitiveSubspace(held_out=0.3).split(table(40), rng())

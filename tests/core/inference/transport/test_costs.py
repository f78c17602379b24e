"""Costs between cells, in blocks, and what they refuse."""

import numpy as np
import pytest

from core.base.errors import AuditError
from core.inference.transport.costs import AbstractCost, ClassCost, DenseCost, ForbiddenPairs, QuadraticCost

RNG = np.random.default_rng(0)
CODES = RNG.integers(0, 40, 900)
POINTS = RNG.normal(size=(900, 3))


def assembled(cost: AbstractCost) -> np.ndarray:
    """The whole matrix from its blocks; every pair outside a block is forbidden."""
    matrix, seen = np.full((cost.size, cost.size), np.inf), np.zeros(cost.size, dtype=int)
    for block in cost.blocks():
        matrix[np.ix_(block.sources, block.targets)] = block.costs
        seen[block.sources] += 1
    assert (seen == 1).all()
    return matrix


COSTS = [
    ClassCost(CODES),
    ClassCost(np.zeros(700, dtype=int)),
    ClassCost(np.repeat([0, 1, 2, 3], [3, 600, 2, 100])),
    QuadraticCost(POINTS, CODES % 2),
    QuadraticCost(POINTS[:, :0], CODES % 3),
    DenseCost(np.abs(np.subtract.outer(np.arange(50), np.arange(50))).astype(float)),
    ForbiddenPairs(QuadraticCost(POINTS, CODES % 2), CODES % 3, ((0, 1), (2, 2))),
]


@pytest.mark.parametrize("cost", COSTS)
def test_blocks_hold_every_source_once_and_every_allowed_move(cost: AbstractCost, monkeypatch) -> None:
    whole = cost.rows(0, cost.size)
    assert (np.diagonal(whole) == 0).all()
    np.testing.assert_array_equal(assembled(cost), whole)
    np.testing.assert_array_equal(cost.rows(7, 20), whole[7:20])
    monkeypatch.setattr("core.inference.transport.costs.BLOCK", 5000)
    np.testing.assert_array_equal(assembled(cost), whole)


def test_a_class_is_free_and_the_rest_forbidden() -> None:
    matrix = ClassCost(CODES).rows(0, 900)
    np.testing.assert_array_equal(matrix == 0, CODES[:, None] == CODES)
    assert np.isin(matrix, [0, np.inf]).all()


def test_a_quadratic_cost_is_the_squared_distance_within_a_label_and_0_between_equals() -> None:
    points = np.vstack([POINTS, POINTS[:1] * (1 + 1e-16)])
    labels = np.append(CODES % 2, CODES[0] % 2)
    matrix = QuadraticCost(points, labels).rows(0, 901)
    expected = ((points[5] - points) ** 2).sum(axis=1)
    same = labels == labels[5]
    np.testing.assert_allclose(matrix[5, same], expected[same], atol=1e-14)
    assert (matrix[5, ~same] == np.inf).all()
    assert matrix[0, 900] == 0


def test_forbidden_pairs_leave_everything_else_and_staying() -> None:
    groups = CODES % 3
    inner = QuadraticCost(POINTS, CODES % 2)
    before, after = inner.rows(0, 900), ForbiddenPairs(inner, groups, ((0, 1), (2, 2))).rows(0, 900)
    banned = ((groups[:, None] == 0) & (groups == 1)) | ((groups[:, None] == 2) & (groups == 2))
    np.fill_diagonal(banned, False)
    assert (after[banned] == np.inf).all()
    np.testing.assert_array_equal(after[~banned], before[~banned])


def test_a_dense_cost_is_not_changed_by_looking_at_it() -> None:
    matrix = np.ones((3, 3)) - np.eye(3)
    cost = DenseCost(matrix)
    cost.rows(0, 2)[:] = 7
    assert matrix.max() == 1


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (np.zeros((2, 3)), r"2 x 3.*one row and one column"),
        (np.zeros(4), r"is 4,"),
        (np.array([[0, 1], [np.nan, 0]]), r"not a number.*row 2, column 1"),
        (np.array([[0, -1.0], [1, 0]]), r"negative.*row 1, column 2"),
        (np.array([[0, -np.inf], [1, 0]]), r"negative.*row 1, column 2"),
        (np.array([[0.0, 1], [1, 0.5]]), r"Staying.*row 2, column 2"),
        (np.array([[0.0, 1], [1, np.inf]]), r"Staying.*row 2, column 2"),
    ],
)
def test_a_matrix_that_is_no_cost_is_refused_with_its_place(matrix: np.ndarray, words: str) -> None:
    with pytest.raises(AuditError, match=words):
        DenseCost(matrix)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_points_that_differ_by_rounding_cost_nothing(scale: float) -> None:
    """Means of the same people, added up over different numbers of copies, in an encoded space of three columns."""
    one = RNG.normal(size=3) * scale
    points = np.array([np.mean([one] * copies, axis=0) for copies in (1, 3, 7, 11, 101)] + [one + scale])
    assert (points[:5] != one).any()
    costs = QuadraticCost(points, np.zeros(6, dtype=int)).rows(0, 6)
    assert not costs[:5, :5].any()
    np.testing.assert_allclose(costs[:5, 5], 3 * scale**2, rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_small_distances_that_are_no_rounding_are_kept(scale: float) -> None:
    points = np.array([[0.0], [1e-5], [1.0]]) * scale
    found = QuadraticCost(points, np.zeros(3, dtype=int)).rows(0, 1)[0, 1]
    assert found == pytest.approx(1e-10 * scale**2)


def test_a_number_and_its_sum_of_two_others_cost_nothing() -> None:
    points = np.array([[0.1 + 0.2], [0.3], [1.3]])
    assert points[0] != points[1]
    assert QuadraticCost(points, np.zeros(3, dtype=int)).rows(0, 1).tolist() == [[0.0, 0.0, pytest.approx(1.0)]]


def test_a_class_larger_than_a_block_goes_one_cell_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.inference.transport.costs.BLOCK", 5)
    codes = np.repeat([0, 1], [9, 2])
    np.testing.assert_array_equal(assembled(ClassCost(codes)) == 0, codes[:, None] == codes)


def test_no_cells_are_no_blocks() -> None:
    nowhere = np.zeros(0, dtype=int)
    for cost in (ClassCost(nowhere), QuadraticCost(np.zeros((0, 2)), nowhere), DenseCost(np.zeros((0, 0)))):
        assert list(cost.blocks()) == []
        assert cost.rows(0, 0).shape == (0, 0)

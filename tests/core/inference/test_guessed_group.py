"""Bounds for groups that are only guessed: linear programs, laws, and laws of errors as bad as they may be."""

import numpy as np
import pytest
from scipy.optimize import linprog

from core.inference.guessed_group import GuessedGroup, least_given
from core.inference.share import exact_limits

DESIGNS = [
    (0.2, 0.9, 0.95, 0.3, 0.3),
    (0.5, 0.95, 0.95, 0.2, 0.6),
    (0.1, 0.8, 0.98, 0.5, 0.3),
    (0.5, 0.99, 0.99, 0.5, 0.5),
    (0.4, 0.7, 0.8, 0.3, 0.5),
]
"""Share of the group, sensitivity, specificity, and the shares answered of both guesses."""


def program(p: float, s: float, c: float, r_1: float, r_0: float) -> tuple[float, float]:
    """The least and the largest D over every joint law of group, guess and answer, cells in that order."""
    q = p * s + (1 - p) * (1 - c)
    law = np.eye(8).reshape(2, 2, 2, 8)
    sums = {(1, 1): q * r_1, (1, 0): q * (1 - r_1), (0, 1): (1 - q) * r_0, (0, 0): (1 - q) * (1 - r_0)}
    rows = [law[:, w, y].sum(axis=0) for w, y in sums]
    rows += [law[1, 1].sum(axis=0), law[1, 0].sum(axis=0)]
    values = [*sums.values(), p * s, p * (1 - s)]
    cost = law[1, :, 1].sum(axis=0) / p - law[0, :, 1].sum(axis=0) / (1 - p)
    low, high = (linprog(sign * cost, A_eq=np.array(rows), b_eq=values).fun for sign in (1, -1))
    return float(low), float(-high)


def seen(design: tuple[float, ...], people: int = 10**7, checked: int = 10**4) -> GuessedGroup:
    p, s, c, r_1, r_0 = design
    q = p * s + (1 - p) * (1 - c)
    n_1, n_0 = round(people * q), round(people * (1 - q))
    found, excluded = (round(checked * s), checked), (round(checked * c), checked)
    return GuessedGroup((round(n_1 * r_1), n_1), (round(n_0 * r_0), n_0), found, excluded)


@pytest.mark.parametrize("design", DESIGNS)
def test_what_is_identified_is_what_a_linear_program_finds(design: tuple[float, ...]) -> None:
    assert seen(design).identified == pytest.approx(program(*design), abs=1e-5)


def test_a_true_difference_of_0_is_bounded_by_21_and_16_points() -> None:
    """Sensitivity .9 and specificity .95 of a group of a fifth, of whom 30% get the answer, like all."""
    found = seen(DESIGNS[0])
    assert found.identified == pytest.approx((-0.2125, 0.1625), abs=1e-4)
    assert found.if_unrelated == pytest.approx((0.3, 0.3), abs=1e-4)


def test_a_guess_that_is_always_right_leaves_the_difference_itself() -> None:
    found = GuessedGroup((200, 1000), (500, 1000), (10**7, 10**7), (10**7, 10**7))
    assert found.identified == pytest.approx((-0.3, -0.3), abs=1e-6)
    assert found.if_unrelated == pytest.approx((0.2, 0.5), abs=1e-6)


def test_bounds_turn_with_the_group_and_shrink_with_alpha() -> None:
    found = GuessedGroup((60, 400), (420, 600), (190, 200), (285, 300))
    turned = GuessedGroup(found.others, found.group, found.excluded, found.found)
    assert turned.identified == pytest.approx(tuple(-one for one in found.identified[::-1]))
    limits = [found.limits(alpha) for alpha in (0.001, 0.05, 0.5)]
    assert [low for low, _ in limits] == sorted(low for low, _ in limits)
    assert [high for _, high in limits] == sorted((high for _, high in limits), reverse=True)
    low, high = found.identified
    assert limits[-1][0] <= low <= high <= limits[-1][1]


def test_the_extreme_in_the_box_is_no_less_extreme_than_anything_in_it() -> None:
    rng = np.random.default_rng(0)
    for found in (GuessedGroup((60, 400), (420, 600), (190, 200), (285, 300)), seen(DESIGNS[2], 3000, 400)):
        counts = np.array([(found.group[1], found.group[1] + found.others[1]), found.group, found.others, found.found])
        counts = np.vstack([counts, found.excluded]).astype(float)
        least, most = exact_limits(counts[:, 0], counts[:, 1], 0.005)
        low, _ = found.limits(0.05)
        shares = np.array(found.shares)
        for _ in range(400):
            q, r_1, r_0, s, c = np.where(
                rng.random(5) < 0.5, rng.uniform(least, most), np.where(rng.random(5) < 0.5, least, most)
            )
            one = least_given(np.array([q]), np.array([[r_1, r_1], [r_0, r_0]]), np.array([s]), np.array([c]))
            assert low <= one[0] + 1e-6
        assert ((least <= shares) & (shares <= most)).all()


@pytest.mark.parametrize("larger", [True, False])
def test_the_p_value_is_the_least_alpha_that_shows_it(larger: bool) -> None:
    found = GuessedGroup((600, 1000), (200, 1000), (490, 500), (490, 500))
    found = found if larger else GuessedGroup(found.others, found.group, found.excluded, found.found)
    p = found.p_value(0.2, larger=larger)
    assert 1e-12 < p < 0.05

    def shown(alpha: float) -> bool:
        low, high = found.limits(alpha)
        return low > 0.2 if larger else high < -0.2

    assert shown(p)
    assert not shown(p / 1.01)
    assert found.p_value(0.9, larger=larger) == 1.0


def test_nothing_is_known_where_the_guess_leaves_open_whether_anybody_belongs() -> None:
    assert GuessedGroup((3, 20), (300, 980), (9, 10), (90, 100)).limits(0.05) == (-1.0, 1.0)


def misses(design: tuple[float, ...], people: int, checked: int, samples: int) -> tuple[float, float]:
    """How often a bound lies beyond the most extreme difference that errors of the guess can bring about."""
    p, s, c, r_1, r_0 = design
    q, rng, (least, most) = p * s + (1 - p) * (1 - c), np.random.default_rng(1), program(*design)
    low = high = 0
    for _ in range(samples):
        yes_1, no_1, yes_0, no_0 = rng.multinomial(people, [q * r_1, q * (1 - r_1), (1 - q) * r_0, (1 - q) * (1 - r_0)])
        right = ((int(rng.binomial(checked, one)), checked) for one in (s, c))
        found = GuessedGroup((int(yes_1), int(yes_1 + no_1)), (int(yes_0), int(yes_0 + no_0)), *right)
        below, above = found.limits(0.05)
        low, high = low + (below > least), high + (above < most)
    return low / samples, high / samples


def test_bounds_hold_where_errors_depend_on_the_answer_as_badly_as_they_may() -> None:
    assert sum(misses(DESIGNS[1], 1000, 200, 60)) <= 0.05


@pytest.mark.long
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(("people", "checked"), [(500, 100), (2000, 300), (20_000, 2000)])
def test_bounds_hold_in_every_design(design: tuple[float, ...], people: int, checked: int) -> None:
    missed = misses(design, people, checked, 1000)
    print(f"{design}, n = {people}, {checked} checked: missed {missed}")
    assert sum(missed) <= 0.05 + 2 * (0.05 * 0.95 / 1000) ** 0.5

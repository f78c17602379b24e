"""Who is moved where: the same people whichever way they are counted."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audits.transport import maps
from core.audits.transport.flows import largest_flows
from core.audits.transport.maps import Tile
from core.audits.transport.result import Cells
from core.audits.transport.settings import CellColumn
from core.inference.transport.costs import AbstractCost, ClassCost, QuadraticCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.solution import Plan, Solution

AGES = ("under 25", "25 to 44", "45 and over")
CHARGES = ("felony", "misdemeanour")
RACES, SEXES = ("Black", "White"), ("Female", "Male")
BLACK_MALE, WHITE_FEMALE = 1, 2


def random_cells(seed: int, *, labels: int = 2, everywhere: bool = False) -> tuple[Cells, np.ndarray]:
    """Cells of a small table and a loss for each; some cells empty, some missing altogether."""
    rng = np.random.default_rng(seed)
    parts = np.array(
        [(y, a, c, r, s) for y in range(labels) for a in range(3) for c in range(2) for r in range(2) for s in range(2)]
    )
    people = rng.poisson(4.0, len(parts)) + everywhere
    keep = people > 0 if everywhere else (people > 0) | (rng.random(len(parts)) < 0.5)
    parts, people = parts[keep], people[keep]
    wrong = rng.random(len(parts)) < 0.4
    favourable = np.where(parts[:, 0] == 1, ~wrong, wrong).astype(float)
    frame = pd.DataFrame(
        {
            "age": pd.array(AGES, dtype="str").take(parts[:, 1]),
            "charge": pd.array(CHARGES, dtype="str").take(parts[:, 2]),
            "race": pd.array(RACES, dtype="str").take(parts[:, 3]),
            "sex": pd.array(SEXES, dtype="str").take(parts[:, 4]),
        }
    )
    cells = Cells(
        columns=(CellColumn(name="age", edges=(25.0, 45.0)), *(CellColumn(name=n) for n in ("charge", "race", "sex"))),
        frame=frame,
        label=parts[:, 0],
        labels=tuple(f"class {i}" for i in range(labels)),
        group=2 * parts[:, 3] + parts[:, 4],
        groups=tuple(f"{race}, {sex}" for race in RACES for sex in SEXES),
        protected=("race", "sex"),
        people=people,
        favourable=favourable,
    )
    return cells, wrong.astype(float)


def solve(cells: Cells, losses: np.ndarray, *, budget: float | None = None) -> Solution:
    """The optimum: protected attributes may differ freely, or with a budget the age may differ at a cost."""
    ages = np.array([AGES.index(age) for age in cells.frame["age"]])
    charges = np.array([CHARGES.index(charge) for charge in cells.frame["charge"]])
    cost: AbstractCost = (
        ClassCost(6 * cells.label + 2 * ages + charges)
        if budget is None
        else QuadraticCost(np.stack([ages, charges], axis=1).astype(float), cells.label)
    )
    return Envelope.build(losses, cost).solution(cells.people / cells.people.sum(), 0.0 if budget is None else budget)


CASES = [(seed, labels, budget) for seed in range(6) for labels in (2, 3) for budget in (None, 0.13)]


@pytest.mark.parametrize(("seed", "labels", "budget"), CASES)
def test_the_sums_of_changes_are_zero_for_every_label_and_column(seed: int, labels: int, budget: float | None) -> None:
    cells, losses = random_cells(seed, labels=labels)
    found = maps.moves(cells, losses, solve(cells, losses, budget=budget))
    for one in maps.label_maps(cells, found):
        columns = np.array([column for column, _ in one.rows])
        for column in ("", "age", "charge"):
            assert one.change[columns == column].sum() == pytest.approx(0.0, abs=1e-9)
            assert one.moved_out[columns == column].sum() == pytest.approx(one.moved)
            assert one.moved_in[columns == column].sum() == pytest.approx(one.moved)


@pytest.mark.parametrize(("seed", "labels", "budget"), CASES)
def test_each_column_of_a_map_adds_up_to_the_row_for_everybody(seed: int, labels: int, budget: float | None) -> None:
    cells, losses = random_cells(seed, labels=labels)
    found = maps.moves(cells, losses, solve(cells, losses, budget=budget))
    for one in maps.label_maps(cells, found):
        columns = np.array([column for column, _ in one.rows])
        for column in ("age", "charge"):
            for array in (one.people, one.moved_out, one.moved_in, one.change):
                assert array[columns == column].sum(axis=0) == pytest.approx(array[0])
        assert (one.within <= np.minimum(one.moved_in, one.moved_out) + 1e-9).all()
        assert (one.moved_out <= one.people + 1e-9).all()


@pytest.mark.parametrize(("seed", "labels", "budget"), CASES)
def test_the_maps_show_the_maximising_distribution_less_the_observed(
    seed: int, labels: int, budget: float | None
) -> None:
    """The paper's Fig. 2: counts of the distribution maximising eq. 2.2 minus counts of the audit data."""
    cells, losses = random_cells(seed, labels=labels)
    solution = solve(cells, losses, budget=budget)
    masses = cells.people / cells.people.sum()
    difference = cells.people.sum() * (solution.plan.after(masses) - masses)
    for one in maps.label_maps(cells, maps.moves(cells, losses, solution)):
        for r in range(len(one.rows)):
            for g in range(len(cells.groups)):
                inside = maps.in_tile(cells, Tile(one.label, *one.rows[r], g))
                assert one.change[r, g] == pytest.approx(difference[inside].sum(), abs=1e-7)
                assert one.people[r, g] == cells.people[inside].sum()


@pytest.mark.parametrize(("seed", "labels", "budget"), CASES)
def test_flows_between_groups_agree_with_the_maps_and_with_the_moved_mass(
    seed: int, labels: int, budget: float | None
) -> None:
    cells, losses = random_cells(seed, labels=labels)
    solution = solve(cells, losses, budget=budget)
    found = maps.moves(cells, losses, solution)
    flows = maps.group_flows(cells, found)
    assert flows.sum() == pytest.approx(found.total)
    assert found.total == pytest.approx(cells.people.sum() * solution.plan.mass.sum())
    for one in maps.label_maps(cells, found):
        assert flows[one.label].sum(axis=1) == pytest.approx(one.moved_out[0])
        assert flows[one.label].sum(axis=0) == pytest.approx(one.moved_in[0])


@pytest.mark.parametrize(("seed", "labels", "budget"), CASES)
def test_nobody_changes_label_and_every_move_raises_a_loss(seed: int, labels: int, budget: float | None) -> None:
    cells, losses = random_cells(seed, labels=labels)
    found = maps.moves(cells, losses, solve(cells, losses, budget=budget))
    assert (cells.label[found.source] == cells.label[found.target]).all()
    assert (losses[found.target] > losses[found.source]).all()


@pytest.mark.parametrize(("seed", "labels", "budget"), CASES)
def test_the_largest_flows_carry_the_whole_rise(seed: int, labels: int, budget: float | None) -> None:
    """All flows together raise the losses by n psi."""
    cells, losses = random_cells(seed, labels=labels)
    solution = solve(cells, losses, budget=budget)
    found = maps.moves(cells, losses, solution)
    flows = largest_flows(cells, losses, found, most=1000)
    assert sum(flow.rise for flow in flows) == pytest.approx(cells.people.sum() * solution.value)
    assert sum(flow.people for flow in flows) == pytest.approx(found.total)
    assert [flow.people for flow in flows] == sorted((flow.people for flow in flows), reverse=True)
    matrix = maps.group_flows(cells, found)
    for flow in flows:
        to = matrix[flow.label, flow.origin]
        assert flow.people == pytest.approx(to.sum())
        assert set(flow.targets) == set(np.flatnonzero(to > 0))
        assert flow.shares == pytest.approx(tuple(to[list(flow.targets)] / to.sum()))
        assert flow.shares == tuple(sorted(flow.shares, reverse=True))
        assert (flow.loss_before, flow.loss_after) == (0.0, 1.0)
        assert (budget is None) <= (not flow.changed)


def spread(cells: Cells, losses: np.ndarray, kind: np.ndarray) -> maps.Moves:
    solution = Envelope.build(losses, ClassCost(kind)).solution(cells.people / cells.people.sum(), 0.0)
    return maps.among_equals(maps.moves(cells, losses, solution), losses, kind, cells.people)


@pytest.mark.parametrize("seed", range(6))
def test_whoever_is_moved_is_divided_among_all_who_are_judged_as_badly(seed: int) -> None:
    """By hand: each of the similar people judged worst counts alike."""
    cells, losses = random_cells(seed, everywhere=True)
    kind = np.random.default_rng(seed).integers(0, 5, len(losses))
    found = spread(cells, losses, kind)
    expected = {}
    for i in range(len(losses)):
        worst = [j for j in range(len(losses)) if kind[j] == kind[i] and losses[j] == losses[kind == kind[i]].max()]
        if losses[worst[0]] > losses[i]:
            among = cells.people[worst].sum()
            expected |= {(i, j): cells.people[i] * cells.people[j] / among for j in worst}
    told = dict(zip(zip(found.source.tolist(), found.target.tolist(), strict=True), found.people, strict=True))
    assert told == pytest.approx(expected)


@given(st.permutations(range(12)), st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=12, max_size=12))
def test_who_is_judged_like_whom_does_not_depend_on_the_order_of_groups(order: list[int], losses: list[float]) -> None:
    cells, _ = random_cells(0, everywhere=True)
    cells = replace(cells, people=cells.people[:12], label=np.zeros(12, int), group=np.arange(12))
    kind, of = np.arange(12) // 4, np.array(losses)
    if of.max() == of.min():
        return
    plain, turned = spread(cells, of, kind), spread(replace(cells, people=cells.people[order]), of[order], kind[order])
    here = {(order[i], order[j]): n for i, j, n in zip(turned.source, turned.target, turned.people, strict=True)}
    there = {(i, j): n for i, j, n in zip(plain.source, plain.target, plain.people, strict=True)}
    assert here == pytest.approx(there)


def test_where_nobody_is_moved_nobody_is_divided() -> None:
    cells, losses = random_cells(0)
    assert not spread(cells, 0 * losses, cells.label).total


def test_a_flow_says_what_the_moved_have_in_common() -> None:
    """31 Black men over 45 rightly judged, most of them charged with a felony, unlike others of their group."""
    frame = pd.DataFrame(
        {
            "age": ["45 and over", "45 and over", "45 and over", "under 25", "25 to 44"],
            "charge": ["felony", "misdemeanour", "felony", "felony", "misdemeanour"],
            "race": ["Black", "Black", "White", "Black", "Black"],
            "sex": ["Male", "Male", "Female", "Male", "Male"],
        }
    )
    cells = Cells(
        columns=tuple(CellColumn(name=name) for name in frame.columns),
        frame=frame,
        label=np.ones(5, dtype=int),
        labels=("no", "yes"),
        group=np.array([0, 0, 1, 0, 0]),
        groups=("Black, Male", "White, Female"),
        protected=("race", "sex"),
        people=np.array([28, 3, 10, 5, 40]),
        favourable=np.array([0.0, 0.0, 1.0, 0.0, np.nan]),
    )
    found = maps.Moves(np.array([0, 1]), np.array([2, 2]), np.array([28.0, 3.0]))
    (flow,) = largest_flows(cells, np.array([0.0, 0.0, 1.0, 0.0, np.nan]), found)
    assert (flow.people, flow.alike, flow.heaviest) == (31, 10, pytest.approx(1 / 10))
    assert [(one.column, *one.values) for one in flow.shared] == [("age", "45 and over"), ("charge", "felony")]
    assert [one.people for one in flow.shared] == [31.0, 28.0]
    assert (flow.favourable_before, flow.favourable_after) == (0.0, 1.0)
    assert flow.changed == (("charge", 3.0),)
    assert maps.group_values(cells, *flow.targets) == (("race", "White"), ("sex", "Female"))


def test_a_value_no_commoner_among_the_moved_than_in_their_group_is_no_news() -> None:
    cells, losses = random_cells(1)
    for flow in largest_flows(cells, losses, maps.moves(cells, losses, solve(cells, losses)), most=100):
        group = (cells.label == flow.label) & (cells.group == flow.origin)
        for one in flow.shared:
            usual = cells.people[group & (cells.frame[one.column].isin(one.values))].sum() / cells.people[group].sum()
            assert one.people == flow.people or one.people / flow.people > usual + 0.1
            assert usual < 1


def test_a_value_that_everybody_has_is_no_news() -> None:
    cells, losses = random_cells(1)
    alike = replace(cells, frame=cells.frame.assign(charge="felony"))
    flows = largest_flows(alike, losses, maps.moves(alike, losses, solve(cells, losses)))
    assert flows
    assert all(one.column != "charge" for flow in flows for one in flow.shared)


def test_where_nobody_is_moved_every_view_is_empty() -> None:
    cells, _ = random_cells(2)
    alike = np.zeros(len(cells.label))
    found = maps.moves(cells, alike, solve(cells, alike))
    assert found.total == 0
    assert largest_flows(cells, alike, found) == ()
    assert not maps.group_flows(cells, found).any()
    assert not any(one.change.any() for one in maps.label_maps(cells, found))


def test_losses_that_differ_by_rounding_move_nobody() -> None:
    cells, _ = random_cells(2)
    noise = 0.3 + 1e-16 * np.arange(len(cells.label))
    solution = solve(cells, noise)
    assert not len(solution.plan.mass)
    assert maps.moves(cells, noise, solution).total == 0


def test_moves_that_an_auditors_limits_force_are_kept_though_they_gain_nothing() -> None:
    cells, losses = random_cells(2)
    plan = Plan(np.array([0, 1]), np.array([1, 0]), np.array([0.01, 0.01]))
    forced = replace(solve(cells, losses), plan=plan)
    alike = np.full(len(losses), 0.5)
    assert len(maps.moves(cells, alike, forced).people) == 2
    worse = np.arange(len(losses)) / 10
    assert len(maps.moves(cells, worse, forced).people) == 2


def test_a_budget_that_ends_within_a_cell_moves_a_fraction_of_a_person() -> None:
    cells, losses = random_cells(4)
    people = maps.moves(cells, losses, solve(cells, losses, budget=0.0501)).people
    broken = people[people != np.round(people)]
    assert len(broken) == 1
    assert (maps.moves(cells, losses, solve(cells, losses)).people % 1 == 0).all()


def test_an_unknown_column_has_no_tile() -> None:
    cells, _ = random_cells(0)
    with pytest.raises(KeyError):
        maps.in_tile(cells, Tile(0, "height", "tall", 0))


@pytest.mark.parametrize(
    ("names", "ordered"),
    [
        (("45 and over", "under 25", "25 to 44"), ("under 25", "25 to 44", "45 and over")),
        (("4 and over", "2.5 to under 4", "under 2.5"), ("under 2.5", "2.5 to under 4", "4 and over")),
        (("10", "9", "-1"), ("-1", "9", "10")),
        (("10,000 and over", "under 2,000", "2,000 to 9,999"), ("under 2,000", "2,000 to 9,999", "10,000 and over")),
        (("b", "10", "a"), ("10", "a", "b")),
        (("5th grade", "12th grade"), ("12th grade", "5th grade")),
        ((), ()),
    ],
)
def test_values_stand_in_the_order_people_expect(names: tuple[str, ...], ordered: tuple[str, ...]) -> None:
    assert maps.levels(names) == ordered


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=6), max_size=8))
def test_any_names_can_be_ordered_without_loss(names: list[str]) -> None:
    assert set(maps.levels(names)) == set(names)


def test_numbers_of_people_are_whole_but_for_more_than_rounding() -> None:
    told = maps.whole(np.array([0.5e-7, 2e-7, 1e6 + 0.05, 1e6 + 0.2]))
    assert told.tolist() == [0.0, 2e-7, 1e6, 1e6 + 0.2]

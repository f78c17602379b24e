"""Every count, share, p-value and word about rows left out, against independent ones."""

from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.data import left_out
from core.data.left_out import DRAWS, LeftOut, caveats, chance, count_left_out, gaps_told, goes_with, level_of, summary
from core.data.roles import Roles
from core.language.phrases import percent

KEPT = ((7, 20, 11, 3), (13, 5, 29, 2), (1, 17, 9, 4), (6, 3, 2, 1))
GONE = ((5, 2, 1, 8), (1, 6, 3, 1), (2, 4, 14, 3), (2, 9, 7, 5))
CELLS = LeftOut("race", ("a", "b", "c"), "verdict", ("x", "y", "z"), KEPT, GONE)
WITHOUT = LeftOut("race", ("a", "b"), "", (), ((10,), (20,), (3,)), ((2,), (7,), (4,)))


def rows_of(cells: tuple[tuple[int, ...], ...]) -> list[tuple[str | None, str | None]]:
    """People one by one, of the cells of :data:`KEPT` or :data:`GONE`."""
    groups, outcomes = ("a", "b", "c", None), ("x", "y", "z", None)
    return [(groups[i], outcomes[j]) for i, j in product(range(4), range(4)) for _ in range(cells[i][j])]


def roles(**changes: Any) -> Roles:
    given = {"outcome": "verdict", "favourable": "x", "protected": ("race",), **changes}
    return Roles(**given)


def read() -> tuple[pd.DataFrame, pd.Index]:
    people = pd.DataFrame([*rows_of(KEPT), *rows_of(GONE)], columns=["race", "verdict"])
    return people, pd.RangeIndex(sum(map(sum, KEPT)))


def exact(rows: tuple[int, ...], gone: tuple[int, ...]) -> float:
    """The probability of a table at least as unequal, of all ways to leave as many out."""
    lost, n = sum(gone), sum(rows)
    expected = [one * lost / n for one in rows]

    def unequal(of: tuple[int, ...]) -> float:
        return sum((o - e) ** 2 / e for o, e in zip(of, expected, strict=True))

    ways = [w for w in product(*(range(one + 1) for one in rows)) if sum(w) == lost]
    as_unequal = [w for w in ways if unequal(w) >= unequal(gone) - 1e-9]
    return sum(prod(map(comb, rows, w)) for w in as_unequal) / comb(n, lost)


class TestCounts:
    def test_every_cell_is_counted(self) -> None:
        (found,) = count_left_out(*read(), roles())
        assert found == CELLS

    def test_an_empty_cell_is_a_group_of_its_own_where_it_is_named(self) -> None:
        (found,) = count_left_out(*read(), roles(missing="own category"))
        assert found.groups == ("(missing)", "a", "b", "c")
        assert found.audited == (KEPT[3], *KEPT[:3], (0, 0, 0, 0))
        assert found.missing == (GONE[3], *GONE[:3], (0, 0, 0, 0))

    def test_without_outcome_only_groups_are_counted(self) -> None:
        people, kept = read()
        without = Roles(favourable="x", protected=("race",), features=("age",))
        (found,) = count_left_out(people, kept, without)
        assert (found.outcome, found.outcomes) == ("", ())
        assert found.audited == tuple((sum(row),) for row in KEPT)
        assert found.missing == tuple((sum(row),) for row in GONE)

    def test_the_groups_are_in_order_whatever_the_order_of_the_rows(self) -> None:
        people, kept = read()
        turned = people.iloc[::-1].reset_index(drop=True)
        (found,) = count_left_out(turned, pd.RangeIndex(len(people) - len(kept), len(people)), roles())
        assert found == CELLS

    def test_nobody_left_out_is_counted_nowhere(self) -> None:
        people, _ = read()
        assert count_left_out(people, people.index, roles()) == ()

    def test_each_answer_is_a_side_of_its_own(self) -> None:
        people, kept = read()
        people = people.assign(answer=people["verdict"].fillna("x"), second="k")
        found = count_left_out(people, kept, roles(predictions=("answer", "second")))
        assert [(one.outcome, one.outcomes) for one in found] == [
            ("verdict", ("x", "y", "z")),
            ("answer", ("x", "y", "z")),
            ("second", ("k",)),
        ]


class TestLargestShare:
    def test_whoever_is_not_known_is_counted_in_every_cell(self) -> None:
        shares = {}
        for i, j in product(range(3), range(3)):
            gone = GONE[i][j] + GONE[i][3] + GONE[3][j] + GONE[3][3]
            shares[i, j] = gone / (gone + KEPT[i][j])
        assert CELLS.largest_share == max(shares.values())

    @pytest.mark.parametrize("place", [*product(range(3), range(3))])
    def test_any_cell_can_be_the_largest(self, place: tuple[int, int]) -> None:
        kept = [[40] * 4 for _ in range(4)]
        gone = [[1] * 4 for _ in range(4)]
        gone[place[0]][place[1]] = 30
        cells = LeftOut("race", ("a", "b", "c"), "v", ("x", "y", "z"), tuple(map(tuple, kept)), tuple(map(tuple, gone)))
        assert cells.largest_share == 33 / 73

    @pytest.mark.parametrize("place", range(3))
    def test_people_of_an_unknown_group_count_at_their_own_outcome(self, place: int) -> None:
        kept, gone = [[40] * 4 for _ in range(4)], [[1] * 4 for _ in range(4)]
        gone[3][place], kept[0][place] = 20, 10
        gone[1][(place + 1) % 3] = 15
        cells = LeftOut("race", ("a", "b", "c"), "v", ("x", "y", "z"), tuple(map(tuple, kept)), tuple(map(tuple, gone)))
        assert cells.largest_share == (1 + 1 + 20 + 1) / (10 + 1 + 1 + 20 + 1)

    def test_without_outcome_it_is_that_of_a_group(self) -> None:
        assert WITHOUT.largest_share == max((2 + 4) / (10 + 2 + 4), (7 + 4) / (20 + 7 + 4))
        turned = LeftOut("race", ("b", "a"), "", (), ((20,), (10,), (3,)), ((7,), (9,), (4,)))
        assert turned.largest_share == 13 / 23

    def test_a_cell_of_one_counts_and_a_cell_of_nobody_does_not(self) -> None:
        nothing = ((0, 0, 0), (5, 5, 0), (0, 0, 0))
        one = LeftOut(
            "sex", ("f", "m"), "y", ("no", "yes"), ((0, 0, 0), (5, 5, 0), (0, 0, 0)), ((0, 1, 0), *nothing[:1] * 2)
        )
        assert one.largest_share == 1.0
        assert LeftOut("sex", ("f", "m"), "y", ("no", "yes"), nothing, ((0, 0, 0),) * 3).largest_share == 0.0
        kept = ((9, 9, 0), (9, 9, 0), (0, 0, 0))
        equal = LeftOut("sex", ("f", "m"), "y", ("no", "yes"), kept, ((9, 0, 0), (0, 0, 0), (0, 0, 0)))
        assert equal.largest_share == 0.5


class TestTold:
    def parts(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Kept and gone by group, by outcome, and by both, without those who are not known."""
        kept, gone = np.array(KEPT), np.array(GONE)
        sides = [(kept[:3].sum(axis=1), gone[:3].sum(axis=1)), (kept[:, :3].sum(axis=0), gone[:, :3].sum(axis=0))]
        sides.append((kept[:3, :3].ravel(), gone[:3, :3].ravel()))
        return [(tuple(map(int, one)), tuple(map(int, other))) for one, other in sides]

    def test_groups_then_outcomes_then_both(self) -> None:
        names = [("a", "b", "c"), ("x", "y", "z"), tuple(f"{g}, verdict {o}" for g in "abc" for o in "xyz")]
        columns = ["race", "verdict", "race"]
        for (p, words), (kept, gone), of, column in zip(CELLS.told(), self.parts(), names, columns, strict=True):
            shares = [g / (g + k) for k, g in zip(kept, gone, strict=True)]
            most, least = int(np.argmax(shares)), int(np.argmin(shares))
            assert p == chance(np.add(kept, gone), np.array(gone))
            first, second = (percent(round(share, 4)) for share in (shares[most], shares[least]))
            assert words == f"of '{column}', {first} of {of[most]} are left out and {second} of {of[least]}"

    def test_one_group_or_one_outcome_has_nothing_to_go_with(self) -> None:
        kept, gone = ((9, 8, 0), (0, 0, 0)), ((1, 2, 0), (0, 0, 0))
        one_group = LeftOut("sex", ("f",), "y", ("no", "yes"), kept, gone)
        assert [words.split(",")[0] for _, words in one_group.told()] == ["of 'y'"]
        one_outcome = LeftOut("sex", ("f", "m"), "y", ("no",), ((9, 0), (8, 0), (0, 0)), ((1, 0), (2, 0), (0, 0)))
        assert [words.split(",")[0] for _, words in one_outcome.told()] == ["of 'sex'"]
        assert len(list(LeftOut("sex", ("f",), "y", ("no",), ((9, 0), (0, 0)), ((1, 0), (0, 0))).told())) == 0
        two = LeftOut("sex", ("f", "m"), "y", ("no", "yes"), (*kept[:1] * 2, (0, 0, 0)), (*gone[:1] * 2, (0, 0, 0)))
        assert len(list(two.told())) == 3

    def test_a_cell_of_nobody_has_no_share(self) -> None:
        cells = LeftOut("sex", ("f", "m", "x"), "", (), ((8,), (9,), (0,), (0,)), ((2,), (1,), (0,), (0,)))
        (told,) = cells.told()
        assert told[1] == "of 'sex', 20% of f are left out and 10% of m"
        assert told[0] == chance(np.array([10, 10]), np.array([2, 1]))

    def test_the_extremes_are_found_beside_a_cell_of_nobody(self) -> None:
        cells = LeftOut("sex", ("x", "f", "m"), "", (), ((0,), (9,), (8,), (0,)), ((0,), (1,), (2,), (0,)))
        assert next(iter(cells.told()))[1] == "of 'sex', 20% of m are left out and 10% of f"

    def test_a_cell_of_one_person_has_a_share(self) -> None:
        cells = LeftOut("sex", ("f", "m"), "", (), ((0,), (9,), (0,)), ((1,), (1,), (0,)))
        assert next(iter(cells.told()))[1] == "of 'sex', 100% of f are left out and 10% of m"

    def test_a_table_of_nobody_goes_with_nothing(self) -> None:
        cells = LeftOut("sex", ("f", "m"), "", (), ((0,), (0,), (5,)), ((0,), (0,), (4,)))
        ((p, words),) = cells.told()
        assert p == 1.0
        assert "of f are left out" in words
        assert words.endswith("of f")

    def test_shares_are_told_of_ten_thousandths(self) -> None:
        """The last digit is that of the share to four decimals."""
        cells = LeftOut("sex", ("f", "m"), "", (), ((87_749,), (88_749,), (0,)), ((12_251,), (11_251,), (0,)))
        assert next(iter(cells.told()))[1] == "of 'sex', 12.2% of f are left out and 11.2% of m"
        assert [row[3] for row in cells.table.rows] == ["12.2%", "11.2%"]


class TestTable:
    def test_everybody_of_a_group_or_outcome_stands_in_it(self) -> None:
        kept, gone = np.array(KEPT), np.array(GONE)
        rows = []
        for column, names, axis in (("race", "abc", 1), ("verdict", "xyz", 0)):
            for name, here, away in zip([*names, "not known"], kept.sum(axis=axis), gone.sum(axis=axis), strict=True):
                share = percent(round(float(away / (here + away)), 4))
                rows.append((f"{column}: {name}", str(here + away), str(away), share))
        assert CELLS.table.rows == tuple(rows)
        assert CELLS.table.caption == "Who was left out for missing values, by race"
        assert len(CELLS.table.header) == 4

    def test_nobody_stands_nowhere(self) -> None:
        cells = LeftOut(
            "sex", ("f", "m"), "y", ("no", "yes"), ((3, 4, 0), (0, 5, 0), (0, 0, 0)), ((3, 0, 0),) + ((0, 0, 0),) * 2
        )
        names = [row[0] for row in cells.table.rows]
        assert names == ["sex: f", "sex: m", "y: no", "y: yes"]
        assert cells.table.rows[2] == ("y: no", "6", "3", "50%")

    def test_without_outcome_only_the_attribute_stands_in_it(self) -> None:
        assert [row[0] for row in WITHOUT.table.rows] == ["race: a", "race: b", "race: not known"]


class TestChance:
    @pytest.mark.parametrize(
        ("rows", "gone"),
        [
            ((9, 14), (4, 1)),
            ((8, 9), (0, 2)),
            ((5, 6, 7), (4, 1, 1)),
            ((6, 6, 6), (2, 2, 2)),
            ((3, 4, 5, 2), (0, 3, 1, 2)),
        ],
    )
    def test_it_is_that_of_all_ways_to_leave_so_many_out(self, rows: tuple[int, ...], gone: tuple[int, ...]) -> None:
        """Oracle: the multivariate hypergeometric probability of every table, to five standard errors."""
        truth, found = exact(rows, gone), chance(np.array(rows), np.array(gone))
        assert abs(found - truth) <= 5 * (truth * (1 - truth) / DRAWS) ** 0.5 + 1 / (1 + DRAWS)

    def test_the_smallest_is_one_over_the_draws_and_one(self) -> None:
        assert DRAWS == 1_999
        assert chance(np.array([500, 500]), np.array([400, 0])) == 1 / 2_000

    def test_it_counts_the_table_that_is_there(self) -> None:
        """Every table of one row lost is as unequal as another."""
        assert chance(np.array([7, 7]), np.array([1, 0])) == 1.0

    def test_ties_count_however_large(self) -> None:
        """Groups of one size: losing a from one and b from the other is as unequal as b and a."""
        size = 1_000_003
        rng = np.random.default_rng(0)
        drawn = rng.multivariate_hypergeometric([size, size], 10, size=DRAWS, method="marginals")[:, 0]
        apart = np.abs(drawn - 5)
        for lost in range(11):
            expected = (1 + int((apart >= abs(lost - 5)).sum())) / (1 + DRAWS)
            assert chance(np.array([size, size]), np.array([lost, 10 - lost])) == expected

    @pytest.mark.parametrize("rows", [((4, 9), (0, 0)), ((4, 9), (4, 9)), ((9,), (4,)), ((), ())])
    def test_nothing_to_compare_is_no_surprise(self, rows: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
        kept, gone = (np.array(one, dtype=np.int64) for one in rows)
        assert chance(kept, gone) == 1.0

    def test_a_whole_group_lost_is_compared(self) -> None:
        assert chance(np.array([20, 20]), np.array([20, 2])) == 1 / 2_000
        assert chance(np.array([3, 30, 30]), np.array([3, 1, 1])) < 0.01

    def test_the_same_draws_are_those_of_seed_nought(self) -> None:
        rows, gone = np.array([30, 40, 50]), np.array([9, 6, 5])
        drawn = np.random.default_rng(0).multivariate_hypergeometric(rows, 20, size=1_999, method="marginals")
        expected = rows * 20 / 120
        unequal, seen = ((of - expected) ** 2 / expected for of in (drawn, gone))
        as_unequal = int((unequal.sum(axis=1) >= seen.sum() - 1e-9).sum())
        assert chance(rows, gone) == (1 + as_unequal) / 2_000


class TestGoesWith:
    def test_the_level_is_that_after_holm_and_is_met_by_what_equals_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert left_out.LEVEL == 0.05

        def told(*values: float) -> tuple[Any, ...]:
            class Said:
                def told(self) -> list[tuple[float, str]]:
                    return [(p, f"number {place}") for place, p in enumerate(values)]

            return (Said(),)

        assert goes_with(told(0.05)) == ("number 0 (p-value 0.050)",)
        assert goes_with(told(0.0501)) == ()
        assert goes_with(told(0.025, 0.6)) == ("number 0 (p-value 0.050)",)
        assert goes_with(told(0.0251, 0.6)) == ()
        assert len(goes_with(told(0.001, 0.001, 0.001))) == 3

    def test_what_is_told_twice_counts_once(self) -> None:
        assert goes_with((CELLS, CELLS)) == goes_with((CELLS,))

    def test_nobody_goes_with_nothing(self) -> None:
        assert goes_with(()) == ()


class TestWords:
    def test_a_trifle_is_up_to_five_in_a_hundred(self) -> None:
        assert [level_of((), lost, 200) for lost in (0, 10, 11, 200)] == ["info", "info", "warning", "warning"]

    def test_what_goes_with_a_group_is_no_trifle(self) -> None:
        cells = LeftOut("sex", ("f", "m"), "", (), ((900,), (1000,), (0,)), ((30,), (0,), (0,)))
        assert level_of((cells,), 30, 1930) == "warning"
        equal = LeftOut("sex", ("f", "m"), "", (), ((900,), (900,), (0,)), ((15,), (15,), (0,)))
        assert level_of((equal,), 30, 1830) == "info"

    def test_the_columns_that_cost_most_come_first(self) -> None:
        gaps = (("a", 1), ("b", 1200), ("c", 7), ("d", 3), ("e", 2))
        assert gaps_told(gaps) == "'b' (1,200), 'c' (7), 'd' (3) and 2 more columns"
        assert gaps_told(gaps[:4]) == "'b' (1,200), 'c' (7), 'd' (3) and 1 more column"
        assert gaps_told(gaps[:3]) == "'b' (1,200), 'c' (7) and 'a' (1)"
        assert gaps_told(gaps[:1]) == "'a' (1)"

    def test_two_reasons_are_said(self) -> None:
        assert summary(12, 1300, ("one", "two", "three")) == (
            "12 rows of 1,300 were left out for missing values, more often for some people than for others: one; two"
        )

    def test_before_the_run_what_goes_with_a_group_is_a_warning(self) -> None:
        cells = LeftOut("sex", ("f", "m"), "", (), ((900,), (1000,), (0,)), ((30,), (0,), (0,)))
        (told,) = caveats((cells,), 30, 1930)
        assert told.level == "warning"
        assert told.what.startswith("30 rows of 1,930 were left out")
        assert "Fill in" in told.advice
        assert list(caveats((), 30, 1930)) == []

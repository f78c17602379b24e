"""Claims in a line and in a table: who, by how much and what is tolerated, in the unit of the claim."""

from dataclasses import replace

import numpy as np
import pytest

from core.claims import Claim, Scale, to_frame
from core.claims_shown import draw, each, row_of, side_by_side, state, statistics
from core.claims_told import in_a_line, shares
from core.figures.interval_rows import Axis, figure_of
from core.figures.series import Spans
from core.inference.estimate import Estimate, Verdict
from core.inference.evidence import Adjusted
from core.language.phrases import p_value
from core.language.units import PLAIN, POINTS, Unit

MEAN = Claim.of_evidence(
    Estimate(0.172, 0.01, 400), 0.0365, 0.05, what="Rise of the error rate", unit=POINTS, people=400
)
NOTHING = Claim.of_evidence(Estimate(np.nan, np.nan, 0, "No rows."), 0.1, 0.05, what="Ratio")


def test_a_line_gives_the_number_its_interval_and_what_is_tolerated_in_one_unit() -> None:
    assert in_a_line(MEAN) == "17.2 points (at least 15.6); 3.65 are tolerated"
    pair = replace(MEAN, unit=Unit(79.1688227, "units of income"), tolerance=0.1, interval=None)
    assert in_a_line(pair) == "13.6 units of income (at least 12.3); 7.92 are tolerated"
    assert in_a_line(replace(MEAN, low=-np.inf, interval=None)) == "17.2 points; 3.65 are tolerated"
    assert in_a_line(NOTHING) == "no number"


def test_who_is_shown_to_fare_better_is_not_only_within_the_tolerance() -> None:
    """Caucasians 14.2 points better off than everybody else, in either scale; where no direction harms nobody is."""
    told = Claim(who="a", against="b", estimate=-0.142, low=-0.179, high=-0.118, tolerance=0.1)
    assert state(told) == "fares better"
    assert state(replace(told, high=-0.08)) == "seems to fare better"
    assert state(replace(told, high=-0.03, estimate=-0.05)) == "within the tolerance"
    assert state(replace(told, one_sided=False)) == "within the tolerance"
    assert state(replace(told, scale="ratio", estimate=1.4, low=1.3, high=1.6, tolerance=0.8)) == "fares better"


@pytest.mark.parametrize(
    ("here", "there", "tolerance", "told"),
    [
        (0.28, 0.09, 0.1, ("28%", "9%", "19 points")),
        (0.448, 0.235, 0.1, ("45%", "24%", "21 points")),
        (0.283, 0.094, 0.1, ("28%", "9%", "19 points")),
        (0.285, 0.094, 0.1, ("28%", "9%", "19 points")),
        (0.20, 0.096, 0.1, ("20.0%", "9.6%", "10.4 points")),
    ],
)
def test_shares_are_rounded_so_that_their_difference_is_the_one_that_is_told(
    here: float, there: float, tolerance: float, told: tuple[str, ...]
) -> None:
    assert shares(replace(MEAN, tolerance=tolerance), here, there) == told


@pytest.mark.parametrize("scale", ["difference", "ratio"])
def test_multiples_of_the_tolerance_say_what_the_bounds_say(scale: Scale) -> None:
    for low, high in ((0.02, 0.4), (0.2, 0.4), (0.01, 0.05), (0.9, 1.2), (-0.3, -0.1)):
        one = replace(MEAN, scale=scale, low=low, high=high, tolerance=0.1 if scale == "difference" else 0.8)
        if scale == "difference" or low > 0:
            assert (one.times_shown > 1) is one.beyond
            assert (one.times_possible <= 1) is one.within


def test_nothing_tolerated_is_exceeded_without_end() -> None:
    assert replace(MEAN, tolerance=0.0).times_shown == np.inf
    assert replace(MEAN, tolerance=0.0, low=0.0).times_shown == 0.0
    assert replace(MEAN, tolerance=0.0, low=-0.1).times_shown == -np.inf


def test_the_table_of_a_claim_holds_its_own_numbers() -> None:
    table = statistics(MEAN, [MEAN], Verdict.VIOLATION, alpha=0.05, tolerance="3.65 percentage points", rows="People")
    told = dict(table.rows)
    assert told["Verdict"] == "violation found"
    assert told["Rise of the error rate, in percentage points"] == "17.2"
    assert told["95% interval, two-sided"] == "15.2 to 19.2"
    assert told["Lower bound, 95%, one-sided"] == "15.6"
    assert told["People n"] == "400"
    assert "3.65 percentage points" in table.caption
    assert MEAN.interval is not None
    assert MEAN.interval.low == pytest.approx(0.172 - 1.959964 * 0.01, abs=1e-6)
    assert MEAN.low == pytest.approx(0.172 - 1.644854 * 0.01, abs=1e-6)


def test_a_claim_without_an_estimate_says_so_and_is_neither_beyond_nor_within() -> None:
    table = statistics(NOTHING, [NOTHING], Verdict.INSUFFICIENT, alpha=0.05, tolerance="0.1", rows="People")
    assert [value for _, value in table.rows].count("not defined") == 5
    assert not any((NOTHING.beyond, NOTHING.within, NOTHING.judged, NOTHING.defined))


def test_of_several_claims_the_table_says_which_one_it_is() -> None:
    two = [replace(MEAN, who="sex"), replace(MEAN, who="race")]
    captions = [
        statistics(two[0], claims, Verdict.VIOLATION, alpha=0.05, tolerance="4", rows="People").caption
        for claims in (two[:1], two)
    ]
    assert captions[0].startswith("The test of sex at")
    assert captions[1].startswith("The test of sex, the one of 2 that decides")


def test_a_claim_that_is_not_judged_is_not_counted_and_is_marked_beside_its_numbers() -> None:
    judged = [replace(MEAN, who="sex = f", against="sex = m"), replace(MEAN, who="sex = m", against="sex = f")]
    few = replace(MEAN, who="sex = x", against="everybody else", judged=False, why="too few people")
    known = {"alpha": 0.05, "tolerance": "4", "rows": "People"}
    assert "the one of 2 that decides" in statistics(judged[0], [*judged, few], Verdict.VIOLATION, **known).caption
    assert "that decides" not in statistics(judged[0], [judged[0], few], Verdict.VIOLATION, **known).caption
    *_, last = each([*judged, few], alpha=0.05, rows="People").rows
    assert "too few people" in last
    assert last.count("too few people") == 1
    alike = replace(few, against="")
    ((_, _, cell, _),) = each([alike, NOTHING], alpha=0.05, rows="People").rows[:1]
    assert cell.endswith("; too few people)")


def test_the_number_of_a_comparison_is_called_a_difference_or_a_ratio() -> None:
    pair = replace(MEAN, who="sex = f", against="sex = m", what="Share of errors")
    known = {"alpha": 0.05, "tolerance": "4", "rows": "People"}
    named = [
        statistics(one, [one], Verdict.VIOLATION, **known).rows[1][0]
        for one in (pair, replace(pair, scale="ratio", unit=PLAIN), MEAN)
    ]
    assert named == [
        "Difference in share of errors, in percentage points",
        "Ratio of share of errors",
        "Rise of the error rate, in percentage points",
    ]


def test_a_frame_has_a_row_a_claim_and_says_what_is_said() -> None:
    within = replace(MEAN, low=-0.01, high=0.03, estimate=0.01)
    frame = to_frame([MEAN, within, NOTHING])
    assert list(frame["said"]) == ["beyond", "within", "open"]
    assert set(frame["who"]) == {"Everybody"}
    assert to_frame([replace(MEAN, who="sex = female")])["who"].item() == "sex = female"
    assert frame.loc[0, ["estimate", "tolerance", "people"]].tolist() == [0.172, 0.0365, 400]
    assert frame.loc[0, ["factor", "unit"]].tolist() == [100.0, "percentage points"]
    assert list(to_frame([]).columns) == list(frame.columns)


def test_one_of_several_shares_the_error_rate_below_and_not_above() -> None:
    alone, one = Estimate(1.0, 0.1, 50), Adjusted(Estimate(1.0, 0.1, 50), 4)
    claim = Claim.of_evidence(one, 0.9, 0.05, what="Ratio", unit=PLAIN)
    assert claim.low == pytest.approx(alone.lower_bound(0.0125))
    assert claim.high == alone.upper_bound(0.05)
    assert claim.p_value == pytest.approx(4 * alone.p_value(0.9))


def claims(*values: float, what: str = "Difference") -> tuple[Claim, ...]:
    """A claim a group of 100 people."""
    evidence = [Adjusted(Estimate(value, 0.02, 100), len(values)) for value in values]
    groups = enumerate(evidence)
    return tuple(
        Claim.of_evidence(one, 0.05, 0.1, what=what, unit=POINTS, who=f"group {place}", people=100)
        for place, one in groups
    )


def test_every_claim_has_its_row_in_its_unit() -> None:
    found = claims(0.01, 0.2, float("nan"))
    table = each(found, alpha=0.1, rows="People")
    assert [row[0] for row in table.rows] == ["group 0", "group 1", "group 2"]
    assert table.header[0] == POINTS.axis("Difference")
    assert [row[1:3] for row in table.rows][2] == ("–", "insufficient evidence")
    assert [row[1] for row in table.rows[:2]] == ["1.00", "20.0"]
    for row, one in zip(table.rows[:2], found, strict=False):
        assert one.interval is not None
        assert row[2] == POINTS.interval(one.interval.low, one.interval.high)
        assert row[3] == p_value(one.p_value, alpha=0.1)
        assert row[4] == "100"


def test_different_quantities_stand_side_by_side() -> None:
    everybody = Claim.of_evidence(Estimate(1.5, 0.1, 40), 1.2, 0.1, what="Ratio", unit=PLAIN, people=40)
    table = each((*claims(0.1), everybody), alpha=0.1, rows="People")
    difference = POINTS.axis("Difference")
    assert table.header == ("", "People n", difference, "Ratio")
    assert table.rows[0][2] == "10.0 (6.71 to 13.3; p-value 0.0062)"
    assert [row[:2] for row in table.rows] == [("group 0", "100"), ("Everybody", "40")]
    assert [row[3] == "–" for row in table.rows] == [True, False]
    turned = side_by_side((*claims(0.1), everybody), alpha=0.1, rows="People", caption="", across="who")
    assert [row[0] for row in turned.rows] == [difference, "Ratio"]
    assert turned.rows[0][2] == table.rows[0][2]


def test_a_chart_of_many_claims_shows_the_worst_and_says_how_many_it_leaves_out() -> None:
    few, many = claims(0.3, 0.01), claims(*np.linspace(0.3, 0.0, 20))
    assert draw(few, what="Groups.").alt.startswith("Groups. group 0: 30.0 (")
    drawing = draw(tuple(reversed(many)), what="Groups.")
    assert isinstance(drawing.series, Spans)
    assert [row.name for row in drawing.series.rows] == [f"group {place}" for place in reversed(range(12))]
    assert drawing.alt.endswith("8 more are in the table.")
    assert drawing.figure.layout.height < 900


def test_a_long_quantity_is_told_to_its_end_on_as_many_lines_as_it_takes() -> None:
    what = "ethnicity, how much more often afam than cauc: favourable answers where the outcome is favourable (EOD)"
    (one,) = claims(0.3, what=what)
    words = row_of(one, ("person", "people"), detail=one.what).words
    assert what in words
    drawn = figure_of([row_of(one, ("person", "people"), detail=one.what)], Axis("points"))
    (written,) = (each.text for each in drawn.layout.annotations if "ethnicity" in each.text)
    assert written.replace("<br>", " ").endswith("(EOD) 30.0 (26.7 to 33.3), 100 people")
    assert all(len(line) <= 51 for line in written.split("<br>"))


def test_where_bounds_alone_speak_table_and_chart_say_what_is_shown() -> None:
    named = [replace(one, p_value=np.nan) for one in (*claims(0.3, 0.0), replace(claims(0.2)[0], judged=False))]
    table, drawing = each(named, alpha=0.1, rows="People"), draw(named, what="Groups.")
    assert [row[-1] for row in table.rows] == ["beyond the tolerance", "within the tolerance", "insufficient evidence"]
    assert isinstance(drawing.series, Spans)
    assert [row.beyond for row in drawing.series.rows] == [True, False, False]
    assert ", 100 people, insufficient evidence. The tolerance is 5" in drawing.alt
    unknown = [replace(named[0], interval=None, judged=False, estimate=np.nan)]
    assert "group 0: insufficient evidence (100 people)" in draw(unknown, what="Groups.").alt

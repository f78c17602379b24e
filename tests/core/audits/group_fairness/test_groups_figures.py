"""Figures and tables of groups are tested by what they say and draw, never by pixels."""

import re

import pytest

from core.audits.group_fairness.figures import CHARTS
from core.audits.group_fairness.report.groups import tables
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.figures.series import Spans
from core.figures.theme import MOST_ROWS
from tests.core.audits.group_fairness.cases import finding_of, make_detail
from tests.drawn import words

FIGURES = ("groups impact", "groups rates")


@pytest.fixture(scope="module")
def results() -> dict[str, GroupFairnessFinding]:
    made = {case: finding_of(make_detail(case)) for case in ("two classes", "three classes")}
    made["unsaid"], made["numbers"] = (finding_of(make_detail("numbers"), good_end=one) for one in ("not said", "low"))
    return {**made, "hostile": finding_of(make_detail("two classes", hostile=True))}


def test_figures_stand_where_they_have_something_to_show(results: dict[str, GroupFairnessFinding]) -> None:
    shown = {case: [name for name in FIGURES if CHARTS[name].applies(result)] for case, result in results.items()}
    assert shown["two classes"] == shown["numbers"] == list(FIGURES)
    assert shown["three classes"] == shown["unsaid"] == ["groups rates"]


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_drawn_and_told_for_every_sort_of_answers(
    name: str, results: dict[str, GroupFairnessFinding]
) -> None:
    chart = CHARTS[name]
    for case, result in results.items():
        if not chart.applies(result):
            continue
        drawing = chart.draw(result)
        figure, told = drawing.figure, drawing.alt
        assert figure.layout.margin.l + figure.layout.margin.r <= 40
        assert not re.search(r"<(script|b onclick|img|a )|\$1\$|\$x_1\$", figure.to_json().replace("\\u003c", "<"))
        lines = [line for text in words(figure) for line in text.split("<br>")]
        assert max(len(re.sub("<.*?>", "", line)) for line in lines) <= 75
        if case != "hostile" and "more are in the table" not in told:
            assert "race = Asian" in told
            assert "insufficient evidence (" in told


def test_the_impact_figure_shows_every_ratio_with_its_interval_beside_the_screening_ratio(
    results: dict[str, GroupFairnessFinding],
) -> None:
    result = results["two classes"]
    figure = CHARTS["groups impact"].draw(result).figure
    impacts = [table.impacts[0] for table in result.group_tables]
    expected = [(low, high) for one in impacts for low, high in zip(one.low, one.high, strict=True) if low <= high]
    drawn = [found.x for found in figure.data if found.name.startswith("interval")]
    assert drawn == expected
    assert {shape.x0 for shape in figure.layout.shapes} == {0.8, 1.0}
    assert {shape.line.dash for shape in figure.layout.shapes if shape.x0 == 0.8} == {"dash"}
    assert "0.8: four-fifths, a screening ratio" in words(figure)
    assert {found.marker.symbol for found in figure.data if found.name.startswith("estimate")} == {"diamond", "circle"}
    assert any(text.endswith("below 0.8") for text in words(figure))
    assert "<b>Asian</b> insufficient evidence (12 people)" in words(figure)


def test_rates_differ_by_marker_and_words_not_by_colour_alone(results: dict[str, GroupFairnessFinding]) -> None:
    figure = CHARTS["groups rates"].draw(results["two classes"]).figure
    for answer, outcome in (("no", "yes"), ("yes", "no")):
        told = f"<b>sex = Female</b> Share that wrongly gets the answer “{answer}” where the outcome was {outcome}"
        assert any(text.replace("<br>", " ").startswith(told) for text in words(figure))


def test_groups_that_are_too_small_for_a_chart_are_named_below_it(results: dict[str, GroupFairnessFinding]) -> None:
    drawing = CHARTS["claims"].draw(results["two classes"])
    assert isinstance(drawing.series, Spans)
    assert not any("race = Asian" in row.name for row in drawing.series.rows)
    assert drawing.left_out.startswith("Too few people to be drawn everywhere: ")
    assert "race = Asian" in drawing.left_out
    assert drawing.series.more == drawing.left_out
    assert drawing.alt.endswith(drawing.left_out)


def test_groups_that_do_not_fit_are_counted(
    monkeypatch: pytest.MonkeyPatch, results: dict[str, GroupFairnessFinding]
) -> None:
    monkeypatch.setattr("core.audits.group_fairness.figures.impact.MOST_SMALL", 1)
    impact = CHARTS["groups impact"].draw(results["two classes"]).figure
    assert "2 more groups too small to judge" in words(impact)
    rates = CHARTS["groups rates"].draw(results["numbers"])
    assert isinstance(rates.series, Spans)
    assert len(rates.series.rows) == MOST_ROWS
    assert rates.alt.endswith("more are in the table.")


def test_tables_hold_every_group_and_no_two_columns_share_a_heading(results: dict[str, GroupFairnessFinding]) -> None:
    names = {name: set(tables(result)) for name, result in results.items()}
    assert names["two classes"] == names["numbers"] == {"groups impact", "groups rates", "groups differences"}
    assert names["unsaid"] == {"groups rates", "groups differences"}
    assert names["three classes"] == {"groups rates", "groups differences", "groups classes"}
    for result in results.values():
        groups = sum(len(table.family.groups) for table in result.group_tables)
        for name, table in tables(result).items():
            assert len(set(table.header)) == len(table.header)
            assert {len(row) for row in table.rows} == {len(table.header)}
            if name != "groups differences":
                assert len({row[0] for row in table.rows}) == len(table.rows) == groups


def test_tables_say_the_numbers_and_what_holds_together(results: dict[str, GroupFairnessFinding]) -> None:
    result = results["two classes"]
    found, told = result.group_tables[0], tables(result)
    selection, impact = found.measure("selection rate"), found.impact("selection rate")
    assert selection is not None
    assert impact is not None
    row = dict(zip(told["groups impact"].header, told["groups impact"].rows[0], strict=True))
    assert row["Group"] == "sex = Female"
    assert row["People"] == f"{found.family.rows[0]:,}"
    assert row["Selection rate"].startswith(f"{100 * selection.values[0]:.1f}% (")
    assert row["Impact ratio of selection rates"].startswith(f"{impact.values[0]:.2f} (")
    assert "four-fifths rule of the Uniform Guidelines" in told["groups impact"].caption
    assert "hold together" in told["groups differences"].caption
    assert "each by itself" in told["groups rates"].caption
    small = next(row for row in told["groups rates"].rows if row[0] == "race = Asian")
    assert set(small[2:]) == {"insufficient evidence"}
    together = " ".join(cell for table in told.values() for row in table.rows for cell in row)
    assert not re.search(r"\bfair\b|compliant|\bnan\b|not defined", together)


def test_tables_are_worked_out_once_for_each_error_rate(results: dict[str, GroupFairnessFinding]) -> None:
    finding = results["numbers"]
    once, again = finding.group_tables, finding.under(delta=0.3).group_tables
    other = finding.under(alpha=0.01).group_tables
    assert once is again
    wide, narrow = other[0].difference("RMSE"), once[0].difference("RMSE")
    assert wide is not None
    assert narrow is not None
    assert wide.high > narrow.high


def test_answers_that_are_only_decisions_have_no_scoring_rate() -> None:
    soft, hard = (finding_of(make_detail("two classes", decided=decided)) for decided in (False, True))
    assert soft.group_tables[0].measure("scoring rate") is not None
    assert hard.group_tables[0].measure("scoring rate") is None
    one, other = (finding.group_tables[0].difference("statistical parity") for finding in (soft, hard))
    assert one == other

"""Figures of the metric and of the table, by their specification."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.figures.data import draw_group_sizes, draw_outcome_rates, fitting, listed_groups
from core.figures.metric import draw_free_shares, draw_probes, draw_spectrum, free_shares
from core.language.told import packed
from core.metrics.portrait import column_freedom
from tests.builders import make_result

GROUPS = pd.DataFrame(
    {
        "attribute": ["race", "race", "sex", "sex"],
        "group": ["<b>Black</b>", "White", "Female", "$M$"],
        "rows": [1_200, 11, 700, 511],
        "favourable": [0.25, np.nan, 0.5, 0.4],
        "enough": [True, False, True, True],
    }
)


def test_free_shares_are_those_of_the_metric_freest_first() -> None:
    result = make_result(wide=True)
    figure = draw_free_shares(result.metric, result.model.encoder).figure
    freedom = sorted(column_freedom(result.metric, result.model.encoder), key=lambda row: -row.share)
    assert len(freedom) == 39
    assert figure.data[0].x == tuple(row.share for row in freedom[:12])
    assert figure.layout.yaxis.ticktext == tuple(row.column for row in freedom[:12])
    assert freedom[0].column in draw_free_shares(result.metric, result.model.encoder).alt


def test_hostile_column_names_are_shown_letter_by_letter() -> None:
    result = make_result(hostile=True)
    figure = draw_free_shares(result.metric, result.model.encoder).figure
    assert not [text for text in figure.layout.yaxis.ticktext if "<" in text.replace("<br>", "") or "$" in text]
    assert not [text for text in figure.data[0].customdata if "onclick=alert(1)>" in text or "$" in text]


def test_probes_show_auc_and_accuracy_with_intervals_by_different_markers() -> None:
    metric = make_result().metric
    figure = draw_probes(metric).figure
    auc, accuracy = figure.data
    assert list(auc.x) == [0.84, 0.61]
    assert auc.error_x.array == pytest.approx([0.06, 0.09])
    assert len(accuracy.x) == 6
    assert auc.marker.symbol != accuracy.marker.symbol
    assert "race 0.84" in draw_probes(metric).alt


def test_the_spectrum_fills_the_directions_that_are_free() -> None:
    metric = make_result().metric
    figure = draw_spectrum(metric).figure
    assert list(figure.data[0].y) == list(metric.spectrum)
    assert figure.data[0].marker.symbol == ("circle", "circle", "circle-open", "circle-open")
    declared = replace(metric, free=metric.free[:0])
    assert set(draw_spectrum(declared).figure.data[0].marker.symbol) == {"circle-open"}


def test_group_sizes_hatch_and_name_groups_too_small_to_judge() -> None:
    figure = draw_group_sizes(GROUPS).figure
    assert list(figure.data[0].x) == [1_200, 11, 700, 511]
    assert figure.data[0].text == ("1,200", "11 (too few)", "700", "511")
    assert figure.data[0].marker.pattern.shape == ("", "/", "", "")
    assert figure.layout.yaxis.ticktext[0] == "race = &lt;b&gt;Black&lt;/b&gt;"
    assert figure.layout.yaxis.ticktext[3] == "sex = &#36;M&#36;"


def test_outcome_rates_say_where_there_is_no_outcome() -> None:
    figure = draw_outcome_rates(GROUPS, "<i>hired</i>").figure
    assert figure.data[0].text == ("25%", "no outcome", "50%", "40%")
    assert "<i>" not in figure.layout.xaxis.title.text
    assert "race = White: not defined" in draw_outcome_rates(GROUPS, "hired = yes").alt


def of_attributes(**sizes: int) -> pd.DataFrame:
    rows = [(name, packed(f"g{k}"), 900 - k, 0.5, np.nan) for name, size in sizes.items() for k in range(size)]
    groups = pd.DataFrame(rows, columns=["attribute", "group", "rows", "favourable", "mean"])
    return groups.assign(low=np.nan, high=np.nan, enough=True)


@pytest.mark.parametrize(
    ("sizes", "drawn"),
    [
        ({"sex": 2, "race": 6}, {"sex": 2, "race": 6}),
        ({"race": 5, "age": 5, "income": 5}, {"race": 5, "age": 5}),
        ({"country": 41, "sex": 2}, {"country": 12}),
        ({"sex": 2, "country": 41}, {"sex": 2}),
    ],
    ids=str,
)
def test_a_chart_of_groups_has_at_most_twelve_rows_and_the_table_all(
    sizes: dict[str, int], drawn: dict[str, int]
) -> None:
    groups = of_attributes(**sizes)
    shown = fitting(groups)
    assert shown.groupby("attribute", sort=False).size().to_dict() == drawn
    assert len(draw_group_sizes(shown).figure.data[0].x) == sum(drawn.values()) <= 12
    table = listed_groups(groups, "hired = yes")
    assert len(table.rows) == len(groups)
    assert table.header == ("Group", "Rows", "Share with hired = yes")
    assert table.rows[0] == (f"{next(iter(sizes))} = g0", "900", "50%")


def test_the_chart_of_free_columns_says_how_many_more_there_are_and_the_table_holds_all() -> None:
    result = make_result(wide=True)
    figure = draw_free_shares(result.metric, result.model.encoder).figure
    assert figure.layout.annotations[0].text == "27 more columns are no freer than the last"
    table = free_shares(result.metric, result.model.encoder)
    assert len(table.rows) == 39
    assert [row[0] for row in table.rows[:12]] == list(figure.layout.yaxis.ticktext)

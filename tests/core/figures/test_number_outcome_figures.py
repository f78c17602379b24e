"""Figures of outcomes that are numbers, and of outcomes of several classes, by their specification."""

import numpy as np
import pandas as pd
import pytest

from core.data.quality.number_outcome import summarise_numbers
from core.figures.data import draw_numbers, draw_outcome_means, draw_outcomes

GROUPS = pd.DataFrame(
    {
        "attribute": ["race", "race", "race", "sex"],
        "group": ["<b>Black</b>", "White", "Other", "$M$"],
        "rows": [1_200, 11, 1, 700],
        "mean": [2.5, 3.0, 4.0, np.nan],
        "low": [2.0, 1.0, np.nan, np.nan],
        "high": [3.0, 5.0, np.nan, np.nan],
        "enough": [True, False, False, True],
    }
)
OUTCOMES = pd.DataFrame({"outcome": ["B", "<i>A</i>", "C"], "rows": [50, 40, 10], "share": [0.5, 0.4, 0.1]})


def test_means_stand_with_their_intervals_and_small_groups_are_hollow() -> None:
    figure = draw_outcome_means(GROUPS, "<i>cost</i>").figure
    points = figure.data[0]
    assert list(points.x[:3]) == [2.5, 3.0, 4.0]
    assert list(points.error_x.array[:3]) == [0.5, 2.0, 0.0]
    assert list(points.error_x.arrayminus[:3]) == [0.5, 2.0, 0.0]
    assert points.marker.symbol == ("circle", "circle-open", "circle-open", "circle")
    assert "<i>" not in figure.layout.xaxis.title.text
    assert figure.layout.yaxis.ticktext[0] == "race = &lt;b&gt;Black&lt;/b&gt;"
    told = draw_outcome_means(GROUPS, "cost").alt
    assert "race = White: 3.00, 95% interval 1.00 to 5.00 (too few rows)" in told
    assert "sex = $M$: no outcome" in told


def test_without_groups_there_is_an_empty_figure() -> None:
    assert len(draw_outcome_means(GROUPS.head(0), "cost").figure.data[0].x) == 0


def test_the_histogram_counts_every_row_and_names_the_mean() -> None:
    values = np.random.default_rng(0).normal(10, 2, 500)
    summary = summarise_numbers(values)
    assert summary is not None
    drawn = draw_numbers(summary, "cost")
    bars = drawn.figure.data[0]
    assert sum(bars.y) == 500
    assert bars.x[0] - bars.width[0] / 2 == pytest.approx(values.min())
    assert drawn.figure.layout.shapes[0].x0 == pytest.approx(values.mean())
    assert "500 rows" in drawn.alt


def test_outcomes_are_counted_and_the_favourable_one_says_so() -> None:
    drawn = draw_outcomes(OUTCOMES, "C")
    figure = drawn.figure
    assert list(figure.data[0].x) == [50, 40, 10]
    assert figure.data[0].text == ("50 (50%)", "40 (40%)", "10 (10%), favourable")
    assert figure.layout.yaxis.ticktext == ("B", "&lt;i&gt;A&lt;/i&gt;", "C")
    assert drawn.alt == "Rows with each outcome: B 50, <i>A</i> 40, C (favourable) 10."

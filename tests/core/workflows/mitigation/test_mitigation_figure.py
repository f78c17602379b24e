"""The figure of what fairness costs, by its specification: traces, marks and words, never pixels."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.workflows.mitigation.figures.answers import ANSWERS
from core.workflows.mitigation.figures.tradeoff import MOST_GROUPS, TRADE_OFF
from tests.builders import HOSTILE
from tests.core.workflows.mitigation.made import result_of
from tests.drawn import trace

WRONG = np.arange(100) % 10 == 0
WORSE = np.arange(100) % 5 == 0
MADE = [(math.nan, WRONG, 0.0001), (0.5, WORSE, 0.02), (0.9, WORSE, 0.4)]


def test_errors_stand_above_p_values_and_the_baseline_first() -> None:
    figure = TRADE_OFF.draw(result_of(MADE), 0.05).figure
    everybody, tested = trace(figure, "everybody"), trace(figure, "p-value")
    np.testing.assert_allclose(everybody.y, [10, 20, 20])
    np.testing.assert_allclose(tested.y, [0.0001, 0.02, 0.4])
    assert figure.layout.yaxis2.type == "log"
    assert figure.layout.yaxis.domain[0] > figure.layout.yaxis2.domain[1]
    assert list(figure.layout.xaxis.ticktext) == ["baseline", "0.5", "0.9"]
    assert tested.yaxis == "y2"
    assert list(tested.marker.symbol) == ["x", "x", "circle"]
    assert everybody.error_y.array[0] == everybody.error_y.arrayminus[0] == 0
    assert everybody.error_y.arrayminus[1] < 10 < 10 + everybody.error_y.array[1]


def test_the_error_rate_is_a_dashed_line_and_moves_the_crosses() -> None:
    figure = TRADE_OFF.draw(result_of(MADE), 0.01).figure
    dashed = [shape for shape in figure.layout.shapes if shape.line.dash == "dash"]
    assert [shape.y0 for shape in dashed] == [0.01]
    assert dashed[0].yref == "y2"
    assert list(trace(figure, "p-value").marker.symbol) == ["x", "circle", "circle"]
    low, high = figure.layout.yaxis2.range
    assert low < math.log10(0.0001) < high


def test_numbers_have_their_root_mean_squared_error() -> None:
    losses = [(strength, 4.0 * (1 + wrong), p) for strength, wrong, p in MADE]
    figure = TRADE_OFF.draw(result_of(losses, numbers=True), 0.05).figure
    assert trace(figure, "everybody").y[0] == pytest.approx(math.sqrt(4.4))
    assert figure.layout.yaxis.title.text == "RMSE"


def test_words_hold_every_number() -> None:
    told = TRADE_OFF.draw(result_of(MADE), 0.05).alt
    assert "baseline: 10.0%, p-value 0.0001, evidence of a violation" in told
    assert "λ = 0.9: 20.0%, p-value 0.40, no evidence of a violation" in told
    assert "group 0: from" in told


def test_only_the_largest_groups_are_drawn_and_the_others_counted() -> None:
    result = result_of(MADE, groups=6)
    figure = TRADE_OFF.draw(result, 0.05).figure
    assert len(figure.data) == 2 + MOST_GROUPS
    assert "3 groups not drawn" in TRADE_OFF.draw(result, 0.05).alt
    few = replace(result, rows=np.array([[100, *[20] * 6]] * 3))
    assert len(TRADE_OFF.draw(few, 0.05).figure.data) == 2
    assert "no group is large enough" in TRADE_OFF.draw(few, 0.05).alt


def test_thirty_strengths_have_few_ticks_and_hostile_names_no_effect() -> None:
    made = [(math.nan, WRONG, 0.01), *((0.03 * i, WORSE, 0.2) for i in range(30))]
    result = replace(result_of(made), groups=HOSTILE[:2])
    figure = TRADE_OFF.draw(result, 0.05).figure
    assert len(figure.layout.xaxis.tickvals) == 7
    shown = "".join(f"{one.name}{one.customdata}" for one in figure.data)
    assert "<b onclick" not in shown
    assert "&lt;b onclick=alert" in shown


def test_answers_of_classes_stand_before_and_after_by_group_and_outcome() -> None:
    result = result_of([(math.nan, WRONG[:90], 0.01), (0.5, WORSE[:90], 0.4)])
    many = replace(
        result,
        outcome=np.repeat(result.outcome, 2),
        codes=np.repeat(result.codes, 2),
        fits=tuple(replace(fit, answers=np.repeat(fit.answers, 2, axis=0)) for fit in result.fits),
    )
    fit = many.fits[1]
    assert ANSWERS.applies(many, fit)
    assert not ANSWERS.applies(many, many.fits[0])
    found = ANSWERS.draw(many, fit)
    inside = (many.outcome == 1) & (many.codes == 0)
    means = [100 * one.answers[inside, 1].mean() for one in many.fits]
    assert f"group 0, outcome yes, baseline: {means[0]:.1f}%" in found.alt
    assert f"group 0, outcome yes, λ = 0.5: {means[1]:.1f}%" in found.alt
    assert "group 1, outcome no" in found.alt


def test_answers_of_numbers_are_medians_by_bins_of_the_outcome() -> None:
    rng = np.random.default_rng(0)
    outcome, codes = rng.standard_normal(600), np.arange(600) % 2
    result = result_of([(math.nan, np.ones(600), 0.01), (0.5, np.ones(600), 0.4)], numbers=True)
    fits = tuple(
        replace(fit, answers=(slope * outcome)[:, None]) for fit, slope in zip(result.fits, (2.0, 1.0), strict=True)
    )
    rows = np.array([[600, 300, 300]] * 3)
    drawn = ANSWERS.draw(replace(result, outcome=outcome, codes=codes, fits=fits, rows=rows), fits[1])
    lines = [one for one in drawn.figure.data if one.mode == "markers" or "markers" in (one.mode or "")]
    assert len(lines) == 4
    np.testing.assert_allclose(np.array(lines[0].y), 2 * np.array(lines[0].x), atol=1e-9)
    np.testing.assert_allclose(np.array(lines[1].y), np.array(lines[1].x), atol=1e-9)

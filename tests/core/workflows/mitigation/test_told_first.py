"""Which model is told first, what similar people gain, and names in the chart that never run into each other."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import plotly.graph_objects as go
import pytest

from core.claims import Claim
from core.workflows.mitigation.beside import beside
from core.workflows.mitigation.evidence import told_first
from core.workflows.mitigation.figures.models import MODELS
from core.workflows.mitigation.page import fits_table
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import MitigationPlan, Projection, Reweighing
from core.workflows.mitigation.wording import headline, sentence, what_is_fitted, why_first
from tests.core.workflows.mitigation.made import plan_of, result_of

RATIOS = (7.42, 6.0, 5.0, 4.0, 2.46, 7.5, 8.0, 9.0, 9.55)
STRENGTHS = (0.5, 0.9, 0.97, 0.99)


def nine(p_values: tuple[float, ...] = (0.001,) * 9) -> tuple[MitigationPlan, MitigationResult]:
    """Projection and reweighing at four strengths each, whose errors hardly differ."""
    made = [
        (strength, np.arange(100) % 10 == i % 3, p)
        for i, (strength, p) in enumerate(zip((math.nan, *STRENGTHS, *STRENGTHS), p_values, strict=True))
    ]
    result = result_of(made, methods=2)
    claims = [Claim(estimate=ratio, low=ratio - 1, tolerance=1.25, judged=True) for ratio in RATIOS]
    fits = tuple(replace(fit, similar=claim) for fit, claim in zip(result.fits, claims, strict=True))
    return plan_of(methods=(Projection(), Reweighing()), strengths=STRENGTHS), replace(result, fits=fits)


def test_where_nothing_is_free_of_a_violation_the_gain_of_similar_people_is_told() -> None:
    plan, result = nine()
    assert headline(plan, result) == (
        "Each of these models still depends on sex among people with the same outcome. "
        "Projection (λ = 0.99) treats similar people more alike: loss ratio 2.46 instead of 7.42."
    )
    told = sentence(plan, result)
    assert "At the largest λ that still tells people apart, Projection (λ = 0.99), the p-value is" in told
    assert "At Reweighing (λ = 0.99), the loss ratio of similar people is 9.55 instead of 7.42." in told
    assert told.endswith(what_is_fitted(plan))
    assert told_first(plan, result) is result.fits[4]


def test_a_gain_within_the_baseline_s_bound_is_not_called_one() -> None:
    plan, result = nine()
    near = replace(result.fits[4], similar=Claim(estimate=7.0, low=6.0, tolerance=1.25, judged=True))
    result = replace(result, fits=(*result.fits[:4], near, *result.fits[5:]))
    assert headline(plan, result).endswith(
        "At Projection (λ = 0.99), the loss ratio of similar people is 7.00 instead of 7.42."
    )


def test_a_model_without_a_shown_violation_is_told_first() -> None:
    plan, result = nine((*(0.001,) * 7, 0.3, 0.4))
    assert told_first(plan, result) is result.fits[7]
    assert "at Reweighing (λ = 0.97) the p-value is" in sentence(plan, result)
    assert "Projection (λ = 0.99) treats similar people more alike" in headline(plan, result)


def test_the_error_that_chose_a_model_is_told_with_the_rows_it_is_of() -> None:
    plan, result = nine((0.001, 0.001, 0.001, 0.2, 0.2, 0.001, 0.001, 0.3, 0.4))
    losses = result.fits[7].losses.copy()
    losses[1] = 0.05
    result = replace(result, fits=(*result.fits[:7], replace(result.fits[7], losses=losses), *result.fits[8:]))
    assert told_first(plan, result) is result.fits[7]
    assert why_first(plan, result) == (
        "Chosen first: of the smallest λ of each method from which on no violation is shown, it has the lowest share "
        "of wrong answers on the 100 rows held out to choose by: 5.0%. The tables show it on other rows, those of the "
        "test part."
    )
    assert "Errors on the 100 rows of the test part" in fits_table(plan, result).caption
    assert why_first(plan, result.only("reweighing")) == "Chosen first: from this λ on no violation is shown."


def test_without_similar_people_the_least_evidence_is_told_first() -> None:
    result = result_of(
        [(math.nan, np.zeros(100), 0.01), *((s, np.zeros(100), p) for s, p in ((0.5, 0.03), (0.9, 0.02)))]
    )
    plan = plan_of()
    assert told_first(plan, result) is result.fits[2]
    alike = replace(result, fits=(result.fits[0], *(replace(fit, constant=True) for fit in result.fits[1:])))
    assert told_first(plan, alike) is alike.fits[0]


def test_nine_models_are_drawn_with_names_that_stand_apart() -> None:
    plan, result = nine()
    drawing = MODELS.draw(plan, result)
    assert all(name in drawing.alt for name in beside(result).names)
    marked = [trace for trace in drawing.figure.data if trace.mode == "markers+text"]
    assert [len(trace.x) for trace in marked] == [1, 4, 4]
    assert len({trace.marker.symbol for trace in marked}) == 3
    assert all("λ" in told for trace in marked[1:] for told in trace.customdata)
    named = [
        (text, where, float(x), float(y))
        for trace in marked
        for text, where, x, y in zip(trace.text, trace.textposition, trace.x, trace.y, strict=True)
        if text
    ]
    assert named[0][0] == "baseline"
    for width in (270, 850):
        boxes = [_box(drawing.figure, width, one) for one in named]
        for (left, right, low, high), (left2, right2, low2, high2) in combinations(boxes, 2):
            assert right <= left2 or right2 <= left or high <= low2 or high2 <= low
        assert all(left >= 0 and right <= width for left, right, _, _ in boxes)


def _box(figure: go.Figure, width: float, named: tuple[str, str, float, float]) -> tuple[float, ...]:
    """A name of letters 7 pixels wide and 16 high, in a plot 220 pixels high."""
    text, where, x, y = named
    across, up = (
        (value - axis.range[0]) / (axis.range[1] - axis.range[0]) * size
        for value, axis, size in ((x, figure.layout.xaxis, width), (y, figure.layout.yaxis, 220))
    )
    side = {"right": 0.0, "left": -1.0, "center": -0.5}[where.split()[1]]
    left = across + 7 * len(text) * side + 7 * (side == 0) - 7 * (side == -1)
    low = up + 8 if "top" in where else up - 24
    return left, left + 7 * len(text), low, low + 16


@pytest.mark.parametrize("similar", [True, False])
def test_the_table_of_costs_has_few_columns_and_every_number(similar: bool) -> None:
    plan, result = nine()
    table = fits_table(plan if similar else plan_of(), result)
    assert len(table.header) == (9 if similar else 7)
    assert "20.0% (at most 40.0%)" in table.rows[0]
    assert ("7.42 (at least 6.42)" in table.rows[0]) is similar

"""Figures of the sensitivity audit by their specification: traces, values and words, never pixels."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.estimates import Estimates
from core.audits.text_sensitivity.figures import CHARTS
from core.audits.text_sensitivity.figures.confidence import bins
from core.audits.text_sensitivity.figures.pair import differences
from core.audits.text_sensitivity.figures.words import outstanding
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding as Finding
from core.base.thresholds import FEWEST_ROWS
from core.figures import theme
from core.figures.series import Spans
from core.figures.theme import MOST_ROWS
from tests.builders_sensitivity import make_sensitivity_result
from tests.drawn import trace, words
from tests.findings import drawn_for_a_page

BARE: dict[str, Any] = {
    "reference": False,
    "status": "none",
    "annotation": False,
    "attributes": 0,
    "labels": False,
    "exchanged": False,
}
SHAPES: dict[str, dict[str, Any]] = {
    "ordinary": {"attributes": 2},
    "two classes, cut": {"classes": 2, "cut": True},
    "28 classes": {"classes": 28, "texts": 200},
    "hostile names": {"hostile": True, "attributes": 2},
    "no bias, weak status model": {"bias": 0.0, "status": "weak"},
    "nothing but texts": BARE,
    "no texts to read": {"shown": 0},
    "few texts": {"texts": 20},
}
READINGS = {
    "usual": TextSensitivityDecision(measure="P2"),
    "second model": TextSensitivityDecision(judged="reference"),
    "signed": TextSensitivityDecision(judged="reference", measure="P3", signed=True, alpha=0.2),
    "swaps": TextSensitivityDecision(measure="CF", delta=0.3),
    "words of the list": TextSensitivityDecision(judged="reference", measure="P4", delta=0.001),
}
READ = [
    pytest.param(
        shape, reading, marks=() if not row or reading == ("usual", "second model")[row % 2] else pytest.mark.long
    )
    for row, shape in enumerate(SHAPES)
    for reading in READINGS
]
"""Every shape at one reading, and the first at all of them; the others where long tests are asked for."""


@pytest.fixture(scope="module")
def result() -> TextSensitivityResult:
    return make_sensitivity_result(attributes=2)


def draw(name: str, result: TextSensitivityResult, decision: TextSensitivityDecision | None = None) -> go.Figure:
    return CHARTS[f"sensitivity {name}"].draw(Finding(result, decision or TextSensitivityDecision())).figure


def alt(name: str, result: TextSensitivityResult, decision: TextSensitivityDecision | None = None) -> str:
    return CHARTS[f"sensitivity {name}"].draw(Finding(result, decision or TextSensitivityDecision())).alt


@pytest.mark.parametrize(("shape", "reading"), READ)
def test_every_figure_that_applies_is_drawn_and_told(shape: str, reading: str) -> None:
    result = make_sensitivity_result(**SHAPES[shape], draws=199)
    finding = Finding(result, READINGS[reading])
    for name in finding.charts:
        told, plain = finding.drawing(name).alt, drawn_for_a_page(finding.drawing(name))
        assert not re.search(r"\bnan\b", told)
        assert not re.search(r"<(script|b onclick|img|a |i>)|\$nurse\$|\$m\$|\$\\\\alpha\$", plain)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_figure_holds_a_text(shape: str) -> None:
    """Reports hold figures, and never a text."""
    result = make_sensitivity_result(**SHAPES[shape], draws=199)
    finding = Finding(result, TextSensitivityDecision())
    for name in finding.charts:
        held = finding.drawing(name).figure.to_json() + finding.drawing(name).alt
        for text in result.detail.shown.texts:
            assert text[:30] not in held, name


def test_what_does_not_apply_is_left_out(result: TextSensitivityResult) -> None:
    assert set(Finding(result, TextSensitivityDecision()).charts) == set(CHARTS)
    bare = make_sensitivity_result(**BARE)
    assert set(Finding(bare, TextSensitivityDecision(measure="P1")).charts) == {
        f"sensitivity {name}" for name in ("interval", "groups", "words", "classes", "confidence")
    }
    assert "sensitivity groups" not in Finding(bare, TextSensitivityDecision()).charts
    few = make_sensitivity_result(texts=20)
    assert {"sensitivity flips", "sensitivity pair", "sensitivity confidence"}.isdisjoint(
        Finding(few, TextSensitivityDecision()).charts
    )


def test_the_verdict_stands_beside_0_and_the_tolerance(result: TextSensitivityResult) -> None:
    decision = TextSensitivityDecision(delta=0.07, alpha=0.1)
    figure, estimate = draw("interval", result, decision), Finding(result, decision).inference
    ends = [100 * one for one in (estimate.lower_bound(0.1), estimate.upper_bound(0.1))]
    assert trace(figure, "estimate").x == pytest.approx((100 * estimate.value,))
    assert trace(figure, "bounds").x == pytest.approx(ends)
    assert sorted(shape.x0 for shape in figure.layout.shapes) == pytest.approx([0.0, 7.0])
    assert "tolerance 7" in words(figure)
    assert "each bound with 90% confidence" in alt("interval", result, decision)


def test_compared_with_the_second_model_the_difference_is_shown_as_it_is(result: TextSensitivityResult) -> None:
    decision = TextSensitivityDecision(judged="reference", measure="P4")
    estimate = Finding(result, decision).inference
    figure = draw("interval", result, decision)
    assert trace(figure, "estimate").x == pytest.approx((estimate.value,))
    assert "audited less second model" in figure.layout.xaxis.title.text.replace("<br>", " ")
    shares = draw("interval", result, TextSensitivityDecision(judged="reference", measure="CF"))
    assert "percentage points" in words(shares)[1]


def test_an_estimate_without_a_value_says_why() -> None:
    bare = make_sensitivity_result(**BARE)
    assert "no value" in words(draw("interval", bare))
    assert "No text holds a word" in alt("interval", bare)


def test_groups_show_mean_interval_and_spread_and_small_ones_nothing_of_single_texts(
    result: TextSensitivityResult,
) -> None:
    figure = draw("groups", result, TextSensitivityDecision(measure="P2"))
    values = result.detail.audited.values("P2")
    gender, region = Estimates(result).by_group("P2")
    assert trace(figure, "estimate 1").x == pytest.approx((values.mean(),))
    assert trace(figure, "estimate 2").x == pytest.approx((gender.found.means[0],))
    assert trace(figure, "interval 2").x == pytest.approx((gender.found.low[0], gender.found.high[0]))
    inside = values[result.detail.memberships[0].codes == 0]
    assert trace(figure, "middle half 2").x == pytest.approx(np.quantile(inside, (0.25, 0.75)))
    small = [i for i, rows in enumerate(region.found.rows) if rows < FEWEST_ROWS]
    assert small
    names = {found.name for found in figure.data}
    for i in small:
        place = 4 + i
        assert not {f"{kind} {place}" for kind in ("estimate", "interval", "middle half", "nine in ten")} & names
        assert "insufficient evidence" in words(figure)[place]


def test_a_share_is_shown_in_percentage_points(result: TextSensitivityResult) -> None:
    figure = draw("groups", result, TextSensitivityDecision(measure="CF"))
    moved = result.detail.audited.values("CF")
    assert trace(figure, "estimate 1").x == pytest.approx((100 * np.nanmean(moved),))
    assert figure.layout.xaxis.title.text == "CF, in percentage points"


def test_words_are_told_apart_by_symbol_and_lie_where_their_shares_are(result: TextSensitivityResult) -> None:
    figure, found = draw("words", result), result.detail.words
    listed, others = trace(figure, "words that name a group"), trace(figure, "other words")
    assert listed.marker.symbol != others.marker.symbol
    assert len(listed.x) + len(others.x) == len(found.words)
    assert sorted(listed.x) == pytest.approx(sorted(100 * found.status[found.listed]))
    assert sorted(listed.y) == pytest.approx(sorted(100 * found.task[found.listed]))
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert "she" in words(figure)
    first = found.words[outstanding(found)[0]]
    assert any(first in told and "texts" in told for told in (*listed.customdata, *others.customdata))


def test_words_with_a_share_of_zero_are_counted_not_hidden(result: TextSensitivityResult) -> None:
    status = result.detail.words.status.copy()
    status[:3] = 0.0
    detail = replace(result.detail, words=replace(result.detail.words, status=status))
    assert "not drawn: 3 words with a share of 0" in words(draw("words", replace(result, detail=detail)))


def test_without_a_status_model_words_are_bars_of_the_audited_model_alone() -> None:
    result = make_sensitivity_result(status="none")
    figure = draw("words", result)
    assert figure.data[0].type == "bar"
    assert "/" in figure.data[0].marker.pattern.shape
    assert "protected" not in alt("words", result)


def test_named_words_keep_apart(result: TextSensitivityResult) -> None:
    """Names are placed in logarithms of percent; no two share a place on a telephone, where a letter is 2.4% wide."""
    figure = draw("words", result)
    named = [a for a in figure.layout.annotations if a.text in result.detail.words.words]
    assert len(named) >= 5
    spans = [float(np.ptp(axis.range)) for axis in (figure.layout.xaxis, figure.layout.yaxis)]
    for i, one in enumerate(named):
        for other in named[:i]:
            apart = abs(one.x - other.x) / spans[0], abs(one.y - other.y) / spans[1]
            assert apart[0] > 0.012 * (len(one.text) + len(other.text)) or apart[1] > 0.05


@pytest.mark.parametrize(("classes", "few"), [(2, True), (4, True), (28, False)])
def test_classes_stand_beside_words_if_few_and_below_each_other_if_many(classes: int, few: bool) -> None:
    result = make_sensitivity_result(classes=classes, texts=200)
    figure = draw("classes", result)
    heat = figure.data[0]
    z = np.array(heat.z, dtype=float)
    assert z.shape[1 if few else 0] == classes
    assert (heat.text is not None) == few
    assert np.array(heat.customdata).shape == z.shape
    found = result.detail.words
    first = outstanding(found)[0]
    assert (z[0] if few else z[:, 0]) == pytest.approx(found.by_class[first])
    assert ("sum to 1" in words(figure)[0]) == (classes == 2)


def test_the_pair_counts_every_text_once_on_its_side_of_0(result: TextSensitivityResult) -> None:
    decision = TextSensitivityDecision()
    assert result.detail.reference is not None
    apart = result.detail.audited.values("P2") - result.detail.reference.values("P2")
    found = differences(Finding(result, decision))
    assert found.texts.sum() == found.n == len(apart)
    assert 0.0 in found.edges
    assert found.more == (apart > 0).sum()
    figure = draw("pair", result)
    more, less = trace(figure, "audited model leans more"), trace(figure, "second model leans as much or more")
    assert sum(more.y) == pytest.approx((apart > 0).sum(), abs=1)
    assert min(more.x) > 0 > max(less.x)
    assert more.marker.pattern.shape == "/"
    estimate = Finding(result, TextSensitivityDecision(judged="reference")).inference
    assert trace(figure, "mean").x == pytest.approx((estimate.value,))
    assert f"{100 * found.more / found.n:.1f}%" in alt("pair", result)


def test_models_that_do_not_differ_are_drawn_too(result: TextSensitivityResult) -> None:
    same = replace(result, detail=replace(result.detail, reference=result.detail.audited))
    assert "equal in 100%" in alt("pair", same)
    draw("pair", same)


def test_confidence_bins_hold_every_text_and_enough_of_them(result: TextSensitivityResult) -> None:
    found = bins(Finding(result, TextSensitivityDecision(measure="P2")))
    assert found.texts.sum() == 120
    assert (found.texts >= FEWEST_ROWS - 1).all()
    assert (np.diff(found.centre) > 0).all()
    assert found.mean @ found.texts / 120 == pytest.approx(result.detail.audited.values("P2").mean())
    assert found.correlation == pytest.approx(Estimates(result).with_confidence("P2").value)


def test_one_confidence_for_all_texts_is_one_bin(result: TextSensitivityResult) -> None:
    scores = replace(result.detail.audited, confidence=np.full(120, 0.7))
    found = replace(result, detail=replace(result.detail, audited=scores))
    assert len(bins(Finding(found, TextSensitivityDecision())).texts) == 1
    assert "not defined" in alt("confidence", found)
    draw("confidence", found)


def test_flips_are_counted_among_exchanged_texts_by_group_and_class(result: TextSensitivityResult) -> None:
    found = Estimates(result).flips()
    figure = draw("flips", result)
    assert trace(figure, "estimate 1").x == pytest.approx((100 * found.value,))
    many = Finding(make_sensitivity_result(classes=28, texts=200), TextSensitivityDecision())
    told = [one.who for one in many.parts["sensitivity flips"]]
    assert sum(who.startswith("predicted class: ") for who in told) > MOST_ROWS
    drawing = many.drawing("sensitivity flips")
    assert isinstance(drawing.series, Spans)
    assert len(drawing.series.rows) == MOST_ROWS
    assert f"{len(told) - MOST_ROWS} more are in the table." in drawing.alt


def test_a_status_model_stands_beside_mere_guessing() -> None:
    good = draw("status", make_sensitivity_result(status="good"))
    assert "guessing" in words(good)
    assert 50.0 in {shape.x0 for shape in good.layout.shapes}


def test_a_group_without_held_out_texts_says_so() -> None:
    result = make_sensitivity_result()
    status = result.detail.status
    assert status is not None
    gone = {
        name: np.array([getattr(status, name)[0], np.nan]) for name in ("accuracy", "accuracy_low", "accuracy_high")
    }
    found = replace(result, detail=replace(result.detail, status=replace(status, **gone, texts=np.array([64, 0]))))
    assert "no held-out text" in alt("status", found)
    draw("status", found)


def test_agreement_with_people_shows_every_measure_beside_the_baseline(result: TextSensitivityResult) -> None:
    judged = {one.measure: one.found for one in Estimates(result).judgements()}
    figure = draw("annotations", result)
    told = [text for text in words(figure) if text.startswith("<b>")]
    assert len(told) == len(judged) == 6
    assert trace(figure, "estimate 6").x == pytest.approx((judged["CF"].correlation,))
    assert judged["CF"].correlation in {shape.x0 for shape in figure.layout.shapes}
    information = draw("information", result)
    assert trace(information, "estimate 2").x == pytest.approx((judged["P2"].information,))


def test_the_check_for_markup_can_fail() -> None:
    figure = theme.blank(100).add_annotation(text="<img src=x>")
    assert re.search(r"<(script|img)", figure.to_json().replace("\\u003c", "<"))

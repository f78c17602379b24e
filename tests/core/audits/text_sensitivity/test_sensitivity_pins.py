"""Limits of the sensitivity audit, each pinned on both of its sides."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.audits.text_sensitivity.decision import MEASURES, SIGNED, TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.doubts import FEW_TO_COMPARE
from core.inference.estimate import Verdict
from tests.builders_sensitivity import make_sensitivity_detail
from tests.builders_swaps import CF
from tests.core.audits.text_sensitivity.test_sensitivity_verdicts import estimates, reference, said


@pytest.mark.parametrize(("texts", "doubted"), [(199, True), (200, False)])
def test_two_hundred_texts_are_enough_to_compare_skewed_differences(texts: int, doubted: bool) -> None:
    """Three texts carry nearly all of the difference between the models."""
    assert FEW_TO_COMPARE == 200
    detail = make_sensitivity_detail(texts=texts, shown=0)
    assert detail.reference is not None
    measures = detail.audited.measures.copy()
    measures[:, CF] = 1e-4 * (1 + np.arange(texts) / texts)
    measures[:3, CF] = 0.5
    still = detail.reference.measures.copy()
    still[:, CF] = 0.0
    detail = replace(
        detail,
        audited=replace(detail.audited, measures=measures),
        reference=replace(detail.reference, measures=still),
    )
    assert ("carry the difference" in said(detail, reference(measure="CF"))) is doubted


def test_the_interval_of_a_rank_correlation_is_bonett_and_wright_s() -> None:
    found = estimates(make_sensitivity_detail(texts=90)).with_confidence("P2")
    half = 1.959964 * math.sqrt((1 + found.value**2 / 2) / (found.n - 3))
    assert abs(found.value) > 0.05
    assert found.low == pytest.approx(math.tanh(math.atanh(found.value) - half), abs=1e-7)
    assert found.high == pytest.approx(math.tanh(math.atanh(found.value) + half), abs=1e-7)


def test_too_few_texts_have_no_ratio_and_their_number_is_told() -> None:
    """Of 29 texts 27 hold words that can be exchanged."""
    detail = make_sensitivity_detail(texts=29, shown=0)
    found = estimates(detail).ratio("CF")
    assert math.isnan(found.value)
    assert found.log.n == 27
    assert found.log.verdict(1.0, 0.05) is Verdict.INSUFFICIENT


def test_two_models_that_move_alike_have_no_difference_that_a_few_texts_carry() -> None:
    detail = make_sensitivity_detail(texts=60, shown=0)
    measures = detail.audited.measures.copy()
    measures[:, CF] = 1e-4
    measures[:3, CF] = 0.5
    both = replace(detail.audited, measures=measures)
    assert "carry the difference" not in said(replace(detail, audited=both, reference=both), reference(measure="CF"))


@pytest.mark.parametrize("measure", MEASURES)
def test_only_measures_with_a_sign_can_be_signed(measure: TextMeasure) -> None:
    signed = TextSensitivityDecision(signed=True, measure=measure)
    assert signed.is_signed(measure) is (measure in SIGNED)
    assert not TextSensitivityDecision(signed=False, measure=measure).is_signed(measure)


def test_texts_that_are_cut_are_told_as_a_share_of_all() -> None:
    detail = make_sensitivity_detail(texts=60, shown=0)
    for cut, told in ((1, False), (30, True)):
        notices = said(replace(detail, cut_texts=cut, cut_words=9), TextSensitivityDecision(), "warning")
        assert ("(50%) are longer than the model reads" in notices) is told

"""Limits of the sensitivity audit, each pinned on both of its sides."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.audits.text_sensitivity.decision import MEASURES, SIGNED, TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.doubts import FEW_TO_COMPARE
from core.audits.text_sensitivity.engine import run, score
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.errors import AuditError
from core.base.files import FileStore
from core.contracts.audit import Given
from core.data.copies import Copies
from core.inference.estimate import Verdict
from core.models.formats.lstm.source import LstmArchive
from core.protected_status.settings import NoStatus
from core.run import find
from tests.builders_sensitivity import make_sensitivity_detail, make_sensitivity_result
from tests.builders_swaps import CF
from tests.core.audits.text_sensitivity.test_sensitivity_engine import ARCHIVE, CLASSES, TEXTS, audit, table
from tests.core.audits.text_sensitivity.test_sensitivity_verdicts import estimates, reference, said
from tests.findings import verdict_of
from tests.toy_text_models import ToyNetwork, toy_model


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
    assert verdict_of(found.log, 1.0, 0.05) is Verdict.INSUFFICIENT


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
        caveats = said(replace(detail, cut_texts=cut, cut_words=9), TextSensitivityDecision(), "warning")
        assert ("(50%) are longer than the model reads" in caveats) is told


def test_the_same_words_of_two_people_are_two_texts_and_of_one_person_are_one() -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    texts = [*TEXTS[:40], TEXTS[0], TEXTS[1]]
    data = table(model, texts, person=[*range(40), 0, 40])
    roles = data.dataset.roles.model_copy(update={"belongs_to": "person"})
    detail, _ = audit(model, replace(data, dataset=replace(data.dataset, roles=roles)))
    assert detail.same[40] == detail.same[0]
    assert len(np.unique(detail.same)) == 41
    assert detail.families.known == "column"
    np.testing.assert_array_equal(detail.families.codes, [*range(40), 0, 40])


@pytest.mark.parametrize("alike", ["families", "independent"])
def test_texts_that_are_alike_count_together_unless_somebody_says_that_they_are_independent(alike: str) -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    texts = [f"The {job} of Leeds works with {word} today." for job in ("nurse", "poet") for word in "abcdefghijklmnop"]
    detail, caveats = audit(model, table(model, texts), alike=alike)
    assert detail.families.counted is (alike == "families")
    assert any("You said that they are independent" in one.what for one in caveats) is (alike == "independent")


def test_a_score_that_is_no_number_names_the_record_of_its_file() -> None:
    """Rows are counted from 1 in what people read, from 0 in the table."""
    network = ToyNetwork(CLASSES, seed=1)
    model = toy_model(network)
    data = table(model, [*TEXTS[:7], "A zebra.", *TEXTS[8:]])
    network.table[network._pieces("zebra")[0]] = np.nan
    with pytest.raises(AuditError, match="row 8"):
        score(TextSensitivity(), model, data, FileStore())


def test_scores_of_both_models_are_those_of_a_whole_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    model, second = (toy_model(ToyNetwork(CLASSES, seed=seed), name=f"model {seed}") for seed in (1, 2))
    given: list[FileStore] = []
    monkeypatch.setattr(LstmArchive, "load", lambda _, files, __: given.append(files) or second)
    settings, data, files = TextSensitivity(status=NoStatus(), reference=ARCHIVE), table(model, TEXTS[:32]), FileStore()
    detail, _ = run(settings, Given(model, data, np.random.default_rng(0), files=files))
    for one, whole in zip(score(settings, model, data, files), (detail.audited, detail.reference), strict=True):
        assert one.name == whole.name
        np.testing.assert_array_equal(one.measures[:, CF], whole.measures[:, CF])
    assert score(TextSensitivity(), model, data, files)[1] is None
    assert len(given) == 2
    assert all(one is files for one in given)


def test_copies_forbid_no_claim_since_texts_that_are_alike_count_once() -> None:
    result = make_sensitivity_result(texts=90)
    copied = replace(result, data=replace(result.data, copies=Copies(rows=90, repeated=45, beyond_chance=45.0)))
    decision = TextSensitivityDecision(delta=0.0)
    assert copied.data.about_copies
    assert find(copied, decision).verdict is find(result, decision).verdict is Verdict.VIOLATION

"""The sensitivity audit in words, report and record: every kind of result, nothing of a text, nothing unescaped."""

import json
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.audits.text_sensitivity.corpus_words import FEWEST_TEXTS
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import ClassWeight, Edit, TextSensitivity
from core.audits.text_sensitivity.verdict import TextSensitivityFinding as Finding
from core.audits.text_sensitivity.wording import flips_sentence, ratio_sentence
from core.inference.estimate import Verdict
from core.language.units import POINTS
from core.records.audits import AUDITS, numbers_json
from core.records.document import differences
from core.report.html import render
from core.report.model import build
from core.report.multiple_tests import Together
from core.report.settings_table import setting_sections
from core.study import Study
from core.text.word_lists import Pair, WordList
from tests.builders import make_plan, make_result
from tests.builders_sensitivity import (
    make_sensitivity_plan,
    make_sensitivity_result,
    make_sensitivity_settings,
    make_sensitivity_study,
)

SWAPS = TextSensitivityDecision()
REFERENCE = TextSensitivityDecision(judged="reference")
KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "nothing known": {
        "status": "none", "labels": False, "annotation": False, "attributes": 0, "reference": False,
    },
    "hostile": {"hostile": True},
    "nothing exchanged": {"exchanged": False, "status": "weak"},
    "two attributes, many classes": {"attributes": 2, "classes": 28, "cut": True},
    "too few": {"texts": 12},
    "fair": {"bias": 0.0, "texts": 300},
}  # fmt: skip
PLAN = ("status", "labels", "annotation", "attributes", "reference", "hostile")


def made(kind: str, decision: TextSensitivityDecision) -> tuple[Study, Any]:
    changes = {"draws": 199, "texts": 60, **KINDS[kind]}
    plan = {name: value for name, value in changes.items() if name in PLAN}
    return make_sensitivity_study(**plan).read((decision,)), make_sensitivity_result(**changes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("decision", [SWAPS, TextSensitivityDecision(judged="reference", measure="P3", signed=True)])
def test_every_kind_of_result_has_a_report_and_a_record(kind: str, decision: TextSensitivityDecision) -> None:
    study, result = made(kind, decision)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report, record = build(study, Together.of(study, (result,))), AUDITS.to_json(study, (result,))
    assert report.tests[0].finding.assumptions
    assert report.tests[0].finding.explanation
    read = AUDITS.read(record)
    assert read.plan == study
    assert read.numbers is not None
    assert differences(read.numbers[0], numbers_json(result, study.plans[0])) == ()


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_columns_of_a_table_have_the_same_heading(kind: str) -> None:
    """A page keeps columns by heading: the second model's interval stood beside the audited model's mean."""
    study, result = made(kind, SWAPS)
    for table in build(study, Together.of(study, (result,))).tests[0].finding.tables.values():
        assert len(set(table.header)) == len(table.header), table.caption


def test_neither_report_nor_record_holds_a_text() -> None:
    study, result = made("hostile", SWAPS)
    page, record = render(study, (result,)), AUDITS.to_json(study, (result,))
    for text in result.detail.shown.texts:
        piece = text[:40]
        assert piece not in page
        assert piece not in json.loads(record)["tests"][0]["numbers"].__repr__()
    assert result.detail.shown.texts


def test_names_from_files_are_escaped() -> None:
    study, result = made("hostile", SWAPS)
    page = render(study, (result,))
    for markup in ("<script>alert", "<img src=x", "<b>bold</b>", "<i>Female</i>"):
        assert markup not in page


def test_words_of_few_texts_are_not_told() -> None:
    _, result = made("plain", SWAPS)
    words = replace(result.detail.words, texts=np.arange(len(result.detail.words.words)))
    told = Finding(replace(result, detail=replace(result.detail, words=words)), SWAPS).words
    assert told
    assert min(word.texts for word in told) >= FEWEST_TEXTS


def test_groups_with_few_texts_are_counted_and_nothing_else_is_told_of_them() -> None:
    _, result = made("plain", SWAPS)
    (membership,) = result.detail.memberships
    few = np.where(np.arange(len(membership.codes)) < 3, 0, 1)
    shrunk = replace(result, detail=replace(result.detail, memberships=(replace(membership, codes=few),)))
    finding = Finding(shrunk, SWAPS)
    small, large = (f"{membership.name} = {group}" for group in membership.groups[:2])
    for name in ("sensitivity groups", "sensitivity flips"):
        told = {one.who: one for one in finding.parts[name]}
        assert 0 < told[small].people <= 3
        assert np.isnan(told[small].estimate)
        assert told[small].interval is None
        assert np.isfinite(told[large].estimate)
    (row,) = (row for row in finding.tables["sensitivity groups"].rows if row[0] == small)
    assert row[1] == "3"
    assert [cell.partition(" (")[0] for cell in row[2:]] == ["insufficient evidence"] * 2


def test_tables_show_the_numbers_of_the_detail() -> None:
    study, result = made("plain", SWAPS)
    (section,) = build(study, Together.of(study, (result,))).tests
    estimates = Finding(result, SWAPS).estimates
    rows = {row[0]: row for row in section.finding.tables["sensitivity interval"].rows}
    mean = estimates.mean("P2")
    assert f"{mean.value:.3f}" in rows["Words that give the group away (P2)"][2]
    assert f"{estimates.ratio('P2').value:.2f}" in rows["Words that give the group away (P2)"][4]
    flips = section.finding.tables["sensitivity flips"].rows[0]
    assert (flips[0], flips[-1]) == ("All texts", str(estimates.flips().n))
    page = render(study, (result,))
    assert "what people found biased" in page
    assert {row[0] for row in section.finding.tables["sensitivity annotations"].rows} >= {"Exchanged words (CF)"}


def test_the_sentences_say_what_was_found() -> None:
    result = make_sensitivity_result(draws=199)
    finding = Finding(result, SWAPS)
    sentence, changed = finding.sentence, finding.estimates.flips()
    assert sentence.startswith("Violation found; 1.75% of texts change class when words are exchanged (95% interval ")
    assert changed.value == pytest.approx(0.0175, abs=5e-5)
    assert f": exchanging gendered words changes the answer by {POINTS.text(finding.estimate)} on average" in sentence
    assert "more than the 5 percentage points tolerated. Beside it, the second model's answer changes by " in sentence
    assert sentence.endswith(f" {ratio_sentence(finding)}")
    assert "second model" not in Finding(make_sensitivity_result(draws=199, reference=False), SWAPS).sentence
    compared = finding.under(judged="reference", measure="P2").sentence
    assert "times as strongly as the second one to words that give the group away (P2)" in compared
    assert ratio_sentence(finding.under(measure="P4")).startswith("The audited model is ")
    assert "of 114 texts" in flips_sentence(finding)


def test_only_a_list_that_was_exchanged_is_cleared_and_a_second_model_clears_nobody() -> None:
    _, fair = made("fair", SWAPS)
    assert Finding(fair, SWAPS).verdict is Verdict.NO_VIOLATION
    assert Finding(fair, SWAPS).opening == "No violation found by exchanging the words of this list"
    loose = TextSensitivityDecision(judged="reference", delta=0.5)
    assert Finding(fair, loose).opening == "Not worse than the second model, but both may be unfair"
    assert "no evidence of fairness" in Finding(fair, loose).sentence
    for decision in (SWAPS, loose, REFERENCE):
        assert Finding(fair, decision).sentence.startswith(f"{Finding(fair, decision).opening}: ")


def test_it_is_read_together_with_another_test() -> None:
    study, result = made("plain", SWAPS)
    plan = make_plan().model_copy(update={"data": study.plans[0].data, "roles": study.plans[0].roles})
    both = Study(plans=(study.plans[0], plan.model_copy(update={"model": study.plans[0].model})))
    together = Together.of(both, (result, make_result()))
    assert together.verdict is Verdict.VIOLATION
    assert "Text sensitivity" in together.sentence


def test_long_lists_are_counted_and_texts_never_printed_among_the_settings() -> None:
    pairs = tuple(Pair(word=f"word{chr(97 + i % 26)}{i}", counterpart=f"other{i}") for i in range(300))
    audit: TextSensitivity = make_sensitivity_settings(
        words=WordList(name="Own", pairs=pairs),
        edits=(Edit(record=3, text="A text nobody should read here"),),
        weights=(ClassWeight(outcome="nurse", weight=2.0),),
    )
    printed = {
        row.label: row.value for part in setting_sections(make_sensitivity_plan(audit=audit)) for row in part.rows
    }
    assert printed["Pairs"] == "300 entries (in full in the record)"
    assert printed["Counterparts written by hand"] == "1 entries (in full in the record)"
    assert printed["Weight of each class"] == "nurse: 2.0"
    few = make_sensitivity_plan(audit=make_sensitivity_settings(words=WordList(name="Own", pairs=pairs[:2])))
    printed = {row.label: row.value for part in setting_sections(few) for row in part.rows}
    assert printed["Pairs"] == "worda0: other0, wordb1: other1"
    assert max(map(len, printed.values())) < 200

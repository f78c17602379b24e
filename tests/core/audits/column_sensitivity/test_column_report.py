"""The sensitivity audit of columns in words, report, record and figures: every kind of result, nothing unescaped."""

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.figures.distribution import _histogram
from core.audits.column_sensitivity.figures.slope import bins
from core.audits.column_sensitivity.result import ColumnSensitivityResult
from core.audits.column_sensitivity.verdict import NO_GRADIENTS
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding as Finding
from core.audits.column_sensitivity.wording import EQUAL_TREATMENT, flips_sentence
from core.inference.estimate import Verdict
from core.language.units import POINTS
from core.records.audits import AUDITS, numbers_json
from core.records.codec import load_result, save_result
from core.records.document import differences
from core.report.html import render
from core.report.model import build
from core.report.multiple_tests import Together
from core.study import Study
from tests.builders_columns import make_column_plan, make_column_result

KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "no gradients": {"gradients": False},
    "one attribute, direct": {"attributes": 1, "through": False},
    "hostile": {"hostile": True},
    "too few": {"rows": 12},
    "fair": {"bias": 0.0, "rows": 2_000},
}
CHANGE, SLOPE = ColumnSensitivityDecision(), ColumnSensitivityDecision(measure="slope")


def made(kind: str = "plain", decision: ColumnSensitivityDecision = CHANGE) -> tuple[Study, ColumnSensitivityResult]:
    result = make_column_result(draws=199, **KINDS[kind])
    return Study(plans=(make_column_plan(result, decision=decision),)), result


@pytest.mark.parametrize(
    ("kind", "decision"),
    [
        pytest.param(kind, decision, marks=pytest.mark.long if row and (row + column) % 2 else ())
        for row, kind in enumerate(KINDS)
        for column, decision in enumerate((CHANGE, SLOPE))
    ],
)
def test_every_kind_of_result_has_a_report_a_record_and_figures(kind: str, decision: ColumnSensitivityDecision) -> None:
    study, result = made(kind, decision)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page, record = render(study, (result,)), AUDITS.to_json(study, (result,))
        finding = Finding(result, decision)
        for name in finding.charts:
            assert len(finding.drawing(name).alt) > 40
    read = AUDITS.read(record)
    assert read.plan == study
    assert read.numbers is not None
    assert differences(read.numbers[0], numbers_json(result, study.plans[0])) == ()
    for markup in ("<b onclick", "<i>Female</i>", "<img src=x"):
        assert markup not in page


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_survives_the_disk(kind: str, tmp_path: Path) -> None:
    study, result = made(kind)
    save_result(result, tmp_path / "kept")
    kept = load_result(tmp_path / "kept")
    assert numbers_json(kept, study.plans[0]) == numbers_json(result, study.plans[0])


def test_the_sentence_says_what_was_found() -> None:
    _, result = made()
    finding = Finding(result, CHANGE)
    assert finding.opening.startswith("Violation found for sex and race; ")
    assert f"{POINTS.number(finding.estimate)} percentage points on average" in finding.sentence
    for part in ("other group of sex changes the answer by", "600 people", "the 5 percentage points tolerated"):
        assert part in finding.sentence
    assert "would change the answer" in Finding(result, SLOPE).sentence
    race = Finding(result, ColumnSensitivityDecision(attribute="race"))
    assert (race.sentence, race.p_value) == (finding.sentence, finding.p_value)
    assert race.drawing("column sensitivity interval").alt.startswith("Mean change of the answer, race")
    fair = Finding(made("fair")[1], CHANGE)
    assert fair.opening == "No violation found in the columns that were changed"
    assert f". {EQUAL_TREATMENT}." in fair.sentence
    assert any(EQUAL_TREATMENT in limit for limit in fair.assumptions)
    assert "because the model has no gradients" in Finding(made("no gradients")[1], SLOPE).sentence


def test_numbers_agree_with_the_scores() -> None:
    _, result = made()
    finding = Finding(result, CHANGE)
    sex, race = result.detail.attributes
    assert finding.estimate == pytest.approx(sex.change.mean())
    assert [one.estimate for one in finding.claims] == pytest.approx([sex.change.mean(), race.change.mean()])
    shares = finding.parts["column sensitivity flips"]
    assert [one.estimate for one in shares[:2]] == pytest.approx([sex.flipped.mean(), race.flipped.mean()])
    assert finding.p_value == min(one.p_value for one in finding.claims)
    groups = finding.parts["column sensitivity groups"]
    weighted = sum(one.estimate * one.people for one in groups) / sum(one.people for one in groups)
    assert weighted == pytest.approx(finding.estimate)
    assert f"{sex.flipped.sum():,} of 600 people" in flips_sentence(sex, 0.05)


def test_shifts_are_told_in_original_units() -> None:
    """Hair has scale 5; an indicator is a share and stays as it is."""
    _, result = made()
    finding = Finding(result, ColumnSensitivityDecision(attribute="race"))
    race = result.detail.attributes[1]
    hair = [one for one in finding.shifts if one.column == "hair"]
    assert [one.shift for one in hair] == pytest.approx(list(5.0 * race.shift[:, 0]))
    assert not any(one.indicator for one in hair)
    asian = [one for one in finding.shifts if one.column == "race = Asian"]
    assert [one.shift for one in asian] == pytest.approx(list(race.shift[:, 1]))
    assert all(one.indicator for one in asian)


def test_a_small_group_gets_no_interval_and_says_so() -> None:
    decision = ColumnSensitivityDecision(attribute="race")
    study, result = made("plain", decision)
    (section,) = build(study, Together.of(study, (result,))).tests
    rows = {row[0]: row for row in section.finding.tables["column sensitivity groups"].rows}
    assert rows["race = Asian"][2] == "insufficient evidence"
    assert "insufficient evidence (10 people)" in Finding(result, decision).drawing("column sensitivity groups").alt


def test_tables_of_the_report() -> None:
    study, result = made()
    (section,) = build(study, Together.of(study, (result,))).tests
    assert set(section.finding.tables) == {
        "column sensitivity interval",
        "column sensitivity groups",
        "column sensitivity flips",
        "column sensitivity beyond",
        "column sensitivity shifts",
    }
    rows = section.finding.tables["column sensitivity interval"].rows
    assert [row[0] for row in rows] == ["sex", "race"]
    assert section.finding.similar[0].value == "the same person in every other group of sex, race"
    assert section.finding.similar[1].value == "hair, by the mean difference between the groups"
    study, result = made("no gradients")
    none = build(study, Together.of(study, (result,))).tests[0].finding.tables["column sensitivity interval"].rows
    assert [row[3] for row in none] == [NO_GRADIENTS] * 2


@pytest.mark.parametrize("kind", ["plain", "one attribute, direct"])
def test_limits_fit_the_audit(kind: str) -> None:
    study, result = made(kind)
    (section,) = build(study, Together.of(study, (result,))).tests
    said = " ".join(section.finding.assumptions)
    assert ("shifted by the mean difference" in said) == bool(result.detail.through)
    assert ("all protected attributes" in said) == (len(result.detail.attributes) > 1)


def test_next_steps_help_where_the_evidence_is_insufficient_and_only_there() -> None:
    assert Finding(made()[1], CHANGE).next_steps == ()
    few = made("too few")[1]
    assert Finding(few, CHANGE).verdict is Verdict.INSUFFICIENT
    assert any("rows" in step for step in Finding(few, CHANGE).next_steps)
    assert Finding(made("no gradients")[1], SLOPE).next_steps == ("Read the change of the answer instead.",)


def test_figures_that_would_show_single_people_or_nothing_do_not_apply() -> None:
    few, blind = made("too few")[1], made("no gradients")[1]
    assert set(Finding(few, CHANGE).charts) == {"column sensitivity interval", "column sensitivity groups"}
    assert "column sensitivity slope" not in Finding(blind, CHANGE).charts
    assert set(Finding(blind, SLOPE).charts) == {"column sensitivity interval", "column sensitivity flips"}


def test_slope_bins_hold_everybody_and_nobody_alone() -> None:
    _, result = made()
    found, one = bins(Finding(result, CHANGE)), result.detail.attributes[0]
    assert found.people.sum() == 600
    assert found.people.min() >= 30
    assert (np.diff(found.slope) > 0).all()
    assert found.people @ found.change / 600 == pytest.approx(one.change.mean())
    flat = replace(result, detail=replace(result.detail, attributes=(replace(one, slope=np.zeros(600)),)))
    assert list(bins(Finding(flat, CHANGE)).people) == [600]


def test_the_histogram_holds_everybody_and_is_cut_at_the_tolerance() -> None:
    _, result = made()
    counts, edges = _histogram(Finding(result, CHANGE))
    change = result.detail.attributes[0].change
    assert counts.sum() == 600
    assert np.abs(edges - 5.0).min() < 1e-9
    assert counts[edges[:-1] >= 5.0 - 1e-9].sum() == (change > 0.05).sum()
    figure = Finding(result, CHANGE).drawing("column sensitivity distribution").figure
    hatched = np.array(figure.data[0].marker.pattern.shape) == "/"
    assert np.array(figure.data[0].y)[hatched].sum() == pytest.approx(100 * (change > 0.05).mean())

"""People's judgement: the sheet they fill in, read back, and what is said of how far they agree."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.audits.text_sensitivity.sheet import (
    ANSWER,
    JUDGED,
    RECORD,
    TEXT,
    SheetSettings,
    asked,
    choose,
    instructions,
    judged_table,
    write_sheet,
)
from core.base.errors import DataError
from core.base.files import FileStore
from core.inference.agreement import agreement
from core.sources.upload.uploaded import UploadedTable
from tests.builders_sensitivity import make_sensitivity_detail
from tests.findings import found

TEXTS = pd.Series([f"Text {row}, of somebody." for row in range(119)] + ["=1+1 ''is'' no; formula\nbut a text"])


@pytest.fixture(scope="module")
def detail() -> TextSensitivityDetail:
    """Wrong about every second text."""
    made = make_sensitivity_detail(texts=120, shown=0, attributes=1)
    predicted = (made.label + np.arange(120) % 2) % len(made.classes)
    return replace(made, audited=replace(made.audited, predicted=predicted))


def test_a_sheet_has_wrong_answers_of_every_group_in_turn(detail: TextSensitivityDetail) -> None:
    wrong = detail.audited.predicted != detail.label
    rows = choose(detail, SheetSettings(texts=20))
    assert len(set(rows)) == len(rows) == 20
    assert wrong[rows].all()
    assert np.bincount(detail.memberships[0].codes[rows]).tolist() == [10, 10]
    assert choose(detail, SheetSettings(texts=20)).tolist() == rows.tolist()
    assert choose(detail, SheetSettings(texts=20, seed=1)).tolist() != rows.tolist()
    everything = choose(detail, SheetSettings(texts=500, wrong=False))
    assert sorted(everything) == list(range(120))
    assert sorted(choose(detail, SheetSettings(texts=500))) == np.flatnonzero(wrong).tolist()


def test_where_a_group_has_no_more_the_others_fill_the_sheet(detail: TextSensitivityDetail) -> None:
    few = replace(detail.memberships[0], codes=(np.arange(120) >= 3).astype(np.int64))
    rows = choose(replace(detail, memberships=(few,)), SheetSettings(texts=30, wrong=False))
    assert np.bincount(few.codes[rows]).tolist() == [3, 27]


def test_copies_of_a_text_are_judged_once(detail: TextSensitivityDetail) -> None:
    rows = choose(replace(detail, same=np.arange(120) // 2), SheetSettings(texts=200, wrong=False))
    assert sorted(rows // 2) == list(range(60))


def test_an_earlier_result_makes_no_sheet(detail: TextSensitivityDetail) -> None:
    assert asked(replace(detail, records=None), SheetSettings()) == ([], [])


def read(content: bytes, files: FileStore) -> pd.DataFrame:
    return UploadedTable(file=files.put(content, "sheet.csv")).load(files)


def test_what_people_fill_in_comes_back_into_the_table(detail: TextSensitivityDetail, tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    records, answers = asked(detail, SheetSettings(texts=500, wrong=False))
    filled = read(write_sheet(records, TEXTS, answers), files)
    assert filled.columns.tolist() == [RECORD, TEXT, ANSWER, JUDGED]
    assert filled[ANSWER].tolist() == [detail.classes[detail.audited.predicted[one - 1]] for one in records]
    filled[JUDGED] = [str(record % 3) for record in records]
    filled.loc[0, JUDGED] = ""
    again = read(filled.to_csv(index=False, sep=";").encode(), files)
    table, columns = judged_table(pd.DataFrame({"bio": TEXTS}), "bio", {"Ann 1": again, "Bo 2": filled.iloc[:40]})
    assert columns == ("judged biased: Ann 1", "judged biased: Bo 2")
    expected = (np.arange(120) + 1) % 3.0
    expected[records[0] - 1] = np.nan
    np.testing.assert_array_equal(table[columns[0]], expected)
    assert table[columns[1]].notna().sum() == 39


@pytest.mark.parametrize(
    ("change", "what", "where"),
    [
        (lambda one: one.drop(columns=JUDGED), "no column 'judged biased'", "Ann"),
        (lambda one: one.assign(**{TEXT: ["another", *list(one[TEXT])[1:]]}), "1 text of the sheet", "line 2"),
        (lambda one: one.assign(**{RECORD: one[RECORD] + 500}), "4 texts of the sheet", "line 2"),
        (lambda one: pd.concat([one, one.head(1)]), "stands in the sheet twice", "Ann"),
        (lambda one: one.assign(**{JUDGED: ["1", "maybe", "", "0"]}), "neither 0, 1 nor 2: 'maybe'", "line 3"),
    ],
)
def test_a_sheet_that_does_not_fit_is_refused(change, what: str, where: str) -> None:  # type: ignore[no-untyped-def]
    sheet = pd.DataFrame({RECORD: [1, 5, 3, 2], TEXT: TEXTS.iloc[[0, 4, 2, 1]].tolist(), ANSWER: "x", JUDGED: "1"})
    with pytest.raises(DataError) as caught:
        judged_table(pd.DataFrame({"bio": TEXTS}), "bio", {"Ann": change(sheet)})
    assert what in caught.value.what
    assert where in caught.value.where


def test_people_are_told_what_each_number_means(detail: TextSensitivityDetail) -> None:
    told = instructions(detail)
    for part in ("1, biased", "0, not biased", "2, cannot tell", "gender", "Judge alone"):
        assert part in told


def test_what_people_said_and_how_far_they_agree_stands_in_the_report(detail: TextSensitivityDetail) -> None:
    rng = np.random.default_rng(4)
    true = rng.random(120) < 0.5
    judged = np.where(rng.random((3, 120)) < 0.85, true, ~true).astype(float)
    judged[2, :30], judged[1, 30:40] = np.nan, 2
    named = replace(detail, judged=judged, annotators=("A", "B", "C"))
    finding = found(named, TextSensitivityDecision())
    claims = {(one.who, one.what): one for one in finding.parts["sensitivity agreement"]}
    kappa = claims["All of them", "Agreement beyond chance (Fleiss' kappa)"]
    expected = agreement(judged, 0.05)
    assert (kappa.estimate, kappa.low, kappa.high) == (expected.kappa, expected.low, expected.high)
    assert claims["B", "Could not be told"].estimate == pytest.approx(10 / 120)
    assert (claims["C", "Found biased"].people, claims["Majority", "Found biased"].people) == (90, 120)
    rows = {row[0]: row for row in finding.tables["sensitivity agreement"].rows}
    assert set(rows) == {"A", "B", "C", "Majority", "All of them"}
    alone = found(replace(detail, judged=judged[:1], annotators=("A",)), TextSensitivityDecision())
    assert {one.who for one in alone.parts["sensitivity agreement"]} == {"A"}
    assert found(detail, TextSensitivityDecision()).parts["sensitivity agreement"] == ()

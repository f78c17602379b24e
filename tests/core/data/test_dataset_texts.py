"""Texts become a dataset: what is missing, what may be left open, and that numbers stay text."""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from core.base.errors import DataError
from core.data.dataset import Dataset, Missing
from core.data.roles import Roles
from core.data.table_caveats import caveats_of

ROWS = 60
ROLES = Roles(text="bio", outcome="job", protected=("gender",), annotation=("biased",))


def bios(**changes: object) -> pd.DataFrame:
    """Sixty short texts; ``changes`` replace columns."""
    table: dict[str, object] = {
        "bio": [f"She has worked here for {place} years." for place in range(ROWS)],
        "job": ["nurse", "poet", "surgeon"] * (ROWS // 3),
        "gender": ["female", "male"] * (ROWS // 2),
        "biased": [0, 1] * (ROWS // 2),
    }
    return pd.DataFrame(table | changes)


def with_texts(**places: object) -> pd.DataFrame:
    texts = bios()["bio"].astype(object).tolist()
    for place, text in places.items():
        texts[int(place.removeprefix("row"))] = text
    return bios(bio=texts)


def refusal(frame: pd.DataFrame, roles: Roles = ROLES) -> DataError:
    with pytest.raises(DataError) as caught:
        Dataset.build(frame, roles)
    assert caught.value.advice
    return caught.value


def told(dataset: Dataset) -> str:
    return " ".join(caveat.what for caveat in caveats_of(dataset))


def test_texts_need_no_outcome_no_favourable_value_and_no_protected_attribute() -> None:
    dataset = Dataset.build(bios(), Roles(text="bio"))
    assert (len(dataset), dataset.labels, list(dataset.frame.columns)) == (ROWS, (), ["bio"])
    assert (dataset.label_codes(("a", "b")) == -1).all()
    with pytest.raises(ValidationError, match="protected attribute"):
        Roles(outcome="job")


def test_classes_without_a_favourable_value_are_sorted() -> None:
    dataset = Dataset.build(bios(), ROLES)
    assert dataset.labels == ("nurse", "poet", "surgeon")
    assert dataset.label_codes(dataset.labels)[:3].tolist() == [0, 1, 2]


@pytest.mark.parametrize("empty", ["", "   ", "\n\t", "\u00a0\u2003", "\u200b\ufeff", None, np.nan])
def test_a_text_without_a_visible_sign_is_left_out_and_counted_apart(empty: object) -> None:
    frame = with_texts(row3=empty, row7=empty)
    frame.loc[9, "gender"] = None
    dataset = Dataset.build(frame, ROLES)
    assert (len(dataset), dataset.rows_left_out, dataset.texts_empty) == (ROWS - 3, 3, 2)
    assert not {3, 7, 9} & set(dataset.frame.index)
    assert "Left out 1 of 60 rows for missing cells." in told(dataset)
    assert "Left out 2 of 60 texts: empty, or nothing but blanks." in told(dataset)


@pytest.mark.parametrize("text", ["!", "👩‍⚕️", "漢字", "0", "-"])
def test_a_text_with_any_visible_sign_is_kept(text: str) -> None:
    dataset = Dataset.build(with_texts(row3=text), ROLES)
    assert dataset.frame.loc[3, "bio"] == text
    assert caveats_of(dataset) == ()


@pytest.mark.parametrize("missing", ["median and most frequent", "own category"])
def test_an_empty_text_is_never_filled(missing: Missing) -> None:
    dataset = Dataset.build(with_texts(row3=" "), ROLES.model_copy(update={"missing": missing}))
    assert (len(dataset), dataset.texts_empty, dataset.cells_imputed) == (ROWS - 1, 1, ())


def test_a_column_of_empty_texts_is_refused() -> None:
    assert refusal(bios(bio=[" "] * ROWS)).where == "column 'bio'"


def test_too_few_texts_say_how_many_were_empty() -> None:
    error = refusal(bios(bio=["some words"] * 20 + [""] * 40))
    assert "40 of them without a text" in error.where


def test_numbers_stay_text() -> None:
    dataset = Dataset.build(bios(bio=np.arange(ROWS) * 1.0), ROLES)
    assert dataset.frame["bio"].dtype == "str"
    assert dataset.frame["bio"].tolist() == [str(place) for place in range(ROWS)]
    dated = Dataset.build(bios(bio=pd.date_range("2020-01-01", periods=ROWS)), ROLES)
    assert dated.frame["bio"].iloc[0].startswith("2020-01-01")


def test_very_long_and_all_different_texts_are_no_categories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.data.usable.MAXIMUM_ENCODED_COLUMNS", 5)
    monkeypatch.setattr("core.data.usable.MAXIMUM_ENCODED_CELLS", 5)
    assert len(Dataset.build(with_texts(row0="word " * 200_000), ROLES)) == ROWS


def test_one_class_is_a_caveat_for_texts_and_an_error_for_tables() -> None:
    frame = bios(job="nurse", score=1.0)
    dataset = Dataset.build(frame, ROLES)
    assert dataset.labels == ("nurse",)
    assert [caveat.level for caveat in caveats_of(dataset)] == ["warning"]
    assert "same outcome, 'nurse'" in told(dataset)
    table = Roles(outcome="job", favourable="nurse", protected=("gender",), features=("score",))
    assert "same outcome" in refusal(frame, table).what


def test_a_favourable_value_that_does_not_occur_is_refused_for_texts_too() -> None:
    assert "'pilot' does not occur" in refusal(bios(), ROLES.model_copy(update={"favourable": "pilot"})).what


@pytest.mark.parametrize(
    ("values", "row", "first"),
    [
        ([0, 1, 1, 3], 4, "3"),
        ([0.0, 0.5, 1.0, 7.0], 2, "0.5"),
        (["0", "1", "no", "1"], 3, "no"),
        ([-1, 0, 1, 0], 1, "-1"),
    ],
)
def test_a_judgement_that_is_neither_0_1_nor_2_names_row_and_value(values: list[object], row: int, first: str) -> None:
    error = refusal(bios(biased=values * (ROWS // 4)))
    assert repr(first) in error.what
    assert error.where == f"column 'biased', row {row}"


@pytest.mark.parametrize("values", [[0, 1], [0.0, 1.0], ["0", "1"], [False, True], ["0.0", "1.0"], ["false", " True"]])
def test_judgements_are_read_however_they_are_written(values: list[object]) -> None:
    dataset = Dataset.build(bios(biased=values * (ROWS // 2)), ROLES)
    assert dataset.frame["biased"].dtype == np.float64
    assert dataset.frame["biased"].tolist() == [0.0, 1.0] * (ROWS // 2)


@pytest.mark.parametrize("values", [[0, 1, None, 1], ["0", "1", " ", "1"]])
def test_a_text_nobody_judged_stays(values: list[object]) -> None:
    dataset = Dataset.build(bios(biased=values * (ROWS // 4)), ROLES)
    assert (len(dataset), dataset.rows_left_out) == (ROWS, 0)
    assert dataset.frame["biased"].isna().sum() == ROWS // 4
    assert "People judged 45 of 60 texts" in told(dataset)


def test_texts_and_judgements_count_in_the_fingerprint() -> None:
    base = Dataset.build(bios(), ROLES).fingerprint
    assert Dataset.build(with_texts(row3="another text"), ROLES).fingerprint != base
    assert Dataset.build(bios(biased=[1, 0] * (ROWS // 2)), ROLES).fingerprint != base

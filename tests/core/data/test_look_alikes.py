"""Groups and outcomes that look alike are told with their values and rows, before the run and beside its result."""

import unicodedata

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.dataset import Dataset
from core.data.look_alikes import look_alikes
from core.data.quality.health import examine
from core.data.roles import Roles
from core.data.table_caveats import caveats_of

ROLES = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("age",))
CAPITALS, BLANKS, INVISIBLE, STORED = (
    "capital letters",
    "blanks",
    "invisible characters",
    "the way letters are stored",
)
PAIRS = [
    ("male", "Male", (CAPITALS,)),
    ("STRASSE", "straße", (CAPITALS,)),
    ("male", "male ", (BLANKS,)),
    ("male", "\tmale", (BLANKS,)),
    ("not known", "not  known", (BLANKS,)),
    ("not known", "not\u00a0known", (STORED, BLANKS)),
    ("café", unicodedata.normalize("NFD", "café"), (STORED,)),
    ("male", "\uff4d\uff41\uff4c\uff45", (STORED,)),
    ("male", "ma\u200ble", (INVISIBLE,)),
    ("male", "male\u200f", (INVISIBLE,)),
    ("male", "\ufeffmale", (INVISIBLE,)),
    ("male", "\u202emale\u202c", (INVISIBLE,)),
    ("male", "male\x00", (INVISIBLE,)),
    ("male", " MALE", (CAPITALS, BLANKS)),
]


def people(first: str, second: str, column: str) -> pd.DataFrame:
    rows = 200
    rng = np.random.default_rng(3)
    cells = {
        "age": rng.normal(40, 9, rows),
        "sex": rng.choice(["f", "m"], rows),
        "hired": rng.choice(["no", "yes"], rows),
    }
    frame = pd.DataFrame(cells)
    frame.loc[frame[column] == frame[column][0], column] = first
    frame.loc[frame.index[frame[column] == first][:40], column] = second
    return frame


@pytest.mark.parametrize(("first", "second", "differ"), PAIRS, ids=ascii)
def test_pairs_are_found_with_what_they_differ_in(first: str, second: str, differ: tuple[str, ...]) -> None:
    (one,) = look_alikes({first: 7, "other": 5, second: 9})
    assert one.rows == {second: 9, first: 7}
    assert set(one.differ) == set(differ)


def test_what_is_different_is_left_alone() -> None:
    assert look_alikes({"m": 1, "f": 1, "male": 1, "female": 1, "mle": 1, "1": 1, "10": 1, "": 1}) == ()


@given(st.dictionaries(st.text(), st.integers(1, 9), max_size=8))
def test_sets_never_overlap_and_always_differ_in_something(rows: dict[str, int]) -> None:
    found = look_alikes(rows)
    values = [value for one in found for value in one.rows]
    assert len(values) == len(set(values))
    for one in found:
        assert len(one.rows) > 1
        assert one.rows == {value: rows[value] for value in one.rows}


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_a_value_and_its_composed_spelling_are_never_two_unmentioned_groups(value: str) -> None:
    others = {unicodedata.normalize(form, value) for form in ("NFC", "NFD")} | {f" {value}", f"{value}\u200b"}
    (one,) = look_alikes(dict.fromkeys({value, *others}, 1))
    assert set(one.rows) == {value, *others}


@pytest.mark.parametrize(("first", "second", "differ"), PAIRS, ids=ascii)
def test_groups_are_told_before_the_run_and_beside_its_result(first: str, second: str, differ: tuple[str, ...]) -> None:
    frame = people(first, second, "sex")
    for caveats in (examine(frame, ROLES).findings, caveats_of(Dataset.build(frame, ROLES))):
        (caveat,) = (one for one in caveats if "differ only in" in one.what)
        assert caveat.level == "warning"
        assert "(40 rows)" in caveat.what
        assert all(name in caveat.what for name in differ)
        assert "may change the verdict" in caveat.what
        assert "write them the same way" in caveat.advice


def test_outcomes_are_told_with_the_one_that_is_favourable() -> None:
    frame = people("yes", "Yes", "hired")
    roles = ROLES.model_copy(update={"favourable": "yes"})
    for caveats in (examine(frame, roles).findings, caveats_of(Dataset.build(frame, roles))):
        (caveat,) = (one for one in caveats if "differ only in" in one.what)
        assert "only 'yes' is favourable" in caveat.what
        assert "'Yes' (40 rows)" in caveat.what


def test_an_invisible_character_is_shown_by_its_number() -> None:
    (one,) = look_alikes({"male": 3, "ma\u200ble": 2})
    assert str(one) == "'male' (3 rows) and 'ma<U+200B>le' (2 rows)"


def test_names_of_columns_that_look_alike_are_told() -> None:
    frame = people("f", "m", "sex").assign(**{"se\u200bx": 1, "Age": 2})
    told = [one.what for one in examine(frame, ROLES).findings if "look alike" in one.what]
    assert len(told) == 2
    assert any("'sex' and 'se<U+200B>x'" in one or "'se<U+200B>x' and 'sex'" in one for one in told)
    assert any("'Age' and 'age'" in one and "capital letters" in one for one in told)


def test_a_quantity_has_no_groups() -> None:
    roles = ROLES.model_copy(update={"protected": ("age",), "features": ("sex",)})
    frame = people("f", "m", "sex")
    assert not [one for one in caveats_of(Dataset.build(frame, roles)) if "differ only" in one.what]

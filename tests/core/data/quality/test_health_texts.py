"""The health of a table of texts: lengths, empty and repeated ones, and silence about columns not there."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.data.quality.health import Health, examine
from core.data.roles import Roles
from core.records.codec import load_result, save_result
from tests.core.data.quality.caveats import found

ROWS = 200
ROLES = Roles(text="bio", outcome="job", protected=("gender",), annotation=("biased",))


def bios(rows: int = ROWS, **changes: object) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    table: dict[str, object] = {
        "bio": ["word " * (place % 21 + 1) + f"number {place}" for place in range(rows)],
        "job": rng.choice(["nurse", "poet", "surgeon"], rows),
        "gender": rng.choice(["female", "male"], rows),
        "biased": rng.integers(0, 2, rows),
    }
    return pd.DataFrame(table | changes)


def test_lengths_are_told_and_a_sound_corpus_has_nothing_else() -> None:
    frame = bios()
    health = examine(frame, ROLES)
    words = frame["bio"].map(lambda text: len(text.split()))
    assert [caveat.level for caveat in health.findings] == ["info"]
    assert f"have {words.median():.0f} words or more; the longest has {words.max()} words." in health.findings[0].what


def test_columns_say_what_they_are() -> None:
    columns = examine(bios(), ROLES).columns.set_index("column")
    assert columns["role"].to_dict() == {"bio": "text", "job": "outcome", "gender": "protected", "biased": "judgement"}
    assert columns.loc["bio", ["kind", "distinct", "missing"]].tolist() == ["text", ROWS, 0]


def test_empty_texts_are_counted_in_their_own_words() -> None:
    texts = bios()["bio"].tolist()
    texts[3], texts[90] = "  ", "\u200b"
    health = examine(bios(bio=texts), ROLES)
    assert "2 texts of 200" in found(health, "nothing but blanks").what
    assert health.rows_with_missing == 2


def test_repeated_texts_are_counted_even_if_their_rows_differ() -> None:
    frame = bios()
    frame["bio"] = [frame["bio"].iloc[0], *frame["bio"].iloc[[0]], *frame["bio"].iloc[2:]]
    frame["job"] = ["poet", "pilot", *frame["job"].iloc[2:]]
    health = examine(frame, ROLES)
    assert health.duplicates == 0
    assert "1 text of 200" in found(health, "same as an earlier one").what
    frame["bio"] = [f"text {place % 20}" for place in range(ROWS)]
    assert found(examine(frame, ROLES), "same as an earlier one: 180 texts").level == "warning"


def test_judgements_that_are_neither_0_1_nor_2_are_serious_and_missing_ones_cost_nothing() -> None:
    biased = [0, 1, 0, None] * (ROWS // 4)
    health = examine(bios(biased=biased), ROLES)
    assert health.rows_with_missing == 0
    assert [caveat.level for caveat in health.findings] == ["info"]
    biased[6] = 3
    caveat = found(examine(bios(biased=biased), ROLES), "neither 0, 1 nor 2")
    assert caveat.level == "serious"
    assert "in row 7 " in caveat.what


def test_texts_alone_have_no_outcomes_and_no_groups(tmp_path: Path) -> None:
    health = examine(bios(), Roles(text="bio"))
    assert health.outcomes.empty
    assert health.groups.empty
    assert list(health.groups) == ["attribute", "group", "rows", "favourable", "mean", "low", "high", "enough"]
    save_result(health, tmp_path / "health")
    again = load_result(tmp_path / "health", Health)
    pd.testing.assert_frame_equal(again.groups, health.groups)
    pd.testing.assert_frame_equal(again.outcomes, health.outcomes)


def test_without_a_favourable_value_no_share_is_said() -> None:
    groups = examine(bios(), ROLES).groups
    assert groups["rows"].sum() == ROWS
    assert groups["favourable"].isna().all()
    good = examine(bios(), ROLES.model_copy(update={"favourable": "poet"})).groups
    frame = bios()
    for gender, share in zip(good["group"], good["favourable"], strict=True):
        assert share == pytest.approx((frame.loc[frame["gender"] == gender, "job"] == "poet").mean())


def test_one_class_is_no_serious_matter_for_texts() -> None:
    assert found(examine(bios(job="poet"), ROLES), "same outcome").level == "info"


def test_many_classes_are_not_called_rare_for_their_share() -> None:
    jobs = [f"job {place % 5}" for place in range(ROWS)]
    jobs[0] = "job 1"
    assert not [n for n in examine(bios(job=jobs), ROLES).findings if "rare" in n.what]
    assert found(examine(bios(job=["rare job", *jobs[1:]]), ROLES), "'rare job' is rare").level == "warning"


def test_texts_that_are_all_empty_are_serious() -> None:
    health = examine(bios(bio=" "), ROLES)
    assert found(health, "'bio' is entirely empty").level == "serious"

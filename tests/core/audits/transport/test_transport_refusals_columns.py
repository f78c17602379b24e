"""Columns that tell people apart, set by a hand that slips: short messages, and no name taken twice unsaid."""

from dataclasses import replace

import pandas as pd
import pytest

from core.audits.transport.binning import bin_column
from core.audits.transport.preview import preview, propose
from core.audits.transport.proposal import propose_each
from core.audits.transport.settings import CellColumn
from core.base.errors import SettingsError
from core.data.dataset import Dataset
from tests.builders_transport import make_people


def test_of_a_thousand_limits_the_two_in_the_wrong_order_are_named() -> None:
    limits = (*map(float, range(1000)), 998.0)
    with pytest.raises(SettingsError) as refused:
        bin_column(CellColumn(name="age", edges=limits), pd.Series([1.0, 2.0]))
    assert refused.value.where == "column 'age': 999 is followed by 998"


@pytest.mark.parametrize(
    ("merged", "told"),
    [
        ((("felony", "misdemeanour"),), True),
        ((("felony", "any"), ("misdemeanour", "any")), False),
        ((("felony", "felony"), ("misdemeanour", "felony")), True),
        ((("felony", "misdemeanour"), ("misdemeanour", "felony")), False),
    ],
)
def test_a_merged_name_that_is_a_value_too_is_told(merged: tuple[tuple[str, str], ...], told: bool) -> None:
    seen = preview(Dataset.build(*make_people(400)), (CellColumn(name="charge", merged=merged), CellColumn(name="age")))
    assert any("put together with one that the table has" in caveat.what for caveat in seen.caveats) is told


@pytest.mark.parametrize("features", [("age", "race", "charge"), ("street",)])
def test_each_feature_is_proposed_as_if_it_were_the_only_one(features: tuple[str, ...]) -> None:
    frame, roles = make_people(400)
    frame["street"] = [f"street {i % 97}" for i in range(400)]
    dataset = Dataset.build(frame, roles.model_copy(update={"features": features}))
    alone = [replace(dataset, roles=roles.model_copy(update={"features": (name,)})) for name in features]
    expected = [
        column for name, one in zip(features, alone, strict=True) for column in propose(one) if column.name == name
    ]
    assert propose_each(dataset) == tuple(expected)

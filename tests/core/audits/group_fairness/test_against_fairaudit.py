"""COMPAS' false positives over race, age and sex, beside the intervals and flags of fairaudit (Cherian and Candès
2023).

Its reference results are intervals of each subgroup's share above everybody's, people charged again left out. Ours are
of a subgroup against everybody outside it, which is the same number times the share of people outside.
"""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control

from core.audits.group_fairness.subjects import Subject, subjects_of
from core.data.attribute import Attribute
from core.inference.comparisons import Comparisons, People

COLUMNS = ("race", "age_cat", "sex")
TOLERANCE = 0.05


def audited(folder: Path) -> tuple[Comparisons, np.ndarray, list[dict[str, str]]]:
    rows = list(csv.DictReader((folder / "reference" / "fairaudit-compas-false-positives.csv").open()))
    frame = pd.read_csv(folder / "compas" / "compas-scores-two-years.csv")
    usual = (frame["days_b_screening_arrest"].abs() <= 30) & (frame["is_recid"] != -1)
    usual &= (frame["c_charge_degree"] != "O") & (frame["score_text"] != "N/A") & (frame["two_year_recid"] == 0)
    frame = frame[usual]
    attributes = []
    for name in COLUMNS:
        codes, groups = pd.factorize(frame[name], sort=True)
        attributes.append(Attribute(name, tuple(groups), codes.astype(np.int64), np.full(len(codes), np.nan)))
    found = subjects_of(tuple(attributes), 1, ())
    singles: dict[tuple[str, str], Subject] = {one.conditions[0]: one for one in found.groups}
    inside = np.ones((len(rows), found.count), dtype=bool)
    for place, row in enumerate(rows):
        for name in COLUMNS:
            if row[name]:
                inside[place] &= singles[name, row[name]].inside
    people = np.bincount(found.cells) @ inside.T
    assert people.tolist() == [int(row["people"]) for row in rows]
    values = (frame["score_text"] != "Low").to_numpy(dtype=np.float64)
    counted = People.of(values, found.cells, found.count, shares=True)
    return Comparisons.of(counted, inside, ~inside), 1 - people / len(frame), rows


def test_intervals_are_no_wider_and_as_many_are_flagged(real_data: Path) -> None:
    compared, outside, rows = audited(real_data)
    excess = [float(row["excess"]) for row in rows]
    assert compared.difference * outside == pytest.approx(excess, abs=2e-4)
    level = compared.largest.level(0.025)
    low, high = compared.lower(level) * outside, compared.upper(level) * outside
    theirs = np.array([float(row["high"]) - float(row["low"]) for row in rows])
    assert np.median(theirs) == pytest.approx(0.186, abs=1e-3)
    assert np.median(high - low) <= np.median(theirs)
    flagged = compared.lower(compared.largest.level(0.05)) * outside > TOLERANCE
    assert flagged.sum() >= 12
    assert not flagged[[float(row["low"]) <= 0 for row in rows]].any(), "whom fairaudit leaves open we do not name"


def test_as_many_flags_hold_at_a_false_discovery_rate_of_a_tenth(real_data: Path) -> None:
    compared, outside, rows = audited(real_data)
    each = [
        Comparisons(compared.first.take(place), compared.second.take(place), compared.largest)
        for place in np.arange(len(rows))[:, None]
    ]
    p_values = [float(one.p_values(TOLERANCE / share)[0]) for one, share in zip(each, outside, strict=True)]
    assert (false_discovery_control(p_values, method="bh") <= 0.1).sum() >= 13

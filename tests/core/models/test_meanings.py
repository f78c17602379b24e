"""Labels that are not named as outcomes are: what they mean is proposed from the table, and said by a person."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from core.base.errors import ModelError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.models.meanings import propose_meanings
from core.models.predictions import Meaning, PredictionColumns

RISKS = (Meaning(label="high risk", outcome="no"), Meaning(label="low risk", outcome="yes"))


@pytest.fixture
def risks(dataset: Dataset) -> Dataset:
    says = np.where(dataset.frame["says"] == "yes", "low risk", "high risk")
    return replace(dataset, frame=dataset.frame.assign(says=says))


def test_a_label_means_the_outcome_that_is_over_represented_among_its_rows(risks: Dataset) -> None:
    found = propose_meanings(risks, "says")
    assert tuple(one.meaning for one in found) == RISKS
    hired = risks.frame["hired"] == "yes"
    share, overall = (~hired)[risks.frame["says"] == "high risk"].mean(), (~hired).mean()
    told = f"of the rows with 'high risk', {share:.1%} have the outcome 'no'; of all rows, {overall:.1%}"
    assert found[0].reason == told


def test_more_labels_than_outcomes_may_mean_the_same(dataset: Dataset) -> None:
    hired = dataset.frame["hired"] == "yes"
    grade = np.where(hired, np.where(np.arange(240) % 2, "low", "medium"), "high")
    found = propose_meanings(replace(dataset, frame=dataset.frame.assign(says=grade)), "says")
    assert {one.meaning.label: one.meaning.outcome for one in found} == {"high": "no", "low": "yes", "medium": "yes"}


def test_outcomes_need_no_meaning(dataset: Dataset) -> None:
    assert propose_meanings(dataset, "says") == ()


def test_a_label_that_is_an_outcome_keeps_its_meaning(dataset: Dataset) -> None:
    some = np.where(dataset.frame["says"] == "yes", "yes", "perhaps not")
    found = propose_meanings(replace(dataset, frame=dataset.frame.assign(says=some)), "says")
    assert [one.meaning for one in found] == [
        Meaning(label="perhaps not", outcome="no"),
        Meaning(label="yes", outcome="yes"),
    ]


def test_labels_are_read_as_they_are_said_to_mean(files: FileStore, dataset: Dataset, risks: Dataset) -> None:
    with pytest.raises(
        ModelError, match=r"There is a prediction that is no outcome in 240 rows: '.* risk' is the first"
    ):
        PredictionColumns(columns=("says",)).load(files, risks)
    meant = PredictionColumns(columns=("says",), meanings=RISKS).load(files, risks)
    plain = PredictionColumns(columns=("says",)).load(files, dataset)
    np.testing.assert_array_equal(meant.predict_proba(meant.encode(risks)), plain.predict_proba(plain.encode(dataset)))


def test_a_meaning_that_is_no_outcome_is_refused(files: FileStore, risks: Dataset) -> None:
    meanings = (RISKS[0], Meaning(label="low risk", outcome="perhaps"))
    with pytest.raises(ModelError, match="'low risk' is said to mean 'perhaps', which is no outcome"):
        PredictionColumns(columns=("says",), meanings=meanings).load(files, risks)


@pytest.mark.parametrize("meanings", [(RISKS[0], RISKS[0]), (RISKS[0], Meaning(label="high risk", outcome="yes"))])
def test_a_label_has_one_meaning(meanings: Any) -> None:
    with pytest.raises(ValidationError, match="'high risk' is given two meanings"):
        PredictionColumns(columns=("says",), meanings=meanings)

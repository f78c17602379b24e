"""What people see of a model before auditing it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.base.errors import DataError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.language.reader import speaking
from core.language.told import retold
from core.models import PredictionColumns
from core.models.answered import CountedByClass
from core.models.direction import Direction
from core.models.inspection import ModelReport, about_accuracy, inspect
from core.models.module import ModuleModel
from tests.core.models.conftest import FEATURES


@pytest.fixture
def says(files: FileStore, dataset: Dataset) -> ModelReport:
    return inspect(PredictionColumns(columns=("says",)).load(files, dataset), dataset)


def test_accuracies_are_those_of_scikit_learn(says: ModelReport, dataset: Dataset) -> None:
    from sklearn.metrics import accuracy_score, balanced_accuracy_score, confusion_matrix

    true, said = dataset.frame["hired"], dataset.frame["says"]
    np.testing.assert_array_equal(says.confusion, confusion_matrix(true, said, labels=["no", "yes"]))
    assert says.accuracy == pytest.approx(accuracy_score(true, said))
    assert says.balanced_accuracy == pytest.approx(balanced_accuracy_score(true, said))
    assert says.majority_share == pytest.approx(true.value_counts(normalize=True).max())


def test_a_good_model_raises_no_alarm(says: ModelReport) -> None:
    assert says.accuracy > says.majority_share
    assert [caveat.level for caveat in says.caveats] == ["info"]


def test_reversed_classes_go_against_the_outcomes_and_are_told_once(files: FileStore, dataset: Dataset) -> None:
    opposite = dataset.frame.assign(says=np.where(dataset.frame["says"] == "yes", "no", "yes"))
    table = Dataset.build(opposite, dataset.roles)
    report = inspect(PredictionColumns(columns=("says",)).load(files, table), table)
    assert report.accuracy < report.majority_share
    assert report.direction is not None
    assert report.direction.against
    assert report.direction.advice == "Check which outcome each label means."
    assert not [caveat for caveat in report.caveats if caveat.level != "info"]


def test_a_model_that_is_merely_worse_than_a_guess_is_a_warning(files: FileStore, dataset: Dataset) -> None:
    rare = np.where(np.arange(240) % 20 == 0, dataset.frame["hired"], np.where(np.arange(240) % 2, "yes", "no"))
    table = Dataset.build(dataset.frame.assign(says=rare), dataset.roles)
    report = inspect(PredictionColumns(columns=("says",)).load(files, table), table)
    assert report.direction is not None
    assert not report.direction.against
    (warning,) = (caveat for caveat in report.caveats if caveat.level == "warning")
    assert f"the model is right for {report.accuracy:.1%}" in warning.what


def test_answers_that_go_with_a_rare_outcome_are_not_asked_to_be_checked() -> None:
    """22 of 40 rare ones and 195 of 220 others: below the most frequent outcome's share, and nothing is reversed."""
    counts = np.array([[195, 25], [18, 22]])
    with_outcomes = Direction("decisions", 0.48, 0.6, "yes", (0.55, 0.07), "")
    unclear = replace(with_outcomes, value=0.01, upper=0.2)

    class Counted(CountedByClass):
        confusion = counts

    def advice(direction: Direction | None) -> list[str]:
        return [one.advice for one in about_accuracy(Counted(), direction, "these rows")]

    checked = "Check the order of the classes and the preprocessing."
    assert Counted().accuracy < Counted().majority_share
    assert advice(with_outcomes) == [""]
    assert advice(unclear) == advice(None) == [checked]


def test_shares_are_written_as_the_reader_writes_them() -> None:
    class Counted(CountedByClass):
        confusion = np.array([[60, 15], [20, 5]])

    (told,) = about_accuracy(Counted(), None, "these rows")
    assert "is right for 65.0%; always answering the most frequent outcome would be right for 75.0%." in told.what
    with speaking("de"):
        assert "zu 65,0\xa0% richtig" in retold(told.what)


def test_answers_that_are_not_numbers_are_counted_and_located(dataset: Dataset) -> None:
    import torch
    from torch import nn

    class Root(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.stack([x[:, 0].sqrt(), x[:, 1]], dim=1)

    model = ModuleModel(Root(), Encoder.fit(dataset.frame, FEATURES), ("no", "yes"), "root")
    report = inspect(model, dataset)
    young = np.flatnonzero(model.encode(dataset).x[:, 0] < 0)
    assert report.not_finite == len(young)
    assert report.first_not_finite == tuple(young[:5] + 1)
    assert report.confusion.sum() == 240 - len(young)
    assert report.caveats[0].level == "serious"
    assert f"{len(young)} of 240 rows" in report.caveats[0].what
    unanswered = report.examples[report.examples["hired (probability)"].isna()]
    assert (unanswered["hired (predicted)"] == "no finite answer").all()


def test_a_model_that_never_answers_has_no_accuracy(dataset: Dataset) -> None:
    import torch
    from torch import nn

    class Nothing(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x[:, :2] * torch.nan

    report = inspect(ModuleModel(Nothing(), Encoder.fit(dataset.frame, FEATURES), ("no", "yes"), "n"), dataset)
    assert report.not_finite == 240
    assert all(np.isnan([report.accuracy, report.majority_share, report.balanced_accuracy]))


def test_an_outcome_without_a_class_is_an_error_with_its_row(dataset: Dataset, network: Any) -> None:
    model = ModuleModel(network, Encoder.fit(dataset.frame, FEATURES), ("no", "perhaps"), "net")
    first = int(np.flatnonzero(dataset.frame["hired"] == "yes")[0])
    with pytest.raises(DataError, match=rf"no class for the outcome 'yes'.*row {first + 1}\b"):
        inspect(model, dataset)


def test_the_report_names_inputs_classes_and_kind(dataset: Dataset, network: Any) -> None:
    report = inspect(ModuleModel(network, Encoder.fit(dataset.frame, FEATURES), ("no", "yes"), "net"), dataset)
    assert report.inputs == ("age", "job = clerk", "job = cook", "job = nurse", "children")
    assert report.features == FEATURES
    assert report.gives == "logits"


def test_a_feature_called_probability_is_shown_as_it_is(dataset: Dataset, files: FileStore) -> None:
    frame = dataset.frame.rename(columns={"age": "probability"})
    roles = dataset.roles.model_copy(update={"features": ("probability", "job", "children")})
    table = Dataset.build(frame, roles)
    report = inspect(PredictionColumns(columns=("says",)).load(files, table), table)
    assert report.examples["probability"].tolist() == frame["probability"].head().tolist()

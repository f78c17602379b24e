"""Which way round answers are: what is measured of each kind of model, and how it is told."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from core.base.files import FileStore
from core.data.dataset import Dataset
from core.models import PredictionColumns
from core.models.direction import Direction, direction_of
from core.records.codec import decode, encode
from core.records.codec_frames import Arrays


def with_column(dataset: Dataset, name: str, values: Any) -> Dataset:
    return replace(dataset, frame=dataset.frame.assign(**{name: values}))


def directed(files: FileStore, dataset: Dataset, **settings: Any) -> Direction | None:
    model = PredictionColumns(**settings).load(files, dataset)
    data = model.encode(dataset)
    return direction_of(model, data, model.predict_proba(data))


@pytest.fixture
def chance(dataset: Dataset) -> np.ndarray:
    """A probability that goes with being hired."""
    hired = (dataset.frame["hired"] == "yes").to_numpy()
    return np.clip(0.3 + 0.3 * hired + np.random.default_rng(0).normal(0, 0.15, len(dataset)), 0, 1)


def test_of_decisions_it_is_youdens_j(files: FileStore, dataset: Dataset) -> None:
    found = directed(files, dataset, columns=("says",))
    hired, says = dataset.frame["hired"] == "yes", dataset.frame["says"] == "yes"
    assert found is not None
    assert (found.measure, found.about) == ("decisions", "yes")
    assert found.shares == (pytest.approx(says[hired].mean()), pytest.approx(says[~hired].mean()))
    assert found.value == pytest.approx(found.shares[0] - found.shares[1])
    assert not found.against
    assert found.caveats == ()


def test_of_probabilities_it_is_the_area_under_the_curve(
    files: FileStore, dataset: Dataset, chance: np.ndarray
) -> None:
    found = directed(files, with_column(dataset, "chance", chance), columns=("chance",), holds="probability")
    hired = dataset.frame["hired"] == "yes"
    u = mannwhitneyu(chance[hired], chance[~hired]).statistic
    assert found is not None
    assert found.measure == "scores"
    assert found.value == pytest.approx(u / hired.sum() / (~hired).sum() - 0.5)


def test_turned_probabilities_are_against_until_they_are_read_the_other_way_round(
    files: FileStore, dataset: Dataset, chance: np.ndarray
) -> None:
    """Whatever is turned is turned back by being turned again, and by turning the column is read as its complement."""
    table = with_column(dataset, "chance", 1 - chance)
    settings = PredictionColumns(columns=("chance",), holds="probability", direction_confirmed=True)
    found = directed(files, table, **dict(settings))
    turned = settings.turned(("no", "yes"))
    assert found is not None
    assert found.against
    assert turned is not None
    assert not turned.direction_confirmed
    better = directed(files, table, **dict(turned))
    assert better is not None
    assert better.value == pytest.approx(-found.value)
    again = turned.turned(("no", "yes"))
    assert again == settings.model_copy(update={"direction_confirmed": False})
    (caveat,) = found.caveats
    assert caveat.level == "serious"
    assert caveat.advice == "Check which outcome a high probability stands for."


@pytest.mark.parametrize(
    "settings",
    [{}, {"holds": "score", "threshold": 0.5}, {"holds": "probability"}],
    ids=["labels", "score", "probability"],
)
def test_turning_twice_changes_nothing_and_once_swaps_the_answers(
    settings: dict[str, Any], files: FileStore, dataset: Dataset, chance: np.ndarray
) -> None:
    name = "chance" if settings else "says"
    table = with_column(dataset, "chance", chance)
    plain = PredictionColumns(columns=(name,), **settings)
    turned = plain.turned(("no", "yes"))
    assert turned is not None
    one, other = (
        source.load(files, table).predict_proba(plain.load(files, table).encode(table)) for source in (plain, turned)
    )
    np.testing.assert_allclose(one, other[:, ::-1])
    assert turned.turned(("no", "yes")) == plain


def test_of_several_classes_it_is_the_accuracy_beyond_chance(files: FileStore, three_classes: Dataset) -> None:
    level = three_classes.frame["level"].to_numpy()
    names = np.array(["junior", "middle", "senior"])
    other = names[(np.searchsorted(names, level) + 1) % 3]
    right, wrong = (
        directed(files, with_column(three_classes, "said", said), columns=("said",)) for said in (level, other)
    )
    assert right is not None
    assert wrong is not None
    assert right.value > 0.5
    assert wrong.shares[0] == 0
    assert wrong.against
    assert "answers drawn at random" in wrong.told
    assert PredictionColumns(columns=("said",)).turned(tuple(names)) is None


def test_where_everybody_gets_the_same_answer_nothing_is_seen(files: FileStore, dataset: Dataset) -> None:
    assert directed(files, with_column(dataset, "says", "no"), columns=("says",)) is None


def test_rows_of_one_person_count_together(files: FileStore, dataset: Dataset) -> None:
    """Twelve people of whom each is there twenty times: J is -0.5, and that may be chance."""
    people = np.arange(240) % 12
    hired, said = people < 6, np.isin(people, (0, 6, 7, 8))
    frame = dataset.frame.assign(hired=np.where(hired, "yes", "no"), says=np.where(said, "yes", "no"), person=people)
    alone = directed(files, replace(dataset, frame=frame), columns=("says",))
    roles = dataset.roles.model_copy(update={"belongs_to": "person"})
    together = directed(files, replace(dataset, frame=frame, roles=roles), columns=("says",))
    assert alone is not None
    assert together is not None
    assert alone.value == pytest.approx(together.value)
    assert alone.against
    assert not together.against


def test_a_direction_survives_saving(files: FileStore, dataset: Dataset) -> None:
    found, arrays = directed(files, dataset, columns=("says",)), Arrays()
    assert decode(encode(found, Direction, arrays), Direction, arrays) == found

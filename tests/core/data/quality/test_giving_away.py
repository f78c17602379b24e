"""Which features give a protected attribute away: numbers of any shape, names, pairs, several groups."""

import time

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from core.data.dataset import Dataset, Roles
from core.data.quality.giving_away import GivenAway, about_features, giving_away, named_features, undeclared


def table(n: int = 1_000, seed: int = 0, **columns: np.ndarray) -> Dataset:
    rng = np.random.default_rng(seed)
    sex, race = rng.integers(2, size=n), rng.choice(4, size=n, p=(0.4, 0.3, 0.2, 0.1))
    frame = pd.DataFrame(
        {
            "sex": np.array(["m", "f"])[sex],
            "race": np.array(list("abcd"))[race],
            "copy": sex * 3.0,
            "title": np.where(sex == 1, "Ms", rng.choice(["Mr", "Dr"], n)),
            "middle": np.where(sex == 1, 0.0, rng.choice([-2.0, 2.0], n)) + 0.1 * rng.standard_normal(n),
            "tribe": np.where(race == 3, "x", rng.choice(["y", "z"], n)),
            "half": (half := rng.integers(2, size=n)),
            "other": half ^ sex,
            "noise": rng.standard_normal(n),
            "id": [f"person {place}" for place in range(n)],
            "hired": rng.integers(2, size=n),
        }
    )
    frame = frame.assign(**columns)
    features = tuple(name for name in frame if name not in ("sex", "race", "hired"))
    return Dataset.build(frame, Roles(outcome="hired", favourable="1", protected=("sex", "race"), features=features))


def by_features(dataset: Dataset, *features: str) -> dict[tuple[str, ...], GivenAway]:
    found = giving_away(dataset, features or [name for name in dataset.roles.features if name != "id"])
    return {(one.attribute, *one.features): one for one in found}


def test_copies_names_and_shapes_tell_and_noise_does_not() -> None:
    dataset = table()
    found = by_features(dataset)
    for name in ("copy", "title", "middle"):
        assert found["sex", name].area > 0.99
        assert found["sex", name].tells
        assert found["sex", name].low > 0.95
        assert not found["race", name].tells
    assert found["race", "tribe"].group == "d"
    assert found["race", "tribe"].tells
    assert found["sex", "noise"].high < 0.6
    assert found["sex", "half", "other"].area > 0.99
    assert not found["sex", "half"].tells
    areas = [one.area for one in giving_away(dataset, dataset.roles.features)]
    assert areas == sorted(areas, reverse=True)


def test_a_column_in_which_every_cell_is_another_says_nothing() -> None:
    dataset = table(300)
    assert giving_away(dataset, ["id"])[0].area == 0.5
    assert giving_away(dataset, ["sex", "race"]) == ()


@pytest.mark.parametrize(("area", "n", "tells"), [(0.93, 4_000, False), (0.93, 120, True), (0.98, 4_000, True)])
def test_between_90_and_95_the_upper_limit_decides(area: float, n: int, tells: bool) -> None:
    """A normal score that tells with this area: of 4,000 people .95 is excluded, of 100 it is not."""
    sex = (table(n).frame["sex"] == "f").to_numpy(dtype=float)
    score = sex * norm.ppf(area) * 2**0.5 + np.random.default_rng(8).standard_normal(n)
    dataset = table(n, score=score)
    one = by_features(dataset, "score")["sex", "score"]
    assert one.tells == tells == (one.high >= 0.95)
    assert one.low < area < one.high
    told = [caveat for caveat in about_features(giving_away(dataset, ["score"])) if "'sex'" in caveat.what]
    assert [caveat.level for caveat in told] == ["warning" if tells else "info"]
    assert f"'score' ({one.area:.2f}, {one.low:.2f} to {one.high:.2f})" in told[0].what


def test_rows_that_belong_together_do_not_teach_each_other() -> None:
    """A code for each household, whose people are of one sex, tells the sex of nobody of another household."""
    home = np.repeat(np.arange(100), 5)
    frame = pd.DataFrame(
        {
            "sex": np.where(np.random.default_rng(1).random(100) < 0.5, "m", "f")[home],
            "home": [f"home {code}" for code in home],
            "street": [f"street {code}" for code in home],
            "y": np.arange(500) % 2,
        }
    )
    roles = Roles(outcome="y", favourable="1", protected=("sex",), features=("street",))
    assert giving_away(Dataset.build(frame, roles), ["street"])[0].area > 0.99
    kept = Dataset.build(frame, roles.model_copy(update={"belongs_to": "home"}))
    assert giving_away(kept, ["street"])[0].area == 0.5


def test_an_attribute_that_is_a_number_a_missing_cell_and_a_small_group() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"age": rng.integers(18, 70, 400), "sex": np.where(np.arange(400) < 9, "d", "m")})
    frame["grade"] = np.where(frame["age"] > 40, "senior", None)
    frame["note"] = np.where(frame["sex"] == "d", "1", "0")
    frame["y"] = np.arange(400) % 2
    roles = Roles(
        outcome="y", favourable="1", protected=("age", "sex"), features=("grade", "note"), missing="own category"
    )
    found = by_features(Dataset.build(frame, roles))
    assert found["age", "grade"].area > 0.75
    assert not any(one[0] == "sex" for one in found), "nine people are too few to say so"


def test_what_is_not_declared_is_named_once() -> None:
    found = giving_away(table(), ("copy", "title", "noise", "half", "other"))
    own = undeclared(found, ("copy", "title", "noise"))
    assert {(one.attribute, one.features) for one in own} == {("sex", ("copy",)), ("sex", ("title",))}
    assert named_features(own) == "'copy' and 'title'"
    assert undeclared(found, ("noise", "half", "other")) == ()


def test_a_large_table_takes_under_a_second_and_gives_the_same_again() -> None:
    rng = np.random.default_rng(4)
    wide = {f"z{place}": rng.standard_normal(100_000) for place in range(20)}
    dataset = table(100_000, id=np.zeros(100_000), **wide)
    started = time.process_time()
    found = giving_away(dataset, dataset.roles.features)
    assert time.process_time() - started < 3
    assert found == giving_away(dataset, dataset.roles.features)
    assert found[0].rows < 10_000

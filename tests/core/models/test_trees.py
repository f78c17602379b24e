"""Boosted trees: columns found by name, categories that are told or asked for, and files that are no trees."""

import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from pydantic import ValidationError

from core.base.errors import ModelError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import CodeColumn, Encoder, NumericColumn
from core.data.roles import Roles
from core.models import MODEL_FORMATS
from core.models.formats.trees.said import TreesSaid
from core.models.formats.trees.source import TreesFile, TreesModel
from core.models.sniff import recognise
from core.wall.behind import open_behind

JOBS = ("cook", "nurse", "smith")


def people(rows: int = 400, classes: int = 2) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, rows).round(),
            "income": rng.normal(3, 1, rows),
            "job": rng.choice(JOBS, rows),
            "sex": rng.choice(["f", "m"], rows),
        }
    )
    score = frame["income"] + (frame["job"] == "cook") + 0.02 * frame["age"] + 0.3 * rng.standard_normal(rows)
    frame["pay"] = score - score.min() + 0.1
    frame["grade"] = pd.qcut(score, classes, labels=False).astype(str)
    return frame


def table(frame: pd.DataFrame, outcome: str = "grade", features: tuple[str, ...] = ("age", "income", "job")) -> Dataset:
    number = outcome == "pay"
    roles = Roles(
        outcome=outcome,
        outcome_type="number" if number else "classes",
        favourable="" if number else max(frame[outcome]),
        protected=("sex",),
        features=features,
    )
    return Dataset.build(frame, roles)


def read(frame: pd.DataFrame) -> pd.DataFrame:
    """As the data team trained on it."""
    return frame[["age", "income"]].assign(job=pd.Categorical(frame["job"], categories=JOBS))


def loaded(content: bytes, name: str, dataset: Dataset, tmp_path: Path, **settings: Any) -> TreesModel:
    files = FileStore(tmp_path)
    return TreesFile(file=files.put(content, name), **settings).load(files, dataset)


def saved(model: Any, name: str, tmp_path: Path) -> bytes:
    model.save_model(tmp_path / name)
    return (tmp_path / name).read_bytes()


def answers(model: TreesModel, dataset: Dataset) -> np.ndarray:
    return model.answers(model.encode(dataset))


def classifier(frame: pd.DataFrame, **settings: Any) -> xgboost.XGBClassifier:
    usual = {"n_estimators": 5, "max_depth": 3, "enable_categorical": True}
    return xgboost.XGBClassifier(**{**usual, **settings}).fit(read(frame), frame["grade"].astype(int))


def test_a_model_that_was_stopped_early_answers_with_its_best_round(tmp_path: Path) -> None:
    frame = people(120)
    noise = np.random.default_rng(1).integers(0, 2, len(frame))
    own = xgboost.XGBClassifier(n_estimators=40, early_stopping_rounds=3, enable_categorical=True)
    own.fit(read(frame), frame["grade"].astype(int), eval_set=[(read(frame), noise)], verbose=False)
    dataset = table(frame)
    model = loaded(saved(own, "m.json", tmp_path), "m.json", dataset, tmp_path)
    assert own.best_iteration + 1 < own.get_booster().num_boosted_rounds()
    np.testing.assert_allclose(answers(model, dataset), own.predict_proba(read(frame)), atol=1e-6)
    assert "stopped early" in model.caveats[0].what


def test_indicators_are_found_by_column_and_value_and_one_value_may_be_left_out(tmp_path: Path) -> None:
    frame = people()
    wide = pd.get_dummies(frame[["age", "job"]], drop_first=True)
    own = xgboost.XGBClassifier(n_estimators=5).fit(wide, frame["grade"].astype(int))
    few = frame[frame["job"] != "smith"].reset_index(drop=True)
    dataset = table(few)
    model = loaded(saved(own, "m.json", tmp_path), "m.json", dataset, tmp_path)
    expected = own.predict_proba(wide[(frame["job"] != "smith").to_numpy()])
    np.testing.assert_allclose(answers(model, dataset), expected, atol=1e-6)
    assert model.reads == ("age", "job")
    assert model.preprocessing.names == ("age", "job = nurse", "job = smith")
    assert "'job_smith' mark values that the table does not have" in model.caveats[0].what
    assert [caveat.level for caveat in model.caveats] == ["info", "warning"]


def test_a_value_that_training_did_not_know_is_counted_and_answered_as_missing(tmp_path: Path) -> None:
    frame = people()
    content = saved(classifier(frame), "m.json", tmp_path)
    frame.loc[:6, "job"] = "baker"
    model = loaded(content, "m.json", table(frame), tmp_path)
    assert "7 rows with 'job = baker'" in " ".join(caveat.what for caveat in model.caveats)
    missing = read(frame).assign(job=pd.Categorical([None] * len(frame), categories=JOBS))
    own = xgboost.XGBClassifier()
    own.load_model(bytearray(content))
    np.testing.assert_allclose(answers(model, table(frame))[:7], own.predict_proba(missing)[:7], atol=1e-6)


def declared(**values: tuple[str, ...]) -> Encoder:
    return Encoder(columns=tuple(CodeColumn(name=name, categories=listed) for name, listed in values.items()))


def test_categories_that_the_file_does_not_list_are_asked_for_and_taken_as_declared(tmp_path: Path) -> None:
    """Versions before 3.1 keep none: the order of the table would decide otherwise."""
    own = classifier(people())
    document = json.loads(saved(own, "m.json", tmp_path))
    del document["learner"]["gradient_booster"]["model"]["cats"]
    content, dataset = json.dumps(document).encode(), table(people())
    with pytest.raises(ModelError, match=r"which number each value of 'job' had"):
        loaded(content, "m.json", dataset, tmp_path)
    model = loaded(content, "m.json", dataset, tmp_path, encoder=declared(job=JOBS))
    np.testing.assert_allclose(answers(model, dataset), own.predict_proba(read(people())), atol=1e-6)
    assert "'job' were numbered in the declared order" in " ".join(one.what for one in model.caveats)
    turned = loaded(content, "m.json", dataset, tmp_path, encoder=declared(job=JOBS[::-1]))
    assert np.abs(answers(turned, dataset) - answers(model, dataset)).max() > 0.01


def test_categories_of_numbers_are_asked_for_too(tmp_path: Path) -> None:
    """Whether a file without a list means a number itself or its place among the categories cannot be seen."""
    frame = people().assign(job=np.random.default_rng(0).choice([2.5, 10.0, 20.0], 400))
    coded = frame[["age"]].assign(job=pd.Categorical(frame["job"]).codes)
    data = xgboost.DMatrix(coded, frame["grade"].astype(int), feature_types=["q", "c"], enable_categorical=True)
    own = xgboost.train({"objective": "binary:logistic", "tree_method": "hist"}, data, 5)
    dataset, content = table(frame, features=("age", "job")), saved(own, "m.json", tmp_path)
    with pytest.raises(ModelError, match="which number each value of 'job' had"):
        loaded(content, "m.json", dataset, tmp_path)
    model = loaded(content, "m.json", dataset, tmp_path, encoder=declared(job=("2.5", "10.0", "20.0")))
    np.testing.assert_allclose(answers(model, dataset)[:, 1], own.predict(data), atol=1e-6)


def from_r(frame: pd.DataFrame, first: int, tmp_path: Path) -> tuple[lightgbm.Booster, pd.DataFrame, bytes]:
    """A model as other languages write it: categories as numbers, and no list of them in the file."""
    coded = frame[["age"]].assign(job=frame["job"].map({job: first + place for place, job in enumerate(JOBS)}))
    data = lightgbm.Dataset(coded, frame["grade"].astype(int), categorical_feature=["job"])
    own = lightgbm.train({"objective": "binary", "verbose": -1, "min_data_per_group": 1}, data, 5)
    content = saved(own, "m.txt", tmp_path)
    return own, coded, content[: content.index(b"\npandas_categorical:")] + b"\n"


@pytest.mark.parametrize("first", [0, 1])
def test_codes_of_r_begin_where_training_met_them(first: int, tmp_path: Path) -> None:
    own, coded, content = from_r(people(), first, tmp_path)
    dataset = table(people(), features=("age", "job"))
    with pytest.raises(ModelError, match="which number each value of 'job' had"):
        loaded(content, "m.txt", dataset, tmp_path)
    model = loaded(content, "m.txt", dataset, tmp_path, encoder=declared(job=JOBS))
    np.testing.assert_allclose(answers(model, dataset)[:, 1], own.predict(coded), atol=1e-12)
    numbers = table(people().assign(job=coded["job"]), features=("age", "job"))
    model = loaded(content, "m.txt", numbers, tmp_path)
    np.testing.assert_allclose(answers(model, numbers)[:, 1], own.predict(coded), atol=1e-12)
    more = table(people().assign(job=coded["job"].where(np.arange(400) > 4, 9)), features=("age", "job"))
    with pytest.raises(ModelError, match="which number each value of 'job' had"):
        loaded(content, "m.txt", more, tmp_path)
    model = loaded(saved(own, "m.txt", tmp_path), "m.txt", more, tmp_path)  # as Python writes it
    assert "5 rows with 'job = 9', which are no categories" in " ".join(one.what for one in model.caveats)
    others = table(people().assign(job=coded["job"] * 10), features=("age", "job"))
    with pytest.raises(ModelError, match="which number each value of 'job' had"):
        loaded(content, "m.txt", others, tmp_path)


def test_a_column_none_of_whose_categories_training_knew_is_refused(tmp_path: Path) -> None:
    content = saved(classifier(people()), "m.json", tmp_path)
    numbered = people().assign(job=people()["job"].map({job: place for place, job in enumerate(JOBS)}))
    with pytest.raises(ModelError, match=r"other values of 'job': 'cook', .*; the table has '0', '1', '2'"):
        loaded(content, "m.json", table(numbered), tmp_path)


def test_files_of_windows_and_with_blanks_around_are_read(tmp_path: Path) -> None:
    """LightGBM itself ends the process that reads the first."""
    dataset, content = table(people()), text_model(tmp_path).encode()
    expected = answers(loaded(content, "m.txt", dataset, tmp_path), dataset)
    for other in (content.replace(b"\n", b"\r\n"), content + b"\n\n"):
        np.testing.assert_array_equal(answers(loaded(other, "m.txt", dataset, tmp_path), dataset), expected)
    content = saved(classifier(people()), "m.json", tmp_path)
    expected = answers(loaded(content, "m.json", dataset, tmp_path), dataset)
    for other in (b" \n" + content, json.dumps(json.loads(content), indent=2).encode()):
        np.testing.assert_array_equal(answers(loaded(other, "m.json", dataset, tmp_path), dataset), expected)


def test_categories_that_look_like_numbers_are_found(tmp_path: Path) -> None:
    frame = people().assign(job=people()["job"].map({"cook": 1.0, "nurse": 2.0, "smith": 10.0}))
    for written in (frame["job"].map(str), frame["job"].astype(int).map(str), frame["job"].astype(int)):
        coded = frame[["age"]].assign(job=written.astype("category"))
        own = lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(coded, frame["grade"] == "1"), 5)
        dataset = table(frame, features=("age", "job"))
        model = loaded(saved(own, "m.txt", tmp_path), "m.txt", dataset, tmp_path)
        np.testing.assert_allclose(answers(model, dataset)[:, 1], own.predict(coded), atol=1e-12)


def test_lists_that_fit_several_columns_are_asked_for(tmp_path: Path) -> None:
    """LightGBM notes an ordered category as it notes a number, and says of which column a list is nowhere."""
    frame = people()
    frame["stage"], frame["visits"] = (np.random.default_rng(seed).integers(1, 4, len(frame)) for seed in (1, 2))
    ordered = pd.CategoricalDtype([3, 2, 1], ordered=True)
    coded = frame[["age", "stage", "visits"]].astype({"stage": ordered})
    coded["visits"] -= 1  # as it was then; the table of today has other numbers
    own = lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(coded, frame["grade"] == "1"), 5)
    content, features = saved(own, "m.txt", tmp_path), ("age", "stage", "visits")
    dataset = table(frame, features=features)
    with pytest.raises(ModelError, match="does not say which columns these are") as asked:
        loaded(content, "m.txt", dataset, tmp_path)
    assert "'stage', 'visits'" in asked.value.advice
    model = loaded(content, "m.txt", dataset, tmp_path, encoder=declared(stage=("3", "2", "1")))
    as_read = frame[list(features)].astype({"stage": ordered})
    np.testing.assert_allclose(answers(model, dataset)[:, 1], own.predict(as_read), atol=1e-12)


def test_standardised_numbers_are_not_what_trees_read(tmp_path: Path) -> None:
    content = saved(classifier(people()), "m.json", tmp_path)
    encoder = Encoder(columns=(NumericColumn(name="age", mean=40, scale=10),))
    with pytest.raises(ModelError, match="standardises 'age'"):
        loaded(content, "m.json", table(people()), tmp_path, encoder=encoder)


def test_missing_values_take_the_way_that_training_gave_them(tmp_path: Path) -> None:
    frame = people()[["age", "income"]]
    gaps = frame.mask(np.random.default_rng(0).random(frame.shape) < 0.2)
    own = xgboost.XGBClassifier(n_estimators=5).fit(gaps, people()["grade"].astype(int))
    own.save_model(tmp_path / "m.json")
    behind = open_behind(TreesFile.inside, tmp_path / "m.json", {}, name="m.json")
    np.testing.assert_allclose(behind.answer(gaps), own.predict_proba(gaps), atol=1e-6)
    booster = lightgbm.train(
        {"objective": "binary", "verbose": -1}, lightgbm.Dataset(gaps, people()["grade"] == "1"), 5
    )
    booster.save_model(tmp_path / "m.txt")
    behind = open_behind(TreesFile.inside, tmp_path / "m.txt", {}, name="m.txt")
    np.testing.assert_allclose(behind.answer(gaps)[:, 1], booster.predict(gaps), atol=1e-12)


def test_classes_are_numbered_as_numbers_and_never_by_which_is_favourable(tmp_path: Path) -> None:
    frame = people(classes=3)
    own = lightgbm.LGBMClassifier(n_estimators=3, verbose=-1).fit(frame[["age"]], frame["grade"].astype(int) + 8)
    frame["grade"] = (frame["grade"].astype(int) + 8).astype(str)
    for favourable in ("8", "10"):
        roles = Roles(outcome="grade", favourable=favourable, protected=("sex",), features=("age",))
        dataset = Dataset.build(frame, roles)
        model = loaded(saved(own.booster_, "m.txt", tmp_path), "m.txt", dataset, tmp_path)
        assert model.classes == ("8", "9", "10")
        np.testing.assert_allclose(answers(model, dataset), own.predict_proba(frame[["age"]]), atol=1e-12)
        assert "'grade = 8', 'grade = 9', 'grade = 10', in ascending order" in model.caveats[-1].what


def test_columns_without_names_are_taken_in_order_or_refused(tmp_path: Path) -> None:
    frame = people()
    plain = frame[["age", "income"]].to_numpy()
    own = lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(plain, frame["grade"].astype(int)), 5)
    content = saved(own, "m.txt", tmp_path)
    dataset = table(frame, features=("age", "income"))
    model = loaded(content, "m.txt", dataset, tmp_path)
    np.testing.assert_allclose(answers(model, dataset)[:, 1], own.predict(plain), atol=1e-12)
    assert "taken in the table's order: 'age', 'income'" in model.caveats[0].what
    with pytest.raises(ModelError, match="2 columns and names none"):
        loaded(content, "m.txt", table(frame), tmp_path)


def test_a_space_that_lightgbm_writes_as_a_line_is_found(tmp_path: Path) -> None:
    frame = people().rename(columns={"age": "age (years)"})
    read_by_it = frame[["age (years)", "income"]]
    own = lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(read_by_it, frame["grade"] == "1"), 5)
    dataset = table(frame, features=("age (years)", "income"))
    model = loaded(saved(own, "m.txt", tmp_path), "m.txt", dataset, tmp_path)
    np.testing.assert_allclose(answers(model, dataset)[:, 1], own.predict(read_by_it), atol=1e-12)


def test_a_missing_column_and_text_for_a_number_are_named(tmp_path: Path) -> None:
    content = saved(classifier(people()), "m.json", tmp_path)
    with pytest.raises(ModelError, match="no features here: 'income'"):
        loaded(content, "m.json", table(people().drop(columns="income"), features=("age",)), tmp_path)
    told = people().assign(age="old")
    with pytest.raises(ModelError, match="'age' as a number"):
        loaded(content, "m.json", table(told), tmp_path)


def test_classes_and_numbers_are_not_taken_for_each_other(tmp_path: Path) -> None:
    content = saved(classifier(people()), "m.json", tmp_path)
    with pytest.raises(ModelError, match="is a number"):
        loaded(content, "m.json", table(people(), "pay"), tmp_path)
    dataset = table(people())
    turned = loaded(content, "m.json", dataset, tmp_path, classes=("1", "0"))
    np.testing.assert_allclose(
        answers(turned, dataset), answers(loaded(content, "m.json", dataset, tmp_path), dataset), atol=0
    )
    assert turned.classes == ("1", "0")


def test_an_objective_that_is_not_known_is_refused_by_its_name(tmp_path: Path) -> None:
    frame = people()
    ranked = xgboost.XGBRanker(n_estimators=2).fit(frame[["age"]], frame["grade"].astype(int), group=[len(frame)])
    with pytest.raises(ModelError, match="'rank:ndcg'"):
        loaded(saved(ranked, "m.json", tmp_path), "m.json", table(frame), tmp_path)
    text = saved(
        lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(read(frame), frame["grade"] == "1"), 2),
        "m.txt",
        tmp_path,
    )
    with pytest.raises(ModelError, match="'custom'"):
        loaded(text.replace(b"objective=binary sigmoid:1", b"objective=custom"), "m.txt", table(frame), tmp_path)


def broken_xgboost(change: Callable[[dict[str, Any]], None], tmp_path: Path) -> bytes:
    document = json.loads(saved(classifier(people()), "m.json", tmp_path))
    change(document["learner"])
    return json.dumps(document).encode()


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little time behind the wall, for trees whose branches lead in a circle."""
    monkeypatch.setattr("core.wall.behind.SECONDS", 1.0)


def first_tree(learner: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = learner["gradient_booster"]["model"]["trees"][0]
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda one: first_tree(one)["left_children"].__setitem__(0, 10**6),
        lambda one: first_tree(one)["left_children"].__setitem__(0, 0),
        lambda one: first_tree(one)["right_children"].__setitem__(0, 1),
        lambda one: first_tree(one)["split_indices"].__setitem__(0, 99),
        lambda one: first_tree(one)["split_indices"].__setitem__(0, -1),
        lambda one: first_tree(one)["split_indices"].pop(),
        lambda one: first_tree(one)["split_conditions"].__setitem__(0, "x"),
        lambda one: first_tree(one)["split_type"].__setitem__(0, 7),
        lambda one: first_tree(one)["categories_sizes"].append(10**9),
        lambda one: first_tree(one)["categories"].__setitem__(slice(None), [2**30] * 9),
        lambda one: first_tree(one)["tree_param"].__setitem__("size_leaf_vector", "4"),
        lambda one: one["gradient_booster"]["model"]["tree_info"].__setitem__(0, 5),
        lambda one: one["gradient_booster"]["model"]["cats"]["enc"].__setitem__(
            2, {"offsets": [0, 9**9], "values": []}
        ),
        lambda one: one["gradient_booster"]["model"]["cats"]["enc"].__setitem__(2, 7),
        lambda one: one["gradient_booster"].__setitem__("name", "gblinear"),
        lambda one: one["learner_model_param"].__setitem__("num_feature", "9" * 30),
        lambda one: one["learner_model_param"].__setitem__("num_feature", "9" * 5000),
        lambda one: one["learner_model_param"].__setitem__("num_class", int("9" * 4000)),
        lambda one: one["learner_model_param"].__setitem__("num_class", "999999999"),
        lambda one: one["learner_model_param"].__setitem__("num_target", "2"),
        lambda one: one["learner_model_param"].__setitem__("base_score", "nan"),
        lambda one: one["learner_model_param"].__setitem__("base_score", ["x"]),
        lambda one: one.__setitem__("feature_names", ["a"]),
        lambda one: one.__setitem__("feature_types", [7, None, {}]),
        lambda one: one.__setitem__("attributes", {"best_iteration": "9" * 5000, "scikit_learn": "x"}),
        lambda one: one.__setitem__("objective", []),
        lambda one: one.pop("objective"),
        lambda one: one.clear(),
    ],
)
def test_parts_that_do_not_fit_end_in_a_sentence_or_in_finite_answers(
    change: Callable[[dict[str, Any]], None], tmp_path: Path, brief: None
) -> None:
    """The library reads them in a child, which may die of it."""
    dataset = table(people(60))
    with suppress(ModelError):
        model = loaded(broken_xgboost(change, tmp_path), "m.json", dataset, tmp_path)
        assert answers(model, dataset).shape == (60, 2)


def as_before_3_2(content: bytes) -> bytes:
    """Leaves of several numbers as XGBoost wrote them before 3.2."""
    file = json.loads(content)
    for tree in file["learner"]["gradient_booster"]["model"]["trees"]:
        for unknown in ("leaf_weights", "loss_changes", "sum_hessian"):
            del tree[unknown]
        for node, child in enumerate(tree["left_children"]):
            if child == -1:
                tree["right_children"][node], tree["split_conditions"][node] = -1, float("nan")
    return json.dumps(file).encode()


def test_leaves_of_several_numbers_of_older_versions_are_read_or_refused_with_the_way_out(tmp_path: Path) -> None:
    """XGBoost 3.2 ends the process that loads them."""
    frame = people(classes=3)
    own = xgboost.XGBClassifier(n_estimators=2, multi_strategy="multi_output_tree", tree_method="hist")
    own.fit(frame[["age", "income"]], frame["grade"].astype(int))
    dataset = table(frame, features=("age", "income"))
    model = loaded(as_before_3_2(saved(own, "m.json", tmp_path)), "m.json", dataset, tmp_path)
    np.testing.assert_allclose(answers(model, dataset), own.predict_proba(frame[["age", "income"]]), atol=1e-6)
    content = saved(own, "m.ubj", tmp_path).replace(b"leaf_weights", b"unknown_part")
    with pytest.raises(ModelError, match=r"several numbers .*save_model\('model.json'\)"):
        loaded(content, "m.ubj", dataset, tmp_path)


def text_model(tmp_path: Path) -> str:
    frame = people()
    own = lightgbm.train(
        {"objective": "binary", "verbose": -1}, lightgbm.Dataset(read(frame), frame["grade"] == "1"), 2
    )
    return saved(own, "m.txt", tmp_path).decode()


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        (r"left_child=\S+", "left_child=999999"),
        (r"left_child=\S+", "left_child=0"),
        (r"split_feature=\S+", "split_feature=77"),
        (r"threshold=\S+", "threshold=nan"),
        (r"threshold=\S+ ", "threshold="),
        (r"decision_type=\S+", "decision_type=400"),
        (r"num_leaves=\d+", "num_leaves=99999999999999"),
        (r"is_linear=0", "is_linear=1"),
        (r"cat_boundaries=0 \d+", "cat_boundaries=0 900000000"),
        (r"num_class=1", "num_class=3"),
        (r"max_feature_idx=2", "max_feature_idx=7"),
        (r"max_feature_idx=2", "max_feature_idx=" + "9" * 5000),
        (r"feature_infos=.*", "feature_infos=" + "9" * 5000),
        (r"feature_infos=.*", "feature_infos=[x:y] :: [0:1e400]"),
        (r"\[categorical_feature: .*", "[categorical_feature: 99]"),
        (r"pandas_categorical:.*", "pandas_categorical:" + "9" * 5000),
        (r"pandas_categorical:.*", "pandas_categorical:[[[1]], 7]"),
        (r"pandas_categorical:.*", 'pandas_categorical:[["a", "a"]]'),
        (r"pandas_categorical:.*", "pandas_categorical:" + "[" * 100_000),
        (r"end of trees", "end"),
    ],
)
def test_lines_that_do_not_fit_end_in_a_sentence_or_in_finite_answers(
    line: str, instead: str, tmp_path: Path, brief: None
) -> None:
    text, dataset = text_model(tmp_path), table(people(60))
    changed = re.sub(line, instead, text, count=1)
    assert changed != text
    with suppress(ModelError):
        assert answers(loaded(changed.encode(), "m.txt", dataset, tmp_path), dataset).shape == (60, 2)


@pytest.mark.parametrize("suffix", ["json", "ubj", "txt"])
def test_damaged_files_end_in_a_sentence_or_in_answers(suffix: str, tmp_path: Path, brief: None) -> None:
    """Seeded faults: bytes changed, cut off or doubled; nothing else than a refusal or a model may come of it."""
    content = text_model(tmp_path).encode() if suffix == "txt" else saved(classifier(people()), f"m.{suffix}", tmp_path)
    dataset, chance = table(people(60)), random.Random(0)  # noqa: S311
    for _ in range(12):
        broken = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        if chance.random() < 0.3:
            del broken[chance.randrange(len(broken)) :]
        with suppress(ModelError):
            answers(loaded(bytes(broken), f"m.{suffix}", dataset, tmp_path), dataset)


@pytest.mark.parametrize("name", ["model.json", "model.ubj", "model.txt", "anything"])
def test_the_format_is_told_by_the_bytes(name: str, tmp_path: Path) -> None:
    for number, content in enumerate(
        (text_model(tmp_path).encode(), *(saved(classifier(people()), f"x.{end}", tmp_path) for end in ("json", "ubj")))
    ):
        path = tmp_path / f"file{number}"
        path.write_bytes(content)
        assert MODEL_FORMATS[recognise(path, name)] is TreesFile


def test_categories_that_are_written_alike_are_refused(tmp_path: Path) -> None:
    """As cells of a table, 1 and 1.0 are the same value."""
    frame = people().assign(job=lambda people: people["job"].map({"cook": "1", "nurse": "2", "smith": "3"}))
    coded = frame[["age", "income"]].assign(job=pd.Categorical(frame["job"]).codes)
    data = xgboost.DMatrix(coded, frame["grade"].astype(int), feature_types=["float", "float", "c"])
    booster = xgboost.train({"objective": "binary:logistic"}, data, 3)
    declared = Encoder(columns=(CodeColumn(name="job", categories=("1", "1.0", "2", "3")),))
    with pytest.raises(ModelError, match="A category of 'job' is listed twice"):
        loaded(saved(booster, "m.json", tmp_path), "m.json", table(frame), tmp_path, encoder=declared)


def test_a_stranger_s_word_that_does_not_fit_together_is_refused() -> None:
    said = {
        "library": "XGBoost", "objective": "binary:logistic", "gives": "probabilities", "outputs": 2, "width": 2,
        "features": ["a", "b"], "lists": [["x", "y"]], "possible": [[1, 2]], "coded": [1],
    }  # fmt: skip
    TreesSaid.model_validate_json(json.dumps(said))
    wrong: list[dict[str, Any]] = [
        {"features": ["a", "a"]},
        {"features": ["a"]},
        {"coded": [2]},
        {"outputs": 1},
        {"library": "Another"},
    ]
    for change in wrong:
        with pytest.raises(ValidationError):
            TreesSaid.model_validate_json(json.dumps(said | change))

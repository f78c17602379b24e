"""Boosted trees: the libraries' own answers, columns found by name, and files that are no trees."""

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

from core.data.dataset import Dataset
from core.data.roles import Roles
from core.errors import ModelError
from core.files import FileStore
from core.models import MODEL_FORMATS
from core.models.formats.trees.source import TreesFile, TreesModel
from core.models.formats.trees.ubjson import read_ubjson
from core.models.sniff import recognise

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


XGBOOST = {
    "binary:logistic": ("grade", 2),
    "binary:logitraw": ("grade", 2),
    "binary:hinge": ("grade", 2),
    "multi:softprob": ("grade", 3),
    "multi:softmax": ("grade", 3),
    "reg:squarederror": ("pay", 2),
    "reg:absoluteerror": ("pay", 2),
    "reg:pseudohubererror": ("pay", 2),
    "reg:squaredlogerror": ("pay", 2),
    "reg:gamma": ("pay", 2),
    "reg:tweedie": ("pay", 2),
    "count:poisson": ("pay", 2),
}


@pytest.mark.parametrize("suffix", ["json", "ubj"])
@pytest.mark.parametrize("objective", XGBOOST)
def test_answers_are_those_of_xgboost(objective: str, suffix: str, tmp_path: Path) -> None:
    outcome, classes = XGBOOST[objective]
    frame = people(classes=classes)
    target = frame[outcome].astype(float)
    more = {"num_class": classes} if objective.startswith("multi") else {}
    data = xgboost.DMatrix(read(frame), target, enable_categorical=True)
    own = xgboost.train({"objective": objective, "max_depth": 3, **more}, data, 6)
    dataset = table(frame, outcome)
    model = loaded(saved(own, f"m.{suffix}", tmp_path), f"m.{suffix}", dataset, tmp_path)
    found = answers(model, dataset)
    expected = own.predict(data, output_margin=objective in ("binary:logitraw", "multi:softmax"))
    if objective == "binary:logitraw":
        expected = 1 / (1 + np.exp(-expected.astype(float)))
    if objective == "multi:softmax":
        expected = np.exp(expected) / np.exp(expected).sum(axis=1, keepdims=True)
    if expected.ndim == 1 and model.classes:
        expected = np.column_stack([1 - expected, expected])
    np.testing.assert_allclose(found, expected.reshape(found.shape), rtol=2e-6, atol=2e-6)
    assert model.classes == (("0", "1", "2")[:classes] if outcome == "grade" else ())
    assert model.gives == ("numbers" if outcome == "pay" else "labels" if "hinge" in objective else "probabilities")


LIGHTGBM = {
    "binary": ("grade", 2),
    "cross_entropy": ("grade", 2),
    "multiclass": ("grade", 3),
    "multiclassova": ("grade", 3),
    "regression": ("pay", 2),
    "regression_l1": ("pay", 2),
    "huber": ("pay", 2),
    "quantile": ("pay", 2),
    "poisson": ("pay", 2),
    "gamma": ("pay", 2),
    "tweedie": ("pay", 2),
}


@pytest.mark.parametrize("objective", LIGHTGBM)
def test_answers_are_those_of_lightgbm(objective: str, tmp_path: Path) -> None:
    outcome, classes = LIGHTGBM[objective]
    frame = people(classes=classes)
    more = {"num_class": classes} if objective.startswith("multi") else {}
    settings = {"objective": objective, "num_leaves": 7, "verbose": -1, **more}
    own = lightgbm.train(settings, lightgbm.Dataset(read(frame), frame[outcome].astype(float)), 6)
    dataset = table(frame, outcome)
    model = loaded(saved(own, "m.txt", tmp_path), "m.txt", dataset, tmp_path)
    found, expected = answers(model, dataset), np.asarray(own.predict(read(frame)))
    if expected.ndim == 1 and model.classes:
        expected = np.column_stack([1 - expected, expected])
    if model.classes:
        expected = expected / expected.sum(axis=1, keepdims=True)
    exact = 2e-7 if objective == "multiclass" else 1e-9  # treelite's softmax computes in float32
    np.testing.assert_allclose(found, expected.reshape(found.shape), rtol=exact, atol=exact)


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
    assert "stopped early" in model.notices[0].what


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
    assert [notice.level for notice in model.notices] == ["warning"]


def test_a_value_that_training_did_not_know_is_counted_and_answered_as_missing(tmp_path: Path) -> None:
    frame = people()
    content = saved(classifier(frame), "m.json", tmp_path)
    frame.loc[:6, "job"] = "baker"
    model = loaded(content, "m.json", table(frame), tmp_path)
    assert "7 rows with 'job = baker'" in " ".join(notice.what for notice in model.notices)
    missing = read(frame).assign(job=pd.Categorical([None] * len(frame), categories=JOBS))
    own = xgboost.XGBClassifier()
    own.load_model(bytearray(content))
    np.testing.assert_allclose(answers(model, table(frame))[:7], own.predict_proba(missing)[:7], atol=1e-6)


def test_values_that_the_file_does_not_tell_are_numbered_alphabetically_and_said(tmp_path: Path) -> None:
    document = json.loads(saved(classifier(people()), "m.json", tmp_path))
    del document["learner"]["gradient_booster"]["model"]["cats"]
    dataset = table(people())
    model = loaded(json.dumps(document).encode(), "m.json", dataset, tmp_path)
    assert "alphabetical order" in model.notices[0].what
    np.testing.assert_allclose(answers(model, dataset), classifier(people()).predict_proba(read(people())), atol=1e-6)


def test_columns_without_names_are_taken_in_order_or_refused(tmp_path: Path) -> None:
    frame = people()
    plain = frame[["age", "income"]].to_numpy()
    own = lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(plain, frame["grade"].astype(int)), 5)
    content = saved(own, "m.txt", tmp_path)
    dataset = table(frame, features=("age", "income"))
    model = loaded(content, "m.txt", dataset, tmp_path)
    np.testing.assert_allclose(answers(model, dataset)[:, 1], own.predict(plain), atol=1e-12)
    assert "taken in the table's order: 'age', 'income'" in model.notices[0].what
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
    with pytest.raises(ModelError, match="no column 'income'"):
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


def first_tree(learner: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = learner["gradient_booster"]["model"]["trees"][0]
    return found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: first_tree(one)["left_children"].__setitem__(0, 10**6), "does not exist"),
        (lambda one: first_tree(one)["left_children"].__setitem__(0, 0), "same node"),
        (lambda one: first_tree(one)["right_children"].__setitem__(0, 1), "same node"),
        (lambda one: first_tree(one)["split_indices"].__setitem__(0, 99), "column that does not exist"),
        (lambda one: first_tree(one)["split_indices"].__setitem__(0, -1), "column that does not exist"),
        (lambda one: first_tree(one)["split_indices"].pop(), "not of one length"),
        (lambda one: first_tree(one)["split_conditions"].__setitem__(0, "x"), "finite numbers"),
        (lambda one: first_tree(one)["split_type"].__setitem__(0, 7), "no known kind"),
        (lambda one: first_tree(one)["categories_sizes"].append(10**9), "do not fit its branches"),
        (lambda one: first_tree(one)["categories"].__setitem__(slice(None), [2**30] * 9), "do not fit its branches"),
        (lambda one: one["gradient_booster"]["model"]["tree_info"].__setitem__(0, 5), "does not fit the classes"),
        (lambda one: one["gradient_booster"].__setitem__("name", "gblinear"), "not of trees"),
        (lambda one: one["learner_model_param"].__setitem__("num_feature", "9" * 30), "num_feature"),
        (lambda one: one["learner_model_param"].__setitem__("num_target", "2"), "several questions"),
        (lambda one: one["learner_model_param"].__setitem__("base_score", "nan"), "base score"),
        (lambda one: one.pop("objective"), "'objective' is missing"),
    ],
)
def test_parts_that_do_not_fit_are_refused_before_treelite_sees_them(
    change: Callable[[dict[str, Any]], None], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match=said):
        loaded(broken_xgboost(change, tmp_path), "m.json", table(people()), tmp_path)


def text_model(tmp_path: Path) -> str:
    frame = people()
    own = lightgbm.train(
        {"objective": "binary", "verbose": -1}, lightgbm.Dataset(read(frame), frame["grade"] == "1"), 2
    )
    return saved(own, "m.txt", tmp_path).decode()


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        (r"left_child=\S+", "left_child=999999", "does not exist"),
        (r"left_child=\S+", "left_child=0", "same node"),
        (r"split_feature=\S+", "split_feature=77", "column that does not exist"),
        (r"threshold=\S+", "threshold=nan", "finite numbers"),
        (r"threshold=\S+ ", "threshold=", "finite numbers"),
        (r"decision_type=\S+", "decision_type=400", "no known kind"),
        (r"num_leaves=\d+", "num_leaves=99999999999999", "num_leaves"),
        (r"is_linear=0", "is_linear=1", "linear models"),
        (r"cat_boundaries=0 \d+", "cat_boundaries=0 900000000", "categories of tree"),
        (r"num_class=1", "num_class=3", "as many as the classes"),
        (r"max_feature_idx=2", "max_feature_idx=7", "names of the columns"),
        (r"end of trees", "end", "cut off"),
    ],
)
def test_lines_that_do_not_fit_are_refused(line: str, instead: str, said: str, tmp_path: Path) -> None:
    text = text_model(tmp_path)
    changed = re.sub(line, instead, text, count=1)
    assert changed != text
    with pytest.raises(ModelError, match=said):
        loaded(changed.encode(), "m.txt", table(people()), tmp_path)


@pytest.mark.parametrize("suffix", ["json", "ubj", "txt"])
def test_damaged_files_end_in_a_sentence_or_in_answers(suffix: str, tmp_path: Path) -> None:
    """Seeded faults: bytes changed, cut off or doubled; nothing else than a refusal or a model may come of it."""
    content = text_model(tmp_path).encode() if suffix == "txt" else saved(classifier(people()), f"m.{suffix}", tmp_path)
    dataset, chance = table(people(60)), random.Random(0)  # noqa: S311
    for _ in range(60):
        broken = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        if chance.random() < 0.3:
            del broken[chance.randrange(len(broken)) :]
        with suppress(ModelError):
            answers(loaded(bytes(broken), f"m.{suffix}", dataset, tmp_path), dataset)


def test_ubjson_reads_what_the_standard_writes() -> None:
    content = b"{i\x01a[$d#i\x02\x3f\x80\x00\x00\xc0\x00\x00\x00i\x01b[TFZi\xff]i\x01cSi\x02hi}"
    assert read_ubjson(content) == {"a": [1.0, -2.0], "b": [True, False, None, -1], "c": "hi"}


@pytest.mark.parametrize("name", ["model.json", "model.ubj", "model.txt", "anything"])
def test_the_format_is_told_by_the_bytes(name: str, tmp_path: Path) -> None:
    for number, content in enumerate(
        (text_model(tmp_path).encode(), *(saved(classifier(people()), f"x.{end}", tmp_path) for end in ("json", "ubj")))
    ):
        path = tmp_path / f"file{number}"
        path.write_bytes(content)
        assert MODEL_FORMATS[recognise(path, name)] is TreesFile

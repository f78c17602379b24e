"""scikit-learn through skops: conversion to torch, black boxes, and files that are not what they should be."""

import json
import os
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from pydantic import ValidationError
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, RidgeClassifier, SGDClassifier
from sklearn.metrics import jaccard_score, make_scorer
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from core.base.errors import ModelError
from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset, Roles
from core.data.encoder import CategoricalColumn, Encoder, NumericColumn
from core.models import SklearnFile
from core.models.formats.skops.said import SklearnSaid
from tests.core.models.conftest import FEATURES

pytestmark = [
    pytest.mark.usefixtures("without_wall"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning:sklearn"),
]

NUMBERS = ["age", "children"]
ALL = list(FEATURES)


def load(files: FileStore, dataset: Dataset, estimator: Any, **settings: Any) -> AbstractModel:
    return SklearnFile(file=files.put(skops.io.dumps(estimator), "m.skops"), **settings).load(files, dataset)


def columns(*, drop: str | None = None, scaler: Any = None) -> ColumnTransformer:
    return make_column_transformer(
        (OneHotEncoder(drop=drop), ["job"]), (scaler or StandardScaler(), ["age"]), (MinMaxScaler(), ["children"])
    )


CONVERTED = {
    "logistic": (LogisticRegression(), NUMBERS),
    "sgd": (SGDClassifier(loss="log_loss", random_state=0), NUMBERS),
    "perceptron relu": (MLPClassifier((6, 4), max_iter=20, random_state=0), NUMBERS),
    "perceptron tanh": (MLPClassifier((6,), activation="tanh", early_stopping=True, random_state=0), NUMBERS),
    "perceptron logistic": (MLPClassifier((6,), activation="logistic", solver="lbfgs", max_iter=9), NUMBERS),
    "perceptron identity": (MLPClassifier((6,), activation="identity", solver="sgd", max_iter=9), NUMBERS),
    "scaled": (make_pipeline(StandardScaler(), LogisticRegression()), NUMBERS),
    "columns": (make_pipeline(columns(), LogisticRegression()), ALL),
    "first dropped": (make_pipeline(columns(drop="first"), MLPClassifier(max_iter=9)), ALL),
    "scaled twice": (make_pipeline(columns(), StandardScaler(), MLPClassifier(max_iter=9)), ALL),
    "robust": (make_pipeline(columns(scaler=RobustScaler()), MaxAbsScaler(), LogisticRegression()), ALL),
    "a part without columns": (
        make_pipeline(
            make_column_transformer(
                (StandardScaler(), []), (make_pipeline(SimpleImputer(), MinMaxScaler()), []), ("passthrough", NUMBERS)
            ),
            LogisticRegression(),
        ),
        NUMBERS,
    ),
    "nested, imputed, selected": (
        make_pipeline(
            make_column_transformer(
                (make_pipeline(SimpleImputer(), StandardScaler()), make_column_selector(dtype_include="number")),
                (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["job"]),
            ),
            LogisticRegressionCV(Cs=3),
        ),
        ALL,
    ),
    "remainder": (
        make_pipeline(
            make_column_transformer((OneHotEncoder(), ["job"]), remainder="passthrough"),
            LogisticRegression(max_iter=2000),
        ),
        ALL,
    ),
    "numbers as categories": (
        make_pipeline(make_column_transformer((OneHotEncoder(), ["children", "job"])), LogisticRegression()),
        ALL,
    ),
    "dropped column": (
        make_pipeline(make_column_transformer(("drop", ["job"]), remainder=StandardScaler()), LogisticRegression()),
        ALL,
    ),
}


@pytest.mark.parametrize("case", CONVERTED)
@pytest.mark.parametrize("outcome", ["hired", "level"])
def test_converted_models_answer_as_scikit_learn_does(
    case: str, outcome: str, files: FileStore, dataset: Dataset, three_classes: Dataset
) -> None:
    estimator, names = CONVERTED[case]
    table = dataset if outcome == "hired" else three_classes
    estimator.fit(table.frame[names], table.frame[outcome])
    model = load(files, table, estimator)
    assert model.no_gradients == ""
    assert model.classes == tuple(estimator.classes_)
    expected = estimator.predict_proba(table.frame[names])
    np.testing.assert_allclose(model.predict_proba(model.encode(table)), expected, atol=1e-12)


def test_the_encoder_is_the_pipelines_own_and_not_the_tables(files: FileStore, dataset: Dataset) -> None:
    estimator = make_pipeline(columns(), LogisticRegression()).fit(dataset.frame[ALL], dataset.frame["hired"])
    some = dataset.take(np.arange(100))
    model = load(files, some, estimator)
    scaler = estimator[0].named_transformers_["standardscaler"]
    assert model.encoder.columns == (
        CategoricalColumn(name="job", categories=("clerk", "cook", "nurse")),
        NumericColumn(name="age", mean=scaler.mean_[0], scale=scaler.scale_[0]),
        NumericColumn(name="children", mean=0.0, scale=3.0),
    )
    np.testing.assert_allclose(
        model.predict_proba(model.encode(some)), estimator.predict_proba(some.frame[ALL]), atol=1e-12
    )


def test_a_perceptron_stays_a_plain_sequential(files: FileStore, dataset: Dataset) -> None:
    estimator = make_pipeline(columns(), MLPClassifier((7, 3), max_iter=5))
    model = load(files, dataset, estimator.fit(dataset.frame[ALL], dataset.frame["hired"]))
    assert [type(stage).__name__ for stage in model.module()] == ["Linear", "ReLU", "Linear", "ReLU", "Linear"]
    assert model.module()[-1].out_features == 2


def test_an_estimator_trained_on_plain_numbers_reads_the_features_in_order(
    files: FileStore, frame: pd.DataFrame
) -> None:
    table = Dataset.build(
        frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=("children", "age"))
    )
    estimator = LogisticRegression().fit(table.frame[["children", "age"]].to_numpy(), table.frame["hired"])
    with pytest.raises(ModelError, match="'children' as they stand in the table, or standardised"):
        load(files, table, estimator)
    model = load(files, table, estimator, numbers="raw")
    expected = estimator.predict_proba(table.frame[["children", "age"]].to_numpy())
    np.testing.assert_allclose(model.predict_proba(model.encode(table)), expected, atol=1e-12)


def test_positions_of_columns_survive_when_the_encoder_orders_them_otherwise(
    files: FileStore, dataset: Dataset
) -> None:
    estimator = make_pipeline(
        make_column_transformer((OneHotEncoder(), [1]), remainder="passthrough"), LogisticRegression(max_iter=2000)
    )
    rows = dataset.frame[ALL].to_numpy()
    model = load(files, dataset, estimator.fit(rows, dataset.frame["hired"]))
    assert model.no_gradients == ""
    np.testing.assert_allclose(model.predict_proba(model.encode(dataset)), estimator.predict_proba(rows), atol=1e-12)


def test_an_estimator_trained_on_prepared_numbers_reads_the_encoders_columns(
    files: FileStore, dataset: Dataset
) -> None:
    encoder = Encoder.fit(dataset.frame, FEATURES)
    x = encoder.transform(dataset.frame)
    estimator = make_pipeline(StandardScaler(), LogisticRegression()).fit(x, dataset.frame["hired"])
    told = load(files, dataset, estimator, numbers="standardised")
    assert "learned from this table" in told.caveats[0].what
    declared = load(files, dataset, estimator, encoder=encoder)
    for model in (told, declared):
        np.testing.assert_allclose(model.predict_proba(model.encode(dataset)), estimator.predict_proba(x), atol=1e-12)


@pytest.mark.parametrize("one_hot", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_two_categories_prepared_with_one_or_two_indicators_are_read_by_the_width(
    one_hot: bool, scaled: bool, files: FileStore, with_sex: Dataset
) -> None:
    frame = with_sex.frame[["age", "sex"]]
    indicators = OneHotEncoder(drop=None if one_hot else "if_binary", sparse_output=False)
    oracle = ColumnTransformer([("age", StandardScaler(), ["age"]), ("sex", indicators, ["sex"])])
    x = oracle.fit_transform(frame)
    estimator = make_pipeline(StandardScaler(), LogisticRegression()) if scaled else LogisticRegression()
    model = load(files, with_sex, estimator.fit(x, with_sex.frame["hired"]), numbers="standardised")
    assert model.no_gradients == ""
    assert model.encoder.width == (3 if one_hot else 2)
    np.testing.assert_allclose(model.predict_proba(model.encode(with_sex)), estimator.predict_proba(x), atol=1e-12)


def test_a_one_hot_pipeline_keeps_two_indicators_for_two_categories(files: FileStore, with_sex: Dataset) -> None:
    preparation = ColumnTransformer([("age", StandardScaler(), ["age"]), ("sex", OneHotEncoder(), ["sex"])])
    frame = with_sex.frame[["age", "sex"]]
    estimator = make_pipeline(preparation, LogisticRegression()).fit(frame, with_sex.frame["hired"])
    model = load(files, with_sex, estimator)
    assert model.encoder.names == ("age", "sex = f", "sex = m")
    np.testing.assert_allclose(model.predict_proba(model.encode(with_sex)), estimator.predict_proba(frame), atol=1e-12)


def test_a_declared_single_indicator_is_kept(files: FileStore, with_sex: Dataset) -> None:
    encoder = Encoder.fit(with_sex.frame, ("age", "sex"))
    x = encoder.transform(with_sex.frame)
    estimator = LogisticRegression().fit(x, with_sex.frame["hired"])
    model = load(files, with_sex, estimator, encoder=encoder)
    assert model.encoder == encoder
    np.testing.assert_allclose(model.predict_proba(model.encode(with_sex)), estimator.predict_proba(x), atol=1e-12)


BLACK_BOXES = {
    "tree": (DecisionTreeClassifier(max_depth=4), "DecisionTreeClassifier answers in steps"),
    "forest": (RandomForestClassifier(5, n_jobs=2), "RandomForestClassifier answers in steps"),
    "extra trees": (ExtraTreesClassifier(5), "ExtraTreesClassifier"),
    "boosting": (GradientBoostingClassifier(n_estimators=4), "GradientBoostingClassifier"),
    "histogram boosting": (HistGradientBoostingClassifier(max_iter=4), "HistGradientBoostingClassifier"),
    "clipped": (SGDClassifier(loss="modified_huber"), "clips its probabilities"),
    "clipping scaler": (make_pipeline(MinMaxScaler(clip=True), LogisticRegression()), "MinMaxScaler clips"),
    "imputer of zeros": (
        make_pipeline(SimpleImputer(missing_values=0), LogisticRegression(max_iter=2000)),
        "changes values that are not missing",
    ),
}


@pytest.mark.parametrize("case", BLACK_BOXES)
def test_models_without_gradients_answer_and_say_why(case: str, files: FileStore, dataset: Dataset) -> None:
    estimator, reason = BLACK_BOXES[case]
    estimator.fit(dataset.frame[NUMBERS], dataset.frame["hired"])
    model = load(files, dataset, estimator)
    assert reason in model.no_gradients
    np.testing.assert_allclose(
        model.predict_proba(model.encode(dataset)), estimator.predict_proba(dataset.frame[NUMBERS]), atol=1e-12
    )
    with pytest.raises(ModelError, match="no gradients"):
        model.module()


@pytest.mark.parametrize("estimator", [LinearSVC(), RidgeClassifier(), SGDClassifier()])
def test_models_without_probabilities_give_decisions(estimator: Any, files: FileStore, dataset: Dataset) -> None:
    estimator.fit(dataset.frame[NUMBERS], dataset.frame["hired"])
    model = load(files, dataset, estimator)
    assert model.gives == "labels"
    assert "gives decisions and no probabilities" in model.no_gradients
    answers = model.predict_proba(model.encode(dataset))
    assert set(np.unique(answers)) == {0.0, 1.0}
    decided = np.array(model.classes)[answers.argmax(axis=1)]
    assert (decided == estimator.predict(dataset.frame[NUMBERS])).all()


def test_a_forest_behind_ordinal_codes_reads_the_raw_table(files: FileStore, dataset: Dataset) -> None:
    estimator = make_pipeline(
        make_column_transformer((OrdinalEncoder(), ["job"]), remainder="passthrough"), RandomForestClassifier(5)
    ).fit(dataset.frame[ALL], dataset.frame["hired"])
    model = load(files, dataset, estimator)
    assert model.encoder.features == tuple(ALL)
    np.testing.assert_array_equal(
        model.predict_proba(model.encode(dataset)), estimator.predict_proba(dataset.frame[ALL])
    )


def test_classes_given_as_numbers_are_named_as_people_write_them(files: FileStore, dataset: Dataset) -> None:
    estimator = LogisticRegression().fit(dataset.frame[NUMBERS], (dataset.frame["hired"] == "yes").astype(float))
    with pytest.raises(ModelError, match=r"no class for the outcome 'no'.*knows 0, 1.*--classes"):
        load(files, dataset, estimator)
    model = load(files, dataset, estimator, classes=("no", "yes"))
    np.testing.assert_allclose(
        model.predict_proba(model.encode(dataset)), estimator.predict_proba(dataset.frame[NUMBERS]), atol=1e-12
    )


def test_a_column_the_model_reads_and_the_table_lacks_is_named(files: FileStore, dataset: Dataset) -> None:
    renamed = dataset.frame[NUMBERS].rename(columns={"age": "years"})
    with pytest.raises(ModelError, match="no features here: 'years'"):
        load(files, dataset, LogisticRegression().fit(renamed, dataset.frame["hired"]))


def test_a_wrong_number_of_plain_columns_names_both(files: FileStore, dataset: Dataset) -> None:
    estimator = LogisticRegression().fit(np.zeros((4, 9)) + np.arange(4)[:, None], ["no", "yes", "no", "yes"])
    with pytest.raises(ModelError, match="reads 9 numbers a row and the prepared table has 5"):
        load(files, dataset, estimator)


def test_an_estimator_that_was_never_fitted_is_refused(files: FileStore, dataset: Dataset) -> None:
    with pytest.raises(ModelError, match="no fitted classifier"):
        load(files, dataset, LogisticRegression())
    with pytest.raises(ModelError, match="no fitted classifier"):
        load(files, dataset, {"a": [1, 2, 3]})


def test_text_that_reaches_the_estimator_is_an_error_not_a_traceback(files: FileStore, dataset: Dataset) -> None:
    estimator = Pipeline([("last", DecisionTreeClassifier())]).fit(
        dataset.frame[NUMBERS].rename(columns={"age": "job"}), dataset.frame["hired"]
    )
    with pytest.raises(ModelError, match="cannot answer the rows"):
        load(files, dataset, estimator)


def test_threads_of_the_saved_estimator_are_not_used(files: FileStore, dataset: Dataset) -> None:
    forest = RandomForestClassifier(3, n_jobs=-1).fit(dataset.frame[NUMBERS], dataset.frame["hired"])
    forest.n_jobs = 10_000 * (os.cpu_count() or 1)
    model = load(files, dataset, forest)
    assert model.predict_proba(model.encode(dataset)).shape == (240, 2)


def numbered(frame: pd.DataFrame, yes: Any, no: Any) -> Dataset:
    """The table with its two outcomes written otherwise, the lower one being favourable."""
    table = frame.assign(hired=pd.Series(np.where(frame["hired"] == "yes", yes, no), index=frame.index))
    return Dataset.build(table, Roles(outcome="hired", favourable=str(no), protected=("sex",), features=tuple(NUMBERS)))


@pytest.mark.parametrize(
    ("trained", "brought"),
    [
        ((9, 10), (9, 10)),
        ((0, 1), (0, 1)),
        ((0, 1), ("0", "1")),
        (("0", "1"), (0, 1)),
        ((0.0, 1.0), (0, 1)),
        ((False, True), (0, 1)),
        ((False, True), (False, True)),
        ((False, True), ("FALSE", "TRUE")),
        ((0, 1), (False, True)),
    ],
)
def test_classes_are_found_however_they_are_written_and_the_favourable_one_turns_nothing(
    trained: tuple[Any, Any], brought: tuple[Any, Any], files: FileStore, frame: pd.DataFrame
) -> None:
    table = numbered(frame, brought[1], brought[0])
    outcome = np.where(frame["hired"] == "yes", trained[1], trained[0])
    estimator = LogisticRegression().fit(table.frame[NUMBERS], outcome[table.frame.index])
    model = load(files, table, estimator)
    assert model.classes == tuple(map(str, brought))
    given = model.predict_proba(model.encode(table))
    np.testing.assert_allclose(given, estimator.predict_proba(table.frame[NUMBERS]), atol=1e-12)
    assert not [caveat for caveat in model.caveats if "in ascending order" in caveat.what]


@pytest.mark.parametrize("classes", [(0, 1), (False, True), ("no", "yes")])
def test_without_outcomes_the_file_names_the_classes(
    classes: tuple[Any, Any], files: FileStore, dataset: Dataset
) -> None:
    outcome = np.where(dataset.frame["hired"] == "yes", classes[1], classes[0])
    estimator = LogisticRegression().fit(dataset.frame[NUMBERS], outcome)
    bare = Dataset.build(dataset.frame[[*NUMBERS, "sex"]], Roles(protected=("sex",), features=tuple(NUMBERS)))
    assert load(files, bare, estimator).classes == tuple(map(str, classes))


def test_categories_that_are_numbers_are_found_in_a_column_of_text(files: FileStore, dataset: Dataset) -> None:
    """An encoder that passes over unknown categories would otherwise give everybody the same zeros, without a word."""
    encoder = OneHotEncoder(handle_unknown="ignore")
    estimator = make_pipeline(make_column_transformer((encoder, ["children", "job"])), DecisionTreeClassifier())
    rows = dataset.frame[["children", "job"]]
    estimator.fit(rows, dataset.frame["hired"])
    words = replace(dataset, frame=dataset.frame.assign(children=dataset.frame["children"].astype(str)))
    model = load(files, words, estimator)
    np.testing.assert_allclose(model.predict_proba(model.encode(words)), estimator.predict_proba(rows), atol=1e-12)
    assert not [caveat for caveat in model.caveats if "not trained with" in caveat.what]


def test_rows_with_categories_the_model_does_not_know_are_counted(files: FileStore, dataset: Dataset) -> None:
    known = dataset.frame["job"] != "nurse"
    encoder = OneHotEncoder(handle_unknown="ignore")
    estimator = make_pipeline(make_column_transformer((encoder, ["job"])), DecisionTreeClassifier())
    estimator.fit(dataset.frame.loc[known, ["job"]], dataset.frame.loc[known, "hired"])
    model = load(files, dataset, estimator)
    (caveat,) = [caveat for caveat in model.caveats if "not trained with" in caveat.what]
    assert f"{(~known).sum()} rows of 'job' hold categories" in caveat.what
    assert "'nurse'" in caveat.what
    np.testing.assert_allclose(
        model.predict_proba(model.encode(dataset)), estimator.predict_proba(dataset.frame[["job"]]), atol=1e-12
    )


def test_columns_that_a_column_transformer_leaves_out_are_not_needed(files: FileStore, dataset: Dataset) -> None:
    estimator = make_pipeline(make_column_transformer((StandardScaler(), ["age"])), LogisticRegression())
    estimator.fit(dataset.frame[["children", "age"]].assign(name="x"), dataset.frame["hired"])
    model = load(files, dataset, estimator)
    assert model.reads == ("age",)
    assert model.no_gradients == ""


def test_a_threshold_of_its_own_decides(files: FileStore, dataset: Dataset) -> None:
    rows = dataset.frame[NUMBERS]
    estimator = FixedThresholdClassifier(LogisticRegression(), threshold=0.9).fit(rows, dataset.frame["hired"])
    model = load(files, dataset, estimator)
    assert model.gives == "labels"
    decided = np.array(model.classes)[model.predict_proba(model.encode(dataset)).argmax(axis=1)]
    assert (decided == estimator.predict(rows)).all()
    assert any("threshold of its own" in caveat.what for caveat in model.caveats)


def test_a_model_that_draws_lots_is_refused(files: FileStore, dataset: Dataset) -> None:
    for seed in (None, 0):
        estimator = DummyClassifier(strategy="stratified", random_state=seed)
        with pytest.raises(ModelError, match="changes from one time to the next"):
            load(files, dataset, estimator.fit(dataset.frame[NUMBERS], dataset.frame["hired"]))


def test_models_of_other_questions_are_refused_in_a_sentence(files: FileStore, dataset: Dataset) -> None:
    rows, hired = dataset.frame[NUMBERS], dataset.frame["hired"]
    both = np.column_stack([hired, dataset.frame["sex"]])
    several = MultiOutputClassifier(LogisticRegression()).fit(rows, both)
    with pytest.raises(ModelError, match="several questions at once"):
        load(files, dataset, several)
    with pytest.raises(ModelError, match="several questions at once"):
        load(files, dataset, DecisionTreeClassifier().fit(rows, both))
    labels = np.column_stack([hired == "yes", dataset.frame["age"] > 40, dataset.frame["children"] > 1]).astype(int)
    of_labels = MLPClassifier(max_iter=5).fit(rows, labels)
    with pytest.raises(ModelError, match="do not add up to one"):
        load(files, dataset, of_labels, classes=("a", "no", "yes"))
    for estimator in (KMeans(2, n_init=1).fit(rows), StandardScaler().fit(rows)):
        with pytest.raises(ModelError, match="no fitted classifier or regression model"):
            load(files, dataset, estimator)
    of_texts = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(dataset.frame["job"], hired)
    with pytest.raises(ModelError, match="reads texts"):
        load(files, dataset, of_texts)


def test_a_search_with_a_measure_of_ones_own_says_what_to_save(files: FileStore, dataset: Dataset) -> None:
    rows, hired = dataset.frame[NUMBERS], dataset.frame["hired"]
    search = GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=2, scoring=make_scorer(jaccard_score, pos_label="yes"))
    search.fit(rows, hired)
    with pytest.raises(ModelError, match=r"jaccard_score, not on the fixed list.*best_estimator_"):
        load(files, dataset, search)
    model = load(files, dataset, search.best_estimator_)
    assert model.no_gradients == ""
    plain = GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=2, scoring="roc_auc").fit(rows, hired)
    assert load(files, dataset, plain).no_gradients == ""


def test_a_booster_within_says_how_to_save_it(files: FileStore, dataset: Dataset) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    booster = lightgbm.LGBMClassifier(n_estimators=2, verbose=-1).fit(dataset.frame[NUMBERS], dataset.frame["hired"])
    with pytest.raises(ModelError, match=r"lightgbm\.sklearn\.LGBMClassifier, .*not on the fixed list.*model\.txt"):
        load(files, dataset, booster)


def test_a_stranger_s_word_that_does_not_fit_together_is_refused() -> None:
    said = {
        "model": "LogisticRegression", "versions": ["1.9.1"], "gives": "probabilities", "classes": ["no", "yes"],
        "truths": False, "width": 2, "columns": ["a", "b"], "categories": [None, ["x"]], "numbers_only": True,
        "own_threshold": False, "first": "StandardScaler",
        "gradients": {"activation": "identity", "layers": 1, "read": [{"place": 1}]},
    }  # fmt: skip
    SklearnSaid.model_validate_json(json.dumps(said))
    wrong: list[dict[str, Any]] = [
        {"gives": "numbers"},
        {"classes": ["one"]},
        {"classes": [1, 2]},
        {"truths": True},
        {"truths": True, "classes": ["0", "1"]},
        {"columns": ["a", "a"]},
        {"categories": [None]},
        {"columns": ["a"]},
        {"width": -1},
        {"model": "A <b>model</b>"},
        {"versions": ["1.9.1 is verified"]},
        {"more": 1},
        {"gradients": {"activation": "identity", "layers": 1, "read": [{"place": 2}]}},
        {"gradients": {"activation": "identity", "layers": 1, "read": [{"place": 1}, {"place": 1}]}},
        {"gradients": {"activation": "eval", "layers": 1, "read": [{"place": 1}]}},
        {"gradients": {"activation": "identity", "layers": 10**9, "read": [{"place": 1}]}},
        {"gradients": {"activation": "identity", "layers": 1, "read": [{"place": 1, "scaled": [0.0, 0.0]}]}},
        {"gradients": {"activation": "identity", "layers": 1, "read": [{"place": 1, "categories": ["x", "x"]}]}},
        {"gradients": {"why": "x" * 5_000}},
    ]
    for change in wrong:
        with pytest.raises(ValidationError):
            SklearnSaid.model_validate_json(json.dumps(said | change))


@pytest.mark.parametrize("drop_first", [False, True])
@pytest.mark.parametrize("raw", [False, True])
def test_indicators_that_pandas_named_are_found_and_numbers_beside_them_asked_about(
    drop_first: bool, raw: bool, files: FileStore, dataset: Dataset
) -> None:
    numbers = dataset.frame[NUMBERS] if raw else (dataset.frame[NUMBERS] - 30) / 7
    numbers = numbers if raw else (numbers - numbers.mean()) / numbers.std(ddof=0)
    wide = pd.concat([numbers, pd.get_dummies(dataset.frame["job"], prefix="job", drop_first=drop_first)], axis=1)
    estimator = LogisticRegression(max_iter=2000).fit(wide.astype(float), dataset.frame["hired"])
    with pytest.raises(ModelError, match="as they stand in the table, or standardised"):
        load(files, dataset, estimator)
    model = load(files, dataset, estimator, numbers="raw" if raw else "standardised")
    data = model.encode(dataset)
    np.testing.assert_allclose(model.predict_proba(data), estimator.predict_proba(wide.astype(float)), atol=1e-9)
    assert model.no_gradients == ""
    names = ("job = cook", "job = nurse") if drop_first else ("job = clerk", "job = cook", "job = nurse")
    assert model.preprocessing.names == ("age", "children", *names)
    assert data.x[:, 0].std() == pytest.approx(1)
    forest = RandomForestClassifier(3, random_state=0).fit(wide.astype(float), dataset.frame["hired"])
    if raw:
        split = load(files, dataset, forest)
        expected = forest.predict_proba(wide.astype(float))
        np.testing.assert_allclose(split.predict_proba(split.encode(dataset)), expected, atol=1e-12)


def test_two_numbers_that_mark_the_same_value_are_refused(files: FileStore, dataset: Dataset) -> None:
    cook = (dataset.frame["job"] == "cook").astype(float)
    wide = pd.DataFrame({"job_cook": cook, "job=cook": cook, "job_nurse": (dataset.frame["job"] == "nurse") * 1.0})
    estimator = LogisticRegression(max_iter=2000).fit(wide, dataset.frame["hired"])
    with pytest.raises(ModelError, match="Two numbers that the model reads mark the same value of 'job'"):
        load(files, dataset, estimator)


def test_values_that_no_name_marks_are_told(files: FileStore, dataset: Dataset) -> None:
    wide = dataset.frame[NUMBERS].assign(job_cook=(dataset.frame["job"] == "cook").astype(float))
    estimator = LogisticRegression(max_iter=2000).fit(wide, dataset.frame["hired"])
    with pytest.raises(ModelError, match="The model reads 3 numbers; not read are 'job = clerk', 'job = nurse'"):
        load(files, dataset, estimator, numbers="raw")

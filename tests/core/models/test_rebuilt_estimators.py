"""A genuine skops file of every supported estimator answers as the estimator that was saved, to the last bit."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

from core.errors import ModelError
from core.models.formats.skops.file import load_skops
from core.models.formats.skops.rebuild import ESTIMATORS
from tests.builders_estimators import CASES, NUMBERS, WORDS, fitted, people, with_gaps
from tests.hostile.skops_files import SkopsFile, plain


def reloaded(estimator: Any, folder: Path) -> Any:
    path = folder / "model.skops"
    skops.io.dump(estimator, path)
    return load_skops(path, "model.skops")[0]


STATE = {
    *("_predictors", "_baseline_prediction", "_scaler", "_infrequent_indices"),
    *("_preprocessor", "_fit_dtype", "_fill_dtype", "_sklearn_output_config"),
}
"""Private attributes without which scikit-learn itself does not say what was fitted; each is checked."""


def reloaded_without_private_attributes(estimator: Any, folder: Path) -> Any:
    """The estimator from a file in which all other private attributes are nonsense."""
    file = SkopsFile(skops.io.dumps(estimator))
    for node in file.nodes():
        if node["__loader__"] == "ObjectNode":
            attributes = node["content"]["content"]
            for name in [name for name in attributes if name.startswith("_") and name not in STATE]:
                attributes[name] = plain("nonsense")
    (folder / "model.skops").write_bytes(file.content())
    return load_skops(folder / "model.skops", "model.skops")[0]


def answers(estimator: Any, rows: Any) -> np.ndarray:
    return np.asarray(estimator.predict_proba(rows) if hasattr(estimator, "predict_proba") else estimator.predict(rows))


@pytest.mark.parametrize(("name", "outcome"), CASES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_supported_estimator_answers_as_it_was_saved(name: str, outcome: str, tmp_path: Path) -> None:
    saved, columns = fitted(name, outcome)
    rows = people()[list(columns)]
    again = reloaded(saved, tmp_path)
    assert again is not saved
    np.testing.assert_array_equal(answers(again, rows), answers(saved, rows))
    np.testing.assert_array_equal(
        answers(reloaded_without_private_attributes(saved, tmp_path), rows), answers(again, rows)
    )
    if outcome != "pay":
        assert again.classes_.dtype == saved.classes_.dtype
        np.testing.assert_array_equal(again.predict(rows), saved.predict(rows))


def test_every_estimator_on_the_list_is_tried() -> None:
    def parts(node: Any) -> Any:
        yield type(node)
        inner = [step for _, step, *_ in getattr(node, "steps", []) + getattr(node, "transformers_", [])]
        inner += [getattr(node, name) for name in ("regressor_", "transformer_") if hasattr(node, name)]
        for part in inner:
            yield from parts(part)

    tried = {kind for case in CASES for kind in parts(fitted(*case)[0])}
    assert {kind for kind, _ in ESTIMATORS.values()} <= tried


@pytest.mark.parametrize(
    "classes", [[False, True], [0, 1], [1.0, 2.0], ["no", "yes"], [3, 5, 9], np.array(["b", "a"], dtype="U1")]
)
@pytest.mark.parametrize(
    "model", [LogisticRegression(), DecisionTreeClassifier(max_depth=2), RidgeClassifier()], ids=type
)
def test_classes_of_any_kind_come_back(classes: Any, model: Any, tmp_path: Path) -> None:
    rows = people()[NUMBERS].to_numpy()
    outcome = np.array(classes)[np.arange(len(rows)) % len(classes)]
    saved = model.fit(rows, outcome)
    again = reloaded(saved, tmp_path)
    np.testing.assert_array_equal(again.predict(rows), saved.predict(rows))


GAPS = {
    "histograms": (HistGradientBoostingClassifier(max_iter=3), NUMBERS),
    "tree": (DecisionTreeClassifier(max_depth=4, random_state=0), NUMBERS),
    "indicators": (make_pipeline(OneHotEncoder(), LogisticRegression()), ["town"]),
    "rare indicators": (make_pipeline(OneHotEncoder(min_frequency=20), LogisticRegression()), ["town"]),
    "codes": (make_pipeline(OrdinalEncoder(encoded_missing_value=-5), DecisionTreeClassifier(max_depth=3)), WORDS),
    "rare codes": (
        make_pipeline(OrdinalEncoder(encoded_missing_value=-5, min_frequency=20), DecisionTreeClassifier(max_depth=3)),
        WORDS,
    ),
    "mean": (make_pipeline(SimpleImputer(), LogisticRegression()), NUMBERS),
    "constant": (make_pipeline(SimpleImputer(strategy="constant", fill_value=-1), LogisticRegression()), NUMBERS),
    "frequent": (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(), LogisticRegression()), WORDS),
}


@pytest.mark.parametrize("case", GAPS)
def test_missing_values_are_treated_as_they_were(case: str, tmp_path: Path) -> None:
    model, columns = GAPS[case]
    rows = with_gaps()[columns]
    saved = model.fit(rows, people()["hired"])
    np.testing.assert_array_equal(reloaded(saved, tmp_path).predict_proba(rows), saved.predict_proba(rows))


def test_unknown_and_rare_categories_are_treated_as_they_were(tmp_path: Path) -> None:
    for settings in (
        {"handle_unknown": "ignore"},
        {"handle_unknown": "infrequent_if_exist", "min_frequency": 20},
        {"handle_unknown": "warn", "max_categories": 3},
        {"handle_unknown": "ignore", "drop": "first", "min_frequency": 0.2},
    ):
        saved = make_pipeline(OneHotEncoder(**settings), LogisticRegression()).fit(people()[WORDS], people()["hired"])
        rows = pd.DataFrame({"job": ["cook", "pilot", "nurse"], "town": ["z", "e", "d"]})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            np.testing.assert_array_equal(reloaded(saved, tmp_path).predict_proba(rows), saved.predict_proba(rows))


def test_what_cannot_be_rebuilt_is_refused_with_the_setting_and_what_to_do(tmp_path: Path) -> None:
    rows, outcome = people(), people()["hired"]
    categorical = rows[["job"]].astype("category")
    with pytest.raises(ModelError, match=r"splits on categories by itself \(categorical_features\).*OneHotEncoder"):
        reloaded(
            HistGradientBoostingClassifier(max_iter=2, categorical_features="from_dtype").fit(categorical, outcome),
            tmp_path,
        )
    marked = make_pipeline(SimpleImputer(add_indicator=True), LogisticRegression()).fit(with_gaps()[NUMBERS], outcome)
    with pytest.raises(ModelError, match=r"add_indicator=False"):
        reloaded(marked, tmp_path)
    one_against_the_rest = LogisticRegression().fit(rows[NUMBERS], rows["level"])
    one_against_the_rest.multi_class = "ovr"
    with pytest.raises(ModelError, match=r"one class against the rest.*column of the table"):
        reloaded(one_against_the_rest, tmp_path)
    odd = LogisticRegression(C=-1.0)
    odd.__dict__ |= LogisticRegression().fit(rows[NUMBERS], outcome).__dict__ | {"C": -1.0}
    with pytest.raises(ModelError, match=r"setting.*'C' parameter"):
        reloaded(odd, tmp_path)


def test_weights_that_are_not_numbers_are_refused_at_once(tmp_path: Path) -> None:
    model = LinearRegression().fit(people()[NUMBERS], people()["pay"])
    model.coef_[1] = np.nan
    with pytest.raises(
        ModelError, match=r"'coef_' of the LinearRegression in the file holds a value that is not a finite"
    ):
        reloaded(model, tmp_path)

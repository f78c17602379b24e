"""What older versions of scikit-learn wrote: mended where that is certain, refused where answers would differ."""

from collections import UserList
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
import skops.io
from numpy.lib import recfunctions
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, OneHotEncoder, OrdinalEncoder
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.validation import check_array

from core.models.formats.skops.inside import open_file
from core.models.formats.skops.older import mend, parts
from core.wall.inside import RefusedError
from tests.core.models.skops_matrix import families
from tests.hostile.skops_files import SkopsFile

FRAME = families.people()
ROWS = families.as_trained(FRAME, families.ALL)


def aged(found: Any, version: str = "1.4.2") -> Any:
    """The estimator as if an older version had fitted it."""
    for part in parts(found):
        part._sklearn_version = version
    return found


@pytest.fixture(autouse=True)
def version_of_the_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    own = BaseEstimator.__getstate__

    def with_version(self: BaseEstimator) -> dict[str, Any]:
        state: dict[str, Any] = own(self)
        return state | {"_sklearn_version": vars(self).get("_sklearn_version", sklearn.__version__)}

    monkeypatch.setattr(BaseEstimator, "__getstate__", with_version)


def prepared(encoder: Any, scaler: Any = None) -> ColumnTransformer:
    return make_column_transformer((encoder, families.WORDS), (scaler or MaxAbsScaler(), families.NUMBERS))


def lacking(kind: type, *names: str) -> Callable[[Any], None]:
    """Take attributes away that an older version did not write."""

    def take(found: Any) -> None:
        for part in parts(found):
            if isinstance(part, kind):
                for name in names:
                    vars(part).pop(name, None)

    return take


def behind(*steps: Any, model: Any = None) -> Callable[[], Any]:
    return lambda: families.fit(
        make_pipeline(*steps, model or LogisticRegression(max_iter=500)), FRAME, families.ALL, "hired"
    )


def _pass(found: Any) -> None:
    (columns,) = (part for part in parts(found) if isinstance(part, ColumnTransformer))
    columns.transformers_ = [
        (name, inner if isinstance(inner, str) else "passthrough", UserList(chosen))
        for name, inner, chosen in columns.transformers_
    ]


def _check(found: Any) -> None:
    for part in parts(found):
        if isinstance(part, FunctionTransformer):
            part.func = partial(check_array, dtype=float, force_all_finite=False)


_CHECKED = make_column_transformer((FunctionTransformer(partial(check_array, dtype=float)), families.NUMBERS))
CASES: dict[str, tuple[Callable[[], Any], Callable[[Any], None]]] = {
    "imputer": (
        behind(prepared(OneHotEncoder(), SimpleImputer())),
        lacking(SimpleImputer, "_fill_dtype", "keep_empty_features"),
    ),
    "one-hot": (
        behind(prepared(OneHotEncoder(drop="first"))),
        lacking(OneHotEncoder, "_drop_idx_after_grouping", "_infrequent_enabled"),
    ),
    "scaler": (behind(prepared(OrdinalEncoder())), lacking(MaxAbsScaler, "clip")),
    "codes": (
        behind(prepared(OrdinalEncoder())),
        lacking(OrdinalEncoder, "_infrequent_enabled", "_missing_indices", "min_frequency", "max_categories"),
    ),
    "histograms": (
        behind(prepared(OrdinalEncoder()), model=HistGradientBoostingClassifier(max_iter=3)),
        lacking(HistGradientBoostingClassifier, "_preprocessor"),
    ),
    "ridge": (behind(prepared(OneHotEncoder()), model=RidgeClassifier()), lacking(RidgeClassifier, "classes_")),
    "passing": (behind(make_column_transformer(("passthrough", families.NUMBERS))), _pass),
    "checked": (behind(_CHECKED), _check),
}
"""What is fitted, and how an older version would have written it."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES)
def test_what_is_missing_is_mended(case: str) -> None:
    fit_it, make_older = CASES[case]
    found = fit_it()
    own = families.answers(found, ROWS)
    make_older(found)
    with pytest.raises((AttributeError, TypeError)):
        families.answers(found, ROWS)
    mend(found)
    np.testing.assert_allclose(families.answers(found, ROWS), own, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_what_this_version_would_answer_otherwise_is_refused_by_its_setting(tmp_path: Path) -> None:
    ada = families.fit(AdaBoostClassifier(n_estimators=2), FRAME, families.NUMBERS, "hired")
    ada.algorithm = "SAMME.R"
    ovr = families.fit(LogisticRegression(), FRAME, families.NUMBERS, "level")
    ovr.multi_class = "ovr"
    liblinear = families.fit(LogisticRegression(), FRAME, families.NUMBERS, "level")
    liblinear.solver = "liblinear"
    for found, setting in ((ada, "SAMME.R"), (make_pipeline(ovr), "multi_class='ovr'"), (liblinear, "'liblinear'")):
        skops.io.dump(aged(found), tmp_path / "m.skops")
        with pytest.raises(RefusedError) as refused:
            open_file(tmp_path / "m.skops", {})
        assert setting in refused.value.what
        assert "1.4.2" in refused.value.what
        assert refused.value.advice
    ada.algorithm = "SAMME"  # answered with other shares before 1.4
    skops.io.dump(aged(ada), tmp_path / "m.skops")
    assert open_file(tmp_path / "m.skops", {}).said["versions"] == ["1.4.2"]
    skops.io.dump(aged(ada, "1.2.2"), tmp_path / "m.skops")
    with pytest.raises(RefusedError, match=r"algorithm='SAMME'.* 1\.2\.2"):
        open_file(tmp_path / "m.skops", {})
    two = families.fit(LogisticRegression(solver="liblinear"), FRAME, families.NUMBERS, "hired")
    two.multi_class = "ovr"
    skops.io.dump(aged(two), tmp_path / "m.skops")
    assert open_file(tmp_path / "m.skops", {}).said["versions"] == ["1.4.2"]


@pytest.mark.filterwarnings("ignore")
def test_what_cannot_be_mended_names_the_version_to_save_it_with_again(tmp_path: Path) -> None:
    found = families.fit(LinearSVC(), FRAME, families.NUMBERS, "hired")
    del found.coef_
    skops.io.dump(aged(found), tmp_path / "m.skops")
    inside = open_file(tmp_path / "m.skops", {})
    with pytest.raises(RefusedError) as refused:
        inside.answer(FRAME[families.NUMBERS])
    assert "written by scikit-learn 1.4.2" in refused.value.what
    assert f"Fit the model again with scikit-learn {sklearn.__version__}" in refused.value.advice
    assert "coef_" in refused.value.where


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", [DecisionTreeClassifier(max_depth=4), DecisionTreeRegressor(max_depth=4)])
def test_trees_that_count_rows_in_their_leaves_and_know_no_missing_values(model: Any, tmp_path: Path) -> None:
    """As scikit-learn wrote them before 1.3."""
    outcome = "level" if hasattr(model, "predict_proba") else "pay"
    found = families.fit(model, FRAME, families.NUMBERS, outcome)
    file = SkopsFile(skops.io.dumps(found))
    for name, array in file.arrays.items():
        if array.dtype.names and "missing_go_to_left" in array.dtype.names:
            rows = array["weighted_n_node_samples"]
            file.arrays[name] = recfunctions.drop_fields(array, "missing_go_to_left", usemask=False)
    if outcome == "level":
        for name, array in file.arrays.items():
            if array.ndim == 3:
                file.arrays[name] = array * rows[:, None, None]
    (tmp_path / "m.skops").write_bytes(file.content())
    given = open_file(tmp_path / "m.skops", {}).answer(FRAME[families.NUMBERS])
    np.testing.assert_allclose(given, families.answers(found, FRAME[families.NUMBERS]), atol=1e-12)

"""Fitted estimators of every family, for any scikit-learn from 1.1 on; it imports nothing of the project."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from sklearn import (
    calibration,
    compose,
    decomposition,
    discriminant_analysis,
    dummy,
    ensemble,
    feature_selection,
    gaussian_process,
    impute,
    isotonic,
    kernel_approximation,
    linear_model,
    model_selection,
    multiclass,
    naive_bayes,
    neighbors,
    neural_network,
    pipeline,
    preprocessing,
    svm,
    tree,
)

VERSION = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
NUMBERS = ["age", "children", "income"]
WORDS = ["job", "town"]
ALL = [*NUMBERS, *WORDS, "grade", "member"]


def people(rows: int = 240) -> pd.DataFrame:
    """Numbers, texts, whole numbers that are codes, truth values, gaps, and outcomes of several kinds."""
    rng = np.random.RandomState(7)
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, rows).round(2),
            "children": rng.randint(0, 5, rows),
            "income": rng.lognormal(3, 0.6, rows).round(3),
            "job": rng.choice(["clerk", "cook", "nurse"], rows),
            "town": rng.choice(["a", "b", "c", "d", "e"], rows, p=[0.5, 0.3, 0.1, 0.07, 0.03]),
            "grade": rng.choice([1, 2, 3, 10], rows),
            "member": rng.rand(rows) < 0.4,
            "group": rng.choice(["f", "m"], rows),
        }
    )
    score = (
        frame["age"] + 4 * frame["children"] + 5 * (frame["job"] == "nurse") + frame["grade"] + rng.normal(0, 5, rows)
    )
    frame["hired"] = np.where(score > 54, "yes", "no")
    frame["flag"] = (score > 54).astype(int)
    frame["level"] = np.array(["high", "low", "middle"])[np.digitize(score, [47, 60])]
    frame["band"] = np.array([9, 10, 100])[np.digitize(score, [47, 60])]
    frame["pay"] = (20 + score).clip(1).round(3)
    return frame


def with_gaps(frame: pd.DataFrame) -> pd.DataFrame:
    """The people with missing numbers and texts."""
    frame = frame.copy()
    frame["age"] = frame["age"].mask(frame.index % 7 == 0)
    frame["children"] = frame["children"].astype(float).mask(frame.index % 5 == 0)
    frame["town"] = frame["town"].astype(object).mask(frame.index % 6 == 0, np.nan)
    return frame


def _dense() -> dict[str, bool]:
    return {"sparse_output": False} if VERSION >= (1, 2) else {"sparse": False}


def _prepared(encoder: Any = None, scaler: Any = None, **settings: Any) -> Any:
    return compose.make_column_transformer(
        (scaler or preprocessing.StandardScaler(), NUMBERS),
        (encoder or preprocessing.OneHotEncoder(handle_unknown="ignore"), WORDS),
        **settings,
    )


def _behind(model: Any, *steps: Any) -> Any:
    return pipeline.make_pipeline(*(steps or (_prepared(),)), model)


def _scaled(model: Any) -> Any:
    return pipeline.make_pipeline(preprocessing.StandardScaler(), model)


def _wrapped(kind: Any, inner: Any, **settings: Any) -> Any:
    """An ensemble of ``inner``, whose parameter was called ``base_estimator`` before 1.2."""
    return kind(**{"estimator" if VERSION >= (1, 2) else "base_estimator": inner}, **settings)


def _classifiers() -> dict[str, tuple[Any, list[str]]]:
    tiny: dict[str, Any] = {"max_depth": 3, "random_state": 0}
    logistic = linear_model.LogisticRegression
    log_loss = "log_loss"
    found: dict[str, tuple[Any, list[str]]] = {
        "logistic": (_scaled(logistic()), NUMBERS),
        "logistic, liblinear": (_scaled(logistic(solver="liblinear")), NUMBERS),
        "logistic, l1 saga": (_scaled(logistic(penalty="l1", solver="saga", max_iter=50)), NUMBERS),
        "logistic, cross-validated": (_scaled(linear_model.LogisticRegressionCV(Cs=3, cv=3)), NUMBERS),
        "ridge": (_scaled(linear_model.RidgeClassifier()), NUMBERS),
        "ridge, cross-validated": (_scaled(linear_model.RidgeClassifierCV()), NUMBERS),
        "sgd, log loss": (_scaled(linear_model.SGDClassifier(loss=log_loss, random_state=0)), NUMBERS),
        "sgd, hinge": (_scaled(linear_model.SGDClassifier(random_state=0)), NUMBERS),
        "sgd, modified huber": (_scaled(linear_model.SGDClassifier(loss="modified_huber", random_state=0)), NUMBERS),
        "perceptron": (_scaled(linear_model.Perceptron(random_state=0)), NUMBERS),
        "linear svc": (_scaled(svm.LinearSVC(random_state=0)), NUMBERS),
        "svc": (_scaled(svm.SVC()), NUMBERS),
        "svc, probability": (_scaled(svm.SVC(probability=True, random_state=0)), NUMBERS),
        "svc, polynomial": (_scaled(svm.SVC(kernel="poly", degree=2)), NUMBERS),
        "nu svc": (_scaled(svm.NuSVC(nu=0.2)), NUMBERS),
        "tree": (tree.DecisionTreeClassifier(**tiny), NUMBERS),
        "extra tree": (tree.ExtraTreeClassifier(**tiny), NUMBERS),
        "forest": (ensemble.RandomForestClassifier(5, n_jobs=2, **tiny), NUMBERS),
        "extra trees": (ensemble.ExtraTreesClassifier(5, **tiny), NUMBERS),
        "boosting": (ensemble.GradientBoostingClassifier(n_estimators=5, random_state=0), NUMBERS),
        "boosting from zero": (
            ensemble.GradientBoostingClassifier(n_estimators=3, init="zero", random_state=0),
            NUMBERS,
        ),
        "histograms": (ensemble.HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5), NUMBERS),
        "histograms, early stopping": (
            ensemble.HistGradientBoostingClassifier(max_iter=8, early_stopping=True, random_state=0),
            NUMBERS,
        ),
        "histograms, categories by number": (
            ensemble.HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5, categorical_features=[3]),
            [*NUMBERS, "grade"],
        ),
        "ada": (ensemble.AdaBoostClassifier(n_estimators=5, random_state=0), NUMBERS),
        "bagging": (
            _wrapped(ensemble.BaggingClassifier, tree.DecisionTreeClassifier(**tiny), n_estimators=4, random_state=0),
            NUMBERS,
        ),
        "bagging of columns": (
            _wrapped(ensemble.BaggingClassifier, logistic(), n_estimators=4, max_features=2, random_state=0),
            NUMBERS,
        ),
        "neighbours": (_scaled(neighbors.KNeighborsClassifier(5)), NUMBERS),
        "neighbours, ball tree": (
            _scaled(neighbors.KNeighborsClassifier(5, algorithm="ball_tree", weights="distance")),
            NUMBERS,
        ),
        "neighbours, brute": (
            _scaled(neighbors.KNeighborsClassifier(5, algorithm="brute", weights="uniform")),
            NUMBERS,
        ),
        "nearest centroid": (_scaled(neighbors.NearestCentroid()), NUMBERS),
        "naive bayes": (naive_bayes.GaussianNB(), NUMBERS),
        "naive bayes, multinomial": (_behind(naive_bayes.MultinomialNB(), preprocessing.MinMaxScaler()), NUMBERS),
        "naive bayes, Bernoulli": (
            _behind(naive_bayes.BernoulliNB(), _prepared(scaler=preprocessing.MinMaxScaler())),
            ALL,
        ),
        "naive bayes, categories": (
            _behind(
                naive_bayes.CategoricalNB(min_categories=6),
                compose.make_column_transformer((preprocessing.OrdinalEncoder(), WORDS)),
            ),
            ALL,
        ),
        "linear discriminant": (discriminant_analysis.LinearDiscriminantAnalysis(), NUMBERS),
        "quadratic discriminant": (discriminant_analysis.QuadraticDiscriminantAnalysis(), NUMBERS),
        "gaussian process": (_scaled(gaussian_process.GaussianProcessClassifier()), NUMBERS),
        "mlp": (_behind(neural_network.MLPClassifier((6, 4), max_iter=15, random_state=0)), ALL),
        "mlp, tanh": (
            _scaled(neural_network.MLPClassifier((5,), activation="tanh", max_iter=15, random_state=0)),
            NUMBERS,
        ),
        "mlp, early stopping": (
            _scaled(neural_network.MLPClassifier((5,), early_stopping=True, max_iter=15, random_state=0)),
            NUMBERS,
        ),
        "calibrated, sigmoid": (
            calibration.CalibratedClassifierCV(_scaled(svm.LinearSVC(random_state=0)), cv=3),
            NUMBERS,
        ),
        "calibrated, isotonic": (
            calibration.CalibratedClassifierCV(_scaled(logistic()), method="isotonic", cv=3),
            NUMBERS,
        ),
        "calibrated, one model": (
            calibration.CalibratedClassifierCV(_scaled(logistic()), ensemble=False, cv=3),
            NUMBERS,
        ),
        "stacking": (
            ensemble.StackingClassifier([("a", _scaled(logistic())), ("b", tree.DecisionTreeClassifier(**tiny))], cv=3),
            NUMBERS,
        ),
        "voting, soft": (
            ensemble.VotingClassifier([("a", _scaled(logistic())), ("b", naive_bayes.GaussianNB())], voting="soft"),
            NUMBERS,
        ),
        "voting, hard": (
            ensemble.VotingClassifier([("a", _scaled(logistic())), ("b", naive_bayes.GaussianNB())]),
            NUMBERS,
        ),
        "one against the rest": (multiclass.OneVsRestClassifier(_scaled(logistic())), NUMBERS),
        "one against one": (multiclass.OneVsOneClassifier(_scaled(svm.LinearSVC(random_state=0))), NUMBERS),
        "grid search": (
            model_selection.GridSearchCV(_scaled(logistic()), {"logisticregression__C": [0.1, 1]}, cv=3),
            NUMBERS,
        ),
        "grid search, scored": (
            model_selection.GridSearchCV(
                tree.DecisionTreeClassifier(random_state=0), {"max_depth": [2, 3]}, cv=3, scoring="accuracy"
            ),
            NUMBERS,
        ),
        "randomised search": (
            model_selection.RandomizedSearchCV(
                _scaled(logistic()), {"logisticregression__C": [0.1, 1, 5]}, n_iter=2, cv=3, random_state=0
            ),
            NUMBERS,
        ),
        "prior": (dummy.DummyClassifier(), NUMBERS),
        "drawn by chance": (dummy.DummyClassifier(strategy="stratified", random_state=0), NUMBERS),
        "most frequent": (dummy.DummyClassifier(strategy="most_frequent"), NUMBERS),
        "one-hot": (_behind(logistic()), ALL),
        "one-hot, first dropped": (_behind(logistic(), _prepared(preprocessing.OneHotEncoder(drop="first"))), ALL),
        "one-hot, rare together": (
            _behind(
                logistic(),
                _prepared(preprocessing.OneHotEncoder(min_frequency=20, handle_unknown="infrequent_if_exist")),
            ),
            ALL,
        ),
        "one-hot of numbers": (
            _behind(
                logistic(max_iter=500),
                compose.make_column_transformer(
                    (preprocessing.OneHotEncoder(handle_unknown="ignore"), ["grade", "member", "job"]),
                    remainder=preprocessing.StandardScaler(),
                ),
            ),
            ["age", "children", "grade", "member", "job"],
        ),
        "one-hot of numbers written as text": (
            _behind(
                logistic(),
                preprocessing.FunctionTransformer(),
                compose.make_column_transformer(
                    (preprocessing.OneHotEncoder(handle_unknown="ignore"), ["grade", "job"])
                ),
            ),
            ["age", "grade_text", "job"],
        ),
        "ordinal": (
            _behind(
                ensemble.RandomForestClassifier(4, **tiny),
                compose.make_column_transformer(
                    (preprocessing.OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), WORDS),
                    remainder="passthrough",
                ),
            ),
            ALL,
        ),
        "ordinal to histograms": (
            _behind(
                ensemble.HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5, categorical_features=[0, 1]),
                compose.make_column_transformer((preprocessing.OrdinalEncoder(), WORDS), remainder="passthrough"),
            ),
            ALL,
        ),
        "columns by type": (
            _behind(
                logistic(max_iter=500),
                compose.make_column_transformer(
                    (
                        pipeline.make_pipeline(impute.SimpleImputer(), preprocessing.StandardScaler()),
                        compose.make_column_selector(dtype_include="number"),
                    ),
                    (
                        preprocessing.OneHotEncoder(handle_unknown="ignore"),
                        compose.make_column_selector(dtype_include=object),
                    ),
                ),
            ),
            [*NUMBERS, *WORDS],
        ),
        "columns by place": (
            _behind(
                logistic(max_iter=500),
                compose.ColumnTransformer([("a", preprocessing.MaxAbsScaler(), slice(0, 1))], remainder="passthrough"),
            ),
            NUMBERS,
        ),
        "columns left out": (
            _behind(logistic(), compose.make_column_transformer((preprocessing.StandardScaler(), ["age"]))),
            [*ALL, "never there"],
        ),
        "polynomial": (
            _behind(logistic(max_iter=500), preprocessing.StandardScaler(), preprocessing.PolynomialFeatures(2)),
            NUMBERS,
        ),
        "splines": (_behind(logistic(max_iter=500), preprocessing.SplineTransformer(n_knots=4)), NUMBERS),
        "bins": (
            _behind(logistic(), preprocessing.KBinsDiscretizer(4, strategy="uniform")),
            NUMBERS,
        ),
        "components": (
            _behind(logistic(), preprocessing.StandardScaler(), decomposition.PCA(2, random_state=0)),
            NUMBERS,
        ),
        "truncated components": (
            _behind(logistic(), _prepared(), decomposition.TruncatedSVD(3, random_state=0)),
            ALL,
        ),
        "k best": (_behind(logistic(), preprocessing.StandardScaler(), feature_selection.SelectKBest(k=2)), NUMBERS),
        "from model": (
            _behind(
                logistic(),
                preprocessing.StandardScaler(),
                feature_selection.SelectFromModel(linear_model.LogisticRegression(), threshold="mean"),
            ),
            NUMBERS,
        ),
        "without variance": (
            _behind(logistic(), feature_selection.VarianceThreshold(0.1), preprocessing.StandardScaler()),
            NUMBERS,
        ),
        "union": (
            _behind(
                logistic(),
                pipeline.make_union(preprocessing.StandardScaler(), decomposition.PCA(1, random_state=0)),
            ),
            NUMBERS,
        ),
        "kernel map": (
            _behind(
                logistic(),
                preprocessing.StandardScaler(),
                kernel_approximation.Nystroem(n_components=10, random_state=0),
            ),
            NUMBERS,
        ),
        "powers": (_behind(logistic(), preprocessing.PowerTransformer()), NUMBERS),
        "quantiles": (_behind(logistic(), preprocessing.QuantileTransformer(n_quantiles=9)), NUMBERS),
        "robust": (_behind(logistic(), preprocessing.RobustScaler(), preprocessing.Normalizer()), NUMBERS),
        "logarithms": (_behind(logistic(), preprocessing.FunctionTransformer(np.log1p)), NUMBERS),
        "iterative imputer": (
            _behind(logistic(), _iterative(), preprocessing.StandardScaler()),
            NUMBERS,
        ),
        "neighbours impute": (_behind(logistic(), impute.KNNImputer(), preprocessing.StandardScaler()), NUMBERS),
        "gaps marked": (
            _behind(logistic(), impute.SimpleImputer(add_indicator=True), preprocessing.StandardScaler()),
            NUMBERS,
        ),
    }
    if VERSION >= (1, 3):
        found["target encoding"] = (_behind(logistic(), _prepared(preprocessing.TargetEncoder(random_state=0))), ALL)
    if VERSION >= (1, 4):
        found["histograms, categories by type"] = (
            ensemble.HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5, categorical_features="from_dtype"),
            ["age", "job_category", "town_category", "member"],
        )
    if VERSION >= (1, 5):
        found["threshold fixed"] = (
            model_selection.FixedThresholdClassifier(_scaled(logistic()), threshold=0.2),
            NUMBERS,
        )
        found["threshold tuned"] = (
            model_selection.TunedThresholdClassifierCV(_scaled(logistic()), cv=3, random_state=0),
            NUMBERS,
        )
    return found


def _iterative() -> Any:
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401

    return impute.IterativeImputer(max_iter=2, random_state=0)


def _with_gaps() -> dict[str, tuple[Any, list[str]]]:
    logistic = linear_model.LogisticRegression
    tiny: dict[str, Any] = {"max_depth": 3, "random_state": 0}
    mean = pipeline.make_pipeline(impute.SimpleImputer(), preprocessing.StandardScaler())
    frequent = pipeline.make_pipeline(
        impute.SimpleImputer(strategy="most_frequent"), preprocessing.OneHotEncoder(handle_unknown="ignore")
    )
    found: dict[str, tuple[Any, list[str]]] = {
        "gaps: histograms": (ensemble.HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5), NUMBERS),
        "gaps: imputed": (
            _behind(logistic(), compose.make_column_transformer((mean, NUMBERS), (frequent, WORDS))),
            [*NUMBERS, *WORDS],
        ),
        "gaps: as a category": (
            _behind(
                logistic(), compose.make_column_transformer((preprocessing.OneHotEncoder(), WORDS), (mean, NUMBERS))
            ),
            [*NUMBERS, *WORDS],
        ),
        "gaps: a word for them": (
            _behind(
                logistic(),
                compose.make_column_transformer(
                    (
                        pipeline.make_pipeline(
                            impute.SimpleImputer(strategy="constant", fill_value="none"), preprocessing.OneHotEncoder()
                        ),
                        WORDS,
                    )
                ),
            ),
            [*NUMBERS, *WORDS],
        ),
        "gaps: codes": (
            _behind(
                tree.DecisionTreeClassifier(**tiny),
                compose.make_column_transformer((preprocessing.OrdinalEncoder(encoded_missing_value=-5), WORDS)),
            ),
            [*NUMBERS, *WORDS],
        ),
    }
    if VERSION >= (1, 3):
        found["gaps: tree"] = (tree.DecisionTreeClassifier(**tiny), NUMBERS)
        found["gaps: target encoding"] = (
            _behind(logistic(), compose.make_column_transformer((preprocessing.TargetEncoder(random_state=0), WORDS))),
            [*NUMBERS, *WORDS],
        )
    if VERSION >= (1, 4):
        found["gaps: forest"] = (ensemble.RandomForestClassifier(4, **tiny), NUMBERS)
    return found


def _regressors() -> dict[str, tuple[Any, list[str]]]:
    tiny: dict[str, Any] = {"max_depth": 3, "random_state": 0}
    ridge = linear_model.Ridge
    found: dict[str, tuple[Any, list[str]]] = {
        "number: least squares": (linear_model.LinearRegression(), NUMBERS),
        "number: ridge": (_behind(ridge()), ALL),
        "number: ridge, cross-validated": (_scaled(linear_model.RidgeCV()), NUMBERS),
        "number: lasso": (linear_model.LassoCV(cv=3), NUMBERS),
        "number: elastic net": (linear_model.ElasticNet(0.1), NUMBERS),
        "number: Bayesian": (linear_model.BayesianRidge(), NUMBERS),
        "number: Huber": (_scaled(linear_model.HuberRegressor()), NUMBERS),
        "number: sgd": (_scaled(linear_model.SGDRegressor(random_state=0)), NUMBERS),
        "number: Poisson": (_scaled(linear_model.PoissonRegressor()), NUMBERS),
        "number: Tweedie": (_scaled(linear_model.TweedieRegressor(power=1.5)), NUMBERS),
        "number: quantile": (_scaled(linear_model.QuantileRegressor(alpha=0.01, solver="highs")), NUMBERS),
        "number: svr": (_scaled(svm.SVR()), NUMBERS),
        "number: linear svr": (_scaled(svm.LinearSVR(random_state=0)), NUMBERS),
        "number: mlp": (
            _scaled(neural_network.MLPRegressor(hidden_layer_sizes=(5,), max_iter=15, random_state=0)),
            NUMBERS,
        ),
        "number: tree": (tree.DecisionTreeRegressor(**tiny), NUMBERS),
        "number: forest": (ensemble.RandomForestRegressor(4, **tiny), NUMBERS),
        "number: extra trees": (ensemble.ExtraTreesRegressor(4, **tiny), NUMBERS),
        "number: boosting": (ensemble.GradientBoostingRegressor(n_estimators=5, random_state=0), NUMBERS),
        "number: boosting, Huber": (
            ensemble.GradientBoostingRegressor(loss="huber", n_estimators=4, random_state=0),
            NUMBERS,
        ),
        "number: boosting, quantile": (
            ensemble.GradientBoostingRegressor(loss="quantile", alpha=0.7, n_estimators=4, random_state=0),
            NUMBERS,
        ),
        "number: histograms": (ensemble.HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=5), NUMBERS),
        "number: histograms, Poisson": (
            ensemble.HistGradientBoostingRegressor(loss="poisson", max_iter=5, min_samples_leaf=5),
            NUMBERS,
        ),
        "number: ada": (ensemble.AdaBoostRegressor(n_estimators=4, random_state=0), NUMBERS),
        "number: bagging": (
            _wrapped(ensemble.BaggingRegressor, tree.DecisionTreeRegressor(**tiny), n_estimators=4, random_state=0),
            NUMBERS,
        ),
        "number: neighbours": (_scaled(neighbors.KNeighborsRegressor(4)), NUMBERS),
        "number: gaussian process": (
            _scaled(gaussian_process.GaussianProcessRegressor(alpha=1.0, normalize_y=True)),
            NUMBERS,
        ),
        "number: isotonic": (isotonic.IsotonicRegression(out_of_bounds="clip"), ["age"]),
        "number: stacking": (
            ensemble.StackingRegressor([("a", ridge()), ("b", tree.DecisionTreeRegressor(**tiny))], cv=3),
            NUMBERS,
        ),
        "number: voting": (
            ensemble.VotingRegressor([("a", ridge()), ("b", tree.DecisionTreeRegressor(**tiny))]),
            NUMBERS,
        ),
        "number: of a transformed outcome": (
            compose.TransformedTargetRegressor(_behind(ridge()), func=np.log1p, inverse_func=np.expm1),
            ALL,
        ),
        "number: of a standardised outcome": (
            compose.TransformedTargetRegressor(_scaled(ridge()), transformer=preprocessing.StandardScaler()),
            NUMBERS,
        ),
        "number: mean": (dummy.DummyRegressor(), NUMBERS),
    }
    if VERSION < (1, 8):
        found["number: isotonic"] = (found["number: isotonic"][0], ["age"])
    return found


TWO_CLASSES_ONLY = ("threshold fixed", "threshold tuned")


def cases() -> list[tuple[str, Any, list[str], str, bool]]:
    """Name, estimator, columns, outcome, and whether the rows have gaps."""
    found = []
    for name, (estimator, columns) in _classifiers().items():
        found.append((name, estimator, columns, "hired", False))
        if name not in TWO_CLASSES_ONLY:
            found.append((name + ", three classes", estimator, columns, "level", False))
    for outcome in ("flag", "band"):
        for name in ("logistic", "forest", "svc", "mlp", "boosting"):
            estimator, columns = _classifiers()[name]
            found.append((f"{name}, {outcome}", estimator, columns, outcome, False))
    found += [(name, estimator, columns, "hired", True) for name, (estimator, columns) in _with_gaps().items()]
    found += [(name, estimator, columns, "pay", False) for name, (estimator, columns) in _regressors().items()]
    found.append(("one against the rest by a setting", *_one_against_rest(), "level", False))
    if VERSION < (1, 8):
        found.append(
            (
                "ada, real",
                ensemble.AdaBoostClassifier(n_estimators=5, random_state=0, algorithm="SAMME"),
                NUMBERS,
                "level",
                False,
            )
        )
    found.append(("on plain numbers", _scaled(linear_model.LogisticRegression()), ["plain", *NUMBERS], "hired", False))
    found.append(
        (
            "on a plain table of objects",
            _behind(
                linear_model.LogisticRegression(max_iter=500),
                compose.make_column_transformer(
                    (preprocessing.OneHotEncoder(handle_unknown="ignore"), [3, 4]), remainder="passthrough"
                ),
            ),
            ["plain", *NUMBERS, *WORDS],
            "hired",
            False,
        )
    )
    return found


def _one_against_rest() -> tuple[Any, list[str]]:
    if VERSION < (1, 8):
        return _scaled(linear_model.LogisticRegression(multi_class="ovr")), NUMBERS
    return _scaled(linear_model.LogisticRegression()), NUMBERS


def as_trained(frame: pd.DataFrame, columns: list[str]) -> Any:
    """The rows as the estimator was trained on them: a table, or plain numbers."""
    rows = frame.assign(
        grade_text=frame["grade"].astype(str),
        job_category=frame["job"].astype("category"),
        town_category=frame["town"].astype("category"),
        **{"never there": 0.0},
    )
    for name in ("job", "town"):
        rows[name] = rows[name].astype(object)
    if columns[0] == "plain":
        return rows[columns[1:]].to_numpy()
    named = rows[columns]
    return named.rename(columns={"grade_text": "grade", "job_category": "job", "town_category": "town"})


def fit(estimator: Any, frame: pd.DataFrame, columns: list[str], outcome: str) -> Any:
    """A fitted copy."""
    from sklearn.base import clone

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(estimator).fit(as_trained(frame, columns), frame[outcome].to_numpy())


def answers(estimator: Any, rows: Any) -> np.ndarray:
    """The library's own answers, shape (n, k): probabilities, decisions as zeros and ones, or numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = type(estimator).__name__ in ("FixedThresholdClassifier", "TunedThresholdClassifierCV")
        if hasattr(estimator, "predict_proba") and not chosen:
            return np.asarray(estimator.predict_proba(rows), dtype=float)
        given = np.asarray(estimator.predict(rows))
        if hasattr(estimator, "classes_"):
            return (given[:, None] == np.asarray(estimator.classes_)[None, :]).astype(float)
        return given.astype(float).reshape(len(given), -1)

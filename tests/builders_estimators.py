"""Fitted scikit-learn estimators: every type that a skops file may hold, in many settings."""

import warnings
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import (
    ColumnTransformer,
    TransformedTargetRegressor,
    make_column_selector,
    make_column_transformer,
)
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import (
    BayesianRidge,
    ElasticNet,
    ElasticNetCV,
    GammaRegressor,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    PoissonRegressor,
    Ridge,
    RidgeClassifier,
    RidgeCV,
    SGDClassifier,
    SGDRegressor,
)
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import LinearSVC, LinearSVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

from core.data.dataset import Dataset, Roles

NUMBERS = ["age", "children"]
WORDS = ["job", "town"]
ALL = [*NUMBERS, *WORDS]


@cache
def people(rows: int = 160) -> pd.DataFrame:
    """Numbers, categories of which some are rare, and outcomes of two and three classes and of pay."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, rows).round(2),
            "children": rng.integers(0, 4, rows),
            "job": rng.choice(["clerk", "cook", "nurse"], rows),
            "town": rng.choice(["a", "b", "c", "d", "e"], rows, p=[0.5, 0.3, 0.1, 0.07, 0.03]),
            "group": rng.choice(["f", "m"], rows),
        }
    )
    score = frame["age"] + 4 * frame["children"] + 5 * (frame["job"] == "nurse") + rng.normal(0, 5, rows)
    frame["hired"] = np.where(score > 47, "yes", "no")
    frame["level"] = np.array(["high", "low", "middle"])[np.digitize(score, [42, 52])]
    frame["pay"] = (20 + score).clip(1)
    return frame


@cache
def table(outcome: str) -> Dataset:
    """The people as a table for models of ``outcome``: hired, level or pay."""
    frame = people()[[*ALL, "group", outcome]]
    if outcome == "pay":
        return Dataset.build(
            frame, Roles(outcome="pay", outcome_type="number", protected=("group",), features=tuple(ALL))
        )
    favourable = {"hired": "yes", "level": "high"}[outcome]
    return Dataset.build(
        frame, Roles(outcome=outcome, favourable=favourable, protected=("group",), features=tuple(ALL))
    )


def with_gaps() -> pd.DataFrame:
    """The people with missing numbers and categories."""
    frame = people().copy()
    frame["age"] = frame["age"].mask(frame.index % 7 == 0)
    frame["children"] = frame["children"].astype(float).mask(frame.index % 5 == 0)
    frame["town"] = frame["town"].astype(object).mask(frame.index % 6 == 0, np.nan)
    return frame


def _prepared(**settings: Any) -> ColumnTransformer:
    return make_column_transformer((StandardScaler(), NUMBERS), (OneHotEncoder(**settings), WORDS))


_TINY: dict[str, Any] = {"max_depth": 3, "random_state": 0}

CLASSIFIERS: dict[str, tuple[Any, list[str]]] = {
    "logistic": (LogisticRegression(), NUMBERS),
    "logistic, no intercept": (
        LogisticRegression(fit_intercept=False, C=0.1, class_weight={"no": 1, "yes": 2}),
        NUMBERS,
    ),
    "logistic, cross-validated": (LogisticRegressionCV(Cs=2, cv=2), NUMBERS),
    "stochastic": (SGDClassifier(loss="log_loss", average=True, random_state=0), NUMBERS),
    "stochastic, clipped": (SGDClassifier(loss="modified_huber", random_state=0, early_stopping=True), NUMBERS),
    "stochastic, decisions": (SGDClassifier(random_state=0), NUMBERS),
    "Rosenblatt": (Perceptron(random_state=0), NUMBERS),
    "ridge": (RidgeClassifier(), NUMBERS),
    "support vectors": (make_pipeline(StandardScaler(), LinearSVC(random_state=0)), NUMBERS),
    "perceptron": (make_pipeline(_prepared(), MLPClassifier((5, 3), max_iter=8, random_state=0)), ALL),
    "perceptron, tanh": (MLPClassifier((4,), activation="tanh", solver="lbfgs", max_iter=8, random_state=0), NUMBERS),
    "perceptron, sgd": (MLPClassifier(4, solver="sgd", early_stopping=True, max_iter=8, random_state=0), NUMBERS),
    "tree": (DecisionTreeClassifier(**_TINY), NUMBERS),
    "tree, pruned": (DecisionTreeClassifier(ccp_alpha=0.01, max_leaf_nodes=9, random_state=0), NUMBERS),
    "extra tree": (ExtraTreeClassifier(**_TINY), NUMBERS),
    "forest": (RandomForestClassifier(4, oob_score=True, warm_start=True, **_TINY), NUMBERS),
    "forest, entropy": (RandomForestClassifier(3, criterion="entropy", class_weight="balanced", **_TINY), NUMBERS),
    "extra trees": (ExtraTreesClassifier(3, **_TINY), NUMBERS),
    "boosting": (GradientBoostingClassifier(n_estimators=4, random_state=0), NUMBERS),
    "boosting from zero": (
        GradientBoostingClassifier(n_estimators=3, init="zero", subsample=0.7, random_state=0),
        NUMBERS,
    ),
    "boosting from a model": (
        GradientBoostingClassifier(n_estimators=3, init=LogisticRegression(), random_state=0),
        NUMBERS,
    ),
    "boosting, exponential": (GradientBoostingClassifier(loss="exponential", n_estimators=3, random_state=0), NUMBERS),
    "histograms": (HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=6), NUMBERS),
    "prior": (DummyClassifier(), NUMBERS),
    "most frequent": (DummyClassifier(strategy="most_frequent"), NUMBERS),
    "uniform": (DummyClassifier(strategy="uniform", random_state=0), NUMBERS),
    "clipped range": (make_pipeline(MinMaxScaler(clip=True, feature_range=(-1, 2)), LogisticRegression()), NUMBERS),
    "scalers": (
        make_pipeline(RobustScaler(), MaxAbsScaler(), StandardScaler(with_mean=False), LogisticRegression()),
        NUMBERS,
    ),
    "ranks": (
        make_pipeline(QuantileTransformer(n_quantiles=9, output_distribution="normal"), LogisticRegression()),
        NUMBERS,
    ),
    "powers": (make_pipeline(PowerTransformer(), LogisticRegression()), NUMBERS),
    "powers, not standardised": (
        make_pipeline(PowerTransformer(standardize=False), DecisionTreeClassifier(**_TINY)),
        NUMBERS,
    ),
    "sparse indicators": (make_pipeline(_prepared(), LogisticRegression()), ALL),
    "dense indicators": (make_pipeline(_prepared(sparse_output=False, dtype=np.float32), LogisticRegression()), ALL),
    "first dropped": (make_pipeline(_prepared(drop="first", handle_unknown="ignore"), LogisticRegression()), ALL),
    "named dropped": (make_pipeline(_prepared(drop=["cook", "b"]), LogisticRegression()), ALL),
    "rare together": (
        make_pipeline(_prepared(min_frequency=15, handle_unknown="infrequent_if_exist"), LogisticRegression()),
        ALL,
    ),
    "few categories": (make_pipeline(_prepared(max_categories=2, drop="if_binary"), LogisticRegression()), ALL),
    "given categories": (
        make_pipeline(_prepared(categories=[["nurse", "cook", "clerk"], list("edcba")]), LogisticRegression()),
        ALL,
    ),
    "numbers as categories": (
        make_pipeline(make_column_transformer((OneHotEncoder(), ["children"])), LogisticRegression()),
        ALL,
    ),
    "codes": (
        make_pipeline(
            make_column_transformer(
                (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), WORDS), remainder="passthrough"
            ),
            RandomForestClassifier(3, **_TINY),
        ),
        ALL,
    ),
    "rare codes": (
        make_pipeline(
            make_column_transformer((OrdinalEncoder(max_categories=3), WORDS)), DecisionTreeClassifier(**_TINY)
        ),
        ALL,
    ),
    "selected by type": (
        make_pipeline(
            make_column_transformer(
                (make_pipeline(SimpleImputer(), StandardScaler()), make_column_selector(dtype_include="number")),
                (OneHotEncoder(), WORDS),
                (MinMaxScaler(), []),
                ("drop", ["age"]),
            ),
            LogisticRegression(),
        ),
        ALL,
    ),
    "selected by place": (
        Pipeline(
            [
                (
                    "some",
                    ColumnTransformer(
                        [("a", MaxAbsScaler(), slice(0, 1))], remainder=StandardScaler(), transformer_weights={"a": 2.0}
                    ),
                ),
                ("none", "passthrough"),
                ("model", LogisticRegression()),
            ]
        ),
        NUMBERS,
    ),
    "tables between the steps": (
        make_pipeline(_prepared(sparse_output=False), DecisionTreeClassifier(**_TINY)).set_output(transform="pandas"),
        ALL,
    ),
    "constant fill": (
        make_pipeline(
            make_column_transformer(
                (make_pipeline(SimpleImputer(strategy="constant", fill_value="none"), OneHotEncoder()), WORDS),
                (SimpleImputer(strategy="median"), NUMBERS),
            ),
            LogisticRegression(),
        ),
        ALL,
    ),
    "frequent fill": (
        make_pipeline(
            make_column_transformer((make_pipeline(SimpleImputer(strategy="most_frequent"), OrdinalEncoder()), WORDS)),
            DecisionTreeClassifier(**_TINY),
        ),
        ALL,
    ),
}
"""Classifiers and the columns they read, by name."""

REGRESSORS: dict[str, tuple[Any, list[str]]] = {
    "least squares": (LinearRegression(), NUMBERS),
    "ridge regression": (make_pipeline(_prepared(), Ridge()), ALL),
    "ridge, cross-validated": (RidgeCV(), NUMBERS),
    "lasso": (Lasso(0.1, fit_intercept=False), NUMBERS),
    "lasso, cross-validated": (LassoCV(cv=2), NUMBERS),
    "elastic net": (ElasticNet(0.1), NUMBERS),
    "elastic net, cross-validated": (ElasticNetCV(cv=2), NUMBERS),
    "Bayesian": (BayesianRidge(), NUMBERS),
    "Huber": (HuberRegressor(), NUMBERS),
    "stochastic regression": (make_pipeline(StandardScaler(), SGDRegressor(random_state=0)), NUMBERS),
    "stochastic, epsilon": (SGDRegressor(loss="epsilon_insensitive", average=True, random_state=0), NUMBERS),
    "Poisson": (PoissonRegressor(), NUMBERS),
    "gamma": (GammaRegressor(), NUMBERS),
    "support vector regression": (make_pipeline(StandardScaler(), LinearSVR(random_state=0)), NUMBERS),
    "perceptron regression": (
        make_pipeline(StandardScaler(), MLPRegressor(hidden_layer_sizes=(4,), max_iter=8, random_state=0)),
        NUMBERS,
    ),
    "perceptron, Poisson": (
        make_pipeline(
            StandardScaler(), MLPRegressor(hidden_layer_sizes=(4,), loss="poisson", max_iter=8, random_state=0)
        ),
        NUMBERS,
    ),
    "regression tree": (DecisionTreeRegressor(**_TINY), NUMBERS),
    "extra regression tree": (ExtraTreeRegressor(**_TINY), NUMBERS),
    "regression forest": (RandomForestRegressor(3, **_TINY), NUMBERS),
    "extra regression trees": (ExtraTreesRegressor(3, **_TINY), NUMBERS),
    "boosted regression": (GradientBoostingRegressor(n_estimators=3, random_state=0), NUMBERS),
    "boosting, Huber": (GradientBoostingRegressor(loss="huber", n_estimators=3, random_state=0), NUMBERS),
    "boosting, median": (GradientBoostingRegressor(loss="absolute_error", n_estimators=3, random_state=0), NUMBERS),
    "boosting, quantile": (
        GradientBoostingRegressor(loss="quantile", alpha=0.7, n_estimators=3, random_state=0),
        NUMBERS,
    ),
    "regression histograms": (HistGradientBoostingRegressor(max_iter=3), NUMBERS),
    "histograms, gamma": (HistGradientBoostingRegressor(loss="gamma", max_iter=2), NUMBERS),
    "histograms, Poisson": (HistGradientBoostingRegressor(loss="poisson", max_iter=2), NUMBERS),
    "histograms, quantile": (HistGradientBoostingRegressor(loss="quantile", quantile=0.6, max_iter=2), NUMBERS),
    "mean": (DummyRegressor(), NUMBERS),
    "constant": (DummyRegressor(strategy="constant", constant=3), NUMBERS),
    "logarithms": (TransformedTargetRegressor(Ridge(), func=np.log1p, inverse_func=np.expm1), NUMBERS),
    "standardised outcome": (
        TransformedTargetRegressor(make_pipeline(_prepared(), Ridge()), transformer=StandardScaler()),
        ALL,
    ),
    "power of the outcome": (TransformedTargetRegressor(LinearRegression(), transformer=PowerTransformer()), NUMBERS),
    "ranks of the outcome": (
        TransformedTargetRegressor(Ridge(), transformer=QuantileTransformer(n_quantiles=9)),
        NUMBERS,
    ),
    "logarithm of a column": (
        make_pipeline(FunctionTransformer(np.log1p, validate=True), LinearRegression()),
        ["children"],
    ),
}
"""Regression models and the columns they read, by name."""

_TWO_CLASSES = ("logistic, no intercept", "boosting, exponential")
CASES = [
    *((name, "hired") for name in CLASSIFIERS),
    *((name, "level") for name in CLASSIFIERS if name not in _TWO_CLASSES),
    *((name, "pay") for name in REGRESSORS),
]
"""Every estimator with the outcomes it is fitted to."""


@cache
def fitted(name: str, outcome: str) -> tuple[Any, tuple[str, ...]]:
    """A fitted estimator of the table, and the columns it reads."""
    from sklearn.base import clone

    estimator, columns = (REGRESSORS if outcome == "pay" else CLASSIFIERS)[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(estimator).fit(people()[columns], people()[outcome]), tuple(columns)

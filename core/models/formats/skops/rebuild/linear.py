"""Linear models: one row of weights an output, and what is added."""

from typing import Any

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
from sklearn.preprocessing import LabelBinarizer
from sklearn.svm import LinearSVC, LinearSVR

from core.language.told import say
from core.models.formats.skops.saved import Saved


def _regressor(model: Any, saved: Saved) -> None:
    width = saved.read_width(model)
    model.coef_ = saved.array("coef_", (width,), (-1, width))
    outputs = 1 if model.coef_.ndim == 1 else len(model.coef_)
    model.intercept_ = saved.array("intercept_", (), (outputs,))


def _generalised(model: Any, saved: Saved) -> None:
    width = saved.read_width(model)
    model.coef_ = saved.array("coef_", (width,))
    model.intercept_ = saved.array("intercept_", ())
    model._base_loss = model._get_loss()


def _classifier(model: Any, saved: Saved, *, flat: bool = False) -> None:
    """Classes and their weights; ``flat`` weights of two classes have no row of their own."""
    width = saved.read_width(model)
    model.classes_ = saved.classes()
    rows = 1 if len(model.classes_) == 2 else len(model.classes_)
    model.coef_ = saved.array("coef_", (rows, width), *([(width,)] if flat and rows == 1 else []))
    model.intercept_ = saved.array("intercept_", (), (rows,))


def _logistic(model: Any, saved: Saved) -> None:
    _classifier(model, saved)
    scheme = saved.node.attributes.get("multi_class")
    if len(model.classes_) > 2 and (scheme == "ovr" or model.solver == "liblinear"):
        raise saved.refused(
            say(
                "The {kind} in the file was fitted one class against the rest, which this scikit-learn reads as "
                "something else.",
                kind=saved.kind,
            ),
            say(
                "Wrap it in a OneVsRestClassifier and put its answers into a column of the table, or fit it "
                "again with another solver and without multi_class."
            ),
        )


def _ridge_classifier(model: Any, saved: Saved) -> None:
    _classifier(model, saved, flat=True)
    model._label_binarizer = LabelBinarizer(pos_label=1, neg_label=-1).fit(model.classes_)


REBUILDERS = {
    **dict.fromkeys((LinearRegression, Ridge, RidgeCV, Lasso, LassoCV, ElasticNet, ElasticNetCV), _regressor),
    **dict.fromkeys((BayesianRidge, HuberRegressor, SGDRegressor, LinearSVR), _regressor),
    **dict.fromkeys((PoissonRegressor, GammaRegressor), _generalised),
    **dict.fromkeys((LogisticRegression, LogisticRegressionCV), _logistic),
    **dict.fromkeys((SGDClassifier, Perceptron, LinearSVC), _classifier),
    RidgeClassifier: _ridge_classifier,
}

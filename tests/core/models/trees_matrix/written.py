"""Models of every kind that XGBoost and LightGBM write, with the library's own answers.

It runs in whatever environment has the libraries (``python written.py FOLDER``) and needs nothing else of the project.
Each kind is a folder with the model's file, ``table.csv``, ``answers.npy`` and ``about.json``: the outcome, the
features, and the categories that the file does not keep.
"""

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import xgboost

Parts = tuple[int, ...]
XGBOOST: Parts = tuple(int(one) for one in xgboost.__version__.split(".")[:2])
KEEPS_CATEGORIES = XGBOOST >= (3, 1)
JOBS, AREAS, RATES = ("smith", "cook", "nurse"), (10, 20, 30), (2.5, 0.5, 1.0)
LEVELS = ("low", "mid", "high")


def people(rows: int = 300) -> pd.DataFrame:
    """A table in which every column matters, and most values are no number of their own category."""
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, rows).round(),
            "income": rng.normal(3, 1, rows).round(3),
            "children": rng.integers(0, 3, rows),
            "job": rng.choice(JOBS, rows),
            "area": rng.choice(AREAS, rows),
            "rate": rng.choice(RATES, rows),
            "level": rng.choice(LEVELS, rows),
            "stage": rng.choice([1, 2, 3], rows),
            "site": 7,
            "sex": rng.choice(["f", "m"], rows),
        }
    )
    score = (
        frame["income"]
        + 2.0 * (frame["job"] == "cook")
        + 1.5 * (frame["area"] == 20)
        - (frame["rate"] == 0.5)
        + (frame["level"] == "mid")
        + 0.7 * (frame["stage"] == 2)
        + 0.02 * frame["age"]
        - frame["children"] % 2
        + 0.3 * rng.standard_normal(rows)
    )
    frame["pay"] = (score - score.min() + 0.1).round(3)
    frame["grade"] = pd.qcut(score, 2, labels=False)
    frame["rank"] = pd.qcut(score, 3, labels=[8, 9, 10]).astype(int)
    return frame


def coded(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    """As the data team trained on it: ``age`` and ``income`` beside categories in an order of their own."""
    orders: dict[str, Any] = {
        "job": pd.CategoricalDtype(JOBS),
        "area": pd.CategoricalDtype(AREAS),
        "rate": pd.CategoricalDtype(sorted(RATES)),
        "level": pd.CategoricalDtype(LEVELS, ordered=True),
        "stage": pd.CategoricalDtype([1, 2, 3], ordered=True),
        "site": pd.CategoricalDtype([7]),
    }
    kept = frame[["age", "income", *names]]
    return kept.astype({name: orders[name] for name in names if name in orders})


class Folder:
    """Where the kinds are written."""

    def __init__(self, path: Path, frame: pd.DataFrame) -> None:
        self.path, self.frame = path, frame

    def keep(
        self,
        kind: str,
        save: Callable[[str], Any],
        suffix: str,
        answers: Any,
        features: list[str],
        *,
        outcome: str = "grade",
        lost: dict[str, Any] | None = None,
        frame: pd.DataFrame | None = None,
    ) -> None:
        """Write one kind; ``lost`` are the categories in their order where the file does not keep them."""
        folder = self.path / kind
        folder.mkdir(parents=True, exist_ok=True)
        save(str(folder / f"model.{suffix}"))
        (self.frame if frame is None else frame).to_csv(folder / "table.csv", index=False)
        np.save(folder / "answers.npy", np.asarray(answers, dtype=np.float64))
        about = {"outcome": outcome, "features": features, "lost": lost or {}, "file": f"model.{suffix}"}
        (folder / "about.json").write_text(json.dumps(about))


def _target(frame: pd.DataFrame, outcome: str) -> np.ndarray:
    values = frame[outcome].to_numpy()
    return values - 8 if outcome == "rank" else values


def xgboost_kinds(out: Folder) -> None:
    """Every kind of XGBoost."""
    frame = out.frame
    plain = frame[["age", "income", "children"]]
    objectives = {
        "binary:logistic": "grade",
        "binary:logitraw": "grade",
        "binary:hinge": "grade",
        "reg:logistic": "grade",
        "multi:softprob": "rank",
        "multi:softmax": "rank",
        "reg:squarederror": "pay",
        "reg:absoluteerror": "pay",
        "reg:pseudohubererror": "pay",
        "reg:squaredlogerror": "pay",
        "reg:gamma": "pay",
        "reg:tweedie": "pay",
        "count:poisson": "pay",
    }
    for objective, outcome in objectives.items():
        own = {"objective": objective, "max_depth": 3, "nthread": 1}
        own |= {"num_class": 3} if "multi" in objective else {}
        data = xgboost.DMatrix(plain, _target(frame, outcome))
        booster = xgboost.train(own, data, 6)
        answers = booster.predict(data)
        for suffix in ("json", "ubj"):
            name = f"xgboost {objective.replace(':', ' ')} {suffix}"
            out.keep(name, booster.save_model, suffix, answers, list(plain), outcome=outcome)
    _xgboost_estimators(out, plain)
    _xgboost_categories(out)


def _xgboost_estimators(out: Folder, plain: pd.DataFrame) -> None:
    frame, features = out.frame, list(plain)
    few = {"n_estimators": 8, "max_depth": 3, "n_jobs": 1}
    kinds: dict[str, tuple[Any, str]] = {
        "gblinear": (xgboost.XGBClassifier(booster="gblinear", n_estimators=8, n_jobs=1), "grade"),
        "gblinear of numbers": (xgboost.XGBRegressor(booster="gblinear", n_estimators=8, n_jobs=1), "pay"),
        "dart": (xgboost.XGBClassifier(booster="dart", rate_drop=0.5, **few), "grade"),
        "forest": (xgboost.XGBRFClassifier(**few), "rank"),
        "boosted forest": (xgboost.XGBClassifier(num_parallel_tree=4, subsample=0.7, **few), "grade"),
        "base score": (xgboost.XGBClassifier(base_score=0.2, **few), "grade"),
        "base score of numbers": (xgboost.XGBRegressor(base_score=100.0, **few), "pay"),
        "softmax of an estimator": (xgboost.XGBClassifier(objective="multi:softmax", **few), "rank"),
        "lossguide": (xgboost.XGBClassifier(tree_method="hist", grow_policy="lossguide", max_leaves=5, **few), "grade"),
    }
    if XGBOOST >= (2, 0):
        leaves = {"multi_strategy": "multi_output_tree", "tree_method": "hist", **few}
        kinds["vector leaves"] = (xgboost.XGBClassifier(**leaves), "rank")
    for kind, (model, outcome) in kinds.items():
        model.fit(plain, _target(frame, outcome))
        answers = model.predict(plain) if outcome == "pay" else model.predict_proba(plain)
        for suffix in ("json", "ubj"):
            out.keep(f"xgboost {kind} {suffix}", model.save_model, suffix, answers, features, outcome=outcome)
    gaps = plain.mask(np.random.default_rng(1).random(plain.shape) < 0.1)
    model = xgboost.XGBClassifier(**few).fit(gaps, frame["grade"])
    answers = model.predict_proba(gaps)
    out.keep("xgboost missing values", model.save_model, "json", answers, features, frame=frame.assign(**gaps))
    model = xgboost.XGBClassifier(n_estimators=40, early_stopping_rounds=3, n_jobs=1)
    noise = np.random.default_rng(1).integers(0, 2, len(frame))
    model.fit(plain, frame["grade"], eval_set=[(plain, noise)], verbose=False)
    out.keep("xgboost stopped early", model.save_model, "json", model.predict_proba(plain), features)
    model = xgboost.XGBClassifier(**few).fit(plain.to_numpy(), frame["grade"])
    out.keep("xgboost without names", model.save_model, "ubj", model.predict_proba(plain.to_numpy()), features)
    wide = pd.get_dummies(frame[["age", "job", "area"]], columns=["job", "area"])
    model = xgboost.XGBClassifier(**few).fit(wide, frame["grade"])
    out.keep("xgboost indicators", model.save_model, "json", model.predict_proba(wide), ["age", "job", "area"])


def _xgboost_categories(out: Folder) -> None:
    frame = out.frame
    few = {"n_estimators": 8, "max_depth": 4, "n_jobs": 1, "tree_method": "hist", "enable_categorical": True}
    kinds: dict[str, tuple[str, ...]] = {
        "words": ("job",),
        "whole numbers": ("area",),
        "broken numbers": ("rate",),
        "ordered": ("level", "stage"),
        "several": ("job", "area", "level"),
    }
    for kind, names in kinds.items():
        if kind == "broken numbers" and KEEPS_CATEGORIES:
            continue  # these versions do not train with them
        read = coded(frame, *names)
        for more, how in ((4, "one-hot"), (1, "partition")):
            model = xgboost.XGBClassifier(max_cat_to_onehot=more, **few).fit(read, frame["grade"])
            lost = {} if KEEPS_CATEGORIES else {name: read[name].cat.categories.tolist() for name in names}
            for suffix in ("json", "ubj"):
                title = f"xgboost categories of {kind}, {how} {suffix}"
                out.keep(title, model.save_model, suffix, model.predict_proba(read), list(read), lost=lost)
    numbers = frame[["age", "children"]].to_numpy(dtype=np.float64)
    data = xgboost.DMatrix(numbers, frame["grade"], feature_types=["q", "c"], enable_categorical=True)
    booster = xgboost.train({"objective": "binary:logistic", "tree_method": "hist", "nthread": 1}, data, 5)
    lost = {"children": [0, 1, 2]}
    answers = booster.predict(data)
    out.keep("xgboost categories of an array", booster.save_model, "json", answers, ["age", "children"], lost=lost)


def lightgbm_kinds(out: Folder) -> None:
    """Every kind of LightGBM."""
    frame = out.frame
    plain = frame[["age", "income", "children"]]
    objectives = {
        "binary": "grade",
        "cross_entropy": "grade",
        "multiclass": "rank",
        "multiclassova": "rank",
        **dict.fromkeys(("regression", "regression_l1", "huber", "fair", "quantile", "mape"), "pay"),
        **dict.fromkeys(("poisson", "gamma", "tweedie"), "pay"),
    }
    few = {"num_leaves": 7, "min_child_samples": 5, "verbose": -1, "num_threads": 1, "seed": 1}

    def train(kind: str, read: Any, outcome: str = "grade", more: dict[str, Any] | None = None, **kept: Any) -> None:
        own = {**few, "objective": "binary", **(more or {})}
        data = lightgbm.Dataset(read, _target(frame, outcome), **kept.pop("data", {}))
        booster = lightgbm.train(own, data, 8)
        names = kept.pop("features", None) or list(read)
        out.keep(f"lightgbm {kind}", booster.save_model, "txt", booster.predict(read), names, outcome=outcome, **kept)

    for objective, outcome in objectives.items():
        classes = {"num_class": 3} if objective.startswith("multiclass") else {}
        train(objective, plain, outcome, {"objective": objective, **classes})
    train("squared root", plain, "pay", {"objective": "regression", "reg_sqrt": True})
    train("dart", plain, more={"boosting": "dart", "drop_rate": 0.5})
    train("forest", plain, more={"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.7})
    train("linear leaves", plain.astype(float), more={"linear_tree": True})
    train("zero as missing", plain.astype(float), more={"zero_as_missing": True})
    train("without names", plain.to_numpy(dtype=np.float64), features=list(plain))
    gaps = plain.mask(np.random.default_rng(1).random(plain.shape) < 0.1)
    train("missing values", gaps, frame=frame.assign(**gaps))
    spaced = plain.rename(columns={"age": "age in years"})
    train("names with spaces", spaced, frame=frame.rename(columns={"age": "age in years"}))
    cats = {"min_data_per_group": 1, "cat_smooth": 1.0}
    kinds: dict[str, tuple[str, ...]] = {
        "words": ("job",),
        "whole numbers": ("area",),
        "broken numbers": ("rate",),
        "ordered words": ("level",),
        "ordered numbers": ("stage",),
        "ordered beside a number": ("level", "children"),
        "one value": ("area", "site"),
        "one value and order": ("area", "site", "level", "stage"),
        "all": ("job", "area", "rate", "level", "stage", "site"),
    }
    for kind, names in kinds.items():
        for more, how in ((4, "one-hot"), (1, "partition")):
            train(f"categories of {kind}, {how}", coded(frame, *names), more={**cats, "max_cat_to_onehot": more})
    train(
        "numbers as categories", frame[["age", "children", "area"]], data={"categorical_feature": ["children", "area"]}
    )
    numbers = frame[["age", "children"]].to_numpy(dtype=np.float64)
    train("categories of an array", numbers, data={"categorical_feature": [1]}, features=["age", "children"])
    both = coded(frame, "job", "area").astype({"area": int})
    train("categories of both kinds", both, data={"categorical_feature": ["job", "area"]})
    model = lightgbm.LGBMClassifier(n_estimators=8, verbose=-1, n_jobs=1).fit(plain, frame["rank"])
    answers = model.predict_proba(plain)
    out.keep("lightgbm estimator", model.booster_.save_model, "txt", answers, list(plain), outcome="rank")


def write(path: Path) -> None:
    """Write every kind into a folder."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = Folder(path, people())
        xgboost_kinds(out)
        lightgbm_kinds(out)


if __name__ == "__main__":
    write(Path(sys.argv[1]))

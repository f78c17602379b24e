"""A file of boosted trees inside the wall: the library that wrote it reads it and answers."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import xgboost
from scipy.special import expit, softmax

from core.data.cells import as_text
from core.language.told import say
from core.models.formats.trees.said import MOST_FEATURES, MOST_OUTPUTS, Gives
from core.wall.inside import RefusedError

_XGBOOST: dict[str, Gives] = {
    "binary:logistic": "probabilities",
    "binary:logitraw": "logits",
    "binary:hinge": "labels",
    "multi:softprob": "probabilities",
    "multi:softmax": "labels",
    "reg:logistic": "probabilities",
    "reg:squarederror": "numbers",
    "reg:linear": "numbers",
    "reg:squaredlogerror": "numbers",
    "reg:absoluteerror": "numbers",
    "reg:pseudohubererror": "numbers",
    "reg:quantileerror": "numbers",
    "reg:gamma": "numbers",
    "reg:tweedie": "numbers",
    "count:poisson": "numbers",
}
"""What XGBoost answers with, by what a model was trained for."""
_LIGHTGBM: dict[str, Gives] = {
    **dict.fromkeys(("binary", "multiclass", "multiclassova", "cross_entropy"), "probabilities"),
    **dict.fromkeys(("regression", "regression_l1", "huber", "fair", "quantile", "mape"), "numbers"),
    **dict.fromkeys(("poisson", "gamma", "tweedie"), "numbers"),
}
"""What LightGBM answers with."""
_SIZES = re.compile(rb'size_leaf_vector(?:(":\s*")|SL\0{7}[\1-\5])(\d{1,5})')


def open_file(path: Path, asked: Mapping[str, Any]) -> "BoosterInside":
    """The trees of XGBoost (JSON, UBJSON) or LightGBM (text).

    Raises:
        RefusedError: The answers are not known here.
    """
    with path.open("rb") as stream:
        return LightGBMInside(path) if stream.read(4) == b"tree" else XGBoostInside(path)


class BoosterInside:
    """Trees that answer. ``said`` is what :class:`core.models.formats.trees.said.TreesSaid` reads."""

    def __init__(self, said: dict[str, Any], outputs: int, predict: Callable[[np.ndarray], np.ndarray]) -> None:
        if not 0 < said["width"] <= MOST_FEATURES or outputs > MOST_OUTPUTS:
            raise RefusedError(
                say(
                    "The file claims {width} columns and {outputs} classes; at most {features} and {classes} are read.",
                    width=said["width"],
                    outputs=outputs,
                    features=MOST_FEATURES,
                    classes=MOST_OUTPUTS,
                )
            )
        self.arrays: dict[str, np.ndarray] = {}
        self._predict = predict
        outputs = _rows(predict(np.full((1, said["width"]), np.nan)), 1).shape[1]
        classes = said["gives"] != "numbers"
        if outputs > (MOST_OUTPUTS if classes else 1):
            raise RefusedError(
                say("The model answers with {outputs} numbers at once, and one is needed.", outputs=outputs),
                say("Put the answers that count into a column of the table and choose it as the prediction."),
            )
        self.said = said | {"outputs": max(outputs, 2) if classes else 1}

    def answer(self, frame: pd.DataFrame) -> np.ndarray:
        """Probabilities or labels as zeros and ones, shape (n, k); or numbers, shape (n, 1).

        Args:
            frame: n rows of numbers in the model's order, categories as their numbers, NaN where a value is missing.
        """
        x = np.ascontiguousarray(frame.to_numpy(dtype=np.float64))
        answers = _rows(self._predict(x), len(x))
        if self.said["outputs"] > answers.shape[1]:
            return np.column_stack([1 - answers, answers])
        return answers


def _rows(answers: Any, rows: int) -> np.ndarray:
    return np.asarray(answers, dtype=np.float64).reshape(rows, -1)


class XGBoostInside(BoosterInside):
    """A file of XGBoost."""

    def __init__(self, path: Path) -> None:
        booster = xgboost.Booster({"nthread": 1})
        booster.load_model(bytearray(as_written_now(path.read_bytes().lstrip())))
        learner = json.loads(booster.save_config())["learner"]
        objective, width = learner["objective"]["name"], booster.num_features()
        gives = _known(objective, _XGBOOST)
        shape = learner["learner_model_param"]
        if int(shape["num_target"]) > 1:
            raise RefusedError(
                say("The model answers several questions at once, and one is needed."),
                say("Put the answers that count into a column of the table and choose it as the prediction."),
            )
        linear = learner["gradient_booster"]["name"] == "gblinear"
        used = None if linear else _rounds(booster)
        margin = objective == "multi:softmax" and "scikit_learn" in booster.attributes()
        if margin:  # XGBClassifier's predict_proba
            gives = "probabilities"
        kinds = booster.feature_types or ["float"] * width
        types = ["c" if kind == "c" else "float" for kind in kinds]

        def predict(x: np.ndarray) -> np.ndarray:
            data = xgboost.DMatrix(x, nthread=1, feature_types=types, enable_categorical=True)
            raw = booster.predict(data, output_margin=margin, iteration_range=(0, used or 0), validate_features=False)
            if margin:
                return np.asarray(softmax(raw.astype(np.float64), axis=1))
            if objective == "multi:softmax":
                return np.eye(int(shape["num_class"]))[raw.astype(np.int64)]
            return np.asarray(expit(raw.astype(np.float64))) if objective == "binary:logitraw" else raw

        told = [] if linear else booster.get_categories(export_to_arrow=True).to_arrow()
        values = {place: _texts(one.to_pylist()) for place, (_, one) in enumerate(told) if one is not None and len(one)}
        categories = [place for place, kind in enumerate(kinds) if kind == "c"]
        super().__init__(
            {
                "library": "XGBoost",
                "objective": objective,
                "gives": gives,
                "width": width,
                "features": booster.feature_names or [],
                "lists": list(values.values()),
                "possible": [[place, len(one)] for place, one in values.items()],
                "coded": [place for place in categories if place not in values],
                "rounds": [used, booster.num_boosted_rounds()] if used else [],
            },
            int(shape["num_class"]),
            predict,
        )


def _rounds(booster: Any) -> int | None:
    """Rounds that answer, where XGBClassifier or XGBRegressor stopped early, as in their ``predict``; None for all."""
    said = booster.attributes()
    best = said.get("best_iteration", "")
    if "scikit_learn" not in said or not re.fullmatch(r"\d{1,9}", best, re.ASCII):
        return None
    used = int(best) + 1
    return used if used < booster.num_boosted_rounds() else None


class LightGBMInside(BoosterInside):
    """A file of LightGBM."""

    def __init__(self, path: Path) -> None:
        content = path.read_text(encoding="utf-8").rstrip() + "\n"  # a file of Windows ends the process
        booster = lightgbm.Booster(model_str=content)
        head = dict(line.partition("=")[::2] for line in content.partition("\nTree=")[0].splitlines())
        objective, width = head.get("objective", "").partition(" ")[0], booster.num_feature()
        gives, names = _known(objective, _LIGHTGBM), booster.feature_name()
        infos = head["feature_infos"].split()
        lists = [_texts(one) for one in booster.pandas_categorical or []]
        noted = map(_codes, infos[:width])
        held = {place: codes for place, codes in enumerate(noted) if codes is not None}
        told = booster.params.get("categorical_feature") or []
        certain = {place for place in held if infos[place][0] not in "[n"} | set(told)
        possible = {place: max(held.get(place, ()), default=-1) + 1 for place in sorted({*held, *certain})}
        super().__init__(
            {
                "library": "LightGBM",
                "objective": objective,
                "gives": gives,
                "width": width,
                "features": [] if names == [f"Column_{place}" for place in range(width)] else names,
                "lists": lists,
                "possible": [[place, least] for place, least in possible.items()] if lists else [],
                "coded": sorted(certain),
                "codes": [[place, sorted(held.get(place, ()))] for place in sorted(certain)],
                "raw": "\npandas_categorical:" in content,
            },
            booster.num_model_per_iteration(),
            lambda x: np.asarray(booster.predict(x, num_threads=1)),
        )


def _codes(info: str) -> set[int] | None:
    """The numbers of categories in what LightGBM notes of a column (``-1:0:2``, ``[0:2]`` of ordered ones, ``none``);
    None for a column that cannot hold categories.
    """
    if info == "none":
        return set()
    numbers = [float(one) for one in info.strip("[]").split(":")]
    if any(number % 1 or not -1 <= number < 2**31 for number in numbers) or (info[0] == "[" and min(numbers) < 0):
        return None
    return {int(number) for number in numbers if number >= 0}


def _known(objective: str, objectives: dict[str, Gives]) -> Gives:
    if objective not in objectives:
        raise RefusedError(
            say(
                "The model was trained for {objective}, whose answers are not known here.",
                objective=repr(objective[:60]) if objective else say("an objective of its own"),
            ),
            say(
                "Known are {objectives}. For others, put the model's answers into a column of the table and choose it "
                "as the prediction.",
                objectives=", ".join(objectives),
            ),
        )
    return objectives[objective]


def _texts(values: list[Any]) -> list[str]:
    """Values of a column of categories, as cells of a table are written.

    Raises:
        RefusedError: Two are written alike, or one is neither a word nor a number.
    """
    texts = as_text(pd.Series(values, dtype=object)).tolist()
    if not all(isinstance(one, str | int | float) for one in values) or len(set(texts)) < len(texts):
        raise RefusedError(
            say("The categories in the file are no list of different words or numbers."),
            say("Save the model again with the library that trained it."),
        )
    return texts


def as_written_now(content: bytes) -> bytes:
    """The file with leaves as XGBoost 3.2 writes them: their numbers in one list, and the place of each leaf in it.

    Raises:
        RefusedError: It has such leaves and is no JSON.
    """
    found = [match for match in _SIZES.finditer(content) if int(match[2]) > 1]
    if not found or b"leaf_weights" in content:
        return content
    if not found[0][1]:
        raise RefusedError(
            say("Each leaf holds several numbers (multi_output_tree), which XGBoost before 3.2 wrote in another way."),
            say(
                "Save the model as JSON with the XGBoost that wrote it: booster.load_model('model.ubj'), "
                "booster.save_model('model.json'). Or train it with XGBoost 3.2 or newer."
            ),
        )
    file = json.loads(content)
    booster = file["learner"]["gradient_booster"]
    for tree in booster.get("gbtree", booster)["model"]["trees"]:
        _rewrite(tree, int(tree["tree_param"]["size_leaf_vector"]))
    return json.dumps(file).encode()


def _rewrite(tree: dict[str, Any], each: int) -> None:
    """Rewrite a tree whose nodes hold ``each`` numbers."""
    leaves = [node for node, child in enumerate(tree["left_children"]) if child == -1]
    tree["leaf_weights"] = [one for leaf in leaves for one in tree["base_weights"][leaf * each : (leaf + 1) * each]]
    for place, leaf in enumerate(leaves):
        tree["right_children"][leaf] = place
        tree["split_conditions"][leaf] = 0.0
    for unknown in ("loss_changes", "sum_hessian"):
        tree.setdefault(unknown, [0.0] * len(tree["left_children"]))

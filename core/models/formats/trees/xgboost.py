"""Files of XGBoost, JSON and UBJSON: checked field by field, and written anew for treelite with nothing more."""

import json
import math
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
from scipy.special import expit

from core.errors import ModelError, Notice
from core.language.told import say
from core.models.formats.trees.booster import (
    HIGHEST_CATEGORY,
    MAXIMUM_NODES,
    MOST_FEATURES,
    MOST_OUTPUTS,
    Booster,
    BrokenTreesError,
    Gives,
    check_tree,
    refused,
)
from core.models.formats.trees.ubjson import read_ubjson
from core.phrases import count, whole
from core.text.strict_json import no_doubles

_OBJECTIVES: dict[str, tuple[str, Gives]] = {
    "binary:logistic": ("binary:logistic", "probabilities"),
    "binary:logitraw": ("binary:logistic", "probabilities"),
    "binary:hinge": ("binary:hinge", "labels"),
    "multi:softprob": ("multi:softprob", "probabilities"),
    "multi:softmax": ("multi:softprob", "probabilities"),
    "reg:squarederror": ("reg:squarederror", "numbers"),
    "reg:linear": ("reg:squarederror", "numbers"),
    "reg:squaredlogerror": ("reg:squarederror", "numbers"),
    "reg:absoluteerror": ("reg:squarederror", "numbers"),
    "reg:pseudohubererror": ("reg:squarederror", "numbers"),
    "reg:gamma": ("reg:gamma", "numbers"),
    "reg:tweedie": ("reg:tweedie", "numbers"),
    "count:poisson": ("count:poisson", "numbers"),
}
"""What a model was trained for: the objective with the same answers that treelite is told, and what these are."""
_INTS = ("left_children", "right_children", "parents", "split_indices", "default_left", "split_type")
_REALS = ("split_conditions", "base_weights", "loss_changes", "sum_hessian")
_CATEGORIES = ("categories", "categories_nodes", "categories_segments", "categories_sizes")
_LEAF = 2**31 - 1


def read_xgboost(content: bytes, name: str) -> Booster:
    """The trees in a file of XGBoost.

    Raises:
        ModelError: The file is damaged, its parts do not fit together, or its objective is not known here.
    """
    try:
        learner = _part(_document(content), "learner")
        return _booster(learner, name)
    except BrokenTreesError as error:
        raise refused(error.args[0], name) from error


def _document(content: bytes) -> Any:
    if content[:2].strip() == b"{" or content[1:2] in b'"\n\r\t ':
        try:
            return json.loads(content, object_pairs_hook=no_doubles, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise BrokenTreesError(say("the file is cut off or damaged")) from error
    return read_ubjson(content)


def _no_constant(_: str) -> NoReturn:
    raise ValueError


def _booster(learner: dict[str, Any], name: str) -> Booster:
    import treelite

    objective = _part(learner, "objective").get("name")
    if objective not in _OBJECTIVES:
        raise ModelError(
            say(
                "The model was trained for {objective}, whose answers are not known here.",
                objective=repr(str(objective)[:60]),
            ),
            where=name,
            advice=say(
                "Known are {objectives}. For others, put the model's answers into a column of the table and "
                "choose it as the prediction.",
                objectives=", ".join(_OBJECTIVES),
            ),
        )
    same, gives = _OBJECTIVES[objective]
    shape = _part(learner, "learner_model_param")
    width = _whole(shape, "num_feature", 1, MOST_FEATURES)
    classes = _whole(shape, "num_class", 0, MOST_OUTPUTS)
    if _whole(shape, "num_target", 0, MOST_OUTPUTS) > 1:
        raise BrokenTreesError(say("it answers several questions at once, and one is needed"))
    if (classes >= 2) != objective.startswith("multi:"):
        raise BrokenTreesError(
            say("{classes} classes do not go with the objective {objective}", classes=classes, objective=objective)
        )
    outputs = 1 if gives == "numbers" else max(classes, 2)
    trees, groups, weights, notices = _trees(learner, width, max(classes, 1))
    model: dict[str, Any] = {
        "gbtree_model_param": {"num_trees": str(len(trees)), "num_parallel_tree": "1"},
        "tree_info": groups,
        "trees": trees,
    }
    document = {
        "learner": {
            "attributes": {},
            "feature_names": [],
            "feature_types": [],
            "gradient_booster": {"model": model, "name": "gbtree"}
            if weights is None
            else {"gbtree": {"model": model, "name": "gbtree"}, "name": "dart", "weight_drop": weights},
            "learner_model_param": {
                "base_score": _base_score(shape, max(classes, 1), raw=objective == "binary:logitraw"),
                "boost_from_average": "1",
                "num_class": str(classes),
                "num_feature": str(width),
                "num_target": "1",
            },
            "objective": {"name": same} | _PARAMETERS.get(same, {"reg_loss_param": {"scale_pos_weight": "1"}}),
        },
        "version": [3, 0, 0],
    }
    try:
        held = treelite.frontend.from_xgboost_json(json.dumps(document))
    except treelite.TreeliteError as error:
        raise BrokenTreesError(say("treelite does not take them")) from error
    features = _names(learner, "feature_names", width)
    return Booster(held, "XGBoost", gives, outputs, features, width, _categories(learner, width), notices)


_PARAMETERS: dict[str, dict[str, Any]] = {
    "multi:softprob": {"softmax_multiclass_param": {"num_class": "0"}},
    "count:poisson": {"poisson_regression_param": {"max_delta_step": "0.7"}},
    "reg:tweedie": {"tweedie_regression_param": {"tweedie_variance_power": "1.5"}},
    "binary:hinge": {},
    "reg:gamma": {},
}


def _trees(
    learner: dict[str, Any], width: int, groups: int
) -> tuple[list[dict[str, Any]], list[int], list[float] | None, tuple[Notice, ...]]:
    """The trees, the output each adds to, their weights if dropped at random, and what was left out of them."""
    booster = _part(learner, "gradient_booster")
    weights = None
    if booster.get("name") == "dart":
        weights = _reals(booster, "weight_drop").tolist()
        booster = _part(booster, "gbtree")
    elif booster.get("name") != "gbtree":
        raise BrokenTreesError(
            say("it is made of {booster} and not of trees", booster=repr(str(booster.get("name"))[:40]))
        )
    model = _part(booster, "model")
    found, info = model.get("trees"), _ints(model, "tree_info").tolist()
    if not isinstance(found, list) or not found or len(found) != len(info) or not all(0 <= g < groups for g in info):
        raise BrokenTreesError(say("the list of trees is empty or does not fit the classes"))
    if weights is not None and len(weights) != len(found):
        raise BrokenTreesError(say("there is not one weight for each tree"))
    used, notices = _used(learner, model, len(found))
    nodes, trees = 0, list[dict[str, Any]]()
    for tree in found[:used]:
        trees.append(_tree(tree, len(trees), width))
        nodes += len(trees[-1]["left_children"])
        if nodes > MAXIMUM_NODES:
            raise BrokenTreesError(say("they have more than {most} nodes", most=whole(MAXIMUM_NODES)))
    return trees, info[:used], None if weights is None else weights[:used], notices


def _used(learner: dict[str, Any], model: dict[str, Any], trees: int) -> tuple[int, tuple[Notice, ...]]:
    """How many trees answer: those of XGBClassifier and XGBRegressor up to the best round, if training was stopped."""
    said = learner.get("attributes")
    said = said if isinstance(said, dict) else {}
    best, starts = said.get("best_iteration"), model.get("iteration_indptr")
    if "scikit_learn" not in said or not isinstance(best, str) or not best.isdecimal() or not isinstance(starts, list):
        return trees, ()
    place = int(best) + 1
    if place >= len(starts) or not isinstance(starts[place], int) or not 0 < starts[place] <= trees:
        return trees, ()
    what = say(
        "Training was stopped early: {used} of {trees} answer, as in XGBoost's predict.",
        used=count(starts[place], "tree"),
        trees=whole(trees),
    )
    return starts[place], (Notice("info", what),)


def _tree(tree: Any, number: int, width: int) -> dict[str, Any]:
    if not isinstance(tree, dict):
        raise BrokenTreesError(say("tree {number} is none", number=number))
    where = say("tree {number}", number=number)
    found: dict[str, np.ndarray] = {key: _ints(tree, key) for key in _INTS if key in tree}
    found |= {key: _reals(tree, key) for key in _REALS}
    nodes = len(found["left_children"]) if "left_children" in found else 0
    needed = {"left_children", "right_children", "split_indices", "default_left"}
    if not nodes or not needed <= set(found) or any(len(values) != nodes for values in found.values()):
        raise BrokenTreesError(say("the lists of {where} are not of one length", where=where))
    if _whole(_part(tree, "tree_param"), "size_leaf_vector", 0, MOST_OUTPUTS) > 1:
        raise BrokenTreesError(say("its leaves hold several numbers each, which is not read here"))
    left, right, features = found["left_children"], found["right_children"], found["split_indices"]
    check_tree(left, right)
    if (features[left >= 0] < 0).any() or (features[left >= 0] >= width).any():
        raise BrokenTreesError(say("{where} asks for a column that does not exist", where=where))
    kinds = found.setdefault("split_type", np.zeros(nodes, dtype=np.int64))
    if not np.isin(kinds, (0, 1)).all() or not np.isin(found["default_left"], (0, 1)).all():
        raise BrokenTreesError(say("a branch of {where} is of no known kind", where=where))
    found.setdefault("parents", np.full(nodes, _LEAF))
    return {
        **{key: values.tolist() for key, values in found.items()},
        **_sets(tree, kinds, where),
        "id": number,
        "tree_param": {
            "num_deleted": "0",
            "num_feature": str(width),
            "num_nodes": str(nodes),
            "size_leaf_vector": "1",
        },
    }


def _sets(tree: dict[str, Any], kinds: np.ndarray, where: str) -> dict[str, list[int]]:
    """The sets of categories that branches ask for."""
    values, nodes, starts, sizes = (_ints(tree, key) if key in tree else np.zeros(0, np.int64) for key in _CATEGORIES)
    fits = len(nodes) == len(starts) == len(sizes) and set(nodes.tolist()) >= set(np.flatnonzero(kinds).tolist())
    if fits and len(nodes):
        within = (starts >= 0) & (sizes >= 0) & (starts + sizes <= len(values)) & (nodes >= 0) & (nodes < len(kinds))
        fits = bool(within.all() and (values >= 0).all() and (values < HIGHEST_CATEGORY).all())
    if not fits:
        raise BrokenTreesError(say("the categories of {where} do not fit its branches", where=where))
    return dict(zip(_CATEGORIES, (one.tolist() for one in (values, nodes, starts, sizes)), strict=True))


def _categories(learner: dict[str, Any], width: int) -> dict[int, tuple[str, ...]]:
    """The values of categorical columns in the order of their numbers, which files since XGBoost 3.1 tell."""
    kinds = _names(learner, "feature_types", width)
    places = [place for place, kind in enumerate(kinds) if kind == "c"]
    cats = _part(_part(learner, "gradient_booster"), "model", missing={}).get("cats")
    told = cats.get("enc") if isinstance(cats, dict) else None
    return {place: _values(told[place]) if isinstance(told, list) and len(told) == width else () for place in places}


def _values(told: Any) -> tuple[str, ...]:
    """Texts that stand one after the other as bytes; none where they are not told so."""
    try:
        ends, letters = told["offsets"], bytes(told["values"])
        return tuple(letters[start:end].decode() for start, end in pairwise(ends))
    except (KeyError, TypeError, ValueError):
        return ()


def _base_score(shape: dict[str, Any], groups: int, *, raw: bool) -> str:
    """One number, or one for each class, as text; a ``raw`` one, which is a logit, as the probability it stands for."""
    said = str(shape.get("base_score", "0.5"))
    try:
        values = [float(value) for value in said.strip("[]").split(",")]
    except ValueError:
        values = [math.nan]
    if len(values) not in (1, groups) or not all(map(math.isfinite, values)):
        raise BrokenTreesError(say("the base score is no number"))
    if raw:
        values = [float(expit(value)) for value in values]
    return f"[{','.join(map(repr, values))}]" if said.startswith("[") else repr(values[0])


def _names(learner: dict[str, Any], key: str, width: int) -> tuple[str, ...]:
    found = learner.get(key, [])
    if not isinstance(found, list) or len(found) not in (0, width) or not all(isinstance(one, str) for one in found):
        raise BrokenTreesError(say("the names of the columns are not as many as the columns"))
    return tuple(found)


def _part(found: Any, key: str, missing: dict[str, Any] | None = None) -> dict[str, Any]:
    inner = found.get(key, missing) if isinstance(found, dict) else None
    if not isinstance(inner, dict):
        raise BrokenTreesError(say("the part {key} is missing", key=repr(key)))
    return inner


def _whole(found: dict[str, Any], key: str, low: int, high: int) -> int:
    """A whole number that is written as text."""
    said = str(found.get(key, low))
    if not said.isdecimal() or not low <= int(said) <= high:
        raise BrokenTreesError(say("{key} is no number from {low} to {high}", key=key, low=low, high=whole(high)))
    return int(said)


def _ints(found: dict[str, Any], key: str) -> np.ndarray:
    values = _array(found, key)
    if values.dtype.kind not in "biu" or (len(values) and max(abs(int(values.min())), int(values.max())) > _LEAF):
        raise BrokenTreesError(say("{key} does not hold whole numbers", key=key))
    return values.astype(np.int64)


def _reals(found: dict[str, Any], key: str) -> np.ndarray:
    values = _array(found, key)
    if values.dtype.kind not in "iuf" or not np.isfinite(values).all():
        raise BrokenTreesError(say("{key} does not hold finite numbers", key=key))
    return values.astype(np.float64)


def _array(found: dict[str, Any], key: str) -> np.ndarray:
    said = found.get(key)
    if not isinstance(said, list):
        raise BrokenTreesError(say("the list {key} is missing", key=repr(key)))
    try:
        values = np.array(said) if said else np.zeros(0, np.int64)
    except (ValueError, OverflowError) as error:
        raise BrokenTreesError(say("{key} is no list of numbers", key=key)) from error
    if values.ndim != 1:
        raise BrokenTreesError(say("{key} is no list of numbers", key=key))
    return values

"""Files of LightGBM (text): checked line by line, and written anew for treelite with nothing else in them."""

import json
import math
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import ModelError
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
from core.phrases import whole

_PROBABILITIES = ("binary", "multiclass", "multiclassova", "cross_entropy")
_NUMBERS = (
    *("regression", "regression_l1", "huber", "fair", "quantile", "mape"),
    *("poisson", "gamma", "tweedie"),
)
_HEADER = ("version", "num_class", "num_tree_per_iteration", "label_index", "max_feature_idx", "objective")
_INNER = ("split_feature", "threshold", "decision_type", "left_child", "right_child")
_OBJECTIVE = re.compile(r"[a-z0-9_]+( (sigmoid|num_class):[0-9.]+| sqrt)*", re.ASCII)
_PANDAS = "pandas_categorical:"


def read_lightgbm(content: bytes, name: str) -> Booster:
    """The trees in a text file of LightGBM.

    Raises:
        ModelError: The file is damaged, its parts do not fit together, or its objective is not known here.
    """
    try:
        return _booster(content.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        raise refused(say("the file is no text"), name) from error
    except BrokenTreesError as error:
        raise refused(error.args[0], name) from error


def _booster(text: str, name: str) -> Booster:
    body, found, rest = text.replace("\r\n", "\n").partition("\nend of trees")  # verbatim
    head, *blocks = re.split(r"\nTree=\d+\n", body)
    if not found or not blocks:
        raise BrokenTreesError(say("the file is cut off or damaged"))
    header = _fields(head)
    objective = header.get("objective", "")
    kind = objective.partition(" ")[0]
    if kind not in (*_PROBABILITIES, *_NUMBERS) or not _OBJECTIVE.fullmatch(objective):
        raise ModelError(
            say(
                "The model was trained for {objective}, whose answers are not known here.",
                objective=repr(objective[:60]) if objective else say("an objective of its own"),
            ),
            where=name,
            advice=say(
                "Known are {objectives}. For others, put the model's answers into a column of the table and choose it "
                "as the prediction.",
                objectives=", ".join((*_PROBABILITIES, *_NUMBERS)),
            ),
        )
    gives: Gives = "probabilities" if kind in _PROBABILITIES else "numbers"
    width = _whole(header, "max_feature_idx", 0, MOST_FEATURES) + 1
    classes = _whole(header, "num_class", 1, MOST_OUTPUTS)
    if _whole(header, "num_tree_per_iteration", 1, MOST_OUTPUTS) != classes or len(blocks) % classes:
        raise BrokenTreesError(say("the trees are not as many as the classes ask for"))
    if (classes > 1) != kind.startswith("multiclass"):
        raise BrokenTreesError(say("{classes} classes do not go with the objective {kind}", classes=classes, kind=kind))
    features = tuple(header.get("feature_names", "").split(" "))
    if len(features) != width:
        raise BrokenTreesError(say("the names of the columns are not as many as the columns"))
    nodes, trees = 0, []
    for number, block in enumerate(blocks):
        tree, size = _tree(_fields(block), say("tree {number}", number=number), width)
        trees.append(f"Tree={number}\n{tree}\n")
        nodes += size
        if nodes > MAXIMUM_NODES:
            raise BrokenTreesError(say("they have more than {most} nodes", most=whole(MAXIMUM_NODES)))
    model = _held(_header(header, head, width), trees)
    named = () if features == tuple(f"Column_{place}" for place in range(width)) else features
    outputs = max(classes, 2) if gives == "probabilities" else 1
    return Booster(model, "LightGBM", gives, outputs, named, width, _categories(header, rest, width))


def _held(header: str, trees: list[str]) -> Any:
    import treelite

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.txt"
        file.write_text(f"{header}\n\n" + "\n\n".join(trees) + "\n\nend of trees\n", encoding="utf-8")
        try:
            return treelite.frontend.load_lightgbm_model(file)
        except treelite.TreeliteError as error:
            raise BrokenTreesError(say("treelite does not take them")) from error


def _header(header: dict[str, str], head: str, width: int) -> str:
    numbers = {key: str(_whole(header, key, 0, MOST_FEATURES)) for key in _HEADER if key.startswith(("num", "max"))}
    lines = {**numbers, "label_index": "0", "version": "v4", "objective": header["objective"]}
    names = " ".join(f"f{place}" for place in range(width))
    told = [f"{key}={lines[key]}" for key in _HEADER]
    averaged = ["average_output"] if "\naverage_output\n" in f"{head}\n" else []
    kinds = " ".join("[0:1]" for _ in range(width))
    return "\n".join(["tree", *told, *averaged, f"feature_names={names}", f"feature_infos={kinds}"])


def _fields(block: str) -> dict[str, str]:
    lines = [line.partition("=") for line in block.split("\n") if "=" in line]
    found = {key: value for key, _, value in lines}
    if len(found) != len(lines):
        raise BrokenTreesError(say("a line occurs twice"))
    return found


def _tree(fields: dict[str, str], where: str, width: int) -> tuple[str, int]:
    """The checked lines of a tree, and how many nodes it has."""
    leaves = _whole(fields, "num_leaves", 1, MAXIMUM_NODES)
    if fields.get("is_linear", "0") != "0":
        raise BrokenTreesError(say("its leaves hold linear models, which are not read here"))
    sets = _whole(fields, "num_cat", 0, MAXIMUM_NODES)
    values = _reals(fields, "leaf_value", leaves, where)
    lines: dict[str, Any] = {"num_leaves": [leaves], "num_cat": [sets], "leaf_value": values, "shrinkage": [1]}
    inner = leaves - 1
    if inner:
        ints = {key: _ints(fields, key, inner, where) for key in _INNER if key != "threshold"}
        threshold = _reals(fields, "threshold", inner, where)
        left, right = (_children(ints[key], inner, leaves, where) for key in ("left_child", "right_child"))
        check_tree(left, right)
        if (ints["split_feature"] < 0).any() or (ints["split_feature"] >= width).any():
            raise BrokenTreesError(say("{where} asks for a column that does not exist", where=where))
        kinds = ints["decision_type"]
        if (kinds < 0).any() or (kinds > 15).any():
            raise BrokenTreesError(say("a branch of {where} is of no known kind", where=where))
        lines |= {**ints, "threshold": threshold}
        lines |= _sets(fields, threshold[(kinds & 1) == 1], sets, where)
    return "\n".join(f"{key}={' '.join(map(_written, found))}" for key, found in lines.items()), leaves + inner


def _written(value: Any) -> str:
    return str(int(value)) if isinstance(value, int | np.integer) else repr(float(value))


def _children(said: np.ndarray, inner: int, leaves: int, where: str) -> np.ndarray:
    """Places of children among inner nodes first and leaves after them."""
    if (said >= inner).any() or (~said >= leaves).any():
        raise BrokenTreesError(say("a branch of {where} leads to a node that does not exist", where=where))
    ends = np.full(leaves, -1, dtype=np.int64)
    return np.concatenate([np.where(said >= 0, said, inner + ~said), ends])


def _sets(fields: dict[str, str], asked: np.ndarray, sets: int, where: str) -> dict[str, np.ndarray]:
    """The sets of categories that branches ask for, bit by bit."""
    if not sets and not len(asked):
        return {}
    bounds = _ints(fields, "cat_boundaries", sets + 1, where)
    words = _ints(fields, "cat_threshold", int(bounds[-1]) if bounds[-1] >= 0 else 0, where)
    places = np.isin(asked, np.arange(sets)).all()
    sizes = np.diff(bounds)
    if not places or bounds[0] != 0 or (sizes < 0).any() or (sizes > HIGHEST_CATEGORY // 32).any():
        raise BrokenTreesError(say("the categories of {where} do not fit its branches", where=where))
    if (words < 0).any() or (words >= 2**32).any():
        raise BrokenTreesError(say("the categories of {where} do not fit its branches", where=where))
    return {"cat_boundaries": bounds, "cat_threshold": words}


def _categories(header: dict[str, str], rest: str, width: int) -> dict[int, tuple[str, ...]]:
    """The values of categorical columns in the order of their numbers, where they were categories of pandas."""
    kinds = header.get("feature_infos", "").split(" ")
    places = [place for place, kind in enumerate(kinds[:width]) if kind != "none" and not kind.startswith("[")]
    line = next((line for line in reversed(rest.split("\n")) if line.startswith(_PANDAS)), "")
    try:
        told = json.loads(line.removeprefix(_PANDAS) or "null")
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, list) or len(told) != len(places) or not all(isinstance(one, list) for one in told):
        told = [[] for _ in places]
    return {place: tuple(map(str, one)) for place, one in zip(places, told, strict=True)}


def _whole(fields: dict[str, str], key: str, low: int, high: int) -> int:
    said = fields.get(key, str(low)).strip()
    if not (said.isascii() and said.isdecimal()) or not low <= int(said[:12]) <= high:
        raise BrokenTreesError(say("{key} is no number from {low} to {high}", key=key, low=low, high=whole(high)))
    return int(said)


def _ints(fields: dict[str, str], key: str, length: int, where: str) -> np.ndarray:
    values = _numbers(fields, key, length, where)
    if (values != np.floor(values)).any() or (np.abs(values) > 2**40).any():
        raise BrokenTreesError(say("{key} of {where} does not hold whole numbers", key=key, where=where))
    return values.astype(np.int64)


def _reals(fields: dict[str, str], key: str, length: int, where: str) -> np.ndarray:
    return _numbers(fields, key, length, where)


def _numbers(fields: dict[str, str], key: str, length: int, where: str) -> np.ndarray:
    said = fields.get(key, "").split()
    try:
        values = np.array([float(one) for one in said])
    except ValueError as error:
        raise BrokenTreesError(say("{key} of {where} holds no numbers", key=key, where=where)) from error
    if len(values) != length or not all(map(math.isfinite, values)):
        raise BrokenTreesError(
            say(
                "{key} of {where} does not hold {length} finite numbers",
                key=key,
                where=where,
                length=whole(length),
            )
        )
    return values

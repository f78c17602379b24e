"""A skops archive, checked against a fixed list of types before skops builds anything from it."""

from __future__ import annotations

import io
import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from core.archive import Archive, Limits, open_archive
from core.errors import ModelError, Notice

MAXIMUM_BYTES = 256 * 1024 * 1024
_MAXIMUM_SCHEMA = 128 * 1024 * 1024
_ENTRY = re.compile(r"^(schema\.json|[\w-]+\.npy)$")

_LOADERS = frozenset(
    {
        "DictNode",
        "DTypeNode",
        "FunctionNode",
        "JsonNode",
        "ListNode",
        "LossNode",
        "NdArrayNode",
        "ObjectNode",
        "RandomGeneratorNode",
        "RandomStateNode",
        "SliceNode",
        "TreeNode",
        "TupleNode",
        "TypeNode",
    }
)
_NEEDS_TRUST = (
    "builtins.object",
    "numpy.dtype",
    "sklearn.compose._column_transformer.make_column_selector",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
    "sklearn.tree._tree.Tree",
)
_TYPES = frozenset(
    {
        *_NEEDS_TRUST,
        "builtins.bool",
        "builtins.dict",
        "builtins.float",
        "builtins.int",
        "builtins.list",
        "builtins.slice",
        "builtins.str",
        "builtins.tuple",
        "numpy.bool",
        "numpy.bool_",
        "numpy.float32",
        "numpy.float64",
        "numpy.int32",
        "numpy.int64",
        "numpy.ndarray",
        "numpy.random._generator.Generator",
        "numpy.random.mtrand.RandomState",
        "numpy.str_",
        "numpy.uint32",
        "numpy.uint64",
        "numpy.uint8",
        "sklearn._loss._loss.CyAbsoluteError",
        "sklearn._loss._loss.CyHalfBinomialLoss",
        "sklearn._loss._loss.CyHalfGammaLoss",
        "sklearn._loss._loss.CyHalfMultinomialLoss",
        "sklearn._loss._loss.CyHalfPoissonLoss",
        "sklearn._loss._loss.CyHalfSquaredError",
        "sklearn._loss._loss.CyHuberLoss",
        "sklearn._loss._loss.CyPinballLoss",
        "sklearn._loss.link.IdentityLink",
        "sklearn._loss.link.Interval",
        "sklearn._loss.link.LogLink",
        "sklearn._loss.link.LogitLink",
        "sklearn._loss.link.MultinomialLogit",
        "sklearn._loss.loss.AbsoluteError",
        "sklearn._loss.loss.HalfBinomialLoss",
        "sklearn._loss.loss.HalfGammaLoss",
        "sklearn._loss.loss.HalfMultinomialLoss",
        "sklearn._loss.loss.HalfPoissonLoss",
        "sklearn._loss.loss.HalfSquaredError",
        "sklearn._loss.loss.HuberLoss",
        "sklearn._loss.loss.PinballLoss",
        "sklearn.compose._column_transformer.ColumnTransformer",
        "sklearn.compose._target.TransformedTargetRegressor",
        "sklearn.dummy.DummyClassifier",
        "sklearn.dummy.DummyRegressor",
        "sklearn.ensemble._forest.ExtraTreesClassifier",
        "sklearn.ensemble._forest.ExtraTreesRegressor",
        "sklearn.ensemble._forest.RandomForestClassifier",
        "sklearn.ensemble._forest.RandomForestRegressor",
        "sklearn.ensemble._gb.GradientBoostingClassifier",
        "sklearn.ensemble._gb.GradientBoostingRegressor",
        "sklearn.ensemble._hist_gradient_boosting.binning._BinMapper",
        "sklearn.ensemble._hist_gradient_boosting.gradient_boosting.HistGradientBoostingClassifier",
        "sklearn.ensemble._hist_gradient_boosting.gradient_boosting.HistGradientBoostingRegressor",
        "sklearn.impute._base.SimpleImputer",
        "sklearn.linear_model._base.LinearRegression",
        "sklearn.linear_model._bayes.BayesianRidge",
        "sklearn.linear_model._coordinate_descent.ElasticNet",
        "sklearn.linear_model._coordinate_descent.ElasticNetCV",
        "sklearn.linear_model._coordinate_descent.Lasso",
        "sklearn.linear_model._coordinate_descent.LassoCV",
        "sklearn.linear_model._glm.glm.GammaRegressor",
        "sklearn.linear_model._glm.glm.PoissonRegressor",
        "sklearn.linear_model._huber.HuberRegressor",
        "sklearn.linear_model._logistic.LogisticRegression",
        "sklearn.linear_model._logistic.LogisticRegressionCV",
        "sklearn.linear_model._perceptron.Perceptron",
        "sklearn.linear_model._ridge.Ridge",
        "sklearn.linear_model._ridge.RidgeCV",
        "sklearn.linear_model._ridge.RidgeClassifier",
        "sklearn.linear_model._sgd_fast.Hinge",
        "sklearn.linear_model._sgd_fast.ModifiedHuber",
        "sklearn.linear_model._sgd_fast.SquaredHinge",
        "sklearn.linear_model._stochastic_gradient.SGDClassifier",
        "sklearn.linear_model._stochastic_gradient.SGDRegressor",
        "sklearn.neural_network._multilayer_perceptron.MLPClassifier",
        "sklearn.neural_network._multilayer_perceptron.MLPRegressor",
        "sklearn.pipeline.Pipeline",
        "sklearn.preprocessing._data.MaxAbsScaler",
        "sklearn.preprocessing._data.MinMaxScaler",
        "sklearn.preprocessing._data.PowerTransformer",
        "sklearn.preprocessing._data.QuantileTransformer",
        "sklearn.preprocessing._data.RobustScaler",
        "sklearn.preprocessing._data.StandardScaler",
        "sklearn.preprocessing._encoders.OneHotEncoder",
        "sklearn.preprocessing._encoders.OrdinalEncoder",
        "sklearn.preprocessing._function_transformer.FunctionTransformer",
        "sklearn.preprocessing._label.LabelBinarizer",
        "sklearn.preprocessing._label.LabelEncoder",
        "sklearn.svm._classes.LinearSVC",
        "sklearn.svm._classes.LinearSVR",
        "sklearn.tree._classes.DecisionTreeClassifier",
        "sklearn.tree._classes.DecisionTreeRegressor",
        "sklearn.tree._classes.ExtraTreeClassifier",
        "sklearn.tree._classes.ExtraTreeRegressor",
        "sklearn.utils._bunch.Bunch",
    }
)
"""Every type a file may build. Chosen by hand; never extended by what a file asks for."""

_FUNCTIONS = frozenset({"numpy.exp", "numpy.expm1", "numpy.log", "numpy.log1p", "numpy.sqrt", "numpy.square"})
"""Every function a file may name: numbers in, numbers out, for outcomes and columns on another scale."""

_ADVICE = (
    "Save a plain scikit-learn estimator, or a Pipeline of plain steps, with skops.io.dump; for anything else put the "
    "model's answers into a column of the table."
)


LIMITS = Limits(
    error=ModelError,
    again=_ADVICE,
    smaller=_ADVICE,
    entries=100_000,
    directory=16 * 2**20,
    unpacked=2**30,
    entry_bytes=2**30,
    ratio=100,
    zip64=True,
    damaged="The skops file is damaged or cut off.",
)


def load_skops(path: Path, name: str) -> tuple[Any, tuple[Notice, ...]]:
    """The estimator in a skops file, and what skops or scikit-learn warned of.

    Raises:
        ModelError: The archive is too large or damaged, or holds a type that is not on the list.
    """
    import skops.io

    _check_archive(path, name)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            estimator = skops.io.load(path, trusted=list(_NEEDS_TRUST))
        _check_trees(estimator, name)
        _single_threaded(estimator)
    except ModelError:
        raise
    except Exception as error:
        raise _refused(name, f"The skops file cannot be read ({type(error).__name__}).") from error
    return estimator, _version_notices([str(warning.message) for warning in caught])


def _check_archive(path: Path, name: str) -> None:
    size = path.stat().st_size
    if size > MAXIMUM_BYTES:
        raise _refused(name, f"The file has {size >> 20} MB; at most {MAXIMUM_BYTES >> 20} MB are read.")
    archive = open_archive(path, name, LIMITS)
    if strange := next((entry for entry in archive.names if not _ENTRY.match(entry)), ""):
        raise _refused(name, f"The archive holds a file that skops does not write: {strange!r}.")
    try:
        _check_types(json.loads(archive.read("schema.json", _MAXIMUM_SCHEMA)), name)
        for entry in archive.names:
            if entry.endswith(".npy"):
                _check_array(archive, entry)
    except ModelError:
        raise
    except Exception as error:
        raise _refused(name, f"{LIMITS.damaged[:-1]} ({type(error).__name__}).") from error


def _check_types(schema: Any, name: str) -> None:
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            if "__loader__" in node:
                _check_node(node, name)
            waiting.extend(node.values())


def _check_node(node: dict[str, Any], name: str) -> None:
    kind = f"{node.get('__module__')}.{node.get('__class__')}"
    listed = kind in _FUNCTIONS if node["__loader__"] == "FunctionNode" else kind in _TYPES
    if node["__loader__"] not in _LOADERS or not listed:
        raise _refused(name, f"The file wants to build {kind} ({node['__loader__']}), which is not on the fixed list.")


def _check_array(archive: Archive, entry: str) -> None:
    """The array's header must describe exactly the bytes that follow, without Python objects."""
    size = archive.members[entry].size
    stream = io.BytesIO(next(archive.pieces(entry, size), b""))
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(stream)
    declared = stream.tell() + dtype.itemsize * int(np.prod(shape, dtype=object))
    if dtype.hasobject or declared != size:
        raise _refused(archive.name, f"The array {entry!r} is not what its header says.")


def _nested(estimator: Any) -> list[Any]:
    """The estimator and everything it is made of, as far as lists, tuples, dicts, arrays and attributes reach."""
    found: list[Any] = []
    seen: set[int] = set()
    waiting = [estimator]
    while waiting:
        item = waiting.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
        elif isinstance(item, np.ndarray):
            waiting.extend(item.ravel().tolist() if item.dtype == object else [])
        elif type(item).__module__.startswith("sklearn."):
            found.append(item)
            waiting.extend(vars(item).values() if hasattr(item, "__dict__") else [])
    return found


def _check_trees(estimator: Any, name: str) -> None:
    """Compiled tree code follows child and feature numbers without looking: they must lie within the tree."""
    width = _tree_width(estimator)
    for item in _nested(estimator):
        kind = type(item).__name__
        if kind == "Tree":
            left, right, feature = item.children_left, item.children_right, item.feature
            inner = left != -1
        elif kind == "TreePredictor":
            nodes = item.nodes
            left, right = nodes["left"].astype(np.int64), nodes["right"].astype(np.int64)
            feature, inner = nodes["feature_idx"], nodes["is_leaf"] == 0
            if (nodes["is_categorical"] != 0).any():
                raise _refused(name, "A tree splits on categories in a packed form that is not checked here.")
        elif getattr(item, "_preprocessor", None) is not None:
            raise _refused(name, "The trees read categories through a preparation of their own that is not checked.")
        else:
            continue
        parents = np.flatnonzero(inner)
        if len(left) == 0 or any(
            (child[parents] <= parents).any() or (child[parents] >= len(left)).any() for child in (left, right)
        ):
            raise _refused(name, "A decision tree in the file points outside itself.")
        if (feature[parents] < 0).any() or (feature[parents] >= width).any():
            raise _refused(name, "A decision tree in the file reads a column that does not exist.")


def _tree_width(estimator: Any) -> int:
    """Inputs of the estimator that answers, behind all preparation: the columns its trees may read."""
    last = estimator
    while hasattr(last, "steps") or hasattr(last, "regressor_"):
        last = last.steps[-1][1] if hasattr(last, "steps") else last.regressor_
    return int(getattr(last, "n_features_in_", 0))


def _single_threaded(estimator: Any) -> None:
    for item in _nested(estimator):
        if "n_jobs" in getattr(item, "__dict__", {}):
            item.n_jobs = 1


def _version_notices(messages: list[str]) -> tuple[Notice, ...]:
    if not any("version" in message for message in messages):
        return ()
    return (
        Notice(
            "warning",
            "The model was saved with another version of scikit-learn than the one that reads it here.",
            "Compare a few of the example predictions with the model's own.",
        ),
    )


def _refused(name: str, what: str) -> ModelError:
    return ModelError(what, where=name, advice=_ADVICE)

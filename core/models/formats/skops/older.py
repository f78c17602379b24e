"""What older versions of scikit-learn wrote otherwise: mended where that is certain, refused where answers differ.

Each line is held up by files that the older versions wrote, with their own answers (tests/core/models/skops_matrix).
"""

import sys
from collections import UserList
from collections.abc import Iterator
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer, _column_transformer
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeClassifier, RidgeClassifierCV
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder
from sklearn.tree._tree import NODE_DTYPE

from core.language.told import say
from core.models.formats.skops.library import NODE_TYPE_MAPPING, PROTOCOL, LossNode, TreeNode
from core.wall.inside import RefusedError

_RENAMED = {"base_estimator": "estimator", "sparse": "sparse_output"}
"""Settings by their older name."""


class _AnyTreeNode(TreeNode):  # type: ignore[misc]
    """A tree, also of scikit-learn before 1.3: its nodes say nothing of missing values, and its leaves count rows."""

    def _construct(self) -> Any:
        state = self.attrs.construct()
        nodes, values = state["nodes"], state["values"]
        if nodes.dtype.names and "missing_go_to_left" not in nodes.dtype.names:
            state["nodes"] = np.zeros(len(nodes), NODE_DTYPE)
            for name in nodes.dtype.names:
                state["nodes"][name] = nodes[name]
            if values.shape[2] > 1:
                state["values"] = values / values.sum(axis=2, keepdims=True)
        return super()._construct()


def provide() -> None:
    """Make types that files of older versions name known, where this one calls or reads them otherwise."""
    from sklearn._loss import _loss
    from sklearn.linear_model import _sgd_fast

    sys.modules.setdefault("_loss", _loss)
    if not hasattr(_sgd_fast, "Log"):  # no answer depends on the loss that SGDClassifier was trained with
        _sgd_fast.Log = _loss.CyHalfBinomialLoss
    NODE_TYPE_MAPPING["SGDNode", PROTOCOL] = LossNode
    NODE_TYPE_MAPPING["TreeNode", PROTOCOL] = _AnyTreeNode
    if not hasattr(_column_transformer, "_RemainderColsList"):
        _column_transformer._RemainderColsList = UserList


def parts(found: Any) -> Iterator[BaseEstimator]:
    """Every estimator within an object, itself included, each once."""
    seen: set[int] = set()
    waiting = [found]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, BaseEstimator):
            yield one
        if isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list | tuple | UserList):
            waiting.extend(one)
        elif isinstance(one, np.ndarray) and one.dtype == object:
            waiting.extend(one.ravel())
        elif type(one).__module__.startswith("sklearn.") and hasattr(one, "__dict__"):
            waiting.extend(vars(one).values())


def refuse_other_answers(found: Any, versions: tuple[str, ...]) -> None:
    """Refuse what this version would answer in another way than the one that wrote it.

    Raises:
        RefusedError: A part is of such a kind; the sentence says which.
    """
    others = ", ".join(version for version in versions if version != sklearn.__version__)
    for part in parts(found):
        kind = type(part).__name__
        algorithm = getattr(part, "algorithm", "") if isinstance(part, AdaBoostClassifier) else ""
        if algorithm == "SAMME.R" or (algorithm and any(map(_is_before_1_4, versions))):
            raise _answers_otherwise(
                kind,
                f"algorithm={algorithm!r}",
                others,
                say("Fit the model again with scikit-learn {version} and save it.", version=sklearn.__version__),
            )
        if isinstance(part, LogisticRegression) and len(getattr(part, "classes_", ())) > 2:
            ovr = getattr(part, "multi_class", "") == "ovr"
            if ovr or part.solver == "liblinear":
                raise _answers_otherwise(
                    kind,
                    "multi_class='ovr'" if ovr else "solver='liblinear'",
                    others,
                    say("Wrap it in a OneVsRestClassifier and fit it again, or put its answers into a column."),
                )


def _is_before_1_4(version: str) -> bool:
    first, second = (*version.split("."), "0")[:2]
    return first == "0" or (first == "1" and second in ("0", "1", "2", "3"))


def _answers_otherwise(kind: str, setting: str, theirs: str, advice: str) -> RefusedError:
    return RefusedError(
        say(
            "The {kind} in the file was fitted with {setting} by scikit-learn {theirs}; scikit-learn {ours}, which is "
            "installed here, would answer with other probabilities.",
            kind=kind,
            setting=setting,
            theirs=theirs or sklearn.__version__,
            ours=sklearn.__version__,
        ),
        advice,
    )


def mend(found: Any) -> None:
    """Give parts of older versions what this one looks for. Settings that came later stand at their defaults."""
    for part in parts(found):
        state = vars(part)
        for old, new in _RENAMED.items():
            if old in state and new in type(part)._get_param_names() and not isinstance(state[old], str):
                state.setdefault(new, state[old])
        missing = [name for name in type(part)._get_param_names() if name not in state]
        if missing and (defaults := _defaults(type(part))):
            state.update((name, defaults[name]) for name in missing if name in defaults)
        if isinstance(part, SimpleImputer) and "_fit_dtype" in state:
            state.setdefault("_fill_dtype", state["_fit_dtype"])
        elif isinstance(part, RidgeClassifier | RidgeClassifierCV) and "_label_binarizer" in state:
            state.setdefault("classes_", part._label_binarizer.classes_)
        elif isinstance(part, HistGradientBoostingClassifier | HistGradientBoostingRegressor):
            state.setdefault("_preprocessor", None)
        elif isinstance(part, OneHotEncoder | OrdinalEncoder) and "categories_" in state:
            _mend_encoder(part)
        elif isinstance(part, ColumnTransformer) and "transformers_" in state:
            part.transformers_ = [
                (name, _transformer(inner, part), _plain(chosen)) for name, inner, chosen in part.transformers_
            ]
        elif isinstance(part, FunctionTransformer) and hasattr(part.func, "keywords"):
            keywords = part.func.keywords
            if "force_all_finite" in keywords:
                keywords["ensure_all_finite"] = keywords.pop("force_all_finite")


def _defaults(kind: type) -> dict[str, Any]:
    import inspect

    given = inspect.signature(kind).parameters.values()
    return {one.name: one.default for one in given if one.default is not one.empty}


def _mend_encoder(part: Any) -> None:
    if "_infrequent_enabled" not in vars(part):
        part._infrequent_enabled = False
    if isinstance(part, OneHotEncoder):
        if "_drop_idx_after_grouping" not in vars(part):
            part._set_drop_idx()
    elif "_missing_indices" not in vars(part):
        last = [known[-1] if len(known) else None for known in part.categories_]
        part._missing_indices = {
            place: len(part.categories_[place]) - 1
            for place, value in enumerate(last)
            if isinstance(value, float) and np.isnan(value)
        }


def _transformer(inner: Any, part: ColumnTransformer) -> Any:
    if not isinstance(inner, str) or inner != "passthrough":
        return inner
    return FunctionTransformer(accept_sparse=True, check_inverse=False)


def _plain(chosen: Any) -> Any:
    return list(chosen) if isinstance(chosen, UserList) else chosen

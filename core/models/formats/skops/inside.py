"""A skops file inside the wall: scikit-learn itself reads it and answers."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from core.contracts.model import are_shares_of_one
from core.data.cells import as_text, is_number_column
from core.language.told import packed, say
from core.models.checked import NoGradientsError
from core.models.formats.skops.affine import SCALERS, Read, folded, is_categories
from core.models.formats.skops.older import parts
from core.models.formats.skops.reading import read_estimator, unreadable
from core.models.formats.skops.said import MOST_CATEGORIES, MOST_CLASSES, MOST_COLUMNS
from core.models.formats.skops.values import matched
from core.wall.inside import RefusedError

_MOST_CHARACTERS = 2**21
"""Of the categories that are told."""
_THRESHOLDS = ("FixedThresholdClassifier", "TunedThresholdClassifierCV")
_ENCODERS = ("OneHotEncoder", "OrdinalEncoder", "TargetEncoder")
_OF_TEXTS = ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer", "DictVectorizer", "FeatureHasher")
_SAME_PLACES = ("SimpleImputer", "FunctionTransformer", *SCALERS)
_AGAIN = say("Save the fitted model, or the whole fitted pipeline, with skops.io.dump.")


def open_file(path: Path, asked: Mapping[str, Any]) -> "SklearnInside":
    """The fitted estimator of a skops file.

    Raises:
        RefusedError: The file is not loaded, or holds no fitted classifier or regression model of one outcome.
    """
    found, versions = read_estimator(path)
    try:
        return SklearnInside(found, versions)
    except (RefusedError, MemoryError):
        raise
    except Exception as error:
        raise unreadable(error, versions) from error


class SklearnInside:
    """An estimator that answers. ``said`` is what :class:`core.models.formats.skops.said.SklearnSaid` reads.

    Args:
        found: The estimator.
        versions: Of scikit-learn, that wrote its parts.
        ours: Whether it may be told to use one thread and to print nothing; a caller's own is left as it is.
    """

    def __init__(self, found: Any, versions: tuple[str, ...], *, ours: bool = True) -> None:
        _require_model(found)
        for part in parts(found) if ours else ():
            _stay_quiet(part)
        self._estimator, self._versions = found, versions
        final = _final(found)
        classes = _classes(found)
        width, names = _width(found), _names(found)
        self._read = list(range(width or 0)) if names is None else _read(found, len(names))
        self._names = None if names is None else [names[place] for place in self._read]
        known = _known(found, list(range(width or 0)))
        self._known = [known.get(place, []) for place in self._read]
        if not classes:
            gives = "numbers"
        elif hasattr(found, "predict_proba") and type(found).__name__ not in _THRESHOLDS:
            gives = "probabilities"
        else:
            gives = "labels"
        self._gives = gives
        self.arrays: dict[str, np.ndarray] = {}
        self.said = {
            "model": type(final).__name__,
            "versions": list(versions),
            "gives": gives,
            "classes": classes,
            "truths": bool(classes) and np.asarray(found.classes_).dtype == bool,
            "width": width,
            "columns": self._names,
            "categories": _written(self._known),
            "numbers_only": hasattr(_first(found), "predict") or type(_first(found)).__name__ in SCALERS,
            "first": type(_first(found)).__name__,
            "own_threshold": type(found).__name__ in _THRESHOLDS,
            "gradients": self._gradients(width or 0) if classes else None,
        }

    def answer(self, frame: pd.DataFrame) -> np.ndarray:
        """Probabilities, or decisions as zeros and ones, shape (n, k); or numbers, shape (n, 1).

        Args:
            frame: n rows: the columns in ``said``, or unnamed ones as many as the model reads.

        Raises:
            RefusedError: The estimator does not take them.
        """
        try:
            with joblib.parallel_config("sequential"):
                return self._answers(self._rows(frame))
        except (RefusedError, MemoryError):
            raise
        except (AttributeError, TypeError) as error:
            raise unreadable(error, self._versions) from error
        except Exception as error:
            raise RefusedError(
                say("The model cannot answer the rows of this table."),
                say("Check that the columns hold what the model was trained with."),
                f"{type(error).__name__}: {str(error).partition(chr(10))[0][:200]}",
            ) from error

    def _rows(self, frame: pd.DataFrame) -> Any:
        named = self._names is not None and set(self._names) == set(frame.columns)
        if named:
            frame = frame.loc[:, list(self._names or ())]
        known = self._known if len(self._known) == frame.shape[1] else [[]] * frame.shape[1]
        columns = {
            name: matched(frame[name], categories) if categories else _as_trained(frame[name])
            for name, categories in zip(frame.columns, known, strict=True)
        }
        rows = pd.DataFrame(columns, index=frame.index)
        return rows if named else rows.to_numpy()

    def _answers(self, rows: Any) -> np.ndarray:
        if self._gives == "probabilities":
            given = self._estimator.predict_proba(rows)
            if isinstance(given, list):
                raise _several_outcomes()
            given = np.asarray(given, dtype=np.float64).reshape(len(rows), -1)
            if not are_shares_of_one(given):
                raise RefusedError(
                    say("The model's probabilities of a row do not add up to one, as with several labels at once."),
                    say("Bring a model of one outcome, or its answers as a column of the table."),
                )
            return given
        given = np.asarray(self._estimator.predict(rows))
        if self._gives == "labels":
            decided = given.reshape(-1, 1) == np.asarray(self._estimator.classes_).reshape(1, -1)
            return np.asarray(decided, dtype=np.float64)
        return given.astype(np.float64).reshape(len(rows), -1)

    def _gradients(self, width: int) -> dict[str, Any]:
        """What of the table is read and through which layers, or why that cannot be told; arrays go to ``arrays``."""
        try:
            read, weights, offsets, activation = folded(_searched(self._estimator), width)
        except NoGradientsError as reason:
            return {"why": packed(reason.args[0])}
        except Exception as error:
            kind = type(error).__name__
            return {"why": packed(say("its weights are not as scikit-learn keeps them ({error})", error=kind))}
        told = [{"place": self._read.index(place), **_told(column)} for place, column in read.columns.items()]
        if sum(len(word) for one in told for word in one.get("categories", ())) > _MOST_CHARACTERS:
            return {"why": packed(say("its one-hot encoder knows too many categories"))}
        for number, (weight, offset) in enumerate(zip(weights, offsets, strict=True)):
            self.arrays[f"weights_{number}"], self.arrays[f"offsets_{number}"] = weight, offset
        return {
            "activation": activation,
            "layers": len(weights),
            "read": [{"place": self._read.index(place), **_told(column)} for place, column in read.columns.items()],
        }


def reads_texts(found: Any) -> bool:
    """Whether what comes first turns texts into numbers."""
    return type(_first(found)).__name__ in _OF_TEXTS


def _require_model(found: Any) -> None:
    if not is_model(found):
        raise RefusedError(
            say(
                "The file holds a {kind}, which is no fitted classifier or regression model.", kind=type(found).__name__
            ),
            _AGAIN,
        )
    if reads_texts(found):
        raise RefusedError(
            say("The model reads texts, and a skops file is asked about the columns of a table."),
            say("Put its answers into a column of the table and choose it as the prediction."),
        )
    if isinstance(getattr(found, "classes_", None), list) or getattr(found, "multilabel_", False):
        raise _several_outcomes()


def _several_outcomes() -> RefusedError:
    return RefusedError(
        say("The model answers several questions at once, and one is needed."),
        say("Put the answers that count into a column of the table and choose it as the prediction."),
    )


def is_model(found: Any) -> bool:
    """Whether it is a classifier or a regression model of scikit-learn, and fitted."""
    return isinstance(found, BaseEstimator) and hasattr(found, "predict") and _is_fitted(found)


def _is_fitted(found: Any) -> bool:
    if hasattr(found, "classes_"):
        return True
    if not isinstance(_searched(found), RegressorMixin) and not isinstance(_final(found), RegressorMixin):
        return False
    try:
        check_is_fitted(found)
    except NotFittedError:
        return False
    return True


def _stay_quiet(part: BaseEstimator) -> None:
    """One thread and no word, whatever was set: the child may start none, and nobody reads what it prints."""
    if "n_jobs" in vars(part):
        part.n_jobs = 1
    if getattr(part, "verbose", 0) and "verbose" in vars(part):
        part.verbose = 0


def _searched(found: Any) -> Any:
    """The model that a search found, or the model itself."""
    return found.best_estimator_ if hasattr(found, "best_estimator_") else found


def _final(found: Any) -> Any:
    """The estimator that answers: the last step, what a search found, or what a changed outcome is predicted with."""
    for name in ("best_estimator_", "regressor_"):
        if hasattr(found, name):
            return _final(getattr(found, name))
    return _final(found.steps[-1][1]) if hasattr(found, "steps") else found


def _first(found: Any) -> Any:
    """The estimator that reads the table first."""
    for name in ("best_estimator_", "regressor_"):
        if hasattr(found, name):
            return _first(getattr(found, name))
    if hasattr(found, "steps"):
        return next((_first(step) for _, step in found.steps if step not in (None, "passthrough")), found)
    return found


def _within(found: Any) -> Iterator[Any]:
    """The estimator and, where it does not say what it reads, whatever of it reads the same columns."""
    yield found
    first = _first(found)
    if first is not found:
        yield from _within(first)
    for name in ("estimator_", "estimator", "calibrated_classifiers_", "estimators_"):
        inner = getattr(found, name, None)
        inner = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(inner, BaseEstimator):
            yield from _within(inner)
            return


def _width(found: Any) -> int | None:
    for one in _within(found):
        if isinstance(width := getattr(one, "n_features_in_", None), int | np.integer) and 0 < width <= MOST_COLUMNS:
            return int(width)
    return None


def _names(found: Any) -> list[str] | None:
    for one in _within(found):
        names = getattr(one, "feature_names_in_", None)
        if names is not None:
            return list(map(str, names))
    return None


def _read(found: Any, width: int) -> list[int]:
    """Places of the columns that are read: a ColumnTransformer that stands first may leave some out."""
    first = _first(found)
    if not isinstance(first, ColumnTransformer):
        return list(range(width))
    chosen = first._transformer_to_input_indices
    read = {place for name, inner, _ in first.transformers_ if not _is_dropped(inner) for place in chosen.get(name, ())}
    return sorted(read) if read else list(range(width))


def _is_dropped(inner: Any) -> bool:
    return isinstance(inner, str) and inner == "drop"


def _known(step: Any, places: list[int]) -> dict[int, list[Any]]:
    """Categories that the encoders which read a table's columns know, by place."""
    if type(step).__name__ in _ENCODERS and hasattr(step, "categories_"):
        return {place: list(known) for place, known in zip(places, step.categories_, strict=False)}
    if hasattr(step, "steps"):
        for _, inner in step.steps:
            if known := _known(inner, places):
                return known
            if not (inner in (None, "passthrough") or type(inner).__name__ in _SAME_PLACES) or _changes(inner):
                return {}
        return {}
    if isinstance(step, ColumnTransformer):
        chosen = step._transformer_to_input_indices
        readers = [(inner, [places[at] for at in chosen.get(name, ())]) for name, inner, _ in step.transformers_]
    else:
        readers = [(inner, places) for inner in _readers(step)]
    found: dict[int, dict[Any, Any]] = {}
    for inner, read in readers:
        for place, categories in _known(inner, read).items():
            found.setdefault(place, {}).update(((type(one), str(one)), one) for one in categories)
    return {place: list(categories.values()) for place, categories in found.items()}


def _changes(inner: Any) -> bool:
    return getattr(inner, "func", None) is not None or bool(getattr(inner, "add_indicator", False))


def _readers(step: Any) -> Iterator[Any]:
    """Estimators within one that read the columns it is given."""
    if hasattr(step, "estimators_features_"):  # each reads some of them
        return
    for name in ("best_estimator_", "regressor_", "estimator_", "_preprocessor", "estimator"):
        inner = getattr(step, name, None)
        if isinstance(inner, BaseEstimator):
            yield inner
    for name in ("estimators_", "calibrated_classifiers_", "transformer_list"):
        inner = getattr(step, name, None)
        if isinstance(inner, list):
            for one in inner:
                yield one[1] if isinstance(one, tuple) else one


def _told(column: Read) -> dict[str, Any]:
    if column is None:
        return {}
    return {"categories" if is_categories(column) else "scaled": list(column)}


def _classes(found: Any) -> list[str]:
    classes = getattr(found, "classes_", None)
    if classes is None:
        return []
    values = np.asarray(classes)
    if values.ndim != 1 or not 2 <= len(values) <= MOST_CLASSES:
        raise RefusedError(
            say("The model tells {n} outcomes apart; 2 to {most} are needed.", n=values.size, most=MOST_CLASSES), _AGAIN
        )
    return list(map(str, as_text(pd.Series(values.tolist()))))


def _written(known: list[list[Any]]) -> list[list[str] | None]:
    """Categories of each column as people write them; None where there are none, or too many to be told."""
    told: list[list[str] | None] = []
    left = _MOST_CHARACTERS
    for one in known:
        words = list(map(str, as_text(pd.Series(one, dtype=object)).dropna())) if len(one) <= MOST_CATEGORIES else []
        left -= sum(map(len, words))
        told.append(words if words and left > 0 else None)
    return told


def _as_trained(values: pd.Series) -> Any:
    """Numbers as they are, text as Python's strings, missing text as NaN: as pandas before 3 read files."""
    if is_number_column(values):
        return values.to_numpy()
    return values.astype(object).where(values.notna(), np.nan).to_numpy(dtype=object)

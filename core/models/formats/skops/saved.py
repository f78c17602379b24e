"""An estimator as a skops file describes it: every attribute is a claim, and each is read with its check."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from core.errors import ModelError
from core.language.told import say, say_as, told
from core.models.formats.skops.document import Name, Node
from core.models.formats.skops.trusted import FUNCTIONS, NUMBERS, RANDOM
from core.phrases import whole

_AGAIN = say("Fit the model again with a current scikit-learn and save it with skops.io.dump.")
_WIDEST = 1_000_000
_OURS: dict[str, Any] = {"n_jobs": 1, "steps": [], "transformers": []}
"""Settings that are set here whatever the file says: one thread, so that the same rows always give the same answers."""
_LEFT_OUT = frozenset({*_OURS, "verbose", "memory", "categories", "remainder", "regressor", "transformer", "init"})
"""Settings that are not taken from the file: answers do not depend on them, or they are set with the fitted parts."""


@dataclass(frozen=True)
class Saved:
    """One estimator of the file.

    Attributes:
        node: What the file says of it.
        where: The file and the place in it, for sentences.
        part: Rebuilds an estimator within it, given its node and its place.
    """

    node: Node
    where: str
    part: Callable[[Any, str], Any]

    @property
    def kind(self) -> str:
        """Name of its type."""
        return self.node.kind

    def refused(self, what: str, advice: str = _AGAIN) -> ModelError:
        """The error for an estimator that is not rebuilt."""
        return ModelError(what, where=self.where, advice=advice)

    def __contains__(self, name: str) -> bool:
        return self.node.attributes.get(name) is not None

    def get(self, name: str) -> Any:
        """An attribute, unchecked; refuses an estimator that lacks it."""
        if name not in self:
            raise self.refused(
                say(
                    "The file holds a {kind}, which is no fitted classifier or regression model: it has no {name}.",
                    kind=self.kind,
                    name=repr(name),
                ),
                say("Save the fitted model, or the whole fitted pipeline, with skops.io.dump."),
            )
        return self.node.attributes[name]

    def wrong(self, name: str, said: str) -> ModelError:
        """The error for an attribute that is not what it should be."""
        return self.refused(
            say("The {name} of the {kind} in the file {said}.", name=repr(name), kind=self.kind, said=said)
        )

    def integer(self, name: str, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``."""
        value = self.get(name)
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(
                name,
                say("is not a whole number from {low} to {high}", low=whole(low), high=whole(high)),
            )
        return int(value)

    def array(self, name: str, *shapes: tuple[int, ...], kinds: str = "f") -> np.ndarray:
        """An array of finite numbers in one of ``shapes``; () also stands for a single number, -1 for any length."""
        return self.numbers(self.get(name), name, *shapes, kinds=kinds)

    def numbers(self, value: Any, name: str, *shapes: tuple[int, ...], kinds: str = "f") -> np.ndarray:
        """As :meth:`array`, for a value that stands within an attribute."""
        single = isinstance(value, int | float) and not isinstance(value, bool)
        array = np.asarray(value) if single or isinstance(value, np.ndarray | np.generic) else np.array(None)
        if array.dtype.kind not in ("fi" if single else kinds) or array.dtype.itemsize > 8:
            raise self.wrong(name, say("does not hold the kind of numbers that it should"))
        if not any(_fits(array.shape, shape) for shape in shapes):
            raise self.wrong(
                name,
                say(
                    "has the shape {shape}, and its other parts need {shapes}",
                    shape=array.shape,
                    shapes=alternative_shapes(shapes),
                ),
            )
        if not np.isfinite(array).all():
            raise self.wrong(name, say("holds a value that is not a finite number"))
        return value if single else array

    def classes(self) -> np.ndarray:
        """The classes of a classifier: at least two, in order, shape (k,)."""
        classes = self.get("classes_")
        if not isinstance(classes, np.ndarray) or classes.ndim != 1 or len(classes) < 2:
            raise self.wrong("classes_", say("is not a list of two or more classes of one outcome"))
        if classes.dtype == object and not (_all(classes, str) or _all(classes, int | float | np.number | np.bool_)):
            raise self.wrong("classes_", say("holds something that is neither text nor a number"))
        if classes.dtype.kind not in "biufUO" or (_all(classes, float | np.floating) and not _finite(classes)):
            raise self.wrong("classes_", say("holds something that is neither text nor a finite number"))
        if not bool(np.all(classes[:-1] < classes[1:])):
            raise self.wrong("classes_", say("is not in order, or names a class twice"))
        return classes

    def read_width(self, estimator: Any) -> int:
        """How many columns it reads; their number and names go to ``estimator``."""
        width = estimator.n_features_in_ = self.integer("n_features_in_", 1, _WIDEST)
        if "feature_names_in_" in self:
            names = self.get("feature_names_in_")
            if not isinstance(names, np.ndarray) or names.shape != (width,) or not _all(names, str):
                raise self.wrong(
                    "feature_names_in_",
                    say("is not a list of the names of its {width} columns", width=whole(width)),
                )
            if len(set(names.tolist())) != width:
                raise self.wrong("feature_names_in_", say("names a column twice"))
            estimator.feature_names_in_ = np.array([str(name) for name in names], dtype=object)
        return width

    def fresh(self, kind: type) -> Any:
        """An estimator of the saved settings that was never fitted, with one thread; scikit-learn checks each."""
        names = kind._get_param_names()  # type: ignore[attr-defined]
        settings = {
            name: self._setting(name) for name in names if name in self.node.attributes and name not in _LEFT_OUT
        }
        settings |= {name: value for name, value in _OURS.items() if name in names}
        estimator = kind(**settings)
        try:
            estimator._validate_params()
        except ValueError as error:
            raise self.refused(
                say(
                    "The {kind} in the file has a setting that this scikit-learn does not take: {reason}",
                    kind=self.kind,
                    reason=str(error).splitlines()[0][:300],
                )
            ) from error
        self._set_output(estimator)
        return estimator

    def _set_output(self, estimator: Any) -> None:
        config = self.node.attributes.get("_sklearn_output_config")
        if not config:
            return
        output = config.get("transform") if isinstance(config, dict) else config
        if output not in ("default", "pandas", None):
            raise self.wrong("set_output", say("is neither 'default' nor 'pandas', and other tables are not read here"))
        if hasattr(estimator, "set_output"):
            estimator.set_output(transform=output)

    def _setting(self, name: str) -> Any:
        return self._plain(self.node.attributes[name], name)

    def _plain(self, value: Any, name: str) -> Any:
        if isinstance(value, Node) and value.type in RANDOM:
            return None
        if isinstance(value, Name) and value.path in FUNCTIONS | NUMBERS:
            return getattr(np, value.path.removeprefix("numpy."))
        if isinstance(value, dict):
            return {key: self._plain(item, name) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._plain(item, name) for item in value)
        if isinstance(value, np.ndarray) and value.dtype == object:
            return value if all(_is_plain(item) for item in value.ravel()) else self._not_read(name)
        return value if _is_plain(value) or isinstance(value, np.ndarray | np.dtype) else self._not_read(name)

    def _not_read(self, name: str) -> Any:
        raise self.refused(
            say(
                "The setting {name} of the {kind} in the file is an object of its own, which is not read.",
                name=repr(name),
                kind=self.kind,
            ),
            say("Leave the setting at its default, or put the model's answers into a column of the table."),
        )


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str | np.generic)


def _all(values: np.ndarray, kind: Any) -> bool:
    return all(isinstance(value, kind) for value in values)


def _finite(values: np.ndarray) -> bool:
    return bool(np.isfinite(values.astype(np.float64)).all())


def _fits(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return len(shape) == len(wanted) and all(w in (-1, s) for s, w in zip(shape, wanted, strict=True))


@told
def alternative_shapes(shapes: tuple[tuple[int, ...], ...]) -> str:
    """``(3, any) or (4,)``."""
    any_size = say_as("a size", "any")
    shown = ["(" + ", ".join(any_size if n < 0 else str(n) for n in shape) + ")" for shape in shapes]
    return reduce(lambda first, last: say("{first} or {last}", first=first, last=last), shown)

"""An estimator that this process holds, asked as one behind the wall is; it is the caller's, and is not changed."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import sklearn

from core.base.errors import ModelError
from core.language.told import say
from core.models.formats.skops.inside import SklearnInside, is_model
from core.wall.behind import in_blocks
from core.wall.inside import RefusedError


class _Own(SklearnInside):
    """A caller's estimator, which is given categories as the caller's table keeps them."""

    def __init__(self, held: Any, dtypes: Mapping[str, Any]) -> None:
        super().__init__(held, (sklearn.__version__,), ours=False)
        self._kept = {name: one for name, one in dtypes.items() if isinstance(one, pd.CategoricalDtype)}

    def _rows(self, frame: pd.DataFrame) -> Any:
        rows = super()._rows(frame)
        if isinstance(rows, pd.DataFrame):
            for name in self._kept.keys() & set(rows.columns):
                kept = frame[name].astype(self._kept[name])
                rows[name] = kept if kept.isna().equals(frame[name].isna()) else rows[name]
        return rows


class InProcess:
    """A fitted estimator.

    Args:
        held: The estimator.
        name: What errors call it.
        dtypes: How the caller's table keeps its columns, by name.

    Attributes:
        said: What it says of itself (:class:`core.models.formats.skops.said.SklearnSaid`).
        arrays: Its weights where it has gradients.

    Raises:
        ModelError: It is no fitted classifier or regression model of one outcome.
    """

    said: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]

    def __init__(self, held: Any, name: str, dtypes: Mapping[str, Any]) -> None:
        self._name = name
        if not is_model(held):
            raise ModelError(
                say("This {kind} is not fitted, or is no classifier or regression model.", kind=type(held).__name__),
                where=name,
                advice=say("Fit it on other rows than those that are audited, then give it again."),
            )
        try:
            self._inside = _Own(held, dtypes)
        except RefusedError as error:
            raise self._refused(error) from error
        self.said, self.arrays = self._inside.said, self._inside.arrays

    def answer(self, frame: pd.DataFrame) -> np.ndarray:
        """The estimator's answers, shape (n, k), float64; on one thread, so that they are those it gives as a file."""
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        try:
            with threadpool_limits(1):
                return in_blocks(frame, self._inside.answer)
        except RefusedError as error:
            raise self._refused(error) from error

    def _refused(self, error: RefusedError) -> ModelError:
        where = f"{self._name}: {error.where}" if error.where else self._name
        return ModelError(error.what, where=where, advice=error.advice)

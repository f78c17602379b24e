"""Categories as indicators or codes, and what stands in for missing values."""

from typing import Any

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from core.language.told import say
from core.models.formats.skops.saved import Saved


def _one_hot(model: Any, saved: Saved) -> None:
    _read_categories(model, saved, {})
    model._set_drop_idx()
    model._n_features_outs = model._compute_n_features_outs()


def _ordinal(model: Any, saved: Saved) -> None:
    _read_categories(model, saved, None)


def _read_categories(model: Any, saved: Saved, apart: dict[int, int] | None) -> None:
    """Categories, and which of them are rare; ``apart`` are missing values, by column, which codes never call rare."""
    width = saved.read_width(model)
    given = saved.get("categories_")
    if not isinstance(given, list) or len(given) != width:
        raise saved.wrong("categories_", say("does not hold the categories of {width} columns", width=width))
    model.categories_ = [_checked(saved, categories) for categories in given]
    if apart is None:
        apart = {i: len(known) - 1 for i, known in enumerate(model.categories_) if _is_nan(known[-1])}
        model._missing_indices = apart
    model._check_infrequent_enabled()
    if model._infrequent_enabled:
        counts = _counts(model, saved, apart)
        settings = {"min_frequency": model.min_frequency, "max_categories": model.max_categories}
        model.set_params(min_frequency=1, max_categories=None)
        model._fit_infrequent_category_mapping(1, counts, apart)
        model.set_params(**settings)


def _checked(saved: Saved, categories: Any) -> np.ndarray:
    if not isinstance(categories, np.ndarray) or categories.ndim != 1 or not len(categories):
        raise saved.wrong("categories_", say("holds something that is not a list of categories"))
    if categories.dtype.kind not in "biufUO":
        raise saved.wrong("categories_", say("holds something that is neither text nor a number"))
    known = categories[:-1] if _is_nan(categories[-1]) else categories
    if categories.dtype.kind == "O":
        right = all(item is None or isinstance(item, str | int | float | np.generic) for item in known)
        right = right and not any(_is_nan(item) for item in known) and len(set(known.tolist())) == len(known)
    else:
        right = not any(map(_is_nan, known[-1:])) and bool((known[:-1] < known[1:]).all())
    if not right:
        raise saved.wrong("categories_", say("holds categories that are out of order, twice there, or no categories"))
    return categories


def _counts(model: Any, saved: Saved, apart: dict[int, int]) -> list[np.ndarray]:
    """Zero for each rare category and one for the others, by column: what scikit-learn's own grouping starts from."""
    rare = saved.get("_infrequent_indices")
    if not isinstance(rare, list) or len(rare) != len(model.categories_):
        raise saved.wrong("_infrequent_indices", say("are not given for each column"))
    counts = []
    for index, (known, places) in enumerate(zip(model.categories_, rare, strict=True)):
        count = np.ones(len(known), dtype=np.int64)
        if places is not None:
            rows = saved.numbers(places, "_infrequent_indices", (-1,), kinds="iu")
            limit = len(known) - (index in apart)
            if not len(rows) or (rows < 0).any() or (rows >= limit).any() or len(set(rows.tolist())) < len(rows):
                raise saved.wrong("_infrequent_indices", say("are not among its categories"))
            count[rows] = 0
        counts.append(count)
    return counts


def _is_nan(value: Any) -> bool:
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def _imputer(model: Any, saved: Saved) -> None:
    width = saved.read_width(model)
    if model.add_indicator:
        raise saved.wrong("add_indicator", say("asks for columns that mark missing values, which are not read"))
    fills = saved.get("statistics_")
    if not isinstance(fills, np.ndarray) or fills.shape != (width,) or fills.dtype.kind not in "fiuO":
        raise saved.wrong("statistics_", say("does not hold one value for each of its {width} columns", width=width))
    plain = fills.dtype != object or all(isinstance(item, str | int | float | np.generic) for item in fills)
    if not plain or (fills.dtype.kind == "f" and np.isinf(fills).any()):
        raise saved.wrong("statistics_", say("holds something that is neither text nor a finite number"))
    model.statistics_, model.indicator_ = fills, None
    model._fit_dtype = _type(saved, "_fit_dtype")
    model._fill_dtype = _type(saved, "_fill_dtype") if "_fill_dtype" in saved else model._fit_dtype


def _type(saved: Saved, name: str) -> np.dtype[Any]:
    """The kind of values that the column held in training: numbers or objects."""
    given = saved.get(name)
    if not isinstance(given, np.dtype) or given.kind not in "fiuO" or given.itemsize > 8:
        raise saved.wrong(name, say("is not a kind of numbers or text"))
    return given


REBUILDERS = {OneHotEncoder: _one_hot, OrdinalEncoder: _ordinal, SimpleImputer: _imputer}

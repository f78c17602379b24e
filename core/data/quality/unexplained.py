"""Whether the outcome itself differs by group beyond what the features explain.

No test of a model sees this: where the outcome was recorded unfairly, a model that repeats it passes. For each group,
outcome and membership are predicted from the features by people of other folds; what is left of both must not go
together (the generalised covariance measure of Shah and Peters 2020, *Annals of Statistics* 48:1514), nor must what is
left of the outcome follow its prediction less in the group than elsewhere (the same, weighted: Scheidegger, Hörrmann
and Bühlmann 2022, *Journal of Machine Learning Research* 23:273), as it does where labels were exchanged. An error in
one of the two predictions alone biases neither.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.base.errors import Caveat
from core.base.thresholds import FEWEST_ROWS
from core.data.cells import as_numbers, as_text, is_number_column
from core.data.dataset import Dataset
from core.data.labels import whom
from core.language.phrases import listed, number, points, quoted, upper_first
from core.language.told import retold, say

LEVEL = 0.05
"""How often any group of an attribute without unexplained differences is named, whatever else is protected."""
LEAST_APART = 0.05
"""A difference in the outcome that is worth a warning: this share of people, or of a number's standard deviation."""
LEAST_SLOPE = 0.25
"""Where the outcome follows the features by this share less, or more, than elsewhere, that is worth one too."""
FOLDS = 5
BINS = 8
MOST_ROWS = 5_000
MOST_VALUES = 30
_MOST_NAMED = 3


def unexplained(dataset: Dataset) -> Iterator[Caveat]:
    """A warning of the group whose outcomes features explain least, which names the others; none without an outcome.

    Tables of texts, and outcomes of several classes of which none is favourable, are not looked at.
    """
    if found := sorted(_found(dataset), key=lambda one: -one.gravity):
        first, *others = found
        told = first.told
        if others:
            who = listed([one.brief for one in others], _MOST_NAMED)
            told = say("{gravest} Nor do the features explain the outcomes of {others}.", gravest=told, others=who)
        yield Caveat("warning", told, retold(_ADVICE))


@dataclass(frozen=True)
class _Unexplained:
    """A group whose outcomes its features do not explain.

    Attributes:
        brief: The group amid a sentence, and what was found in a few words.
        told: What was found, a sentence.
        gravity: A lower bound of what was found, as a multiple of what is worth a warning.
    """

    brief: str
    told: str
    gravity: float


def _found(dataset: Dataset) -> Iterator[_Unexplained]:
    roles = dataset.roles
    columns = [name for name in roles.features if name not in roles.protected]
    if roles.text or not roles.outcome or not columns or not (roles.favourable or roles.outcome_type == "number"):
        return
    frame = dataset.frame.iloc[:: -(-len(dataset) // MOST_ROWS)]
    numbers = roles.outcome_type == "number"
    outcome = as_numbers(frame[roles.outcome]) if numbers else _is(frame[roles.outcome], roles.favourable)
    if not outcome.std() > 0:
        return
    scale = float(outcome.std()) if numbers else 1.0
    design = _design(frame[columns])
    fold = np.random.default_rng(0).permutation(len(frame)) % FOLDS
    by_attribute = {name: _groups(frame[name]) for name in roles.protected}
    groups = [(name, group) for name, own in by_attribute.items() for group in own]
    values = np.column_stack([outcome, *(_is(frame[name], group) for name, group in groups)])
    predicted = _predicted(design, values, fold)
    left = values - predicted
    follows = predicted[:, 0] - predicted[:, 0].mean()
    for (name, group), own in zip(groups, left[:, 1:].T, strict=True):
        people, level = whom(f"{name} = {group}"), LEVEL / (4 * len(by_attribute[name]))
        apart, low = _bound(own, left[:, 0], own, level)
        if low > LEAST_APART * scale:
            more = apart > 0
            told = (
                _higher(people, quoted(roles.outcome), number(abs(apart)), more=more)
                if numbers
                else _more_often(
                    people, quoted(f"{roles.outcome} = {roles.favourable}"), points(round(abs(apart), 2)), more=more
                )
            )
            brief = _apart_in_brief(people, number(abs(apart)) if numbers else "", abs(apart), more=more)
            yield _Unexplained(brief, told, low / (LEAST_APART * scale))
            continue
        slope, low = _bound(own * follows, left[:, 0], own * follows, level)
        if low > LEAST_SLOPE:
            told = _followed(people, quoted(roles.outcome), more=slope > 0)
            yield _Unexplained(_followed_in_brief(people, more=slope > 0), told, low / LEAST_SLOPE)


def _higher(people: str, outcome: str, size: str, *, more: bool) -> str:
    known = {"people": upper_first(people), "outcome": outcome, "size": size}
    if more:
        return say("{people} have a higher {outcome} than others with the same features, by about {size}.", **known)
    return say("{people} have a lower {outcome} than others with the same features, by about {size}.", **known)


def _more_often(people: str, outcome: str, size: str, *, more: bool) -> str:
    known = {"people": upper_first(people), "outcome": outcome, "size": size}
    if more:
        return say(
            "{people} have {outcome} more often than others with the same features, by about {size} percentage points.",
            **known,
        )
    return say(
        "{people} have {outcome} less often than others with the same features, by about {size} percentage points.",
        **known,
    )


def _apart_in_brief(people: str, higher: str, apart: float, *, more: bool) -> str:
    """By how much outcomes are higher, or else by how many points the favourable one is more frequent."""
    if higher:
        known = {"people": people, "size": higher}
        return say("{people} ({size} higher)", **known) if more else say("{people} ({size} lower)", **known)
    known = {"people": people, "size": points(round(apart, 2))}
    return say("{people} ({size} points more)", **known) if more else say("{people} ({size} points fewer)", **known)


def _followed_in_brief(people: str, *, more: bool) -> str:
    return (
        say("{people} (followed more closely)", people=people)
        if more
        else say("{people} (followed less closely)", people=people)
    )


def _followed(people: str, outcome: str, *, more: bool) -> str:
    if more:
        return say(
            "Among {people} {outcome} follows the features much more closely than among others.",
            people=people,
            outcome=outcome,
        )
    return say(
        "Among {people} {outcome} follows the features much less closely than among others.",
        people=people,
        outcome=outcome,
    )


_ADVICE = say(
    "Ask how the outcome was recorded: where it is unfair or wrong, a model that repeats it passes "
    "every test against it. Or bring the features that explain it."
)


def _bound(weight: np.ndarray, rest: np.ndarray, regressor: np.ndarray, level: float) -> tuple[float, float]:
    """The coefficient of what is left of the outcome on ``regressor``, and a lower bound of its size."""
    from scipy.special import ndtri

    spread = float((weight * regressor).mean())
    if not spread > 0:
        return 0.0, 0.0
    product = weight * rest
    value = float(product.mean() / spread)
    error = float((product - value * weight * regressor).std() / len(rest) ** 0.5 / spread)
    return value, abs(value) + float(ndtri(level)) * error


def _predicted(design: np.ndarray, values: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Each row's values, shape (n, k), as people of the other folds predict them, by ridge regression."""
    found = np.empty(values.shape)
    for one in range(FOLDS):
        inside = fold != one
        x, mean = design[inside], values[inside].mean(axis=0)
        gram = x.T @ x + np.eye(design.shape[1])
        found[~inside] = mean + design[~inside] @ np.linalg.solve(gram, x.T @ (values[inside] - mean))
    return found


def _design(frame: pd.DataFrame) -> np.ndarray:
    """An indicator for each frequent value, and for numbers each of eight bins beside the number itself."""
    parts = []
    for name in frame.columns:
        values = frame[name]
        if is_number_column(values) and values.nunique() > BINS:
            numbers = as_numbers(values).astype(np.float64)
            cuts = np.unique(np.quantile(numbers, np.arange(1, BINS) / BINS))
            codes = np.searchsorted(cuts, numbers)
            spread = float(numbers.std()) or 1.0
            parts.append(((numbers - numbers.mean()) / spread).clip(-3, 3)[:, None])
        else:
            written = as_text(values)
            frequent = written.value_counts().index[:MOST_VALUES]
            codes = frequent.get_indexer(pd.Index(written))
        parts.append((codes[:, None] == np.unique(codes)).astype(np.float64))
    found = np.concatenate(parts, axis=1)
    centred: np.ndarray = found - found.mean(axis=0)
    return centred


def _groups(values: pd.Series) -> list[str]:
    """Groups with enough people inside and outside; none of an attribute that is a number."""
    if is_number_column(values) and values.nunique() > 20:
        return []
    rows = as_text(values).value_counts()
    enough = rows[(rows >= FEWEST_ROWS) & (len(values) - rows >= FEWEST_ROWS)]
    names = list(map(str, enough.index))
    return names[-1:] if len(rows) == 2 else names


def _is(values: pd.Series, value: str) -> np.ndarray:
    found: np.ndarray = (as_text(values) == value).to_numpy(dtype=np.float64)
    return found

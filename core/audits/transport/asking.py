"""Asking the model about the same people in another protected group."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.audits.transport.decision import Loss
from core.audits.transport.losses import losses_of
from core.audits.transport.strata import SortedPeople
from core.base.progress import OnProgress, Progress
from core.contracts.model import AbstractModel
from core.data.encoded import EncodedDataset
from core.language.told import say

LARGEST_PANEL = 50
"""People of one class who are asked about in each group nobody of the class belongs to, evenly spaced in the table's
sorted order. Where the cells tell apart all that the model reads, one would do."""
_ROWS_AT_ONCE = 50_000


@dataclass(frozen=True)
class CounterfactualAnswers:
    """What the model says about strata that do not occur in the table.

    Attributes:
        losses: Mean loss of each stratum under each loss; arrays of shape (K,), NaN for strata with people.
        favourable: Share of good decisions, shape (K,), NaN likewise.
        x: Mean encoded person, shape (K, d), NaN likewise.
        unavailable: Losses the answers do not allow, with the reason.
    """

    losses: dict[Loss, np.ndarray]
    favourable: np.ndarray
    x: np.ndarray
    unavailable: dict[Loss, str]


def ask(
    model: AbstractModel,
    data: EncodedDataset,
    strata: SortedPeople,
    order: np.ndarray,
    *,
    favourable: int,
    on_progress: OnProgress,
) -> CounterfactualAnswers:
    """Ask about every stratum without people: what if people of its class had its protected values?

    The values put in are the most frequent ones among the people of that protected group, and the first in the sorted
    order of equals. Only columns the model reads can matter.

    Args:
        model: A model that can be asked.
        data: The audited people.
        strata: Their strata, with every group in every class.
        order: People sorted by stratum and losses, shape (n,), so that the answers do not depend on the table's order.
        favourable: Index of the good class.
        on_progress: Called between blocks.
    """
    empty = np.flatnonzero(strata.people == 0)
    member, target = _panel(strata, order, empty)
    stand_in = _typical_members(data, strata)
    size, parts = len(strata), []
    for start in range(0, len(member), _ROWS_AT_ONCE):
        some = slice(start, start + _ROWS_AT_ONCE)
        encoded = _with_values_of(model, data, member[some], stand_in[strata.group[target[some]]])
        probabilities = model.predict_proba(encoded)
        parts.append((probabilities, encoded.y, encoded.x))
        on_progress(Progress(min(1.0, some.stop / len(member)), say("Asking for the same people in every group")))
    if not parts:
        nothing = np.full(size, np.nan)
        return CounterfactualAnswers({}, nothing, np.full((size, data.x.shape[1]), np.nan), {})
    probabilities, y, x = (np.concatenate(some) for some in zip(*parts, strict=True))
    found = losses_of(probabilities, y)
    decided = (probabilities.argmax(axis=1) == favourable).astype(np.float64)
    return CounterfactualAnswers(
        losses={loss: _means(values, target, size) for loss, values in found.values.items()},
        favourable=_means(decided, target, size),
        x=np.column_stack([_means(column, target, size) for column in x.T]),
        unavailable=found.unavailable,
    )


def _panel(strata: SortedPeople, order: np.ndarray, empty: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a person and a stratum to ask about: positions and strata, each shape (q,)."""
    classes = strata.classes(strata.protected)
    of_person = classes[strata.cell[order]]
    by_class = order[np.argsort(of_person, kind="stable")]
    starts = np.searchsorted(np.sort(of_person), np.arange(int(classes.max()) + 2))

    def pairs() -> Iterator[tuple[np.ndarray, int]]:
        for kind in empty:
            start, stop = starts[classes[kind] : classes[kind] + 2]
            places = np.unique(np.linspace(start, stop - 1, min(stop - start, LARGEST_PANEL)).astype(np.int64))
            yield by_class[places], int(kind)

    asked = list(pairs())
    people = [people for people, _ in asked]
    return (
        np.concatenate(people) if people else np.empty(0, np.int64),
        np.repeat([kind for _, kind in asked], list(map(len, people))).astype(np.int64),
    )


def _typical_members(data: EncodedDataset, strata: SortedPeople) -> np.ndarray:
    """For each protected group a row whose protected values are the most frequent in the group; shape (g,), int."""
    frame = data.dataset.frame[list(strata.protected)].reset_index(drop=True)
    group = strata.group[strata.cell]
    counted = frame.assign(_group=group, _row=np.arange(len(frame))).groupby(
        ["_group", *strata.protected], sort=True, observed=True
    )["_row"]
    table = counted.agg(["size", "min"]).reset_index()
    largest = table.sort_values(["_group", "size"], ascending=[True, False], kind="stable").drop_duplicates("_group")
    rows: np.ndarray = largest["min"].to_numpy(dtype=np.int64)
    return rows


def _with_values_of(
    model: AbstractModel, data: EncodedDataset, people: np.ndarray, others: np.ndarray
) -> EncodedDataset:
    """These people with the protected values of others, as the model reads them."""
    changed = data.dataset.take(people)
    frame = changed.frame.reset_index(drop=True)
    values = data.dataset.frame.iloc[others].reset_index(drop=True)
    replaced = frame.assign(**{name: values[name] for name in data.dataset.roles.protected})
    return model.encode(replace(changed, frame=replaced))


def _means(values: np.ndarray, kind: np.ndarray, size: int) -> np.ndarray:
    count = np.bincount(kind, minlength=size)
    with np.errstate(invalid="ignore"):
        means: np.ndarray = np.bincount(kind, values, size) / count
    return means

"""The same people in every protected group, told apart by everything the model reads: no kind of theirs is mixed.

Where the model can be asked, who is in the table limits nobody's comparison: each person has a loss of their own in
every combination of the protected attributes' values, and the audit value is the mean over people of the largest rise
of their own loss. Columns and bins do not enter; they only serve to show who is moved.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.audits.transport.asking import CounterfactualAnswers
from core.audits.transport.losses import losses_of
from core.audits.transport.result import ChangedAttributes
from core.audits.transport.strata import SortedPeople, combinations
from core.base.errors import AuditError
from core.base.progress import OnProgress, Progress
from core.contracts.model import AbstractModel
from core.data.cells import as_numbers, as_text, is_number_column
from core.data.encoded import EncodedDataset
from core.inference.transport.memory import free_memory
from core.language.phrases import count, whole
from core.language.told import localized, retold, say

LARGEST_EXACT = 2_000_000
"""Strata at most."""
_BYTES = 600
"""Memory that a stratum takes while the test runs, a generous guess."""
_ROWS_AT_ONCE = 50_000
_INSTEAD = say(
    "Let people differ in fewer protected attributes, audit a random part of the rows, or compare "
    "with people in the table."
)


@dataclass(frozen=True)
class Everybody:
    """Every person in every combination of the values of the protected attributes they may differ in.

    Attributes:
        strata: One for each combination in each class of people whom the model cannot tell apart otherwise.
        answers: Losses, decisions; shape (K,) each, never NaN.
        asked: Which attributes were changed.
    """

    strata: SortedPeople
    answers: CounterfactualAnswers
    asked: ChangedAttributes


@dataclass(frozen=True)
class _Values:
    """The values of a protected attribute that people may differ in; v values.

    Attributes:
        name: The attribute.
        read: Whether the model reads it.
        of_person: Value of each person as an index, shape (n,), int.
        kind: Bin of each value, an index into the names of the bins, shape (v,), int.
        example: A row with each value, shape (v,), int.
    """

    name: str
    read: bool
    of_person: np.ndarray
    kind: np.ndarray
    example: np.ndarray


def ask_everybody(
    model: AbstractModel,
    data: EncodedDataset,
    strata: SortedPeople,
    differ_in: tuple[str, ...],
    *,
    favourable: int,
    on_progress: OnProgress,
) -> Everybody:
    """Ask the model about everybody with every combination of the values that occur.

    Args:
        model: A model that can be asked.
        data: The audited people.
        strata: Their strata by the columns that are shown.
        differ_in: The protected attributes people may differ in.
        favourable: Index of the good class.
        on_progress: Called between blocks.

    Raises:
        AuditError: There would be too many strata, or more than fit into memory.
    """
    frame, read = data.dataset.frame, model.encoder.features
    values = [_values(strata, frame, name, name in read) for name in differ_in]
    fixed = [_ranks(frame[name]) for name in read if name not in differ_in]
    inputs, _ = combinations(np.column_stack([np.zeros(len(data), np.int64), *fixed]))
    shown = [0, *(place + 1 for place, one in enumerate(strata.columns) if one.column.name not in differ_in)]
    classes, _ = combinations(np.column_stack([strata.codes[:, shown][strata.cell], inputs]))
    people_of = np.unique(classes, return_index=True)[1]
    sizes = [len(one.kind) for one in values]
    _check_size(len(people_of), sizes)

    changed = [one for one in values if one.read]
    combination, place = _product(sizes), np.zeros(int(np.prod(sizes)), dtype=np.int64)
    for one, chosen in zip(values, combination.T, strict=True):
        if one.read:
            place = place * len(one.kind) + chosen
    probabilities = _asked(model, data, np.unique(inputs, return_index=True)[1], changed, on_progress)
    answers = _answers(probabilities, inputs[people_of], data.y[people_of], place, favourable)
    own = np.ravel_multi_index([one.of_person for one in values], sizes)
    return Everybody(
        strata=_finer(strata, classes, people_of, values=values, combination=combination, own=own),
        answers=answers,
        asked=ChangedAttributes(
            read=tuple(one.name for one in values if one.read),
            unread=tuple(one.name for one in values if not one.read),
        ),
    )


def _values(strata: SortedPeople, frame: pd.DataFrame, name: str, read: bool) -> _Values:
    """Exact values where the model reads the attribute; else its bins, which are all that is shown of it."""
    place = next(place for place, one in enumerate(strata.columns) if one.column.name == name)
    kind = strata.codes[strata.cell, place + 1]
    of_person = _ranks(frame[name]) if read else kind
    _, example, index = np.unique(of_person, return_index=True, return_inverse=True)
    return _Values(name, read, index.reshape(len(frame)), kind[example], example)


def _ranks(values: pd.Series) -> np.ndarray:
    """Each row's value as its place among the values that occur, numbers by size, all else as text; shape (n,), int."""
    if is_number_column(values):
        numbers: np.ndarray = np.unique(as_numbers(values), return_inverse=True)[1]
        return numbers
    return np.asarray(pd.factorize(as_text(values), sort=True)[0], dtype=np.int64)


def _product(sizes: list[int]) -> np.ndarray:
    """Every combination of indices, the last one running fastest; shape (product of sizes, len(sizes))."""
    return np.stack(np.unravel_index(np.arange(int(np.prod(sizes))), sizes), axis=1)


def _asked(
    model: AbstractModel, data: EncodedDataset, rows: np.ndarray, changed: list[_Values], on_progress: OnProgress
) -> np.ndarray:
    """Class probabilities of these people with every combination of the changed values; shape (len(rows), c, k)."""
    combination = _product([len(one.kind) for one in changed]) if changed else np.zeros((1, 0), dtype=np.int64)
    found = np.empty((len(rows), len(combination), len(model.classes)))
    frame = data.dataset.frame
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        block = data.dataset.take(rows[start : start + _ROWS_AT_ONCE])
        own = block.frame.reset_index(drop=True)
        for place, chosen in enumerate(combination):
            others = {
                one.name: frame[one.name].iloc[np.full(len(own), one.example[value])].reset_index(drop=True)
                for one, value in zip(changed, chosen, strict=True)
            }
            encoded = model.encode(replace(block, frame=own.assign(**others)))
            found[start : start + len(own), place] = model.predict_proba(encoded)
            done = (start + len(own) * (place + 1) / len(combination)) / len(rows)
            on_progress(Progress(min(1.0, done), say("Asking for the same people in every group")))
    return found


def _answers(
    probabilities: np.ndarray, inputs: np.ndarray, y: np.ndarray, place: np.ndarray, favourable: int
) -> CounterfactualAnswers:
    """Losses and decisions of every stratum: class after class, in each every combination.

    Args:
        probabilities: What was asked, shape (u, c, k).
        inputs: Which of the u each class is, shape (m,), int.
        y: True class of each class's people, shape (m,), int.
        place: Which of the c each combination is, shape (g,), int.
        favourable: Index of the good class.
    """
    many, width = len(inputs), probabilities.shape[1]
    of_class = probabilities[inputs].reshape(many * width, -1)
    found = losses_of(of_class, np.repeat(y, width))
    decided = (of_class.argmax(axis=1) == favourable).astype(np.float64)

    def spread(some: np.ndarray) -> np.ndarray:
        spread_out: np.ndarray = some.reshape(many, width)[:, place].ravel()
        return spread_out

    losses = {loss: spread(some) for loss, some in found.values.items()}
    return CounterfactualAnswers(losses, spread(decided), np.empty((many * len(place), 0)), found.unavailable)


def _finer(
    strata: SortedPeople,
    classes: np.ndarray,
    people_of: np.ndarray,
    *,
    values: list[_Values],
    combination: np.ndarray,
    own: np.ndarray,
) -> SortedPeople:
    """Strata by class and combination.

    Args:
        strata: Strata by the columns that are shown.
        classes: Class of each person, shape (n,), int.
        people_of: Somebody of each class, shape (m,), int.
        values: The values of the attributes people may differ in.
        combination: Every combination of them, shape (g, len(values)), int.
        own: Combination of each person, shape (n,), int.
    """
    groups = len(combination)
    codes = np.repeat(strata.codes[strata.cell[people_of]], groups, axis=0)
    for one, chosen in zip(values, combination.T, strict=True):
        place = next(place for place, column in enumerate(strata.columns) if column.column.name == one.name)
        codes[:, place + 1] = np.tile(one.kind[chosen], len(people_of))
    group, group_codes = combinations(codes[:, 1 + strata.free :])
    names = [one.names for one in strata.columns[strata.free :]]
    return replace(
        strata,
        codes=codes,
        label=np.repeat(strata.label[strata.cell[people_of]], groups),
        group=group,
        groups=tuple(", ".join(kind[code] for kind, code in zip(names, row, strict=True)) for row in group_codes),
        cell=classes * groups + own,
        own_classes=np.repeat(np.arange(len(people_of)), groups),
    )


def _check_size(classes: int, sizes: list[int]) -> None:
    groups = int(np.prod(sizes, dtype=np.float64))
    if classes * groups > LARGEST_EXACT:
        raise AuditError(
            say(
                "{people} people the model can tell apart, each in {combinations} of protected values, are {kinds} "
                "kinds of people; at most {most} can be asked about.",
                people=whole(classes),
                combinations=count(groups, "combination"),
                kinds=whole(classes * groups),
                most=whole(LARGEST_EXACT),
            ),
            where=say("the same people in every group"),
            advice=retold(_INSTEAD),
        )
    if _BYTES * classes * groups > (free := free_memory()):
        raise AuditError(
            say(
                "Asking about {kinds} kinds of people needs about {needed} GB of memory, and {free} GB are free.",
                kinds=whole(classes * groups),
                needed=localized(f"{_BYTES * classes * groups / 1e9:.1f}"),
                free=localized(f"{max(free, 0) / 1e9:.1f}"),
            ),
            where=say("the same people in every group"),
            advice=retold(_INSTEAD),
        )

"""The sensitivity audit of columns: put everybody into every other group and see how the answer moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.audits.column_sensitivity.corners import corners_of
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityDetail
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.arrays import arrays_from_text, arrays_to_text
from core.base.errors import AuditError, Caveat, SettingsError, located
from core.base.progress import OnProgress, Progress, consecutive_parts, ignore_progress
from core.base.thresholds import DRAWS, FEWEST_ROWS, SMALL_GROUP
from core.contracts.audit import Beyond, BlockBeyond, Given
from core.contracts.model import AbstractModel
from core.data.cells import is_number_column
from core.data.clusters import in_parts
from core.data.encoded import EncodedDataset
from core.data.quality.giving_away import giving_away, undeclared
from core.language.phrases import count, quoted, whole
from core.language.told import say

if TYPE_CHECKING:
    import torch

ROWS_AT_ONCE = 4_096


def run(
    audit: ColumnSensitivity, given: Given[AbstractModel, EncodedDataset]
) -> tuple[ColumnSensitivityDetail, tuple[Caveat, ...]]:
    """Measure every person with every protected attribute in which something changes.

    Raises:
        SettingsError: A feature that is to carry an attribute holds no numbers.
        AuditError: Too few rows are left, a group is too small to learn from, or the model fails on changed rows.
    """
    model, data, rng, on_progress = given.model, given.data, given.rng, given.on_progress
    taught, measured = split(audit, data, rng)
    seed = int(rng.integers(2**62))
    attributes = [name for name in data.dataset.roles.protected if audit.through or name in model.reads]
    changes = [GroupChange.learned(attribute, audit.through, taught, data) for attribute in attributes]
    beyond = 0 if given.beyond is None else given.beyond.number
    rest, *parts = consecutive_parts(on_progress, [beyond, *[len(measured)] * len(attributes)])
    others = list[list[Moved]]() if given.beyond is None else _measured_beyond(model, given.beyond, changes, rest)
    found = [
        [measure(model, measured, change, part), *(one[place] for one in others)]
        for place, (change, part) in enumerate(zip(changes, parts, strict=True))
    ]
    corners, about_corners = corners_of(model, measured), tuple[Caveat, ...]()
    if given.beyond is not None:
        told = say("Parts of the table were looked into among {n} rows drawn at random only.", n=whole(len(measured)))
        about_corners = (Caveat("info", told),)
        more = sum(len(one.codes) for one in found[0][1:])
        corners = tuple(replace(one, codes=np.append(one.codes, np.full(more, -1, np.int16))) for one in corners)
    detail = ColumnSensitivityDetail(
        attributes=tuple(
            scores_of(change, scores, model, clusters=measured.clusters)
            for change, scores in zip(changes, found, strict=True)
        ),
        through=audit.through,
        learned_on=len(taught) if audit.through else 0,
        draws=DRAWS,
        seed=seed,
        corners=corners,
        tells=undeclared(giving_away(data.dataset, model.reads), set(model.reads) - set(audit.through)),
    )
    return detail, (*_caveats(model, data, detail), *about_corners)


def _measured_beyond(
    model: AbstractModel, beyond: Beyond[EncodedDataset], changes: Sequence[GroupChange], on_progress: OnProgress
) -> list[list[Moved]]:
    """What is seen of people who lie beyond memory, some after the others, by each change."""
    found = list[list[Moved]]()

    def measured(blocks: Iterator[BlockBeyond[EncodedDataset]]) -> list[list[Moved]]:
        parts = list[list[Moved]]()
        for block in blocks:
            with located(block.where):
                parts.append([measure(model, block.data, change, ignore_progress) for change in changes])
            block.on_progress(Progress(1.0, say("Changing the groups of all others")))
        return parts

    beyond.add_up(
        measured,
        found.extend,
        on_progress,
        write=lambda parts: [[arrays_to_text(vars(one)) for one in part] for part in parts],
        read=lambda told: [[Moved(**arrays_from_text(one)) for one in part] for part in told],
    )
    return found


def split(
    audit: ColumnSensitivity, data: EncodedDataset, rng: np.random.Generator
) -> tuple[EncodedDataset, EncodedDataset]:
    """The rows to learn mean changes from and the rows to measure; the same where nothing has to be learned.

    Raises:
        SettingsError: A feature that is to carry an attribute holds no numbers.
        AuditError: Too few rows are left to measure.
    """
    for name in audit.through:
        if not is_number_column(data.dataset.frame[name]):
            raise SettingsError(
                say(
                    "The feature {name} holds categories, and a mean change of categories is nobody's value.",
                    name=quoted(name),
                ),
                where=say("setting 'Features that carry the attribute'"),
                advice=say("Name features that hold numbers, or make the column a protected attribute."),
            )
    if not audit.through:
        return data, data
    taught, measured = in_parts(len(data), (audit.share, 1 - audit.share), rng, data.clusters)
    if len(measured) < FEWEST_ROWS:
        raise AuditError(
            say(
                "Learning how features change with the group would leave {measured} to measure; a test needs at "
                "least {fewest}.",
                measured=count(len(measured), "row"),
                fewest=FEWEST_ROWS,
            ),
            advice=say("Learn from a smaller share of the rows."),
        )
    return data.take(np.sort(taught)), data.take(np.sort(measured))


@dataclass(frozen=True)
class GroupChange:
    """What changes with a group; g groups.

    Attributes:
        attribute: The protected attribute.
        groups: Its values as text, length g.
        values: One cell of each group as the table holds it, length g.
        features: Features that carry the attribute, length m.
        means: Mean of each feature in each group, original units, shape (g, m). For two groups their difference is the
            mean over all rows of eq. 8's difference quotients.
    """

    attribute: str
    groups: tuple[str, ...]
    values: pd.Series
    features: tuple[str, ...]
    means: np.ndarray

    @classmethod
    def learned(
        cls, attribute: str, features: tuple[str, ...], learning: EncodedDataset, data: EncodedDataset
    ) -> GroupChange:
        """From the rows to learn from; the groups are those of all rows.

        Raises:
            AuditError: A group has too few rows to learn a mean from.
        """
        codes, groups = data.dataset.groups(attribute)
        first = [int((codes == group).argmax()) for group in range(len(groups))]
        values = data.dataset.frame[attribute].iloc[first]
        own = pd.Index(groups).get_indexer(pd.Index(np.array(learning.dataset.groups(attribute)[1])))
        learned = own[learning.dataset.groups(attribute)[0]]
        rows = np.bincount(learned, minlength=len(groups))
        if features and rows.min() < SMALL_GROUP:
            raise AuditError(
                say(
                    "The group {group} has {rows} to learn from; a mean needs at least {fewest}.",
                    group=quoted(groups[int(rows.argmin())]),
                    rows=count(int(rows.min()), "row"),
                    fewest=SMALL_GROUP,
                ),
                where=say("column {attribute}", attribute=quoted(attribute)),
                advice=say("Learn from a larger share of the rows, or merge small groups."),
            )
        columns = learning.dataset.frame[list(features)].to_numpy(dtype=np.float64)
        means = np.array([columns[learned == group].mean(axis=0) for group in range(len(groups))]) if features else None
        return cls(attribute, groups, values, features, np.zeros((len(groups), 0)) if means is None else means)

    def put(self, frame: pd.DataFrame, codes: np.ndarray, group: int) -> pd.DataFrame:
        """These people in another group: its value, and their own features shifted by the difference of the means."""
        value = pd.Series([self.values.iloc[group]] * len(frame), index=frame.index, dtype=frame[self.attribute].dtype)
        shifted = {
            name: frame[name].to_numpy(dtype=np.float64) + self.means[group, j] - self.means[codes, j]
            for j, name in enumerate(self.features)
        }
        return frame.assign(**{self.attribute: value, **shifted})


@dataclass(frozen=True)
class Moved:
    """What was seen of n people; see :class:`AttributeScores`.

    Attributes:
        codes: Group of each, shape (n,), int.
        change: Mean change of the answer in another group, shape (n,).
        slope: The same by slopes, shape (n,).
        flipped: Whether the predicted outcome changes in any, shape (n,), bool.
        shift: Sum of the changes of the encoded columns into each group, shape (g, d).
    """

    codes: np.ndarray
    change: np.ndarray
    slope: np.ndarray
    flipped: np.ndarray
    shift: np.ndarray


def measure(model: AbstractModel, data: EncodedDataset, change: GroupChange, on_progress: OnProgress) -> Moved:
    """Put everybody into every other group and see how the answer moves, block by block.

    Raises:
        ModelError: An answer is not a finite number.
        AuditError: A derivative is not a finite number, or somebody is of a group of which nothing was learned.
    """
    own, names = data.dataset.groups(change.attribute)
    known = pd.Index(change.groups).get_indexer(pd.Index(names))
    if (known < 0).any():
        raise AuditError(
            say(
                "The group {group} of {attribute} is not among the rows that were drawn.",
                group=quoted(names[int((known < 0).argmax())]),
                attribute=quoted(change.attribute),
            ),
            advice=say("Merge small groups, or leave them out."),
        )
    codes = known[own]
    module = None if model.no_gradients else model.module()
    parts = []
    for start in range(0, len(data), ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, len(data)))
        parts.append(_measure_block(model, module, data.take(rows), codes[rows], change))
        on_progress(Progress(float(rows[-1] + 1) / len(data), say("Changing {attribute}", attribute=change.attribute)))
    moved, slope, flipped, shifts = zip(*parts, strict=True)
    return Moved(codes, np.concatenate(moved), np.concatenate(slope), np.concatenate(flipped), np.sum(shifts, axis=0))


def scores_of(
    change: GroupChange, found: Sequence[Moved], model: AbstractModel, *, clusters: np.ndarray | None
) -> AttributeScores:
    """What was seen of people, one part of them after the other, as the scores of an attribute."""
    codes = np.concatenate([one.codes for one in found])
    moves = np.array([(codes != group).sum() for group in range(len(change.groups))])[:, None]
    shift = np.sum([one.shift for one in found], axis=0) / np.maximum(moves, 1)
    varies = np.flatnonzero((shift != 0).any(axis=0))
    return AttributeScores(
        attribute=change.attribute,
        groups=change.groups,
        codes=codes,
        read=change.attribute in model.reads,
        change=np.concatenate([one.change for one in found]),
        slope=np.concatenate([one.slope for one in found]),
        flipped=np.concatenate([one.flipped for one in found]),
        columns=tuple(np.array(model.encoder.names, dtype=object)[varies]),
        shift=shift[:, varies],
        clusters=clusters,
    )


def _measure_block(
    model: AbstractModel, module: torch.nn.Module | None, data: EncodedDataset, codes: np.ndarray, change: GroupChange
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Mean change, mean slope and whether any change flips the answer, (n,) each; and the sums of shifts, (g, d)."""
    answers = model.predict_proba(data)
    n, others = len(data), len(change.groups) - 1
    moved, slope, flipped = np.zeros(n), np.zeros(n), np.zeros(n, dtype=bool)
    shift = np.zeros((len(change.groups), data.x.shape[1]))
    for group in range(len(change.groups)):
        elsewhere = codes != group
        if not elsewhere.any():
            continue
        people = data.take(np.flatnonzero(elsewhere))
        put = change.put(people.dataset.frame, codes[elsewhere], group)
        changed = model.encode(replace(people.dataset, frame=put))
        other = model.predict_proba(changed)
        step = changed.x - people.x
        moved[elsewhere] += np.abs(other - answers[elsewhere]).sum(axis=1) / 2 / others
        flipped[elsewhere] |= other.argmax(axis=1) != answers[elsewhere].argmax(axis=1)
        slope[elsewhere] += np.nan if module is None else directional(module, people.x, step) / others
        shift[group] = step.sum(axis=0)
    return moved, slope, flipped, shift


def directional(module: torch.nn.Module, x: np.ndarray, step: np.ndarray) -> np.ndarray:
    """½ Σ_k |∇f_k(x) · step| for the probabilities f of each row: the total variation per unit of the change.

    It is P of App. A (eq. 6, 11) with w uniform, times K/2, which is 1 for two classes. Rows do not know of each other,
    so that one backward pass a class serves all of them; the first class follows, since derivatives of probabilities
    sum to 0. (``torch.func.jvp`` would need one forward pass, but takes seconds to load.)

    Args:
        module: Maps (n, d) to logits (n, K).
        x: Encoded rows, shape (n, d).
        step: The change of group in encoded units, shape (n, d).

    Returns:
        Shape (n,), float64.

    Raises:
        AuditError: A derivative is not a finite number.
    """
    import copy

    import torch

    exact = copy.deepcopy(module).double().requires_grad_(False)
    at = torch.from_numpy(np.array(x, dtype=np.float64)).requires_grad_(True)
    answers = exact(at).softmax(dim=1)
    rates = np.zeros(answers.shape)
    for k in range(1, answers.shape[1]):
        (gradient,) = torch.autograd.grad(answers[:, k].sum(), at, retain_graph=True)
        rates[:, k] = np.einsum("nd,nd->n", gradient.numpy(), step)
    rates[:, 0] = -rates[:, 1:].sum(axis=1)
    found: np.ndarray = np.abs(rates).sum(axis=1) / 2
    if not np.isfinite(found).all():
        raise AuditError(
            say(
                "The model's derivative is not a finite number for {rows}.",
                rows=count(int((~np.isfinite(found)).sum()), "row"),
            ),
            advice=say("Look for extreme values in the features, and check the preprocessing."),
        )
    return found


def _caveats(model: AbstractModel, data: EncodedDataset, detail: ColumnSensitivityDetail) -> tuple[Caveat, ...]:
    roles = data.dataset.roles
    caveats = []
    unread = [name for name in roles.protected if name not in model.reads]
    if unread and not detail.through:
        caveats.append(
            Caveat(
                "warning",
                say(
                    "The model does not read {columns}, so nothing was changed there.",
                    columns=", ".join(map(quoted, unread)),
                ),
                say("Name the features that carry it, or use a test that looks at all features."),
            )
        )
    if model.no_gradients:
        caveats.append(
            Caveat(
                "info",
                say(
                    "The slope has no value, because the model has no gradients: {no_gradients}",
                    no_gradients=model.no_gradients,
                ),
            )
        )
    if detail.through:
        caveats.append(
            Caveat(
                "info",
                say(
                    "How {features} change with the group was learned from {rows} rows that are not measured; the "
                    "result holds for these mean changes.",
                    features=", ".join(map(quoted, detail.through)),
                    rows=whole(detail.learned_on),
                ),
            )
        )
    return tuple(caveats)

"""One transport test from a model and rows to its detail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.audits.transport.asking import CounterfactualAnswers, ask
from core.audits.transport.budget import proposed_budget, reach
from core.audits.transport.cell_caveats import cell_caveats
from core.audits.transport.decision import Loss
from core.audits.transport.exact import ask_everybody
from core.audits.transport.losses import CellLosses, Losses, canonical_order, deal, losses_of, told_apart
from core.audits.transport.proposal import propose, telling_apart
from core.audits.transport.result import ChangedAttributes, LossPart, TransportDetail
from core.audits.transport.settings import CellColumn, DifferOnlyIn, Transport
from core.audits.transport.similarity import constraints_of, costs_between, leaving_alone
from core.audits.transport.strata import SortedPeople, sort_into_strata
from core.base.errors import Caveat
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress, consecutive_parts
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.counted import MOST_WRITTEN_OUT, SOME_PEOPLE, split_at_random
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.inference.sampling import Sampling
from core.inference.transport.constrained import LIMITED_SPLITS, Constrained, LimitedSplit
from core.inference.transport.constraints import Constraints
from core.inference.transport.costs import AbstractCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.program import Program
from core.inference.transport.sample import CellSample
from core.inference.transport.split_check import Split, how_many_splits
from core.language.told import say


def run(audit: Transport, given: Given[AbstractModel, EncodedDataset]) -> tuple[TransportDetail, tuple[Caveat, ...]]:
    """Sort people into cells, add up their losses, and find the best moves out of every cell.

    Raises:
        SettingsError: The settings name a column, value or group that does not fit the people.
        AuditError: Nobody can be compared, there are too many cells, a cost matrix does not fit, or no plan meets the
            limits.
    """
    model, data, rng = given.model, given.data, given.rng
    metric, on_progress, files = given.metric, given.on_progress, given.files
    seed = int(rng.integers(2**63))
    asking, building = consecutive_parts(on_progress, [1.0, 4.0])
    asking(Progress(0.0, say("Asking the model")))
    seen = _look(audit, model, data, by_place=metric is not None, on_progress=asking)
    strata, losses, answers, order = seen.strata, seen.losses, seen.answers, seen.order
    x = None
    if metric is not None:
        asked = np.full((len(strata), data.x.shape[1]), np.nan) if answers is None else answers.x
        x = np.column_stack([_means(*columns, strata, seen) for columns in zip(data.x.T, asked.T, strict=True)])
    cost, cost_caveats = costs_between(audit, strata, metric, x, files or FileStore())
    limits = constraints_of(audit, strata)
    limited = bool(limits.leaving or limits.budgets)
    cell, sampling = strata.cell[order], Sampling(_clusters(data, strata, losses, order), seen.times)
    sums = {
        loss: CellLosses(values[order], cell, len(strata), answers.losses.get(loss) if answers else None, sampling)
        for loss, values in losses.values.items()
    }
    samples = {loss: summed.sample() for loss, summed in sums.items()}
    many = (
        how_many_splits(cost, data.dataset.people) if any(sample.variances.any() for sample in samples.values()) else 0
    )
    dealt = [deal(cell, sampling, rng) for _ in range(min(many, LIMITED_SPLITS) if limited else many)]
    split = {loss: tuple(map(sums[loss].sample, dealt)) if samples[loss].variances.any() else () for loss in samples}
    pieces = consecutive_parts(building, [1.0] * len(samples))
    groups = strata.label * len(strata.groups) + strata.group
    parts = tuple(
        _part(loss, sample, () if limited else split[loss], cost, piece, groups=groups)
        for (loss, sample), piece in zip(samples.items(), pieces, strict=True)
    )
    found = reach(cost, strata.group)
    detail = TransportDetail(
        cells=strata.as_cells(
            _means(seen.good, np.full(len(strata), np.nan) if answers is None else answers.favourable, strata, seen)
        ),
        parts=parts,
        unavailable=tuple(losses.unavailable.items()),
        proposed_budget=proposed_budget(found.nearest, parts[0].sample.masses),
        comparable=found.across,
        coarse=seen.asked is None and _coarse(strata, model),
        hides=_hides(data, seen, samples),
        asked=seen.asked,
        constrained=_constrained(limits, cost, parts, split) if limited else None,
        draws=audit.draws,
        seed=seed,
    )
    alone_matters = seen.asked is None and not detail.by_distance
    told = cell_caveats(seen.observed, _some(data)[0], alone_matters=alone_matters)
    return detail, (*cost_caveats, *told)


def _clusters(data: EncodedDataset, strata: SortedPeople, losses: Losses, order: np.ndarray) -> np.ndarray | None:
    """Whom each person belongs to, in this order, shape (n,), int; None where nobody belongs to the same."""
    if data.clusters is None or len(np.unique(data.clusters)) == len(data):
        return None
    found: np.ndarray = told_apart(data.clusters, strata.cell, *losses.values.values())[order]
    return found


@dataclass(frozen=True)
class _Seen:
    """What the model says about the people.

    Attributes:
        observed: The strata that occur in the table, by the columns that tell people apart.
        strata: All strata.
        losses: Loss of each person under each loss.
        good: Whether the model decides in favour of each person, shape (n,), float.
        chances: Its probability of the favourable outcome for each, shape (n,); empty where everybody was asked.
        answers: About strata without people; None where nobody was asked.
        asked: Set where everybody was asked about in every group.
        order: People in an order that does not depend on the table's, shape (n,), int.
        times: People that each of these stands for, shape (n,), int64; None where each is one.
    """

    observed: SortedPeople
    strata: SortedPeople
    losses: Losses
    good: np.ndarray
    chances: np.ndarray
    answers: CounterfactualAnswers | None
    asked: ChangedAttributes | None
    order: np.ndarray
    times: np.ndarray | None = None


def _look(
    audit: Transport, model: AbstractModel, data: EncodedDataset, *, by_place: bool, on_progress: OnProgress
) -> _Seen:
    """Sort people into strata and ask the model; ``by_place`` says whether a metric will need everybody's place."""
    roles = data.dataset.roles
    favourable = model.classes.index(roles.favourable)
    columns = audit.columns or _proposed(model, data, favourable)
    strata = sort_into_strata(data.dataset, columns, data.y, model.classes)
    if audit.asks_for_everybody(roles.protected):
        differ_in = audit.similarity.columns if isinstance(audit.similarity, DifferOnlyIn) else ()
        differ_in = tuple(name for name in roles.protected if name in (differ_in or roles.protected))
        found = ask_everybody(model, data, strata, differ_in, favourable=favourable, on_progress=on_progress)
        cell = found.strata.cell
        own = {loss: values[cell] for loss, values in found.answers.losses.items()}
        return _Seen(
            observed=strata,
            strata=found.strata,
            losses=Losses(own, found.answers.unavailable),
            good=found.answers.favourable[cell],
            chances=np.empty(0),
            answers=found.answers,
            asked=found.asked,
            order=canonical_order(cell, ()),
        )
    probabilities = model.predict_proba(data)
    losses = losses_of(probabilities, data.y, data.times)
    good, chances = (probabilities.argmax(axis=1) == favourable).astype(np.float64), probabilities[:, favourable]
    by_person = by_place or audit.space == "all groups"  # verbatim
    order = canonical_order(strata.cell, (*losses.values.values(), *(data.x.T if by_person else ())))
    if audit.space == "observed":
        order, times = _one_by_one(order, data)
        return _Seen(strata, strata, losses, good, chances, None, None, order, times)
    every = strata.in_every_group()
    answers = ask(model, data, every, order, favourable=favourable, on_progress=on_progress)
    return _Seen(strata, every, _allowed_by_both(losses, answers), good, chances, answers, None, order)


def _part(
    loss: Loss,
    sample: CellSample,
    splits: tuple[CellSample, ...],
    cost: AbstractCost,
    on_progress: OnProgress,
    *,
    groups: np.ndarray,
) -> LossPart:
    """The envelope of all people, and those of the halves of each split; ``groups`` as in :meth:`Split.build`."""
    whole, *pieces = consecutive_parts(on_progress, [1.0, *(2.0 for _ in splits)])
    envelope = Envelope.build(sample.losses, cost, whole)
    built = tuple(Split.build(one, cost, _rising(piece), groups) for one, piece in zip(splits, pieces, strict=True))
    return LossPart(loss, sample, envelope, built)


def _rising(on_progress: OnProgress) -> OnProgress:
    """Pass on reports of several pieces of work that each start from 0, never going back."""
    furthest = 0.0

    def report(progress: Progress) -> None:
        nonlocal furthest
        furthest = max(furthest, progress.done)
        on_progress(Progress(furthest, progress.phase))

    return report


def _constrained(
    limits: Constraints, cost: AbstractCost, parts: tuple[LossPart, ...], splits: dict[Loss, tuple[CellSample, ...]]
) -> Constrained:
    """The linear programs for the limits; refuses limits that no plan meets at any budget."""
    found = Constrained(
        limits,
        tuple(Program.build(part.sample.losses, cost) for part in parts),
        tuple(tuple(LimitedSplit(one, *_halved(one, cost)) for one in splits[part.loss]) for part in parts),
    )
    found.solve(0, parts[0].sample.masses, float("inf"))
    return found


def _halved(sample: CellSample, cost: AbstractCost) -> tuple[Program, Program]:
    """Programs with the losses of one half of the people each, which leave cells without people of that half alone.

    Cells nobody is in at all keep the loss that the model gave when asked.
    """

    def of(half: int) -> Program:
        count, total = sample.count[half], sample.total[half]
        unknown = (count == 0) & ((sample.people > 0) | np.isnan(sample.asked))
        losses = np.where(count > 0, total / np.maximum(count, 1), sample.asked)
        return Program.build(np.where(unknown, 0.0, losses), leaving_alone(cost, unknown))

    return of(0), of(1)


def _hides(data: EncodedDataset, seen: _Seen, samples: dict[Loss, CellSample]) -> str:
    """The feature that best tells apart people of one cell whose losses differ, by decisions or if alike by chances."""
    if seen.asked is not None or not any(sample.variances.any() for sample in samples.values()):
        return ""
    answers, (people, rows) = seen.good if samples["0-1"].variances.any() else seen.chances, _some(data)
    return telling_apart(people, seen.observed.cell[rows], answers[rows])


def _coarse(strata: SortedPeople, model: AbstractModel) -> bool:
    """Whether the model reads a column that the strata do not tell apart value by value."""
    exact = {one.column.name for one in strata.columns if not (one.column.edges or one.column.merged)}
    return not set(model.encoder.features) <= exact


def _allowed_by_both(losses: Losses, answers: CounterfactualAnswers) -> Losses:
    """The losses that the answers about people in the table and about people asked for both allow."""
    unavailable: dict[Loss, str] = {**answers.unavailable, **losses.unavailable}
    return Losses({loss: values for loss, values in losses.values.items() if loss not in unavailable}, unavailable)


def _proposed(model: AbstractModel, data: EncodedDataset, favourable: int) -> tuple[CellColumn, ...]:
    """The columns that tell people apart, where the settings name none."""
    people, rows = _some(data)
    return propose(people, model.predict_proba(data)[rows, favourable])


def _some(data: EncodedDataset) -> tuple[Dataset, np.ndarray | slice]:
    """People by whom columns are chosen, and their rows: each as often as it counts, of more than a million some."""
    if data.times is None:
        return data.dataset, slice(None)
    whole = data.dataset.people <= MOST_WRITTEN_OUT
    times = data.times if whole else split_at_random(data.times, SOME_PEOPLE, np.random.default_rng(0))
    rows = np.repeat(np.arange(len(data)), times)
    return data.dataset.take(rows), rows


def _one_by_one(order: np.ndarray, data: EncodedDataset) -> tuple[np.ndarray, np.ndarray | None]:
    """The order with each row as often as it stands for people; more than a million stay counted."""
    if data.times is None:
        return order, None
    if data.dataset.people <= MOST_WRITTEN_OUT:
        return np.repeat(order, data.times[order]), None
    return order, data.times[order]


def _means(values: np.ndarray, asked: np.ndarray, strata: SortedPeople, seen: _Seen) -> np.ndarray:
    """Mean of ``values`` (n,) over the people of each stratum, of ``asked`` (K,) for strata without people; (K,)."""
    weights = 1 if seen.times is None else seen.times
    total = np.bincount(strata.cell[seen.order], weights * values[seen.order], len(strata))
    return np.where(strata.people > 0, total / np.maximum(strata.people, 1), asked)

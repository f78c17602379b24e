"""One transport test from a model and rows to its detail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.audits.transport.asking import Answers, ask
from core.audits.transport.budget import proposed_budget, reach
from core.audits.transport.cells import Kinds, sort_into_kinds
from core.audits.transport.detail import LossPart, TransportDetail
from core.audits.transport.losses import Losses, canonical_order, halves, losses_of, sample_of
from core.audits.transport.notices import cell_notices
from core.audits.transport.proposal import propose
from core.audits.transport.reading import Loss
from core.audits.transport.similarity import costs_between
from core.dataset import EncodedDataset
from core.errors import Notice
from core.inference.transport.envelope import Envelope
from core.metric import FittedMetric
from core.model import AbstractModel
from core.progress import OnProgress, Progress, consecutive_parts

if TYPE_CHECKING:
    from core.audits.transport.settings import Transport


def run(
    audit: Transport,
    model: AbstractModel,
    data: EncodedDataset,
    metric: FittedMetric | None,
    rng: np.random.Generator,
    *,
    on_progress: OnProgress,
) -> tuple[TransportDetail, tuple[Notice, ...]]:
    """Sort people into cells, add up their losses, and find the best moves out of every cell; see ``Transport.run``."""
    seed = int(rng.integers(2**63))
    asking, building = consecutive_parts(on_progress, [1.0, 4.0])
    asking(Progress(0.0, "Asking the model"))
    columns = audit.columns or propose(data.dataset)
    kinds = sort_into_kinds(data.dataset, columns, data.y, model.classes)
    probabilities = model.predict_proba(data)
    losses = losses_of(probabilities, data.y)
    favourable = model.classes.index(data.dataset.roles.favourable)

    by_person = metric is not None or audit.space == "all groups"
    order = canonical_order(kinds.cell, (*losses.values.values(), *(data.x.T if by_person else ())))
    answers, observed = None, kinds
    if audit.space == "all groups":
        kinds = kinds.in_every_group()
        answers = ask(model, data, kinds, order, favourable=favourable, on_progress=asking)
        losses = _allowed_by_both(losses, answers)

    good = (probabilities.argmax(axis=1) == favourable).astype(np.float64)
    x = None
    if metric is not None:
        asked = np.full((len(kinds), data.x.shape[1]), np.nan) if answers is None else answers.x
        x = np.column_stack([_means(*columns, kinds, order) for columns in zip(data.x.T, asked.T, strict=True)])
    cost, cost_notices = costs_between(audit, kinds, metric, x)
    half = halves(kinds.cell[order], rng)
    samples = {
        loss: sample_of(
            values[order], kinds.cell[order], half, len(kinds), answers.losses.get(loss) if answers else None
        )
        for loss, values in losses.values.items()
    }
    pieces = consecutive_parts(building, [1.0] * len(samples))
    parts = tuple(
        LossPart(loss, sample, Envelope.build(sample.losses, cost, piece))
        for (loss, sample), piece in zip(samples.items(), pieces, strict=True)
    )
    found = reach(cost, kinds.group)
    detail = TransportDetail(
        cells=kinds.as_cells(
            _means(good, np.full(len(kinds), np.nan) if answers is None else answers.favourable, kinds, order)
        ),
        parts=parts,
        unavailable=tuple(losses.unavailable.items()),
        proposed_budget=proposed_budget(found.nearest, parts[0].sample.masses),
        comparable=found.across,
        draws=audit.draws,
        seed=seed,
    )
    return detail, (*cost_notices, *cell_notices(observed, data.dataset))


def _allowed_by_both(losses: Losses, answers: Answers) -> Losses:
    """The losses that the answers about people in the table and about people asked for both allow."""
    unavailable: dict[Loss, str] = {**answers.unavailable, **losses.unavailable}
    return Losses({loss: values for loss, values in losses.values.items() if loss not in unavailable}, unavailable)


def _means(values: np.ndarray, asked: np.ndarray, kinds: Kinds, order: np.ndarray) -> np.ndarray:
    """Mean of ``values`` (n,) over the people of each kind, of ``asked`` (K,) for kinds without people; (K,)."""
    total = np.bincount(kinds.cell[order], values[order], len(kinds))
    return np.where(kinds.people > 0, total / np.maximum(kinds.people, 1), asked)

"""From the choice of who counts as similar to costs between cells."""

from __future__ import annotations

import numpy as np

from core.audits.transport.cells import Kinds
from core.audits.transport.own_cost import read_costs
from core.audits.transport.settings import ByMetric, DifferOnlyIn, OwnCost, Transport
from core.cells import counted
from core.errors import AuditError, Notice, SettingsError
from core.files import FileStore
from core.inference.transport.costs import AbstractCost, ClassCost, DenseCost, ForbiddenPairs, QuadraticCost
from core.metric import FittedMetric

MOST_CELLS_WITH_COSTS = 20_000
"""Beyond this, K² costs take hours to look through, though they are never all in memory at once."""
MOST_CELLS_IN_A_FILE = 5_000
"""A matrix of this size takes 200 MB."""


def costs_between(
    audit: Transport, kinds: Kinds, metric: FittedMetric | None, x: np.ndarray | None
) -> tuple[AbstractCost, tuple[Notice, ...]]:
    """Costs between kinds of people: infinite where moving is forbidden, always between different outcomes.

    Args:
        audit: The settings.
        kinds: The kinds of people.
        metric: Who is similar, if the settings name a metric.
        x: Mean encoded person of each kind, shape (K, d), if the settings name a metric.

    Raises:
        SettingsError: A column or group named in the settings does not exist among the audited people.
        AuditError: There are too many kinds for costs between all of them, an uploaded matrix does not fit, or nobody
            may be moved anywhere.
    """
    similarity = audit.similarity
    notices: tuple[Notice, ...] = ()
    if isinstance(similarity, DifferOnlyIn):
        cost: AbstractCost = _within_classes(similarity, kinds)
    elif isinstance(similarity, ByMetric):
        _check_size(kinds, MOST_CELLS_WITH_COSTS)
        cost = _by_metric(kinds, metric, x)
    else:
        _check_size(kinds, MOST_CELLS_IN_A_FILE)
        cost, notices = _uploaded(similarity, kinds)
    return _without_forbidden(cost, audit, kinds), notices


def members(kinds: Kinds, attribute: str, group: str) -> np.ndarray:
    """Which kinds belong to a group of one protected attribute; shape (K,), bool.

    Raises:
        SettingsError: There is no such attribute or group among the audited people.
    """
    protected = {one.column.name: place for place, one in enumerate(kinds.columns) if place >= kinds.free}
    if attribute not in protected:
        raise SettingsError(
            f"{attribute!r} is no protected attribute.", advice=f"Choose among {', '.join(map(repr, protected))}."
        )
    place = protected[attribute]
    names = kinds.columns[place].names
    if group not in names:
        raise SettingsError(
            f"Nobody among the audited people belongs to the group {group!r} of {attribute!r}.",
            advice=f"Choose among {', '.join(map(repr, names[:12]))}, or audit people of that group.",
        )
    belongs: np.ndarray = kinds.codes[:, place + 1] == names.index(group)
    return belongs


def _within_classes(similarity: DifferOnlyIn, kinds: Kinds) -> ClassCost:
    names = [one.column.name for one in kinds.columns]
    unknown = [name for name in similarity.columns if name not in names]
    if unknown:
        raise SettingsError(
            f"{unknown[0]!r} is none of the columns that tell people apart, so people may differ in it anyway.",
            where="may differ only in",
            advice=f"Choose among {', '.join(map(repr, names))}.",
        )
    return ClassCost(kinds.classes(similarity.columns or kinds.protected))


def _by_metric(kinds: Kinds, metric: FittedMetric | None, x: np.ndarray | None) -> QuadraticCost:
    if metric is None or x is None:
        raise TypeError("a fair metric is fitted before the test runs")
    values, vectors = metric.eigen
    held = values > 0
    return QuadraticCost(x @ (vectors[:, held] * np.sqrt(values[held])), kinds.label)


def _uploaded(similarity: OwnCost, kinds: Kinds) -> tuple[DenseCost, tuple[Notice, ...]]:
    matrix = read_costs(FileStore().path(similarity.file), len(kinds))
    across = kinds.label[:, None] != kinds.label
    ignored = int((np.isfinite(matrix) & across).sum())
    matrix[across] = np.inf
    if not ignored:
        return DenseCost(matrix), ()
    return DenseCost(matrix), (
        Notice(
            "info",
            f"{counted(ignored, 'cost')} between people of different true outcomes in the uploaded matrix "
            f"{'is' if ignored == 1 else 'are'} not used: the true outcome never changes.",
        ),
    )


def _check_size(kinds: Kinds, most: int) -> None:
    if len(kinds) > most:
        raise AuditError(
            f"There are {counted(len(kinds), 'kind')} of people; costs of this sort between all pairs of them are "
            f"possible for at most {most:,}.",
            where="columns that tell people apart",
            advice="Bin numbers more coarsely, merge rare values, leave columns out, or choose 'differ only in'.",
        )


def _without_forbidden(cost: AbstractCost, audit: Transport, kinds: Kinds) -> AbstractCost:
    for pair in audit.forbidden:
        origin = members(kinds, pair.attribute, pair.origin)
        target = members(kinds, pair.attribute, pair.target)
        codes = np.where(origin, 1, 0) + np.where(target, 2, 0)
        pairs = ((3, 3),) if pair.origin == pair.target else ((1, 2),)
        cost = ForbiddenPairs(cost, codes, pairs)
    return cost

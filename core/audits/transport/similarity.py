"""From the choice of who counts as similar to costs between cells."""

from collections.abc import Iterable
from typing import Literal

import numpy as np

from core.audits.transport.exact import LARGEST_EXACT
from core.audits.transport.own_cost import read_costs
from core.audits.transport.settings import ByMetric, DifferOnlyIn, OwnCost, Transport
from core.audits.transport.strata import LARGEST_SPACE, SortedPeople
from core.base.errors import AuditError, Caveat, SettingsError
from core.base.files import FileStore
from core.contracts.metric import FittedMetric
from core.inference.transport.constraints import Constraints, Leaving, OwnBudget
from core.inference.transport.costs import (
    AbstractCost,
    ClassCost,
    DenseCost,
    DistanceCost,
    ForbiddenPairs,
    QuadraticCost,
)
from core.inference.transport.memory import memory_needed, require_memory
from core.language.phrases import count, quoted, whole
from core.language.told import localized, say, say_count

MOST_CELLS_WITH_COSTS = 20_000
"""Beyond this, K² costs take hours to look through, though they are never all in memory at once."""
MOST_CELLS_IN_A_FILE = 5_000
"""A matrix of this size takes 200 MB, and its file about as much."""
_MOST_NAMED = 12
"""Columns, groups or outcomes that an error names to choose among."""

_Sort = Literal["classes", "points", "matrix"]
_SORTS: dict[str, tuple[_Sort, int]] = {
    "differ_only_in": ("classes", LARGEST_SPACE),
    "by_metric": ("points", MOST_CELLS_WITH_COSTS),
    "own_cost": ("matrix", MOST_CELLS_IN_A_FILE),
}
"""How the costs of each similarity are held, and for how many strata they are possible."""


def costs_between(
    audit: Transport, strata: SortedPeople, metric: FittedMetric | None, x: np.ndarray | None, files: FileStore
) -> tuple[AbstractCost, tuple[Caveat, ...]]:
    """Costs between strata: infinite where moving is forbidden, always between different outcomes.

    Args:
        audit: The settings.
        strata: The strata.
        metric: Who is similar, if the settings name a metric.
        x: Mean encoded person of each stratum, shape (K, d), if the settings name a metric.
        files: Where an uploaded matrix lies.

    Raises:
        SettingsError: A column or group named in the settings does not exist among the audited people.
        AuditError: There are too many strata for costs between all of them, an uploaded matrix does not fit, or nobody
            may be moved anywhere.
    """
    similarity = audit.similarity
    caveats: tuple[Caveat, ...] = ()
    sort, most = _SORTS[similarity.kind]
    program = bool(audit.limits or audit.label_budgets)
    if strata.own_classes is not None and not (program or audit.forbidden):
        most = LARGEST_EXACT
    if len(strata) > most:
        raise _too_many(audit, strata, most)
    require_memory(memory_needed(len(strata), cost=sort, program=program), len(strata))
    if isinstance(similarity, DifferOnlyIn):
        cost: AbstractCost = _within_classes(similarity, strata)
    elif isinstance(similarity, ByMetric):
        cost = _by_metric(strata, metric, x)
    else:
        cost, caveats = _uploaded(similarity, strata, files)
    return _without_forbidden(cost, audit, strata), caveats


def _too_many(audit: Transport, strata: SortedPeople, most: int) -> AuditError:
    kinds, possible = count(len(strata), "kind"), whole(most)
    if audit.similarity.kind == "differ_only_in":
        what = say(
            "There are {kinds} of people; for limits and forbidden comparisons at most {possible} are possible.",
            kinds=kinds,
            possible=possible,
        )
    else:
        what = say(
            "There are {kinds} of people; for costs between all pairs of them at most {possible} are possible.",
            kinds=kinds,
            possible=possible,
        )
    if strata.own_classes is not None:
        advice = say(
            "Drop limits and forbidden comparisons, audit a random part of the rows, or compare with people in the "
            "table."
        )
        return AuditError(what, where=say("the same people in every group"), advice=advice)
    advice = say(
        "Bin numbers more coarsely, merge rare values, leave columns out, or let people differ in columns at no cost."
    )
    return AuditError(what, where=say("columns that tell people apart"), advice=advice)


def constraints_of(audit: Transport, strata: SortedPeople) -> Constraints:
    """The auditor's own limits over cells.

    Raises:
        SettingsError: A group or outcome does not exist among the audited people, has two budgets, or a limit asks for
            more than it allows.
    """
    for limit in audit.limits:
        if limit.at_least > limit.at_most:
            raise SettingsError(
                say(
                    "At least {at_least} of all people are to be compared with others, and at most {at_most}.",
                    at_least=localized(f"{limit.at_least:g}"),
                    at_most=localized(f"{limit.at_most:g}"),
                ),
                where=f"{limit.attribute} = {limit.group}",
                advice=say("Lower the first or raise the second."),
            )
    named = [budget.label for budget in audit.label_budgets]
    for place, label in enumerate(named):
        if label not in strata.labels or not (strata.label == strata.labels.index(label)).any():
            raise SettingsError(
                say("Nobody among the audited people has the recorded outcome {label}.", label=quoted(label)),
                where=say("budgets by outcome"),
                advice=_choose_among(strata.labels),
            )
        if label in named[:place]:
            raise SettingsError(
                say("The outcome {label} has two budgets.", label=quoted(label)),
                where=say("budgets by outcome"),
                advice=say("Keep one of them."),
            )
    return Constraints(
        leaving=tuple(
            Leaving(
                f"{limit.group} ({limit.attribute})",
                np.flatnonzero(members(strata, limit.attribute, limit.group)),
                limit.at_most if limit.at_most < 1 else np.inf,
                limit.at_least,
            )
            for limit in audit.limits
        ),
        budgets=tuple(
            OwnBudget(
                say("people with the recorded outcome {label}", label=own.label),
                np.flatnonzero(strata.label == strata.labels.index(own.label)),
                own.budget,
            )
            for own in audit.label_budgets
        ),
    )


def leaving_alone(cost: AbstractCost, alone: np.ndarray) -> AbstractCost:
    """The same costs, but nobody moves to or from the cells marked in ``alone``, shape (K,), bool."""
    if isinstance(cost, ClassCost):
        return ClassCost(np.where(alone, cost.codes.max(initial=0) + 1 + np.arange(cost.size), cost.codes))
    return ForbiddenPairs(cost, alone.astype(np.int64), ((0, 1), (1, 0), (1, 1)))


def members(strata: SortedPeople, attribute: str, group: str) -> np.ndarray:
    """Which strata belong to a group of one protected attribute; shape (K,), bool.

    Raises:
        SettingsError: There is no such attribute or group among the audited people.
    """
    protected = {one.column.name: place for place, one in enumerate(strata.columns) if place >= strata.free}
    if attribute not in protected:
        raise SettingsError(
            say("{name} is no protected attribute.", name=quoted(attribute)),
            where=say("limits for groups or forbidden comparisons"),
            advice=_choose_among(protected),
        )
    place = protected[attribute]
    names = strata.columns[place].names
    if group not in names:
        raise SettingsError(
            say(
                "Nobody among the audited people belongs to the group {group} of {attribute}.",
                group=quoted(group),
                attribute=quoted(attribute),
            ),
            where=say("limits for groups or forbidden comparisons"),
            advice=say("Choose among {names}, or audit people of that group.", names=_in_quotes(names)),
        )
    belongs: np.ndarray = strata.codes[:, place + 1] == names.index(group)
    return belongs


def _choose_among(names: Iterable[str]) -> str:
    return say("Choose among {names}.", names=_in_quotes(names))


def _in_quotes(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, list(names)[:_MOST_NAMED]))


def _within_classes(similarity: DifferOnlyIn, strata: SortedPeople) -> ClassCost:
    names = [one.column.name for one in strata.columns]
    unknown = [name for name in similarity.columns if name not in names]
    if unknown:
        raise SettingsError(
            say(
                "{name} is none of the columns that tell people apart, so people may differ in it anyway.",
                name=quoted(unknown[0]),
            ),
            where=say("may differ in"),
            advice=_choose_among(names),
        )
    if strata.own_classes is not None:
        return ClassCost(strata.own_classes)
    return ClassCost(strata.classes(similarity.columns or strata.protected))


def _by_metric(strata: SortedPeople, metric: FittedMetric | None, x: np.ndarray | None) -> AbstractCost:
    if metric is None or x is None:
        raise TypeError("a fair metric is fitted before the test runs")
    if not metric.quadratic:
        return DistanceCost(x, strata.label, metric.between)
    values, vectors = metric.eigen
    held = values > 0
    return QuadraticCost(x @ (vectors[:, held] * np.sqrt(values[held])), strata.label)


def _uploaded(similarity: OwnCost, strata: SortedPeople, files: FileStore) -> tuple[DenseCost, tuple[Caveat, ...]]:
    matrix = read_costs(files.path(similarity.file), len(strata))
    across = strata.label[:, None] != strata.label
    ignored = int((np.isfinite(matrix) & across).sum())
    matrix[across] = np.inf
    if not ignored:
        return DenseCost(matrix), ()
    return DenseCost(matrix), (
        Caveat(
            "info",
            say_count(
                "{n} cost between people of different recorded outcomes in the given matrix is not used: the "
                "recorded outcome never changes.",
                "{n} costs between people of different recorded outcomes in the given matrix are not used: "
                "the recorded outcome never changes.",
                ignored,
            ),
        ),
    )


def _without_forbidden(cost: AbstractCost, audit: Transport, strata: SortedPeople) -> AbstractCost:
    for attribute in dict.fromkeys(pair.attribute for pair in audit.forbidden):
        named = [(pair.origin, pair.target) for pair in audit.forbidden if pair.attribute == attribute]
        groups = tuple(dict.fromkeys(name for pair in named for name in pair))
        codes = np.zeros(len(strata), dtype=np.int64)
        for code, group in enumerate(groups, start=1):
            codes[members(strata, attribute, group)] = code
        pairs = dict.fromkeys((1 + groups.index(origin), 1 + groups.index(target)) for origin, target in named)
        cost = ForbiddenPairs(cost, codes, tuple(pairs))
    return cost

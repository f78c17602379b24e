"""What the learned fair metrics share: which rows and columns they may use, and what their reader has to know."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from core.base.errors import Caveat, MetricError
from core.base.settings import setting
from core.base.thresholds import SMALL_GROUP
from core.contracts.metric import AbstractLearnedMetric, FittedMetric, Probe
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.language.options import where_chosen
from core.language.phrases import count, listed, number, percent, quoted
from core.language.told import say
from core.metrics.subspace import changes, encoded_columns, orthonormal, projector

ROWS_PER_GROUP = 20_000
"""Rows of each group that cross-fitting and networks use at most; more make them slower and hardly better."""

BY_CHANCE = 0.1
"""How often directions are learned for an attribute that the columns do not tell: the level at which a probe must beat
chance on rows it never saw. It is one in ten, and not less, because directions learned by chance seldom accuse: halves
of the rows disagree on them, so that the interval is wide. But without a limit a search climbs along noise: half of
the directions freed at random give a ratio of 104 on Adult, 11 on the hiring table, and 2.6 there for a fair model."""

GIVEN_AWAY = 0.995
"""From this held-out AUC on a column may repeat the protected attribute under another name."""


PROTECTED_COLUMNS = setting(
    True,
    label=say("Free the protected columns themselves"),
    help=say(
        "People may differ freely in every protected attribute that the model reads, also in one not learned from."
    ),
)
DIRECTIONS = setting(
    None,
    label=say("Free directions"),
    help=say("How many directions are free; empty lets the evidence in the rows decide."),
    empty=say("decided by the evidence"),
    ge=1,
)
"""Settings that several learned metrics have."""


class AbstractProbedMetric(AbstractLearnedMetric):
    """A metric that learns what gives each protected attribute away."""

    protected: tuple[str, ...] = setting(
        (),
        label=say("Protected attributes"),
        help=say("Attributes to learn from; empty means all of them."),
        empty=say("all of them"),
    )
    include_protected_columns: bool = PROTECTED_COLUMNS


@contextmanager
def one_thread() -> Iterator[None]:
    """Linear algebra on one thread: the same sums in the same order on every machine, and no waiting on busy cores."""
    with _libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
        yield


@lru_cache(maxsize=1)
def _libraries(modules: int) -> Any:
    """What has threads of its own among the libraries of so many imported modules; looking for it takes 4 ms."""
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()


def attributes_of(data: EncodedDataset, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The protected attributes to learn from: those chosen, or all.

    Raises:
        MetricError: A chosen column is no protected attribute, or an attribute has one group only in these rows.
    """
    protected = data.dataset.roles.protected
    for name in chosen:
        if name not in protected:
            raise MetricError(
                say("{name} is not a protected attribute of this table.", name=quoted(name)),
                where=say("setting 'Protected attributes'"),
                advice=say(
                    "Choose among {names}, or add it {where}.",
                    names=", ".join(map(quoted, protected)),
                    where=where_chosen("protected"),
                ),
            )
    attributes = chosen or protected
    for name in attributes:
        groups = data.dataset.groups(name)[1]
        if len(groups) < 2:
            raise MetricError(
                say("Every row that the metric is learned from has the same value {group}.", group=quoted(groups[0])),
                where=say("column {name}", name=quoted(name)),
                advice=say("Hold out more rows, leave this attribute out of the metric, or declare the metric."),
            )
    return attributes


def inputs_of(data: EncodedDataset) -> np.ndarray:
    """Positions of the encoded columns a probe may read: those that differ between rows and are not protected.

    Every protected column is left out, not only the probe's own: with it the answer would be read off rather than
    learned, and what the other columns say about the group would be lost (papers/gradient-flow-test.md, F.2, G).

    Raises:
        MetricError: No column is left, or there are fewer rows than columns.
    """
    usable = np.ptp(data.x, axis=0) > 0
    usable[encoded_columns(data, data.dataset.roles.protected)] = False
    if not usable.any():
        raise MetricError(
            say("Apart from the protected attributes the model reads no column that differs between people."),
            where=say("the rows the metric is learned from"),
            advice=say("Declare the metric instead: choose the protected columns as those that may differ freely."),
        )
    if len(data) <= usable.sum():
        raise MetricError(
            say(
                "The metric would be learned from {rows} with {columns}; it needs more rows than columns.",
                rows=count(len(data), "row"),
                columns=count(int(usable.sum()), "encoded column"),
            ),
            where=say("the rows the metric is learned from"),
            advice=say("Hold out a larger share of rows, merge rare categories, or declare the metric."),
        )
    return np.flatnonzero(usable)


def learned_metric(
    name: str,
    data: EncodedDataset,
    directions: np.ndarray,
    *,
    include_protected_columns: bool,
    spectrum: np.ndarray | None = None,
    probes: tuple[Probe, ...] = (),
    caveats: tuple[Caveat, ...] = (),
) -> FittedMetric:
    """Σ = I - BᵀB for the span of learned ``directions`` and, if asked for, of the protected columns themselves.

    Raises:
        MetricError: Nothing would be free, because the columns tell no protected attribute.

    Args:
        name: Plain-language name.
        data: The rows it was learned from.
        directions: Free directions, shape (m, d); any length, any overlap.
        include_protected_columns: Also free every change in a protected attribute that the model reads.
        spectrum: How much each direction carries; the singular values of the unit directions if not given.
        probes: Diagnostics.
        caveats: What was noticed while learning.
    """
    protected, found = changes(data.encoder, data.dataset.roles.protected), len(directions)
    if include_protected_columns:
        directions = np.concatenate([directions, protected])
        caveats = (*caveats, *_freed_unasked(data, probes))
    elif len(protected):
        caveats = (*caveats, _PROTECTED_HELD)
    if not len(directions):
        raise MetricError(
            say(
                "These rows do not show that the columns tell the groups of {attributes} better than by chance, so "
                "that no direction can be learned.",
                attributes=listed([quoted(probe.attribute) for probe in probes]),
            ),
            where=count(len(data), "row"),
            advice=say("Learn the metric from more rows, or declare who counts as similar."),
        )
    free, values = orthonormal(directions / np.linalg.norm(directions, axis=1, keepdims=True))
    return FittedMetric(
        name=name,
        columns=data.encoder.names,
        matrix=projector(free),
        free=free,
        spectrum=values if spectrum is None else spectrum,
        probes=probes,
        learned_on=len(data),
        found=found,
        caveats=(*caveats, *_no_direction(probes), *_given_away(probes, data), *extent_caveats(free, data.encoder)),
    )


_PROTECTED_HELD = Caveat(
    "warning",
    say("The model reads a protected attribute, and the metric calls people who differ in it different."),
    say("Free the protected columns too, unless the test is meant to ignore their direct use."),
)


def _freed_unasked(data: EncodedDataset, probes: tuple[Probe, ...]) -> tuple[Caveat, ...]:
    """That protected columns differ freely too for which the metric was not learned; nothing where there is none."""
    asked = [probe.attribute for probe in probes]
    others = [name for name in data.encoder.features if name in data.dataset.roles.protected and name not in asked]
    if not asked or not others:
        return ()
    what = say(
        "The metric was learned for {attributes} alone, but people may differ freely in {others} too: every protected "
        "column that the model reads is free.",
        attributes=listed([quoted(name) for name in asked]),
        others=listed([quoted(name) for name in others]),
    )
    advice = say("To have that count, declare the metric and name the columns that may differ freely.")
    return (Caveat("warning", what, advice),)


def _no_direction(probes: tuple[Probe, ...]) -> tuple[Caveat, ...]:
    """One caveat for each attribute whose groups the columns do not tell."""
    return tuple(
        Caveat(
            "serious",
            say(
                "Nothing was learned for {attribute}: these rows do not show that the other columns tell its groups "
                "better than by chance.",
                attribute=quoted(probe.attribute),
            ),
            say("Learn it from more rows, or declare the metric."),
        )
        for probe in probes
        if not len(probe.directions)
    )


def _given_away(probes: tuple[Probe, ...], data: EncodedDataset) -> tuple[Caveat, ...]:
    """One warning for each attribute that the other columns tell almost without error."""
    found = []
    for probe in probes:
        if len(probe.directions) and probe.auc >= GIVEN_AWAY:
            column = data.encoder.names[int((probe.directions**2).sum(axis=0).argmax())]
            what = say(
                "The other columns tell {attribute} almost without error; {column} does most of it.",
                attribute=quoted(probe.attribute),
                column=quoted(column),
            )
            advice = say("If it repeats the protected attribute under another name, declare it protected or free it.")
            found.append(Caveat("warning", what, advice))
    return tuple(found)


def extent_caveats(free: np.ndarray, encoder: Encoder) -> tuple[Caveat, ...]:
    """What follows from having no free direction, or nothing else; empty in between."""
    if not len(free):
        what = say("No direction is free, so the test measures plain robustness to small changes, not fairness.")
        return (Caveat("serious", what, say("Say which columns or directions similar people may differ in.")),)
    everything = changes(encoder, encoder.features)
    if np.allclose(everything @ free.T @ free, everything):
        what = say("Every direction is free: all people count as similar and the weight of similarity has no effect.")
        return (Caveat("serious", what, say("Leave at least one column that makes a difference.")),)
    return ()


def clusters_at(data: EncodedDataset, rows: np.ndarray) -> np.ndarray | None:
    """The clusters of the rows at these positions; None where each row stands for itself."""
    return None if data.clusters is None else data.clusters[rows]


def stratified_folds(
    codes: np.ndarray, folds: int, rng: np.random.Generator, clusters: np.ndarray | None = None
) -> np.ndarray:
    """A fold 0..folds-1 for every row, each group dealt out evenly; shape (n,), int.

    Rows of a cluster share a fold: clusters are dealt out by the group of their first row.
    """
    if clusters is not None:
        _, first, place = np.unique(clusters, return_index=True, return_inverse=True)
        return stratified_folds(codes[first], folds, rng)[place]
    order = rng.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    fold = np.empty(len(codes), dtype=np.int64)
    fold[order] = np.arange(len(codes)) % folds
    return fold


def at_most(codes: np.ndarray, rows: int, rng: np.random.Generator) -> np.ndarray:
    """Positions of up to ``rows`` rows of each group, drawn at random, ascending, int."""
    order = rng.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    size = np.bincount(codes)
    within = np.arange(len(codes)) - np.repeat(np.cumsum(size) - size, size)
    return np.sort(order[within < rows])


def independence_caveat(learn_on: str) -> tuple[Caveat, ...]:
    """Says that the metric was learned on the audited rows, where it was."""
    if learn_on != "audited rows":
        return ()
    what = say(
        "The metric was learned on the rows that are audited, so the risk of a wrong verdict holds only approximately."
    )
    return (Caveat("warning", what, say("Learn it on held-out rows.")),)


def small_group_caveats(data: EncodedDataset, attributes: tuple[str, ...], fewest: int = 0) -> tuple[Caveat, ...]:
    """One warning for each group with few learning rows; those with less than ``fewest`` are said to be left out."""
    found = []
    for name in attributes:
        codes, groups = data.dataset.groups(name)
        for group, rows in zip(groups, np.bincount(codes), strict=True):
            if rows < SMALL_GROUP:
                told = {"group": quoted(group), "name": quoted(name), "rows": rows}
                what = (
                    say("Few rows to learn the metric from in group {group} of {name}: {rows}.", **told)
                    if rows >= fewest
                    else say(
                        "Too few rows to learn the metric from in group {group} of {name}: {rows}. What reveals this "
                        "group is not ignored.",
                        **told,
                    )
                )
                found.append(Caveat("warning", what, say("Hold out more rows, or merge small groups.")))
    return tuple(found)


def weak_caveats(probes: tuple[Probe, ...], level: Literal["warning", "serious"]) -> tuple[Caveat, ...]:
    """One caveat for each attribute that has directions and is hardly predicted: its AUC interval reaches 0.5, or the
    mean accuracy over its groups is no higher than one over their number.
    """
    found = []
    for probe in probes:
        if not len(probe.directions):
            continue
        chance = 1 / len(probe.groups)
        balanced = float(probe.accuracy[probe.held_out > 0].mean())
        if probe.auc_low <= 0.5 or balanced <= chance:
            what = say(
                "The other columns hardly tell {attribute}: held-out AUC {auc} ({low} to {high}), mean "
                "accuracy {balanced} where chance is {chance}. Its free directions are mostly noise.",
                attribute=quoted(probe.attribute),
                auc=number(probe.auc, 2),
                low=number(probe.auc_low, 2),
                high=number(probe.auc_high, 2),
                balanced=percent(round(balanced, 2)),
                chance=percent(round(chance, 2)),
            )
            advice = say(
                "Learn it from more rows, leave {attribute} out, or declare the metric.",
                attribute=quoted(probe.attribute),
            )
            found.append(Caveat(level, what, advice))
    return tuple(found)

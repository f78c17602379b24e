"""The engine of groups: ask the model once, scan the subgroups, and calibrate prediction sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.audits.group_fairness.conformal import calibrate
from core.audits.group_fairness.result import GroupFairnessDetail
from core.audits.group_fairness.settings import GroupFairness
from core.audits.group_fairness.subgroups.scan import harm_of, scan
from core.data.attribute import attribute_of
from core.data.dataset import EncodedDataset
from core.errors import Notice
from core.files import FileStore
from core.inference.clusters import one_of_each
from core.language.told import say
from core.model import AbstractModel
from core.models.answered import ask
from core.phrases import quoted, whole
from core.progress import OnProgress, Progress


def run(
    audit: GroupFairness,
    model: AbstractModel,
    data: EncodedDataset,
    *,
    rng: np.random.Generator,
    on_progress: OnProgress,
    metric: None = None,
    learning: EncodedDataset | None = None,
    files: FileStore | None = None,
) -> tuple[GroupFairnessDetail, tuple[Notice, ...]]:
    """Ask the model about everybody, compare subgroups with everybody else, and judge prediction sets.

    Raises:
        ModelError: An answer is not a finite number.
        SettingsError: A column that is to make subgroups is neither a protected attribute nor a feature.
        CancelledError: ``on_progress`` asked to stop.
    """
    on_progress(Progress(0.0, say("Asking the model")))
    # The streams with which the equalized odds test found the same numbers when it held this audit; it keeps the first.
    _, scan_rng, coverage_rng, cluster_rng = rng.spawn(4)
    data, notices = _independent(data, cluster_rng)
    answered = ask(model, data)
    attributes = tuple(attribute_of(data.dataset, name) for name in data.dataset.roles.protected)
    on_progress(Progress(0.2, say("Comparing subgroups")))
    subgroups = scan(
        data.dataset,
        harm_of(answered),
        shares=not answered.numbers,
        columns=audit.subgroup_columns,
        depth=audit.depth,
        draws=audit.draws,
        rng=scan_rng,
    )
    subgroups = replace(subgroups, by_decision=not answered.has_outcomes)
    on_progress(Progress(0.9, say("Calibrating prediction sets")))
    coverage = tuple(
        calibrate(answered.answers, answered.outcome, one, audit.coverage, coverage_rng)
        for one in attributes
        if answered.has_outcomes
    )
    seed = int(coverage_rng.integers(2**62))
    detail = GroupFairnessDetail(
        **vars(answered), attributes=attributes, subgroups=subgroups, coverage=coverage, seed=seed
    )
    return detail, notices


def _independent(data: EncodedDataset, rng: np.random.Generator) -> tuple[EncodedDataset, tuple[Notice, ...]]:
    """The rows that are audited: a random one of each cluster stands for all of its rows."""
    if data.clusters is None or len(kept := one_of_each(data.clusters, rng)) == len(data):
        return data, ()
    told = Notice(
        "info",
        say(
            "Of each of the {n} different {column} one row counts here, drawn at random among its rows ({rows} in "
            "all), since rows that belong together are not independent.",
            n=whole(len(kept)),
            column=quoted(data.dataset.roles.belongs_to),
            rows=whole(len(data)),
        ),
    )
    return data.take(kept), (told,)

"""The engine of groups: ask the model once, read the columns to look within, and calibrate prediction sets."""

from dataclasses import replace
from typing import Any

import numpy as np

from core.audits.group_fairness.columns import choose_columns, read_column
from core.audits.group_fairness.conformal import calibrate
from core.audits.group_fairness.guesses import guess_of
from core.audits.group_fairness.result import GroupFairnessDetail
from core.audits.group_fairness.settings import GroupFairness
from core.base.errors import Caveat
from core.base.progress import Progress
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.attribute import attribute_of
from core.data.encoded import EncodedDataset
from core.inference.clusters import one_of_each
from core.language.phrases import quoted, whole
from core.language.told import say
from core.models.answered import ask


def run(
    audit: GroupFairness, given: Given[AbstractModel, EncodedDataset]
) -> tuple[GroupFairnessDetail, tuple[Caveat, ...]]:
    """Ask the model about everybody, and judge prediction sets.

    Raises:
        ModelError: An answer is not a finite number.
        SettingsError: A column to look within is no feature, or is protected.
        CancelledError: ``on_progress`` asked to stop.
    """
    model, data, rng, on_progress = given.model, given.data, given.rng, given.on_progress
    on_progress(Progress(0.0, say("Asking the model")))
    coverage_rng, cluster_rng = rng.spawn(2)
    answered = ask(model, data)
    attributes = tuple(attribute_of(data.dataset, name) for name in data.dataset.roles.protected)
    chosen, together = answered.decisions == answered.favourable, answered.clusters is not None
    guess, attributes = guess_of(audit, attributes, chosen, together=together, times=answered.times)
    columns = tuple(read_column(data.dataset, name) for name in choose_columns(data.dataset, audit.columns))
    on_progress(Progress(0.5, say("Calibrating prediction sets")))
    alone, caveats = _independent(data, cluster_rng)
    if not together:
        told_by = (codes for one in attributes for codes in one.told_by)
        answered, kinds = answered.in_kinds(*told_by, *(one.codes for one in columns))
        attributes = tuple(one.take(kinds) for one in attributes)
        columns = tuple(replace(one, codes=one.codes[kinds]) for one in columns)
        alone = np.arange(len(kinds))
    coverage = tuple(
        calibrate(
            answered.answers[alone],
            answered.outcome[alone],
            one.take(alone),
            audit.coverage,
            coverage_rng,
            times=answered.times,
        )
        for one in attributes
        if answered.has_outcomes
    )
    seed = int(coverage_rng.integers(2**62))
    found: dict[str, Any] = {
        "attributes": attributes,
        "columns": columns,
        "coverage": coverage,
        "seed": seed,
        "guess": guess,
    }
    detail = GroupFairnessDetail(**vars(answered), **found)
    return detail, caveats


def _independent(data: EncodedDataset, rng: np.random.Generator) -> tuple[np.ndarray, tuple[Caveat, ...]]:
    """Rows that prediction sets are made of, places: a random one of each cluster stands for all of its rows."""
    if data.clusters is None or len(kept := one_of_each(data.clusters, rng)) == len(data):
        return np.arange(len(data)), ()
    told = Caveat(
        "info",
        say(
            "Prediction sets rest on one row of each of the {n} different {column}, drawn at random among its rows "
            "({rows} in all), since rows that belong together are not independent.",
            n=whole(len(kept)),
            column=quoted(data.dataset.roles.belongs_to),
            rows=whole(len(data)),
        ),
    )
    return kept, (told,)

"""Tables, plans and candidates that the tests of selection share."""

from typing import Any

import numpy as np
import pandas as pd

from core.audits.transport.settings import CellColumn, Transport
from core.base.files import FileStore
from core.data.roles import Roles
from core.inference.estimate import Estimate
from core.models.predictions import PredictionColumns
from core.sources.upload.uploaded import UploadedTable
from core.workflows.selection.result import Candidate
from core.workflows.selection.settings import LogisticPath, OwnModels, SelectionPlan

ROLES = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("skill", "town", "sex"))

EVERY_KIND = Transport(columns=(CellColumn(name="kind"),))
"""People of :func:`judged` are told apart by kind and group, so that each cell's loss is known."""


def people(rows: int = 900, seed: int = 0, outcomes: tuple[str, ...] = ("no", "yes")) -> pd.DataFrame:
    """People whose outcome depends on skill, a little on the town and on sex."""
    rng = np.random.default_rng(seed)
    skill, sex = rng.integers(0, 4, rows), rng.choice(["f", "m"], rows)
    town = rng.choice(["north", "south", "west"], rows)
    score = 0.9 * (skill - 1.5) + 0.5 * (sex == "m") + 0.3 * (town == "west") + rng.logistic(size=rows)
    cuts = np.quantile(score, np.arange(1, len(outcomes)) / len(outcomes))
    return pd.DataFrame(
        {"skill": skill, "town": town, "sex": sex, "hired": np.array(outcomes)[np.searchsorted(cuts, score)]}
    )


def uploaded(frame: pd.DataFrame, files: FileStore) -> UploadedTable:
    return UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "people.csv"))


def plan_for(frame: pd.DataFrame, files: FileStore, **settings: Any) -> SelectionPlan:
    """A selection among few logistic regressions; ``settings`` replace its fields."""
    given = {"roles": ROLES, "candidates": LogisticPath(points=6)} | settings
    return SelectionPlan(data=uploaded(frame, files), **given)


def judged(rows: int, flipped: tuple[tuple[int, ...], ...], seed: int, kinds: int = 10) -> pd.DataFrame:
    """People of ``kinds`` kinds and two groups, with a column of decisions ``h0``, ``h1``, … for each of ``flipped``.

    A column decides by kind, and the other way round for the second group where the kind is flipped. Outcomes are
    coin flips, so each flipped kind adds 1 / (2 kinds) to the audit value: of its people, half of those of each outcome
    are judged rightly and would be judged wrongly in the other group.
    """
    rng = np.random.default_rng(seed)
    kind, group, outcome = rng.integers(0, kinds, rows), rng.integers(0, 2, rows), rng.integers(0, 2, rows)
    columns = {f"h{i}": (kind % 2) ^ (np.isin(kind, flip) & (group == 1)).astype(int) for i, flip in enumerate(flipped)}
    words = {name: np.where(values == 1, "yes", "no") for name, values in {**columns, "outcome": outcome}.items()}
    return pd.DataFrame({"kind": [f"k{value}" for value in kind], "group": np.where(group == 1, "b", "a"), **words})


def judged_plan(frame: pd.DataFrame, files: FileStore, **settings: Any) -> SelectionPlan:
    """A selection among the columns of decisions of :func:`judged`."""
    columns = tuple(name for name in frame.columns if name.startswith("h"))
    settings = {"audit": EVERY_KIND} | settings
    return SelectionPlan(
        data=uploaded(frame, files),
        roles=Roles(outcome="outcome", favourable="yes", protected=("group",), features=("kind",), predictions=columns),
        candidates=OwnModels(models=tuple(PredictionColumns(columns=(name,)) for name in columns)),
        **settings,
    )


def candidate(
    value: float,
    error: float = 0.01,
    accuracy: float = 0.7,
    *,
    unable: str = "",
    unclear: str = "",
    undefined: str = "",
) -> Candidate:
    """A candidate with a normal unfairness on 1,000 people."""
    right = round(1000 * accuracy)
    return Candidate(
        name=f"{value:g}",
        fingerprint="f" * 64,
        confusion=np.array(
            [[right // 2, (1000 - right) // 2], [1000 - right - (1000 - right) // 2, right - right // 2]]
        ),
        unfairness=Estimate(value, error, 1000, undefined),
        unable=unable,
        unclear=unclear,
    )

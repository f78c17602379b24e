"""A synthetic sensitivity audit of columns in the shape of a real one: deterministic, without model or engine."""

from typing import Any

import numpy as np

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityDetail, ColumnSensitivityResult
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.errors import Caveat
from core.base.files import FileRef
from core.data.dataset import Roles
from core.data.encoder import BinaryColumn, CategoricalColumn, Encoder, NumericColumn
from core.models import TorchMLP
from core.plan import AuditPlan
from core.result import DataSummary, ModelSummary
from core.sources.upload.uploaded import UploadedTable
from tests.builders import HOSTILE, HOSTILE_FILE
from tests.made_once import made_once

SEXES = ("Female", "Male")
RACES = ("Asian", "Black", "White")


@made_once
def make_column_result(
    *,
    rows: int = 600,
    bias: float = 0.12,
    attributes: int = 2,
    through: bool = True,
    gradients: bool = True,
    hostile: bool = False,
    draws: int = 999,
    seed: int = 0,
) -> ColumnSensitivityResult:
    """A whole result.

    Args:
        rows: People measured.
        bias: About the mean change of the answer; 0.12 is a violation at delta = 0.05.
        attributes: Protected attributes that were changed, sex, or sex and race; race has a group of ten people.
        through: Whether hair length carries them; then sex is not read.
        gradients: Whether the model has any.
        hostile: Columns, groups and file names that are markup.
        draws: Bootstrap draws.
        seed: Seed of the numbers.
    """
    rng = np.random.default_rng(seed)
    names, hair = ((HOSTILE[0], HOSTILE[1]), HOSTILE[2]) if hostile else (("sex", "race"), "hair")
    sexes = ("<i>Female</i>", "$M$ale") if hostile else SEXES
    small = np.where(np.arange(rows) < 10, 0, rng.integers(1, 3, size=rows))
    encoder = Encoder(
        columns=(
            NumericColumn(name=hair, mean=6.0, scale=5.0),
            BinaryColumn(name=names[0], categories=sexes),
            CategoricalColumn(name=names[1], categories=RACES),
        )
    )
    found = (
        _scores(rng, names[0], sexes, rng.integers(2, size=rows), bias=bias, gradients=gradients, read=not through),
        _scores(rng, names[1], RACES, small, bias=0.5 * bias, gradients=gradients, read=True),
    )[:attributes]
    shifted = {
        names[0]: (hair,) if through else (encoder.names[1],),
        names[1]: ((hair,) if through else ()) + encoder.names[2:],
    }
    found = tuple(_with_shifts(rng, one, shifted[one.attribute]) for one in found)
    learned = round(rows * 3 / 7) if through else 0
    protected = names[:attributes]
    return ColumnSensitivityResult(
        audit=make_column_settings(through=(hair,) if through else ()),
        data=DataSummary(
            fingerprint="d" * 64,
            rows_read=rows + learned,
            rows_left_out=0,
            cells_imputed=(),
            rows_audited=rows,
            outcome="hired",
            favourable="yes",
            protected=protected,
        ),
        model=ModelSummary(
            name=HOSTILE_FILE if hostile else "hiring.safetensors",
            kind="Neural network (safetensors)",
            fingerprint="e" * 64,
            encoder=encoder,
            classes=("no", "yes"),
            confusion=np.array([[rows // 2, 0], [0, rows - rows // 2]]),
        ),
        metric=None,
        detail=ColumnSensitivityDetail(found, (hair,) if through else (), learned, draws, seed),
        caveats=(Caveat("info", f"How {hair!r} changes with the group was learned from {learned} rows."),)
        if through
        else (),
        seed=seed,
        seconds=0.8,
        versions=(("python", "3.11.9"), ("torch", "2.13.0"), ("numpy", "2.4.6")),
    )


def make_column_settings(**changes: Any) -> ColumnSensitivity:
    """The settings of :func:`make_column_result`."""
    return ColumnSensitivity(**changes)


def make_column_plan(result: ColumnSensitivityResult, **changes: Any) -> AuditPlan:
    """The plan that could have given ``result``; ``changes`` replace its fields."""
    features = result.model.encoder.features
    plan = AuditPlan(
        data=UploadedTable(file=FileRef(name="people.csv", sha256="c" * 64, bytes=61_440)),
        roles=Roles(outcome="hired", favourable="yes", protected=result.data.protected, features=features),
        model=TorchMLP(file=FileRef(name=result.model.name, sha256="e" * 64, bytes=20_480)),
        audit=result.audit,
        seed=result.seed,
        decision=ColumnSensitivityDecision(),
    )
    return plan.model_copy(update=changes)


def _scores(
    rng: np.random.Generator,
    attribute: str,
    groups: tuple[str, ...],
    codes: np.ndarray,
    *,
    bias: float,
    gradients: bool,
    read: bool,
) -> AttributeScores:
    change = np.clip(bias * rng.gamma(2.0, 0.5, len(codes)) * (1 + 0.3 * (codes == 0)), 0.0, 1.0)
    slope = change * rng.uniform(0.8, 1.6, len(codes)) if gradients else np.full(len(codes), np.nan)
    flipped = rng.random(len(codes)) < change
    empty = np.zeros((len(groups), 0))
    return AttributeScores(attribute, groups, codes.astype(np.int64), read, change, slope, flipped, (), empty)


def _with_shifts(rng: np.random.Generator, one: AttributeScores, columns: tuple[str, ...]) -> AttributeScores:
    shift = rng.uniform(-1.0, 1.0, (len(one.groups), len(columns)))
    return AttributeScores(
        one.attribute, one.groups, one.codes, one.read, one.change, one.slope, one.flipped, columns, shift
    )

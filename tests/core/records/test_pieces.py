"""Parts of a test are begun anew from JSON alone, with the same bytes as here."""

import importlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.audits.gradient_flow.settings import GradientFlow
from core.base.apart import AbstractCarrier, OnAnswer, carried_by
from core.base.errors import EvenhandError, MetricError
from core.base.files import FileStore
from core.base.parts import PARTS
from core.base.progress import OnProgress, Progress
from core.metrics import ProtectedStatus
from core.models.formats.safetensors.source import TorchMLP
from core.plan import AuditPlan
from core.records.codec import to_bytes
from core.records.pieces import none_failed, run_plans
from core.workflows.examples import SAMPLE_MODELS


class Anew(AbstractCarrier):
    """Does each piece as another machine would, from nothing but JSON; the last first."""

    def __init__(self) -> None:
        self.pieces: list[Any] = []

    def carry(
        self, module: str, pieces: Sequence[Any], on_progress: OnProgress, on_answer: OnAnswer
    ) -> dict[int, Any | EvenhandError]:
        found: dict[int, Any | EvenhandError] = {}
        for place, piece in reversed(list(enumerate(pieces))):
            self.pieces.append(json.loads(json.dumps(piece)))
            with carried_by(None):
                answer = importlib.import_module(module).work(self.pieces[-1], on_progress)
            found[place] = json.loads(json.dumps(answer))
            on_answer(place, found[place])
        return found


def plan_with_networks(files: FileStore, resamples: int) -> AuditPlan:
    """Of a table of some 800 people, with a metric that a small network learns."""
    name = "hiring_baseline.safetensors"
    card = json.loads((SAMPLE_MODELS / f"{name}.card.json").read_bytes())["plan"]
    model = TorchMLP(file=files.put((SAMPLE_MODELS / name).read_bytes(), name), trained_on="other rows")
    metric = ProtectedStatus(learn_on="audited rows", hidden=8, epochs=20, directions=1)
    audit = GradientFlow(metric=metric, metric_resamples=resamples, steps=5, rotations=(5.0,))
    asked = {"data": {**card["data"], "rows": 4000}, "roles": card["roles"], "model": model, "audit": audit, "seed": 5}
    return AuditPlan.model_validate(asked)


def test_metrics_are_learned_again_elsewhere_with_the_same_bytes_and_the_first_is_learned_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One half teaches none; there as here it is left out."""
    files, fits, seeds = FileStore(tmp_path), list[int](), list[int]()
    plan, fit = plan_with_networks(files, 3), ProtectedStatus.fit
    learned = ProtectedStatus._learned

    def counted(self: ProtectedStatus, *given: Any) -> Any:
        fits.append(1)
        return fit(self, *given)

    def failing(self: ProtectedStatus, data: Any, drawn: Any, rng: Any, counts: Any = None) -> Any:
        if counts is not None:
            seeds.append(drawn[0].seed)
            if drawn[0].seed == seeds[0]:
                raise MetricError("This half teaches nothing.")
        return learned(self, data, drawn, rng, counts)

    monkeypatch.setattr(ProtectedStatus, "fit", counted)
    monkeypatch.setattr(ProtectedStatus, "_learned", failing)
    (here,) = none_failed(run_plans([plan], files))
    carrier, seen = Anew(), list[Progress]()
    with carried_by(carrier):
        (there,) = none_failed(run_plans([plan], files, seen.append))
    assert here.detail.relearned is not None
    assert len(here.detail.relearned.angles) == 2
    assert len(fits) == 2
    assert sorted(piece[PARTS] for piece in carrier.pieces) == [[0], [1], [2]]
    assert to_bytes(replace(here, seconds=0.0)) == to_bytes(replace(there, seconds=0.0))
    assert [one.done for one in seen] == sorted(one.done for one in seen)


def test_a_test_that_learns_nothing_again_is_one_piece(tmp_path: Path) -> None:
    files, carrier = FileStore(tmp_path), Anew()
    with carried_by(carrier):
        none_failed(run_plans([plan_with_networks(files, 0)], files))
    assert [PARTS in piece for piece in carrier.pieces] == [False]

"""A transport test's result on disk: what is read back is what was written, to the last bit."""

from pathlib import Path
from typing import Any

import pytest

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportDetail
from core.audits.transport.settings import ByMetric, MassLimit, Transport
from core.audits.transport.verdict import TransportFinding
from core.inference.estimate import Verdict
from core.metrics import Expert
from core.records.codec import load_result, save_result
from core.result import AuditResult
from core.run import run_audit
from tests.core.audits.transport.cases import COLUMNS, Formula, dataset_of, people, probabilities

LIMIT = MassLimit(attribute="sex", group="Female", at_most=0.1)


def result_of(rows: int = 120, *, homes: int = 0, **settings: Any) -> AuditResult[TransportDetail]:
    frame = people(rows).assign(home=[row % max(homes, 1) for row in range(rows)])
    dataset = dataset_of(frame, features=("age", "job", "sex"), belongs_to="home" if homes else "")
    model = Formula(dataset) if settings.get("space") else probabilities(dataset)
    return run_audit(model, dataset, Transport(columns=COLUMNS, draws=300, **settings), seed=5)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"space": "all groups"},
        {"similarity": ByMetric(metric=Expert())},
        {"limits": (LIMIT,)},
        {"homes": 40},
        {"homes": 40, "limits": (LIMIT,)},
        {"homes": 40, "space": "all groups"},
    ],
    ids=["differ only in", "all groups", "metric", "limits", "homes", "homes and limits", "homes asked about"],
)
def test_a_saved_result_is_the_result(settings: dict[str, Any], tmp_path: Path) -> None:
    result = result_of(**settings)
    save_result(result, tmp_path / "one")
    loaded = load_result(tmp_path / "one")
    assert isinstance(loaded, AuditResult)
    save_result(loaded, tmp_path / "two")
    for name in ("result.json", "arrays.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    for loss in result.detail.losses:
        decision = TransportDecision(loss=loss)
        one, other = TransportFinding(result, decision).inference, TransportFinding(loaded, decision).inference
        assert (one.value, one.two_sided(0.05), one.p_value(0.01)) == (
            other.value,
            other.two_sided(0.05),
            other.p_value(0.01),
        )
        assert TransportFinding(result, decision).verdict is TransportFinding(loaded, decision).verdict
        assert TransportFinding(result, decision).reasons == TransportFinding(loaded, decision).reasons


def test_asking_changes_nothing_that_is_saved(tmp_path: Path) -> None:
    result = result_of()
    save_result(result, tmp_path / "before")
    assert isinstance(TransportFinding(result, TransportDecision()).verdict, Verdict)
    assert TransportFinding(result, TransportDecision()).solution
    save_result(result, tmp_path / "after")
    assert (tmp_path / "before" / "arrays.npz").read_bytes() == (tmp_path / "after" / "arrays.npz").read_bytes()

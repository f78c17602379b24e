"""What the transport test refuses, and what it tells instead of a number."""

from typing import Any

import numpy as np
import pytest

from core.audits.transport import similarity
from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, ForbiddenPair, Transport
from core.base.errors import AuditError, CancelledError, SettingsError
from core.base.progress import Progress
from core.metrics import Expert
from tests.core.audits.transport.cases import Formula, dataset_of, decisions, identity, people, probabilities, run
from tests.findings import found as finding_of

READING = TransportDecision()


def test_every_group_needs_a_model_that_can_be_asked() -> None:
    dataset = dataset_of(people())
    audit = Transport(space="all groups")
    assert "nobody else" in audit.is_compatible(decisions(dataset), dataset)
    assert audit.is_compatible(Formula(dataset), dataset) == ""
    assert Transport().is_compatible(decisions(dataset), dataset) == ""


def test_losses_the_answers_do_not_allow_are_told() -> None:
    detail, _ = run(dataset_of(people()))
    decision = TransportDecision(loss="log")
    assert detail.losses == ("0-1",)
    assert "decisions" in finding_of(detail, decision).inference.undefined
    assert np.isnan(finding_of(detail, decision).p_value)
    with pytest.raises(SettingsError, match="decisions"):
        _ = finding_of(detail, decision).solution
    everything, _ = run(dataset_of(people()), probabilities(dataset_of(people())))
    assert everything.losses == ("0-1", "log", "squared")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"similarity": DifferOnlyIn(columns=("says",))}, "none of the columns"),
        ({"forbidden": (ForbiddenPair(attribute="job", origin="clerk", target="driver"),)}, "no protected attribute"),
        ({"forbidden": (ForbiddenPair(attribute="sex", origin="Female", target="Other"),)}, "Nobody among"),
        ({"columns": (CellColumn(name="nobody"),)}, "cannot tell people apart"),
    ],
)
def test_settings_that_name_what_does_not_exist_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        run(dataset_of(people()), **settings)


def test_too_many_kinds_for_costs_between_all_of_them_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(similarity._SORTS, "by_metric", ("points", 10))
    with pytest.raises(AuditError, match="at most 10"):
        run(dataset_of(people()), metric=identity(3), similarity=ByMetric(metric=Expert()))
    monkeypatch.setattr("core.inference.transport.memory.free_memory", lambda: 1e3)
    with pytest.raises(AuditError, match="GB of memory"):
        run(dataset_of(people()))
    monkeypatch.setattr("core.audits.transport.strata.LARGEST_SPACE", 20)
    with pytest.raises(AuditError, match="kinds of people; at most 20"):
        run(dataset_of(people()))


def test_a_run_tells_that_almost_everybody_is_alone_and_what_to_choose_instead() -> None:
    dataset = dataset_of(people().assign(code=np.arange(400)), features=("code", "job"))
    _, caveats = run(dataset, columns=(CellColumn(name="code"),))
    assert caveats[0].level == "serious"
    assert "400 of 400 people" in caveats[0].what
    assert "code at" in caveats[0].advice or "job" in caveats[0].advice
    detail, caveats = run(dataset, columns=())
    assert not caveats
    assert detail.cells.alone < 0.05


def test_a_run_can_be_stopped() -> None:
    def stop(progress: Progress) -> None:
        raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        run(dataset_of(people()), on_progress=stop)

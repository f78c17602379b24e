"""Which tests a reviewer gets without choosing, and with which settings they begin."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.audits import KINDS, AuditSettings
from core.base.errors import MetricError
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.finding import room_of
from core.metrics.extent import fitted_for_a_test
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.run import Streams


def default_settings(kind: str, **given: Any) -> AuditSettings:
    """The settings with which a test of this kind begins, and those that are given and that it has."""
    known, fields = {"metric": SensitiveSubspace(), **given}, KINDS[kind].settings.model_fields
    begun: AuditSettings = KINDS[kind].settings(**{name: value for name, value in known.items() if name in fields})
    return begun


def begun(model: AbstractModel, dataset: Dataset) -> dict[str, AuditSettings]:
    """Every kind of test with the settings with which it begins for this model and table, by kind.

    A room has a say in it by its ``begins``.
    """
    return {kind: room_of(known).begins(default_settings(kind), model, dataset) for kind, known in KINDS.items()}


def unsuited(audits: dict[str, AuditSettings], model: AbstractModel, dataset: Dataset) -> dict[str, str]:
    """The kinds of test that cannot be run with this model and table, each with the reason.

    Where it depends on settings that nobody can choose before the test, ``suited`` of its room gives those under which
    it can be run if any do.
    """
    able = {kind: room_of(KINDS[kind]).suited(audit, model, dataset) for kind, audit in audits.items()}
    reasons = {kind: audit.needs_rows(dataset) or audit.is_compatible(model, dataset) for kind, audit in able.items()}
    return {kind: reason for kind, reason in reasons.items() if reason}


def unlearned(audit: AuditSettings, model: AbstractModel, dataset: Dataset, seed: int) -> str:
    """Why the run with this seed cannot learn who is similar for a test, and what to do; empty where it can."""
    metric, streams = audit.fair_metric, Streams.of(seed)
    if metric is None:
        return ""
    try:
        learning, _ = metric.split(model.encode(audit.rows(model, dataset)), streams.split)
        fitted_for_a_test(metric, learning, streams.metric)
    except MetricError as error:
        return str(error)
    return ""


def held_back(
    audits: dict[str, AuditSettings], unsuited: dict[str, str], model: AbstractModel, dataset: Dataset
) -> dict[str, str]:
    """The kinds of test that can be run and are not proposed, each with the reason.

    A room has a say in it by its ``against``.
    """
    rooms = {kind: room_of(KINDS[kind]) for kind in audits if kind not in unsuited}
    reasons = {kind: room.against(audits[kind], model, dataset) for kind, room in rooms.items()}
    return {kind: reason for kind, reason in reasons.items() if reason}


def proposed(
    audits: dict[str, AuditSettings],
    unsuited: dict[str, str],
    model: AbstractModel,
    dataset: Dataset,
    held: Mapping[str, str] = MappingProxyType({}),
) -> tuple[str, ...]:
    """The tests a reviewer gets without a choice: the suited one that asks most of the model, and those beside it.

    One that can be run only after something else was chosen comes first only where every suited test is such a one. In
    a table without outcome whatever can be asked of the answers alone is asked beside it.

    Args:
        audits: The settings with which tests begin, by kind.
        unsuited: Kinds of test that cannot be run, and why.
        model: The model.
        dataset: The table.
        held: Kinds of test that are not to be proposed, and why; those that stand beside them are.
    """
    about_texts_first = sorted(KINDS, key=lambda kind: KINDS[kind].reads != "texts")
    suited = [kind for kind in about_texts_first if kind not in unsuited]
    ready = [kind for kind in suited if not audits[kind].is_compatible(model, dataset)]
    first = next(iter(ready or suited), None)
    wanted = () if first is None else (first, *KINDS[first].beside)
    if dataset.roles.without_outcome:
        wanted += tuple(kind for kind in ready if KINDS[kind].by_predictions)
    found = tuple(kind for kind in KINDS if kind in wanted and kind not in unsuited and kind not in held)
    return found or tuple(kind for kind in ready if kind not in held)[:1]

"""The audit of a model of a comparison on rows that it was not fitted to."""

import numpy as np

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileRef, FileStore
from core.data.dataset import Dataset
from core.models.formats.safetensors.source import TorchMLP
from core.plan import AuditPlan
from core.sources.upload.uploaded import UploadedTable
from core.workflows.mitigation.bench import prepare
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.rows import as_table


def unseen_rows(plan: MitigationPlan, files: FileStore) -> FileRef:
    """The rows held out and those of the test part, in the order of the table, as a file that can be audited.

    Raises:
        EvenhandError: The table cannot be read, or its rows do not suffice.
    """
    dataset = Dataset.build(plan.data.load(files), plan.roles).reading(plan.roles.features)
    places = prepare(plan, dataset).places
    rows = dataset.take(np.sort(np.concatenate(places[1:])))
    return as_table(rows, files, "unseen-rows.parquet").file


def audits_of(plan: MitigationPlan, model: FileRef, rows: FileRef) -> tuple[AuditPlan, AuditPlan]:
    """The equalized odds test of a fitted model on :func:`unseen_rows`, and that of groups beside it."""
    odds = AuditPlan(
        data=UploadedTable(file=rows),
        roles=plan.roles.reading(plan.roles.features),
        model=TorchMLP(file=model, trained_on="other rows"),
        audit=EqualizedOdds(dummies=plan.dummies),
        seed=plan.seed,
        decision=EqualizedOddsDecision(alpha=plan.alpha),
    )
    return odds, odds.model_copy(update={"audit": GroupFairness(), "decision": GroupFairnessDecision(alpha=plan.alpha)})

"""What a selection takes of memory, tried before it is run: the rows are parted, and one candidate is measured."""

import numpy as np

from core.base.files import FileStore, files_of
from core.base.progress import OnProgress, Progress, ignore_progress, part_of
from core.data.dataset import Dataset
from core.language.told import say
from core.workflows.selection.bench import SelectionBench
from core.workflows.selection.parts import part
from core.workflows.selection.run import contenders_of, rows_of
from core.workflows.selection.settings import LogisticPath, Rule, SelectionPlan


def tried_by(plan: SelectionPlan) -> SelectionPlan:
    """The plan that is tried in the place of this one: what costs time only is left out."""
    candidates = plan.candidates
    if isinstance(candidates, LogisticPath):
        short = {"points": 2, "strengths": candidates.strengths[:1], "passes": 1}
        candidates = candidates.model_copy(update=short)
    return plan.model_copy(update={"rule": Rule(), "candidates": candidates})


def pilot(plan: SelectionPlan, files: FileStore, on_progress: OnProgress = ignore_progress) -> None:
    """Do once what a selection does with every candidate, on the larger of the two parts with which it is done.

    Args:
        plan: What :func:`tried_by` makes of the selection.
        files: Where uploads lie.
        on_progress: Told how far it is; may raise to stop.

    Raises:
        EvenhandError: The table, a model or a setting is wrong, or the rows do not suffice.
    """
    on_progress(Progress(0.0, say("Reading the table")))
    dataset = rows_of(plan, Dataset.build(plan.data.load(files), plan.roles).written_out(), files)
    parts = part(dataset, plan, np.random.default_rng(plan.seed))
    _, contenders = contenders_of(plan, dataset, parts, files, part_of(on_progress, 0.1, 0.4))
    largest = max(contenders, key=lambda one: sum(file.bytes for file in files_of(one.source)))
    rows = max(parts.validation, parts.audit, key=len)
    SelectionBench(dataset, rows, plan.audit, plan.seed, files).measure(largest, part_of(on_progress, 0.4, 1.0))

"""Fairer models beside the baseline, as models that are compared: their rates, and how these differ, person by person.

A comparison's tables and charts (:mod:`core.workflows.comparison`) so show them like any other models.
"""

from dataclasses import replace

import numpy as np

from core.language.reader import language
from core.workflows.comparison.result import ComparisonResult
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.wording import name


def beside(result: MitigationResult) -> ComparisonResult:
    """All models on the test part, the baseline first, in groups of the attribute; without audits of their own."""
    return result.once(("beside", language()), lambda: _beside(result))


def _beside(result: MitigationResult) -> ComparisonResult:
    return ComparisonResult(
        names=tuple(map(name, result.fits)),
        audits=((),) * len(result.fits),
        baseline=0,
        classes=result.classes,
        favourable=result.favourable,
        answers=np.stack([_decided(result, fit) for fit in result.fits]),
        outcome=result.outcome,
        groups=(result.groups,),
        memberships=result.codes[None, :],
        clusters=np.empty(0, dtype=np.int64),
        data=replace(result.data, protected=(result.attribute,)),
        caveats=(),
        seed=result.seed,
        seconds=0.0,
        versions=result.versions,
    )


def _decided(result: MitigationResult, fit: TriedModel) -> np.ndarray:
    """What a model decides about each person of the test part, or its number, shape (t,), float64."""
    answers = fit.answers[-len(result.outcome) :]
    return answers.argmax(axis=1).astype(np.float64) if result.classes else answers[:, 0]

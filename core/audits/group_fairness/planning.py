"""Before groups are looked at: how long it takes, and how many comparisons have enough people."""

import time
from dataclasses import dataclass, replace

import numpy as np

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.engine import run
from core.audits.group_fairness.settings import GroupFairness
from core.audits.group_fairness.subjects import subjects_of
from core.base.thresholds import FEWEST_ROWS
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.clusters import some_of
from core.data.encoded import EncodedDataset

PILOT_PEOPLE = 2_000


@dataclass(frozen=True)
class GroupFairnessPilot:
    """What some random people say about all of them.

    Attributes:
        people: People tried.
        audited: People the audit is about.
        seconds: Estimated time of the whole audit.
        comparisons: Groups and intersections with at least 30 people on both sides among those tried.
    """

    people: int
    audited: int
    seconds: float
    comparisons: int


def pilot(
    audit: GroupFairness, given: Given[AbstractModel, EncodedDataset], decision: GroupFairnessDecision
) -> GroupFairnessPilot:
    """Look at the groups of some random people.

    Raises:
        ModelError: An answer is not a finite number.
    """
    data = given.data
    chosen = np.sort(some_of(len(data), PILOT_PEOPLE, given.rng, data.clusters))
    started = time.perf_counter()
    detail, _ = run(audit, replace(given, data=data.take(chosen)))
    found = subjects_of(detail.recorded, audit.depth, (), len(detail.outcome), detail.times)
    sizes = np.bincount(found.cells, detail.times)
    pairs = [(sizes[one.inside].sum(), sizes[one.outside].sum()) for one in (*found.groups, *found.intersections)]
    seconds = (time.perf_counter() - started) * len(data) / len(chosen)
    return GroupFairnessPilot(len(chosen), len(data), seconds, sum(min(pair) >= FEWEST_ROWS for pair in pairs))

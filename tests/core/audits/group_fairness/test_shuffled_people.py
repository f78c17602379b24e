"""Groups that were shuffled: what is between them is chance, and nobody is accused."""

import numpy as np

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.inference.estimate import Verdict
from core.run import find, run_audit
from tests.builders_fair_dummies import make_people

SHUFFLES = 20
MOST = 4
"""Of 20 tables at an error rate of 5%, more are a matter of chance in three of a thousand series."""


def test_shuffled_groups_are_accused_as_seldom_as_they_should_be() -> None:
    people, rng = make_people("two classes", rows=800, attributes=1), np.random.default_rng(2)
    found = []
    for _ in range(SHUFFLES):
        sexes = rng.permutation(people.frame["sex"].to_numpy())
        dataset = Dataset.build(people.frame.assign(sex=sexes), people.roles)
        result = run_audit(people.model.load(FileStore(), dataset), dataset, GroupFairness(), seed=0)
        found.append([find(result, GroupFairnessDecision(delta=delta)).by_claims for delta in (0.0, 0.15)])
    strict, tolerant = zip(*found, strict=True)
    assert sum(one is Verdict.VIOLATION for one in strict) <= MOST
    assert Verdict.VIOLATION not in tolerant
    assert Verdict.NO_VIOLATION not in strict, "nothing is shown to be exactly alike"

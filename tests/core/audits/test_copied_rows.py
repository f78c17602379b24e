"""A table in which 6% of the rows occur twice: whatever the test and the tolerance, nothing is claimed of it."""

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from core.audits import KINDS
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder, NumericColumn
from core.finding import room_of
from core.inference.estimate import Verdict
from core.metrics import Expert
from core.models.module import ModuleModel
from core.run import find, run_audit
from core.workflows.proposing import default_settings

FEATURES = ("years", "sex")
COPIES_COUNT = [name for name, kind in KINDS.items() if room_of(kind).finding.copies_count]
TOLERANCES = {"gradient_flow": (1.05, 9.0)}
"""One that the model exceeds and one that it does not, where the ratio is judged."""


def people(copied: float) -> Dataset:
    """1,000 people with their hiring decisions, and a share of them once more."""
    rng = np.random.default_rng(3)
    years, sex = rng.standard_normal(1000), rng.integers(0, 2, 1000)
    hired = rng.random(1000) < 1 / (1 + np.exp(-years - sex))
    frame = pd.DataFrame({"years": years, "sex": sex, "hired": np.where(hired, "yes", "no")})
    frame = pd.concat([frame, frame.sample(frac=copied, random_state=0)], ignore_index=True)
    return Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=FEATURES))


def model() -> ModuleModel:
    """It hires by years and by sex."""
    linear = nn.Linear(2, 2).double()
    linear.weight.data, linear.bias.data = torch.tensor([[0.0, 0.0], [1.0, 2.0]]).double(), torch.zeros(2).double()
    columns = tuple(NumericColumn(name=name) for name in FEATURES)
    return ModuleModel(linear.requires_grad_(False), Encoder(columns=columns), ("no", "yes"), "by sex")


@pytest.mark.parametrize("name", COPIES_COUNT)
def test_nothing_is_claimed_of_a_table_in_which_six_rows_in_a_hundred_are_doubled(name: str) -> None:
    audit = default_settings(name, metric=Expert(free=("sex",)), steps=50)
    verdicts = []
    for copied in (0.0, 0.06):
        result = run_audit(model(), people(copied), audit, seed=1)
        findings = [find(result, KINDS[name].decision(delta=delta)) for delta in TOLERANCES.get(name, (0.001, 0.9))]
        verdicts.append({one.verdict for one in findings})
    assert Verdict.VIOLATION in verdicts[0]
    assert verdicts[1] == {Verdict.INSUFFICIENT}
    assert all("60 of 1,060 rows are exact copies" in one.reasons[0].what for one in findings)

"""Cautions that come with a result: classes turned round, and columns in raw units that the search cannot move."""

import numpy as np
import torch
from torch import nn

from core.dataset import Dataset
from core.metrics.expert import Expert
from core.result import AuditResult
from core.run import run_audit
from tests.core.audits.gradient_flow.cases import model_of, settings, table


def audited(weights: list[float], *, stretched: float = 1.0, turned: bool = False, free: str = "x1") -> AuditResult:
    """A logistic model on a table whose column x1 is multiplied, with classes in this or the reverse order."""
    plain = table(300)
    dataset = Dataset.build(plain.frame.assign(x1=plain.frame["x1"] * stretched), plain.roles)
    layer = nn.Linear(4, 2).double()
    layer.weight.data, layer.bias.data = torch.tensor([[0.0] * 4, weights]).double(), torch.zeros(2).double()
    model = model_of(nn.Sequential(layer).requires_grad_(False))
    model.classes = ("yes", "no") if turned else ("no", "yes")
    audit = settings(metric=Expert(free=(free,)), regularisation=50.0, steps=50, step_size=0.01)
    return run_audit(model, dataset, audit, seed=0)


def said(result: AuditResult) -> list[str]:
    return [notice.what for notice in result.notices if notice.level == "serious"]


def test_a_model_that_fits_gives_no_caution() -> None:
    assert not audited([1.0, 0.5, 0.0, 0.0]).notices


def test_classes_turned_round_are_told_with_the_result() -> None:
    found = audited([1.0, 0.5, 0.0, 0.0], turned=True)
    assert found.model.accuracy < 0.5
    assert any("reverse order" in what for what in said(found))


def test_a_free_column_in_raw_units_is_told() -> None:
    """The same model of the same people: x1 in units a hundred times smaller moves ten thousand times less."""
    found = audited([1.0, 0.005, 0.0, 0.0], stretched=100.0)
    assert np.mean(found.detail.ratios) < np.mean(audited([1.0, 0.5, 0.0, 0.0]).detail.ratios)
    assert any("'x1' in raw units" in what for what in said(found))


def test_a_held_column_in_raw_units_is_not_told() -> None:
    assert not said(audited([1.0, 0.005, 0.0, 0.0], stretched=100.0, free="x2"))

"""Cautions that come with a result: classes turned round, and columns in raw units that the search cannot move."""

from dataclasses import replace

import numpy as np
import pandas as pd
import torch
from torch import nn

from core.caveats.cautions import cautions
from core.contracts.metric import FittedMetric
from core.data.dataset import Dataset, Roles
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder, NumericColumn
from core.metrics.expert import Expert
from core.result import AuditResult, ModelSummary
from core.run import _summarise_model, run_audit
from tests.builders_text import make_text_dataset, make_text_model
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
    return [caveat.what for caveat in result.caveats if caveat.level == "serious"]


def test_a_model_that_fits_gives_no_caution() -> None:
    assert not audited([1.0, 0.5, 0.0, 0.0]).caveats


def test_classes_turned_round_are_told_with_the_result() -> None:
    found = audited([1.0, 0.5, 0.0, 0.0], turned=True)
    assert found.model.accuracy < 0.5
    assert not any("the model is right" in what for what in said(found)), "it is said with the verdict, once"
    (caveat,) = found.model.against_outcomes
    assert "Answers go against the outcomes, so nothing is claimed." in caveat.what
    assert "order of its classes" in caveat.advice


def test_a_model_that_is_merely_bad_is_told_with_the_result() -> None:
    found = audited([0.0, 0.0, 0.5, 0.1], turned=True)
    assert not found.model.against_outcomes
    assert sum("On the audited rows the model is right for" in caveat.what for caveat in found.caveats) == (
        found.model.accuracy < found.model.majority_share
    )


def test_a_free_column_in_raw_units_is_told() -> None:
    """The same model of the same people: x1 in units a hundred times smaller moves ten thousand times less."""
    found = audited([1.0, 0.005, 0.0, 0.0], stretched=100.0)
    assert np.mean(found.detail.ratios) < np.mean(audited([1.0, 0.5, 0.0, 0.0]).detail.ratios)
    assert any("'x1' in raw units" in what for what in said(found))


def test_a_held_column_in_raw_units_is_not_told() -> None:
    assert not said(audited([1.0, 0.005, 0.0, 0.0], stretched=100.0, free="x2"))


def test_texts_that_occur_several_times_are_counted() -> None:
    frame = pd.DataFrame({"text": [f"text {i % 90}" for i in range(100)], "label": ["a", "b"] * 50})
    dataset = Dataset.build(frame, Roles(text="text", outcome="label", favourable="a"))
    data = EncodedDataset(
        dataset,
        Encoder(columns=(NumericColumn(name="embedding 1"),)),
        np.zeros((100, 1)),
        np.zeros(100, dtype=np.int64),
        ("a", "b"),
    )
    summary = ModelSummary("m", "k", "f", data.encoder, ("a", "b"), np.array([[80, 0], [0, 20]]))
    (caveat,) = cautions(summary, data, None)
    assert caveat.level == "warning"
    assert caveat.what.startswith("10 of 100 texts are the same as an earlier one")
    assert not list(cautions(summary, data.take(np.arange(90)), None))


def test_the_spread_of_an_embedding_is_told_without_asking_for_columns() -> None:
    texts = make_text_dataset()
    model = make_text_model(texts)
    data = model.encode(texts)
    wide = replace(data, x=data.x * 1_000)
    d = data.encoder.width
    metric = FittedMetric("m", data.encoder.names, np.eye(d), np.eye(d)[:1], np.array([]))
    summary = _summarise_model(model, data)
    said = {caveat.what for caveat in cautions(summary, data, metric)}
    (caveat,) = (caveat for caveat in cautions(summary, wide, metric) if caveat.what not in said)
    assert caveat.level == "warning"
    assert "embedding's coordinates" in caveat.what
    assert "preprocessing" not in caveat.advice

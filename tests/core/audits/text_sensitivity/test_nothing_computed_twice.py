"""The pass that is differentiated gives the model's answers, so that no text is computed again for them."""

import numpy as np
import pytest

from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.errors import ModelError
from core.models.text import TextModel
from core.protected_status.settings import NoStatus
from core.run import run_audit
from tests.builders_text import make_text_dataset, make_text_model

AUDIT = TextSensitivity(status=NoStatus())


def counted(model: TextModel, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Texts of each forward pass from now on."""
    passes: list[int] = []
    pooled = model.network.pooled

    def counting(embeddings, mask):
        passes.append(len(mask))
        return pooled(embeddings, mask)

    monkeypatch.setattr(model.network, "pooled", counting)
    return passes


def test_a_text_is_computed_once_and_its_counterpart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = make_text_dataset(60)
    model = make_text_model(dataset)
    passes = counted(model, monkeypatch)
    result = run_audit(model, dataset, AUDIT, seed=0)
    exchanged = result.detail.audited.exchanged.sum()
    assert exchanged
    assert sum(passes) <= 60 + exchanged


def test_the_answers_are_those_of_a_pass_of_its_own() -> None:
    dataset = make_text_dataset(60)
    model = make_text_model(dataset)
    result = run_audit(model, dataset, AUDIT, seed=0)
    alone = make_text_model(dataset)
    answers = alone.predict_proba(alone.encode(dataset))
    np.testing.assert_allclose(result.model.answers_shown, answers[: len(result.model.answers_shown)], atol=1e-6)
    assert not model._known


def test_answers_against_the_outcomes_are_refused_still() -> None:
    dataset = make_text_dataset(300)
    outcomes = dataset.frame[dataset.roles.outcome].replace("teacher", "nurse")
    dataset = type(dataset).build(dataset.frame.assign(**{dataset.roles.outcome: outcomes}), dataset.roles)
    model = make_text_model(dataset, classes=("doctor", "nurse"))
    first = model.predict_proba(model.encode(dataset))[:, 0]
    turned = np.where(first > np.median(first), "nurse", "doctor")
    against = type(dataset).build(dataset.frame.assign(**{dataset.roles.outcome: turned}), dataset.roles)
    with pytest.raises(ModelError, match="go against the outcomes"):
        run_audit(model, against, AUDIT, seed=0, refuse=True)

"""The metric learned from exchanged words, and the gradient-flow test on the embedding of texts."""

from dataclasses import replace

import numpy as np
import pytest

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.base.errors import MetricError
from core.contracts.metric import principal_angles
from core.data.encoded import EncodedDataset
from core.inference.estimate import Verdict
from core.metrics import METRICS
from core.metrics.protected_status import ProtectedStatus
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.metrics.text_swaps import TextSwaps
from core.run import find, run_audit
from core.text.swaps import exchange
from core.text.word_lists import Pair, WordList
from tests.builders_text import make_text_dataset, make_text_model

NURSES = WordList(pairs=(Pair(word="nurse", counterpart="doctor"),))


@pytest.fixture
def any_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """The networks here have learned nothing, so that exchanged words move their embedding little."""
    monkeypatch.setattr("core.metrics.text_swaps.SMALL_MOVE", 0.0)


def encoded(rows: int = 120):
    dataset = make_text_dataset(rows)
    return make_text_model(dataset).encode(dataset)


def fitted(metric: TextSwaps, rows: int = 120):
    return metric.fit(encoded(rows), np.random.default_rng(0))


@pytest.mark.usefixtures("any_move")
def test_free_directions_are_the_singular_vectors_of_the_embedded_differences() -> None:
    """By brute force: one text after the other through the network, the SVD of all differences."""
    data = encoded(40)
    metric = TextSwaps(directions=2).fit(data, np.random.default_rng(0))
    pairs = [(text, exchange(text, WordList()).text) for text in data.texts]
    differences = np.array([(data.embed([other]) - data.embed([text]))[0] for text, other in pairs if text != other])
    _, values, vectors = np.linalg.svd(differences, full_matrices=False)
    assert principal_angles(metric.free, vectors[:2]).max() < 1e-3
    np.testing.assert_allclose(metric.spectrum, values, atol=1e-6)
    np.testing.assert_allclose(metric.matrix @ metric.free.T, 0, atol=1e-12)


@pytest.mark.usefixtures("any_move")
def test_all_directions_free_a_text_and_its_counterpart() -> None:
    data = encoded()
    metric = TextSwaps(explained_share=1.0).fit(data, np.random.default_rng(0))
    other = data.embed([exchange(text, WordList()).text for text in data.texts])
    np.testing.assert_allclose(metric.squared_distance(data.x, other), 0, atol=1e-12)


@pytest.mark.usefixtures("any_move")
def test_the_order_of_the_texts_does_not_matter() -> None:
    data = encoded()
    turned = data.take(np.arange(len(data))[::-1])
    first, second = (TextSwaps(directions=1).fit(one, np.random.default_rng(0)) for one in (data, turned))
    np.testing.assert_allclose(first.matrix, second.matrix, atol=1e-6)


@pytest.mark.usefixtures("any_move")
def test_texts_without_a_listed_word_are_counted() -> None:
    metric = fitted(TextSwaps(words=NURSES, directions=1))
    assert any("taught nothing, without a word of the list" in caveat.what for caveat in metric.caveats)


@pytest.mark.parametrize(("share", "refused"), [(0.1, True), (0.9, False)])
def test_directions_of_an_exchange_that_hardly_moves_texts_are_refused(share: float, refused: bool) -> None:
    data = encoded()
    held = [exchange(text, WordList()).text != text for text in data.texts]
    spread = np.sqrt(data.x.var(axis=0).sum())
    noise = np.random.default_rng(1).standard_normal((sum(held), data.x.shape[1]))
    noise *= share * spread / np.linalg.norm(noise, axis=1, keepdims=True)
    moved = replace(data, embed=lambda _: data.x[held] + noise)
    if refused:
        with pytest.raises(MetricError, match=f"by {share:.0%} of the texts' distance.*mostly noise"):
            TextSwaps().fit(moved, np.random.default_rng(0))
    else:
        assert TextSwaps().fit(moved, np.random.default_rng(0)).learned_on == len(data)


def test_what_teaches_nothing_is_refused() -> None:
    with pytest.raises(MetricError, match="holds a word of the list"):
        fitted(TextSwaps(words=WordList(pairs=(Pair(word="wizard", counterpart="witch"),))))
    data = encoded()
    blind = replace(data, embed=lambda texts: np.zeros((len(texts), data.x.shape[1])), x=np.zeros_like(data.x))
    with pytest.raises(MetricError, match="does not move the model's embedding"):
        TextSwaps().fit(blind, np.random.default_rng(0))


def test_it_is_for_texts_only() -> None:
    data = encoded()
    rows = EncodedDataset(data.dataset, data.encoder, data.x, data.y, data.classes)
    with pytest.raises(MetricError, match="reads columns"):
        TextSwaps().fit(rows, np.random.default_rng(0))
    assert METRICS["text_swaps"] is TextSwaps


@pytest.mark.usefixtures("any_move")
@pytest.mark.parametrize(
    "metric", [TextSwaps(directions=1), SensitiveSubspace(), ProtectedStatus(null_networks=2, epochs=20)]
)
def test_the_gradient_flow_test_runs_on_the_head_of_a_text_classifier(metric: object) -> None:
    dataset = make_text_dataset(600)
    audit = GradientFlow.model_validate({"metric": metric, "steps": 10, "metric_resamples": 2})
    model = make_text_model(dataset)
    assert audit.is_compatible(model, dataset) == ""
    result = run_audit(model, dataset, audit, seed=3)
    assert result.model.encoder.is_embedding
    assert len(result.detail.rows) == 420
    assert (result.detail.ratios >= 1 - 1e-6).all()
    assert find(result, GradientFlowDecision(delta=50.0)).verdict is Verdict.INSUFFICIENT
    shown = result.detail.pairs
    assert list(shown.before.columns) == ["text"]
    assert set(shown.before["text"]) <= set(dataset.frame["text"])
    assert np.isnan(shown.ratios).all()
    assert set(shown.real["text"]) <= set(dataset.frame["text"])
    assert (shown.real_rows != shown.rows).all()
    assert run_audit(model, dataset, audit, seed=3).detail.ratios.tobytes() == result.detail.ratios.tobytes()

"""What holds for a model of any format."""

import numpy as np
import pytest

from core.base.errors import ModelError
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.models.inspection import inspect


def test_answers_are_probabilities(any_model: AbstractModel, dataset: Dataset) -> None:
    answers = any_model.predict_proba(any_model.encode(dataset))
    assert answers.shape == (len(dataset), 2)
    assert answers.dtype == np.float64
    assert (answers >= 0).all()
    np.testing.assert_allclose(answers.sum(axis=1), 1, atol=1e-12)


def test_reordering_people_reorders_answers(any_model: AbstractModel, dataset: Dataset) -> None:
    order = np.random.default_rng(1).permutation(len(dataset))
    straight = any_model.predict_proba(any_model.encode(dataset))
    shuffled = any_model.predict_proba(any_model.encode(dataset.take(order)))
    np.testing.assert_allclose(shuffled, straight[order], atol=1e-6)


def test_a_person_alone_gets_the_same_answer(any_model: AbstractModel, dataset: Dataset) -> None:
    together = any_model.predict_proba(any_model.encode(dataset))
    alone = any_model.predict_proba(any_model.encode(dataset.take(np.array([17]))))
    np.testing.assert_allclose(alone[0], together[17], atol=1e-6)


def test_answers_repeat_to_the_last_bit(any_model: AbstractModel, dataset: Dataset) -> None:
    data = any_model.encode(dataset)
    assert any_model.predict_proba(data).tobytes() == any_model.predict_proba(data).tobytes()


def test_the_module_gives_the_answers_or_says_why_there_is_none(any_model: AbstractModel, dataset: Dataset) -> None:
    import torch

    data = any_model.encode(dataset)
    if any_model.no_gradients:
        with pytest.raises(ModelError, match=r"."):
            any_model.module()
        return
    module = any_model.module()
    assert not module.training
    assert not any(parameter.requires_grad for parameter in module.parameters())
    dtype = next(module.parameters()).dtype
    logits = module(torch.from_numpy(data.x).to(dtype))
    assert logits.shape == (len(dataset), 2)
    np.testing.assert_allclose(logits.softmax(dim=1).numpy(), any_model.predict_proba(data), atol=1e-5)


def test_gradients_agree_with_finite_differences(any_model: AbstractModel, dataset: Dataset) -> None:
    import copy

    import torch

    if any_model.no_gradients:
        return
    module = copy.deepcopy(any_model.module()).double()
    x = torch.from_numpy(any_model.encode(dataset).x[:6]).requires_grad_()
    assert torch.autograd.gradcheck(lambda rows: module(rows).log_softmax(dim=1), (x,), eps=1e-7, atol=1e-5)


def test_inspection_agrees_with_the_answers(any_model: AbstractModel, dataset: Dataset) -> None:
    data = any_model.encode(dataset)
    report = inspect(any_model, dataset)
    right = (any_model.predict_proba(data).argmax(axis=1) == data.y).mean()
    assert report.accuracy == pytest.approx(right)
    assert report.width == any_model.encoder.width
    assert report.no_gradients == any_model.no_gradients
    assert report.rows == report.confusion.sum() == len(dataset)
    assert list(report.examples.index) == [1, 2, 3, 4, 5]
    assert report.examples["age"].tolist() == dataset.frame["age"].head().tolist()


def test_every_model_says_what_it_is(any_model: AbstractModel) -> None:
    assert any_model.name
    assert any_model.kind
    assert len(any_model.fingerprint) == 64
    assert set(any_model.classes) == {"no", "yes"}

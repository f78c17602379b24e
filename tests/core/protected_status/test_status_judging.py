import numpy as np
import pytest
from scipy.stats import binomtest

from core.data.dataset import Dataset
from core.data.roles import Roles
from core.models.text import TextModel
from core.protected_status.judging import (
    Accuracy,
    accuracy,
    has_words,
    judge,
    known_groups,
    unknown,
    why_uneven,
    why_weak,
)
from tests.builders_status import encode, make_corpus
from tests.builders_text import make_network

GROUPS = ("female", "male")


def of(right: list[int], texts: list[int]) -> Accuracy:
    return accuracy(np.array(right), np.array(texts))


@pytest.mark.parametrize(("right", "texts"), [(0, 10), (9, 10), (47, 50), (300, 300)])
def test_intervals_are_wilsons(right: int, texts: int) -> None:
    found = of([right, 1], [texts, 2])
    expected = binomtest(right, texts).proportion_ci(0.95, method="wilson")
    assert (found.low[0], found.high[0]) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found.share[0] == right / texts


def test_accuracy_is_a_direct_count(model: TextModel) -> None:
    network = make_network(classes=GROUPS, seed=3)
    data = encode(make_corpus(40), model)
    codes, _ = data.dataset.groups("gender")
    tokens = network.read(data.texts)
    own = make_answers(network, data.texts)
    found = judge(network, tokens, codes, 2)
    for group in (0, 1):
        of_group = codes == group
        assert found.texts[group] == of_group.sum()
        assert found.share[group] == np.mean(own[of_group] == group)


def make_answers(network, texts) -> np.ndarray:  # type: ignore[no-untyped-def]
    """One text at a time, without padding, by the parts of the network."""
    import torch

    answers = []
    for text in texts:
        ids = torch.from_numpy(network.read([text])[0].ids)[None]
        pooled = network.pooled(network.word_embeddings(ids), torch.ones_like(ids, dtype=torch.bool))
        answers.append(int(network.head()(pooled).argmax()))
    return np.array(answers)


def test_texts_of_unknown_groups_and_without_words_are_not_counted() -> None:
    network = make_network(classes=GROUPS)
    tokens = network.read(["she is kind", "", "he is tall", "   "])
    assert has_words(tokens).tolist() == [True, False, True, False]
    assert judge(network, tokens, np.array([0, 0, -1, 1]), 2).texts.tolist() == [1, 0]
    nothing = judge(network, tokens, np.array([-1, 0, -1, 1]), 2)
    assert nothing.texts.tolist() == [0, 0]
    assert np.isnan(nothing.share).all()
    assert np.isnan(nothing.low).all()


def test_a_good_model_is_not_weak() -> None:
    assert why_weak(of([97, 95], [100, 100]), GROUPS) == ""


@pytest.mark.parametrize(
    ("right", "texts", "why"),
    [
        ([52, 49], [100, 100], "guessing gets 50%"),
        ([6, 6], [6, 6], "guessing gets 50%"),
        ([99, 80], [100, 100], "80% of the texts of 'male' and 99% of those of 'female'"),
    ],
)
def test_weak_models_are_told_with_their_numbers(right: list[int], texts: list[int], why: str) -> None:
    assert why in why_weak(of(right, texts), GROUPS)


def test_groups_that_are_recognised_differently_often_are_told() -> None:
    """App. D of papers/prediction-sensitivity.md: a recall of .915 beside one of .996 is no weak model."""
    found = of([732, 797], [800, 800])
    assert why_weak(found, GROUPS) == ""
    told = why_uneven(found, GROUPS)
    assert "91.5% of the texts of 'female' and 99.6% of those of 'male'" in told
    assert why_uneven(of([97, 95], [100, 100]), GROUPS) == ""
    assert why_uneven(of([90, 0], [90, 0]), GROUPS) == ""
    assert "'c'" in why_uneven(of([390, 392, 350], [400, 400, 400]), ("a", "b", "c"))


def test_groups_recognised_equally_often_are_seldom_told_apart() -> None:
    """Over 800 repeats of three groups of 300, at most 5% and three standard errors."""
    right = np.random.default_rng(0).binomial(300, 0.96, (800, 3))
    told = [bool(why_uneven(of(one.tolist(), [300] * 3), ("a", "b", "c"))) for one in right]
    assert np.mean(told) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 800)


def test_a_model_nobody_can_judge_is_not_called_good() -> None:
    assert "not known" in why_weak(unknown(2), GROUPS)
    assert "not known" in why_weak(of([90, 0], [90, 0]), GROUPS)


def test_the_bar_is_higher_than_guessing_for_any_number_of_groups() -> None:
    groups = ("a", "b", "c", "d")
    assert why_weak(of([55] * 4, [100] * 4), groups)
    assert not why_weak(of([90] * 4, [100] * 4), groups)


def test_groups_agree_whatever_their_case_and_in_any_order() -> None:
    frame = make_corpus(40).assign(gender=lambda table: table["gender"].str.title(), region=["n", "s"] * 20)
    dataset = Dataset.build(frame, Roles(text="text", protected=("region", "gender")))
    known = known_groups(dataset, ("male ", "FEMALE", "other"))
    assert known is not None
    assert known.attribute == "gender"
    assert np.array_equal(known.codes, np.where(frame["gender"] == "Male", 0, 1))
    assert known_groups(dataset, ("north", "south")) is None


def test_the_preferred_attribute_goes_first_and_unknown_groups_are_marked() -> None:
    frame = make_corpus(60).assign(parent=["female", "male", "nobody"] * 20)
    dataset = Dataset.build(frame, Roles(text="text", protected=("gender", "parent")))
    assert known_groups(dataset, GROUPS).attribute == "gender"
    known = known_groups(dataset, GROUPS, "parent")
    assert known.attribute == "parent"
    assert np.count_nonzero(known.codes < 0) == 20

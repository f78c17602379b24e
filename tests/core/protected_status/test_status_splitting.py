import numpy as np
import pytest

from core.base.errors import DataError
from core.protected_status import splitting
from core.protected_status.splitting import split_texts

GROUPS = ("a", "b")


def split(texts: list[str], codes: np.ndarray, share: float = 0.4, seed: int = 0, usable: np.ndarray | None = None):
    everything = np.ones(len(texts), dtype=bool) if usable is None else usable
    return split_texts(texts, everything, codes, groups=GROUPS, share=share, rng=np.random.default_rng(seed))


def test_each_group_gives_its_share_and_a_fifth_of_that_stops_training() -> None:
    codes = np.array([0] * 200 + [1] * 50)
    parts = split([f"text {number}" for number in range(250)], codes)
    assert np.bincount(codes[parts.trained]).tolist() == [64, 16]
    assert np.bincount(codes[parts.stopping]).tolist() == [16, 4]
    assert parts.learned_from == 100
    assert parts.surplus == 0
    everything = np.concatenate([parts.trained, parts.stopping, parts.left])
    assert np.array_equal(np.sort(everything), np.arange(250))
    assert np.array_equal(parts.left, np.sort(parts.left))


def test_copies_of_a_text_stay_together_and_are_learned_once() -> None:
    texts = [f"text {number % 100}" for number in range(400)]
    codes = np.arange(400) % 2
    parts = split(texts, codes)
    learned = {texts[place] for place in (*parts.trained, *parts.stopping)}
    assert len(learned) == parts.learned_from == 40
    assert not learned & {texts[place] for place in parts.left}
    assert len(parts.left) == 4 * 60


def test_a_text_of_both_groups_is_learned_once_for_each() -> None:
    texts = [f"text {number // 2}" for number in range(200)]
    codes = np.arange(200) % 2
    with pytest.raises(DataError, match="'b' has 0 different texts"):
        split(texts, codes)
    more = texts + [f"other {number}" for number in range(100)]
    parts = split(more, np.append(codes, np.ones(100, dtype=np.int64)))
    doubled = [place for place in parts.trained if place < 200]
    assert len(doubled) == 2 * len({texts[place] for place in doubled})


def test_the_same_texts_in_another_order_are_parted_in_the_same_way() -> None:
    texts = np.array([f"text {number}" for number in range(120)])
    codes = np.arange(120) % 2
    order = np.random.default_rng(5).permutation(120)
    first, second = split(texts.tolist(), codes), split(texts[order].tolist(), codes[order])
    for part in ("trained", "stopping"):
        assert texts[getattr(first, part)].tolist() == texts[order][getattr(second, part)].tolist()
    assert set(texts[first.left]) == set(texts[order][second.left])


def test_texts_without_words_are_never_learned_from_but_left() -> None:
    usable = np.arange(200) % 4 != 0
    parts = split([f"text {number}" for number in range(200)], np.arange(200) % 2, usable=usable)
    assert usable[parts.trained].all()
    assert usable[parts.stopping].all()
    assert set(np.flatnonzero(~usable)) <= set(parts.left)


def test_a_group_with_too_few_texts_is_named_with_its_number() -> None:
    codes = np.array([0] * 100 + [1] * 20)
    with pytest.raises(DataError, match="'b' has 20 different texts, of which 8 would be learned from") as raised:
        split([f"text {number}" for number in range(120)], codes)
    assert "word lists" in raised.value.advice


def test_more_texts_than_needed_are_left_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "MOST_TEXTS", 30)
    codes = np.array([0] * 200 + [1] * 50)
    parts = split([f"text {number}" for number in range(250)], codes)
    assert parts.learned_from == 30 + 20
    assert parts.surplus == 80 - 30
    assert len(parts.left) == 200

import numpy as np
import pytest
import torch

from core.text.tokens import Tokens, batches, padded
from core.text.words import spans, unread


def tokens_of(lengths: tuple[int, ...]) -> list[Tokens]:
    return [Tokens(np.arange(7, 7 + n), np.arange(n), np.arange(n) + 1, np.zeros(n, dtype=bool), n) for n in lengths]


def test_batches_hold_every_text_once_and_few_tokens() -> None:
    tokens = tokens_of((3, 1, 9, 4, 0, 64, 2, 9))
    parts = list(batches(tokens, 40))
    assert sorted(np.concatenate(parts).tolist()) == list(range(8))
    lengths = [[len(tokens[row]) for row in part] for part in parts]
    assert lengths == [[64], [9, 9], [4, 3, 2, 1, 0]]


def test_a_batch_is_an_eighth_padding_at_most() -> None:
    tokens = tokens_of(tuple(range(8, 129)))
    for part in batches(tokens, 8192):
        lengths = [len(tokens[row]) for row in part]
        assert lengths[-1] >= min(7 * lengths[0] // 8, lengths[0] - 4)
    assert next(len(part) for part in batches(tokens, 8192)) == 17


def test_no_texts_no_batches() -> None:
    assert list(batches([], 40)) == []


@pytest.mark.parametrize("lengths", [(3, 0, 2), (4,), (0, 0)])
def test_shorter_texts_are_filled_up_at_the_end(lengths: tuple[int, ...]) -> None:
    ids, mask = padded(tokens_of(lengths))
    assert ids.shape == mask.shape == (len(lengths), max(lengths))
    assert (ids.dtype, mask.dtype) == (torch.int64, torch.bool)
    for row, n in enumerate(lengths):
        assert ids[row].tolist() == [*range(7, 7 + n), *[0] * (max(lengths) - n)]
        assert mask[row].tolist() == [True] * n + [False] * (max(lengths) - n)


def test_a_word_is_unread_if_nothing_of_it_is_read() -> None:
    words = spans("she nurses him")
    assert unread(words, 9).tolist() == [False, False, True]
    assert unread(words, 4).tolist() == [False, True, True]
    assert unread(words, 14).tolist() == [False] * 3

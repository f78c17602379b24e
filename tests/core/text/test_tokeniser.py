"""Tokens and their places: against the library itself, and by laws that hold for every kind of tokeniser."""

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from core.base.errors import ModelError
from core.text import tokeniser
from core.text.tokeniser import LONGEST_TEXT, Tokeniser
from core.text.tokens import Tokens
from core.text.words import spans, word_of_each
from tests.builders_text import VOCABULARY, make_tokeniser, tokeniser_json

TEXTS = (
    "She is a nurse, isn't she?",
    "é 👩‍⚕️ she's  ok",
    "  she\n\tis ",
    "ﬁx Ⅷ e\u0301 İstanbul ß",
    "[CLS] she [MASK]",
    "",
    " \u3000\n",
    "護士 ١٢ \u200b\ufeff\x00she",
)


def byte_level(*, prefix: bool, trim: bool) -> bytes:
    signs = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = {sign: number for number, sign in enumerate((*signs, "Ġs", "Ġsh", "Ġshe"))}
    found = Tokenizer(models.BPE(pieces, [("Ġ", "s"), ("Ġs", "h"), ("Ġsh", "e")]))
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    found.post_processor = processors.ByteLevel(trim_offsets=trim)
    return bytes(found.to_str(), "utf-8")


def sentence_pieces() -> bytes:
    scores = [("<unk>", 0.0), ("▁", -2.0), ("▁she", -1.0), ("s", -3.0), ("h", -3.0), ("e", -3.0), ("fi", -2.0)]
    found = Tokenizer(models.Unigram(scores, 0))
    found.normalizer = normalizers.NFKC()
    found.pre_tokenizer = pre_tokenizers.Metaspace()
    return bytes(found.to_str(), "utf-8")


KINDS = {
    "pieces": tokeniser_json(),
    "pieces without closing tokens": tokeniser_json(closing=False),
    "bytes": byte_level(prefix=False, trim=False),
    "bytes, trimmed": byte_level(prefix=True, trim=True),
    "scores": sentence_pieces(),
}


@pytest.fixture(scope="module", params=KINDS, name="kind")
def every_kind(request: pytest.FixtureRequest) -> Tokeniser:
    return Tokeniser(KINDS[request.param])


def only(reader: Tokeniser, text: str, longest: int = 1000) -> Tokens:
    return reader.read([text], longest)[0]


@pytest.mark.parametrize("content", KINDS.values(), ids=KINDS)
def test_the_tokens_are_those_of_the_library(content: bytes) -> None:
    library = Tokenizer.from_str(content.decode())
    for text, found in zip(TEXTS, Tokeniser(content).read(TEXTS, 1000), strict=True):
        expected = library.encode(text)
        assert found.ids.tolist() == expected.ids
        assert found.special.tolist() == [mark == 1 for mark in expected.special_tokens_mask]
        assert found.read == len(text)


@pytest.mark.parametrize("content", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("longest", [2, 3, 4, 7])
def test_a_cut_text_has_the_tokens_that_the_library_keeps(content: bytes, longest: int) -> None:
    library = Tokenizer.from_str(content.decode())
    library.enable_truncation(longest)
    if longest == library.num_special_tokens_to_add(False):
        longest += 1
        library.enable_truncation(longest)
    for text, found in zip(TEXTS, Tokeniser(content).read(TEXTS, longest), strict=True):
        assert found.ids.tolist() == library.encode(text).ids
        assert found.special.tolist() == [mark == 1 for mark in library.encode(text).special_tokens_mask]


def test_every_place_holds_what_the_token_stands_for() -> None:
    text = "She's a NURSE — isn't  she? 👩‍⚕️ e\u0301"
    found = only(make_tokeniser(), text)
    words = [text[a:b] for a, b in zip(found.start, found.end, strict=True)]
    assert words == ["", "She", "'", "s", "a", "NURSE", "—", "isn", "'", "t", "she", "?", "👩‍⚕", "e", ""]


@pytest.mark.parametrize("prefix", [True, False])
@pytest.mark.parametrize("trim", [True, False])
def test_a_space_before_a_word_is_no_part_of_its_place(prefix: bool, trim: bool) -> None:
    text = "a she  she"
    found = only(Tokeniser(byte_level(prefix=prefix, trim=trim)), text)
    she = found.ids == 258
    assert she.sum() == 2
    assert found.start[she].tolist() == [2, 7]
    assert found.end[she].tolist() == [5, 10]


def test_a_token_of_spaces_alone_lies_in_no_word() -> None:
    text = "she  h"
    found = only(Tokeniser(byte_level(prefix=False, trim=False)), text)
    of = word_of_each(found.start, found.end, spans(text))
    assert of.tolist() == [0, 0, 0, -1, -1, 1]


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=60), longest=st.integers(3, 40))
def test_places_are_within_the_text_and_the_length_within_the_limit(kind: Tokeniser, text: str, longest: int) -> None:
    found = only(kind, text, longest)
    assert len(found) <= longest
    assert (found.start >= 0).all()
    assert (found.start <= found.end).all()
    assert (found.end <= len(text)).all()
    assert 0 <= found.read <= len(text)
    assert not found.start[found.special].any()
    assert not found.end[found.special].any()
    for begin, end in zip(found.start, found.end, strict=True):
        assert text[begin:end] == text[begin:end].strip()
    assert (found.ids < kind.size).all()


@settings(max_examples=40, deadline=None)
@given(text=st.text(alphabet="she ,.'é👩\n", max_size=80), longest=st.integers(3, 12))
def test_a_cut_text_is_read_up_to_the_first_token_left_out(kind: Tokeniser, text: str, longest: int) -> None:
    whole, cut = only(kind, text), only(kind, text, longest)
    kept = int((~cut.special).sum())
    real = np.flatnonzero(~whole.special)
    if len(whole) <= longest:
        assert cut.read == len(text)
        return
    assert kept == longest - int(whole.special.sum())
    assert text[cut.read : whole.start[real[kept]]].strip() == ""
    assert cut.ids[~cut.special].tolist() == whole.ids[real[:kept]].tolist()


def test_a_text_that_is_cut_keeps_its_closing_tokens() -> None:
    found = only(make_tokeniser(), "she is a nurse", 4)
    assert [VOCABULARY[number] for number in found.ids] == ["[CLS]", "she", "is", "[SEP]"]
    assert found.read == len("she is ")


def test_no_room_beside_the_closing_tokens_is_an_error() -> None:
    with pytest.raises(ModelError, match="2 closing tokens do not fit into 1 tokens"):
        only(make_tokeniser(), "she", 1)


def test_empty_texts_have_closing_tokens_or_none() -> None:
    for text in ("", " \n\u3000"):
        assert only(make_tokeniser(), text).special.tolist() == [True, True]
        assert len(only(make_tokeniser(closing=False), text)) == 0


def test_a_special_word_within_a_text_is_a_token_of_the_text() -> None:
    found = only(make_tokeniser(), "she [SEP] is")
    assert found.special.tolist() == [True, False, False, False, True]
    assert (found.start[2], found.end[2]) == (4, 9)


def test_a_very_long_text_is_read_up_to_a_space_and_counts_as_cut() -> None:
    text = "nurse " * (LONGEST_TEXT // 6 + 10)
    found = only(make_tokeniser(closing=False), text, 10**6)
    assert found.read <= LONGEST_TEXT
    assert LONGEST_TEXT - found.read < 6
    assert set(found.ids) == {VOCABULARY.index("nurse")}
    assert spans(text)[:, 1].searchsorted(found.read, side="right") == len(found)


def test_a_very_long_word_is_read_up_to_the_limit() -> None:
    assert only(make_tokeniser(), "x" * (LONGEST_TEXT + 5)).read == LONGEST_TEXT


def test_half_of_a_surrogate_pair_is_read_as_an_unknown_sign() -> None:
    found = only(make_tokeniser(), "she \ud83d is")
    assert found.start.tolist() == [0, 0, 6, 0]
    bytes_of = only(Tokeniser(byte_level(prefix=False, trim=False)), "\ud83d").ids
    assert len(bytes_of) == len("\ufffd".encode())


def test_many_texts_are_read_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = make_tokeniser()
    alone = [only(reader, text) for text in TEXTS]
    monkeypatch.setattr(tokeniser, "_AT_ONCE", 20)
    monkeypatch.setattr(tokeniser, "_MOST_TEXTS", 3)
    for one, together in zip(alone, reader.read(TEXTS, 1000), strict=True):
        assert one.ids.tolist() == together.ids.tolist()
        assert one.start.tolist() == together.start.tolist()
    assert reader.read([], 1000) == ()


def test_what_decides_the_tokens_decides_the_vocabulary() -> None:
    whole = json.loads(tokeniser_json())
    same: list[dict[str, Any]] = [
        {"truncation": {"max_length": 3, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}},
        {"padding": {"strategy": {"Fixed": 9}, "pad_id": 0, "pad_token": "[PAD]"}},
        {"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True}},
    ]
    other: list[dict[str, Any]] = [{"normalizer": None}, {"post_processor": None}, {"added_tokens": []}]
    vocabulary = Tokeniser(tokeniser_json()).vocabulary
    for change in same:
        changed = Tokeniser(json.dumps(whole | change, indent=3).encode())
        assert changed.vocabulary == vocabulary
        assert len(only(changed, "she is a nurse")) == 6
    for change in other:
        assert Tokeniser(json.dumps(whole | change).encode()).vocabulary != vocabulary
    swapped = (*VOCABULARY[:-2], *reversed(VOCABULARY[-2:]))
    assert make_tokeniser(words=swapped).vocabulary != vocabulary


def test_size_and_unknown_token_are_those_of_the_file() -> None:
    assert make_tokeniser().size == len(VOCABULARY)
    assert make_tokeniser().unknown == VOCABULARY.index("[UNK]")
    assert Tokeniser(byte_level(prefix=False, trim=True)).unknown == -1
    assert Tokeniser(sentence_pieces()).unknown == 0


def test_added_tokens_beyond_the_vocabulary_count() -> None:
    added = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    reader = make_tokeniser(added_tokens=[{"id": len(VOCABULARY), "content": "<job>", **added}])
    assert reader.size == len(VOCABULARY) + 1
    assert only(reader, "a <job>").ids[2] == len(VOCABULARY)


def test_a_copy_reads_the_same() -> None:
    reader = make_tokeniser()
    for copied in (copy.deepcopy(reader), pickle.loads(pickle.dumps(reader))):
        assert only(copied, "she is").ids.tolist() == only(reader, "she is").ids.tolist()

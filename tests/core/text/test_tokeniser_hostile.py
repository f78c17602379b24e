"""Tokenisers made to do harm, or broken: each is refused with its own sentence, and this process lives on."""

import base64
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from core.base.errors import ModelError
from core.text import tokeniser_file, tokeniser_process, tokeniser_vocabulary
from core.text.tokeniser import Tokeniser
from core.text.tokeniser_file import check
from core.text.tokeniser_parts import KNOWN_PATTERNS
from tests.builders_text import make_tokeniser, tokeniser_json

CLOSING: dict[str, Any] = json.loads(tokeniser_json())["post_processor"]
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
WORDS = {"[UNK]": 0, "she": 1}
A = {"Sequence": {"id": "A", "type_id": 0}}
B = {"Sequence": {"id": "B", "type_id": 0}}


def replace(pattern: dict[str, str], content: str = "x") -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}


def split(pattern: dict[str, str]) -> dict[str, Any]:
    return {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}


def sequence(parts: list[Any]) -> dict[str, Any]:
    return {"type": "Sequence", "normalizers": parts}


def template(single: Any, special: Any = None) -> dict[str, Any]:
    given = CLOSING["special_tokens"] if special is None else special
    return {"type": "TemplateProcessing", "single": single, "pair": [A, B], "special_tokens": given}


def deep(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"type": "NFC"}
    for _ in range(levels):
        inner = sequence([inner])
    return inner


def bpe(**changes: Any) -> dict[str, Any]:
    return {"type": "BPE", "vocab": {"s": 0, "h": 1, "sh": 2}, "merges": [["s", "h"]]} | changes


def unigram(vocab: Any, unknown: Any = 0) -> dict[str, Any]:
    return {"type": "Unigram", "vocab": vocab, "unk_id": unknown}


def pieces(**changes: Any) -> dict[str, Any]:
    return {
        "type": "WordPiece",
        "vocab": WORDS,
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    } | changes


def alone(model: dict[str, Any]) -> dict[str, Any]:
    return {"model": model, "post_processor": None, "added_tokens": []}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "empty text replaced": ({"normalizer": replace({"String": ""})}, "pattern that is empty"),
    "empty expression replaced": ({"normalizer": replace({"Regex": ""})}, "regular expression of its own"),
    "cut at an empty text": ({"pre_tokenizer": split({"String": ""})}, "pattern that is empty"),
    "expression that backtracks": ({"pre_tokenizer": split({"Regex": "(a+)+$"})}, "regular expression of its own"),
    "long pattern": ({"pre_tokenizer": split({"String": "a" * 65})}, "too long"),
    "pattern of no kind": ({"pre_tokenizer": split({"Glob": "*"})}, "or no text"),
    "long replacement": ({"normalizer": replace({"String": "a"}, "b" * 65)}, "no short text"),
    "list where a word is due": ({"normalizer": {"type": "Prepend", "prepend": ["a"]}}, "no short text"),
    "table of characters that is none": (
        {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "%%%"}},
        "table of characters",
    ),
    "unknown normaliser": ({"normalizer": {"type": "Python"}}, "'Python', which is not read"),
    "unknown pre-tokeniser": ({"pre_tokenizer": {"type": "Mecab"}}, "'Mecab', which is not read"),
    "unknown post-processor": ({"post_processor": {"type": "Lua"}}, "'Lua', which is not read"),
    "type that is a list": ({"normalizer": {"type": ["NFC"]}}, "which is not read"),
    "part that is a number": ({"normalizer": 3}, "not described"),
    "nested too deeply": ({"normalizer": deep(8)}, "nested too deeply"),
    "sequence of very many": ({"normalizer": sequence([{"type": "NFC"}] * 33)}, "at most 32 parts"),
    "sequence without a list": ({"normalizer": {"type": "Sequence"}}, "at most 32 parts"),
    "pieces of no length": ({"pre_tokenizer": {"type": "FixedLength", "length": 0}}, "no proper length"),
    "template without the text": ({"post_processor": template([])}, "exactly once"),
    "template with the text twice": ({"post_processor": template([A, A])}, "exactly once"),
    "template with a second text": ({"post_processor": template([B])}, "exactly once"),
    "template with a word not declared": (
        {"post_processor": template([A, {"SpecialToken": {"id": "[END]", "type_id": 0}}])},
        "does not declare",
    ),
    "template with token types": (
        {"post_processor": template([{"Sequence": {"id": "A", "type_id": 1}}])},
        "different types",
    ),
    "template of no kind": ({"post_processor": template([A, {"Nothing": {}}])}, "no known kind"),
    "template that is a text": ({"post_processor": template("$A")}, "no list of tokens"),
    "closing token without number": (
        {"post_processor": template([A], {"[CLS]": {"id": "[CLS]", "ids": [], "tokens": []}})},
        "no proper numbers",
    ),
    "closing token with another number": (
        {"post_processor": template([A], {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]}})},
        "'\\[CLS\\]' has two numbers",
    ),
    "closing pair that is none": (
        {"post_processor": {"type": "BertProcessing", "sep": ["[SEP]"], "cls": ["[CLS]", 2]}},
        "word and its number",
    ),
    "empty added token": ({"added_tokens": [{"id": 0, "content": "", **FLAGS}]}, "empty or has no number"),
    "added token with two numbers": (
        {"added_tokens": [{"id": 0, "content": "she", **FLAGS}]},
        "'she' has two numbers",
    ),
    "added token far away": (
        {"added_tokens": [{"id": 399_999, "content": "<x>", **FLAGS}]},
        "would not get its number",
    ),
    "added tokens that are a word": ({"added_tokens": "she"}, "no list"),
    "no model": ({"model": None}, "does not describe a tokeniser"),
    "unknown model": (alone({"type": "Morphology"}), "'Morphology', which is not read"),
    "empty vocabulary": (alone(pieces(vocab={})), "vocabulary is empty"),
    "number beyond all": (alone(pieces(vocab={"[UNK]": 0, "she": 4_294_967_295})), "has none"),
    "number that is a truth value": (alone(pieces(vocab={"[UNK]": 0, "she": True})), "has none"),
    "two tokens with one number": (alone(pieces(vocab={"[UNK]": 0, "she": 0})), "same number"),
    "very long token": (alone(pieces(vocab={"[UNK]": 0, "s" * 513: 1})), "513 characters"),
    "no unknown token": (alone(pieces(vocab={"she": 0})), "unknown words"),
    "words of any length": (alone(pieces(max_input_chars_per_word=10**9)), "longest word"),
    "long joining sign": (alone(pieces(continuing_subword_prefix="#" * 17)), "joins pieces"),
    "merge of a missing piece": (alone(bpe(merges=[["s", "q"]])), "not in the vocabulary: 's q'"),
    "merge that gives a missing piece": (alone(bpe(merges=[["h", "s"]])), "not in the vocabulary"),
    "merge of three": (alone(bpe(merges=["s h s"])), "two pieces"),
    "merges that are no list": (alone(bpe(merges={})), "no list"),
    "joining sign longer than the piece": (
        alone(bpe(continuing_subword_prefix="########")),
        "not in the vocabulary",
    ),
    "merges by chance": (alone(bpe(dropout=0.5)), "at random"),
    "unknown token of merges": (alone(bpe(**{"unk_token": "<unk>"})), "unknown words"),
    "scores beyond all": (alone(unigram([["<unk>", 0], ["s", 1e308], ["h", 1e308]])), "moderate number"),
    "score that is a word": (alone(unigram([["<unk>", "0"]])), "moderate number"),
    "piece twice": (alone(unigram([["<unk>", 0], ["s", -1], ["s", -2]])), "occurs twice"),
    "unknown piece beyond the list": (alone(unigram([["<unk>", 0]], 5)), "no token for unknown"),
    "no unknown piece": (alone(unigram([["she", -1]], None)), "no token for unknown"),
    "no piece": (alone(unigram([])), "vocabulary is empty"),
}


@pytest.mark.parametrize(("changes", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_is_broken_or_unknown_is_refused_with_its_own_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence) as caught:
        make_tokeniser(**changes)
    assert caught.value.advice
    assert caught.value.where.startswith("tokenizer.json")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no JSON"),
        (b"\x80\x04\x95", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'{"model": {}, "model": {}}', "occurs twice"),
        (tokeniser_json(**alone(unigram([["<unk>", float("nan")]]))), "NaN is not JSON"),
        (b"[1, 2]", "not an object"),
        (b'{"model": ' + b"9" * 5000 + b"}", "no JSON"),
    ],
)
def test_what_is_no_tokeniser_is_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        Tokeniser(content)


def test_a_large_file_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokeniser_file, "MAXIMUM_BYTES", 100)
    monkeypatch.setattr(json, "loads", None)
    with pytest.raises(ModelError, match="at most 0 MB"):
        check(tokeniser_json(), "tokenizer.json")


def test_a_large_vocabulary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokeniser_vocabulary, "MAXIMUM_TOKENS", 10)
    with pytest.raises(ModelError, match="more than 10 tokens"):
        check(tokeniser_json(), "tokenizer.json")


def test_a_panic_of_the_library_is_a_sentence() -> None:
    junk = base64.b64encode((64).to_bytes(4, "little") + bytes(range(200))).decode()
    with pytest.raises(ModelError, match=r"tokeniser fails.*precompiled_charsmap"):
        make_tokeniser(normalizer={"type": "Precompiled", "precompiled_charsmap": junk})


BOMB = sequence([replace({"String": "a"}, "a" * 64)] * 32)
SLOW = sequence([replace({"String": "a"}, "aa")] * 13)


def test_a_tokeniser_that_grows_without_bound_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokeniser_process, "MEMORY_BYTES", 2**28)
    with pytest.raises(ModelError, match=r"more than 0\.25 GB of memory") as caught:
        make_tokeniser(normalizer=BOMB)
    assert caught.value.advice


def test_a_tokeniser_that_needs_forever_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokeniser_process, "SECONDS", 0.0)
    with pytest.raises(ModelError, match="did not come to an end within 0 seconds"):
        make_tokeniser(normalizer=SLOW)


def test_a_tokeniser_that_only_waits_is_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = make_tokeniser()
    monkeypatch.setattr(tokeniser_process, "_PATIENCE", 0.0)
    with pytest.raises(ModelError, match="did not come to an end"):
        reader.read(["she is a nurse " * 5_000] * 5, 1000)


def test_after_a_failure_the_next_text_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = make_tokeniser()
    with monkeypatch.context() as patched:
        patched.setattr(tokeniser_process, "_PATIENCE", 0.0)
        with pytest.raises(ModelError, match="did not come to an end"):
            reader.read(["she is a nurse " * 5_000] * 5, 1000)
    assert len(reader.read(["she"], 10)[0]) == 3


def test_a_process_that_was_killed_is_started_again() -> None:
    reader = make_tokeniser()
    process = reader._process._process
    assert process is not None
    process.kill()
    process.wait()
    assert len(reader.read(["she"], 10)[0]) == 3


def test_the_process_ends_with_its_tokeniser() -> None:
    reader = make_tokeniser()
    process = reader._process._process
    assert process is not None
    assert process.poll() is None
    del reader
    assert process.wait(timeout=20) == 0


def test_a_forked_process_starts_its_own() -> None:
    reader = make_tokeniser()
    child = os.fork()
    if child == 0:
        os._exit(0 if len(reader.read(["she"], 10)[0]) == 3 else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert len(reader.read(["she"], 10)[0]) == 3


def adversarial() -> Iterator[str]:
    yield from ("a" * 20_000, " " * 20_000, "\r\n" * 10_000, "'" * 20_000, "1" * 20_000, "é" * 20_000)
    yield from ("a " * 10_000, " \n" * 10_000 + "x", "▁" * 20_000, "<|startoftext|" * 1_500)


@pytest.mark.parametrize("pattern", sorted(KNOWN_PATTERNS))
def test_the_known_expressions_come_to_an_end_for_any_text(pattern: str) -> None:
    reader = make_tokeniser(pre_tokenizer=split({"Regex": pattern}))
    found = reader.read(list(adversarial()), 50)
    assert len(found) == 10
    assert all(len(one) >= 2 for one in found)

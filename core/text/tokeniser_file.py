"""A tokenizer.json, checked before the library sees it: only parts that are known, and none of an absurd size."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any, NoReturn

from typing_extensions import TypeIs

from core.errors import ModelError
from core.text.strict_json import read_object

MAXIMUM_BYTES = 32 * 1024 * 1024
MAXIMUM_TOKENS = 400_000
_MAXIMUM_MERGES = 1_000_000
_MAXIMUM_ADDED = 10_000
_LONGEST_TOKEN = 512
_LONGEST_STRING = 64
_LONGEST_CHARSMAP = 4 * 1024 * 1024
_LONGEST_WORD = 200
_DEEPEST = 6
_MOST_PARTS = 32

_ALLOWED = {
    part: frozenset(types.split())
    for part, types in {
        "normalizer": "BertNormalizer ByteLevel Lowercase NFC NFD NFKC NFKD Nmt Precompiled Prepend Replace Sequence "
        "Strip StripAccents",
        "pre_tokenizer": "BertPreTokenizer ByteLevel CharDelimiterSplit Digits FixedLength Metaspace Punctuation "
        "Sequence Split UnicodeScripts Whitespace WhitespaceSplit",
        "post_processor": "BertProcessing ByteLevel RobertaProcessing Sequence TemplateProcessing",
    }.items()
}
_PARTS_OF_SEQUENCE = {"normalizer": "normalizers", "pre_tokenizer": "pretokenizers", "post_processor": "processors"}
_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
KNOWN_PATTERNS = frozenset(
    (
        r" {2,}",
        r"\s+",
        r"\n",
        r"[\n\r\t]",
        r"\s{2,}|[\n\r\t]",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",
        r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",
        rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{_REST}",
        rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}|{_REST}",
    )
)
"""Regular expressions that published tokenisers use; a stranger's may need forever, so no other is run."""

_AGAIN = "Save it again with the library: tokenizer.save('tokenizer.json')."


@dataclass(frozen=True)
class TokeniserFile:
    """What a checked tokenizer.json says.

    Attributes:
        text: JSON for the library, without truncation, padding and decoder.
        vocabulary: SHA-256 of everything that decides the tokens.
        size: Largest token number that can occur, plus one.
        added: Tokens that are found in a text before anything else, with their numbers.
        unknown: Number of the token that stands for what the vocabulary lacks; -1 if there is none.
    """

    text: str
    vocabulary: str
    size: int
    added: tuple[tuple[str, int], ...]
    unknown: int


def check(content: bytes, name: str) -> TokeniserFile:
    """Check the bytes of a tokenizer.json.

    Args:
        content: The file.
        name: How errors name it.

    Raises:
        ModelError: It is no tokenizer.json, too large, or holds a part that is unknown or not safe to run.
    """
    return _Check(name).file(content)


class _Check:
    """The checks of one file; every method raises :class:`ModelError` on what it does not accept."""

    def __init__(self, name: str) -> None:
        self.name = name

    def refuse(self, what: str, where: str = "", advice: str = _AGAIN) -> NoReturn:
        raise ModelError(what, where=f"{self.name}, {where}" if where else self.name, advice=advice)

    def file(self, content: bytes) -> TokeniserFile:
        if len(content) > MAXIMUM_BYTES:
            self.refuse(
                f"The tokeniser has {len(content) / 2**20:.0f} MB; at most {MAXIMUM_BYTES >> 20} MB are read.",
                advice="Bring a model with a smaller vocabulary.",
            )
        found = read_object(content, self.name)
        if not isinstance(found.get("model"), dict):
            self.refuse("This JSON does not describe a tokeniser.")
        parts = {part: found.get(part) for part in _ALLOWED}
        for part, value in parts.items():
            self.component(part, value, 0)
        vocabulary, unknown = self.model(found["model"])
        added = self.added(found.get("added_tokens") or [], vocabulary)
        known = vocabulary | added
        special = self.specials(parts["post_processor"])
        for token, number in special.items():
            if known.get(token, number) != number:
                self.refuse(f"The token {token[:40]!r} has two numbers.", "post_processor")
        size = max((*known.values(), *special.values()), default=-1) + 1
        if size > MAXIMUM_TOKENS or size < 1:
            self.refuse(f"The tokens are numbered up to {size - 1:,}; 0 to {MAXIMUM_TOKENS - 1:,} is read.", "model")
        decides = {**parts, "added_tokens": found.get("added_tokens") or [], "model": found["model"]}
        canonical = json.dumps(decides, sort_keys=True, separators=(",", ":"))
        whole = {"version": "1.0", "truncation": None, "padding": None, "decoder": None, **decides}
        return TokeniserFile(
            text=json.dumps(whole),
            vocabulary=hashlib.sha256(canonical.encode()).hexdigest(),
            size=size,
            added=tuple(added.items()),
            unknown=unknown,
        )

    def component(self, part: str, value: Any, depth: int) -> None:
        """A normaliser, pre-tokeniser or post-processor, with the ones nested in it."""
        if value is None:
            return
        if not isinstance(value, dict) or depth > _DEEPEST:
            self.refuse("A part of the tokeniser is not described, or is nested too deeply.", part)
        kind = value.get("type")
        if not isinstance(kind, str) or kind not in _ALLOWED[part]:
            self.refuse(f"A part of the tokeniser is of the type {str(kind)[:40]!r}, which is not read here.", part)
        if kind == "Sequence":
            inner = value.get(_PARTS_OF_SEQUENCE[part])
            if not isinstance(inner, list) or len(inner) > _MOST_PARTS:
                self.refuse(f"A sequence holds no list of at most {_MOST_PARTS} parts.", part)
            for one in inner:
                self.component(part, one, depth + 1)
        elif kind == "TemplateProcessing":
            self.template(value)
        elif kind in ("BertProcessing", "RobertaProcessing"):
            for side in ("sep", "cls"):
                pair = value.get(side)
                if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and _number(pair[1])):
                    self.refuse(f"A closing token is not declared as a word and its number ({side}).", part)
        else:
            self.plain(part, kind, value)

    def plain(self, part: str, kind: str, value: dict[str, Any]) -> None:
        """A part that is described by a few words and numbers."""
        for key, entry in value.items():
            if key == "precompiled_charsmap":
                self.charsmap(entry)
            elif key == "pattern":
                self.pattern(entry, part)
            elif not isinstance(entry, str | bool | int | None) or (
                isinstance(entry, str) and len(entry) > _LONGEST_STRING
            ):
                self.refuse(f"{kind} has a setting that is no short text, number or truth value.", f"{part}, {key!r}")
        length = value.get("length", 1)
        if kind == "FixedLength" and not (_number(length) and 1 <= length <= 1_000):
            self.refuse("FixedLength cuts texts into pieces of no proper length.", part)

    def pattern(self, entry: Any, part: str) -> None:
        kind, text = next(iter(entry.items())) if isinstance(entry, dict) and len(entry) == 1 else ("", "")
        if kind == "Regex" and text in KNOWN_PATTERNS:
            return
        if kind == "Regex":
            self.refuse(
                f"The tokeniser cuts texts by a regular expression of its own, {str(text)[:60]!r}: some of these need "
                "forever, so only the published ones are run.",
                part,
                "Bring a model whose tokeniser is one of the usual ones (BERT, RoBERTa, DeBERTa, XLM-R, GPT-2, Llama).",
            )
        if kind != "String" or not isinstance(text, str) or not 0 < len(text) <= _LONGEST_STRING:
            self.refuse("The tokeniser searches for a pattern that is empty, too long or no text.", part)

    def charsmap(self, entry: Any) -> None:
        try:
            decoded = base64.b64decode(entry, validate=True) if isinstance(entry, str) else b""
        except binascii.Error:
            decoded = b""
        if not 0 < len(decoded) <= _LONGEST_CHARSMAP:
            self.refuse("The table of characters of the normaliser is empty, too large or damaged.", "normalizer")

    def template(self, value: dict[str, Any]) -> None:
        """Which tokens stand around a text: it must be read exactly once, as the first of its kind."""
        single, special = value.get("single"), value.get("special_tokens")
        if not isinstance(single, list) or len(single) > _MOST_PARTS or not isinstance(special, dict):
            self.refuse("The template of the tokeniser is no list of tokens around a text.", "post_processor")
        texts = 0
        for piece in single:
            kind, one = next(iter(piece.items())) if isinstance(piece, dict) and len(piece) == 1 else ("", None)
            if not isinstance(one, dict) or kind not in ("Sequence", "SpecialToken"):
                self.refuse("The template of the tokeniser has an entry of no known kind.", "post_processor")
            if one.get("type_id") != 0:
                self.refuse("The tokeniser gives the parts of a single text different types.", "post_processor")
            if kind == "Sequence":
                texts += 1 if one.get("id") == "A" else 2
            elif not isinstance(one.get("id"), str) or one["id"] not in special:
                self.refuse("The template of the tokeniser names a token that it does not declare.", "post_processor")
        if texts != 1:
            self.refuse("The template of the tokeniser does not read the text exactly once.", "post_processor")
        for entry in special.values():
            ids = entry.get("ids") if isinstance(entry, dict) else None
            if not isinstance(ids, list) or not 0 < len(ids) <= _MOST_PARTS or not all(map(_number, ids)):
                self.refuse("A closing token of the template has no proper numbers.", "post_processor")

    def specials(self, value: Any) -> dict[str, int]:
        """Tokens that the post-processor writes, with their numbers."""
        if value is None or value["type"] == "ByteLevel":
            return {}
        if value["type"] == "Sequence":
            return {token: number for one in value["processors"] for token, number in self.specials(one).items()}
        if value["type"] == "TemplateProcessing":
            return {
                f"{token}" if len(entry["ids"]) == 1 else f"{token} {place}": number
                for token, entry in value["special_tokens"].items()
                for place, number in enumerate(entry["ids"])
            }
        return {str(value[side][0]): value[side][1] for side in ("sep", "cls")}

    def model(self, model: dict[str, Any]) -> tuple[dict[str, int], int]:
        """The vocabulary, and the number of the unknown token."""
        kind = model.get("type")
        if kind == "Unigram":
            return self.unigram(model)
        if kind not in ("WordLevel", "WordPiece", "BPE"):
            self.refuse(f"The tokeniser's model is of the type {str(kind)[:40]!r}, which is not read here.", "model")
        vocabulary = model.get("vocab")
        if not isinstance(vocabulary, dict) or not 0 < len(vocabulary) <= MAXIMUM_TOKENS:
            self.refuse(f"The vocabulary is empty or has more than {MAXIMUM_TOKENS:,} tokens.", "model")
        if not all(map(_number, vocabulary.values())) or len(set(vocabulary.values())) < len(vocabulary):
            self.refuse("Two tokens have the same number, or one has none.", "model")
        self.lengths(vocabulary)
        unknown = model.get("unk_token")
        if (unknown is not None and unknown not in vocabulary) or (unknown is None and kind != "BPE"):
            self.refuse(f"The token for unknown words, {str(unknown)[:40]!r}, is not in the vocabulary.", "model")
        if kind == "WordPiece" and not (
            _number(longest := model.get("max_input_chars_per_word")) and 0 < longest <= _LONGEST_WORD
        ):
            self.refuse(f"The longest word that is taken apart must have 1 to {_LONGEST_WORD} characters.", "model")
        for key in ("continuing_subword_prefix", "end_of_word_suffix"):
            affix = model.get(key)
            if affix is not None and not (isinstance(affix, str) and len(affix) <= 16):
                self.refuse("The sign that joins pieces of a word is no short text.", f"model, {key!r}")
        if kind == "BPE":
            self.merges(model, vocabulary)
        return vocabulary, -1 if unknown is None else vocabulary[unknown]

    def merges(self, model: dict[str, Any], vocabulary: dict[str, int]) -> None:
        if model.get("dropout"):
            self.refuse(
                "The tokeniser cuts words at random (dropout), so that its answers cannot be repeated.", "model"
            )
        merges = model.get("merges")
        if not isinstance(merges, list) or len(merges) > _MAXIMUM_MERGES:
            self.refuse(f"The merges are no list of at most {_MAXIMUM_MERGES:,}.", "model")
        prefix = len(model.get("continuing_subword_prefix") or "")
        for merge in merges:
            pair = merge.split(" ") if isinstance(merge, str) else merge
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(one, str) for one in pair):
                self.refuse("A merge does not name two pieces.", "model")
            if not all(one in vocabulary for one in (*pair, pair[0] + pair[1][prefix:])) or len(pair[1]) < prefix:
                self.refuse(f"A merge names a piece that is not in the vocabulary: {' '.join(pair)[:60]!r}.", "model")

    def unigram(self, model: dict[str, Any]) -> tuple[dict[str, int], int]:
        entries, unknown = model.get("vocab"), model.get("unk_id")
        if not isinstance(entries, list) or not 0 < len(entries) <= MAXIMUM_TOKENS:
            self.refuse(f"The vocabulary is empty or has more than {MAXIMUM_TOKENS:,} tokens.", "model")
        for entry in entries:
            if not (
                isinstance(entry, list)
                and len(entry) == 2
                and isinstance(entry[0], str)
                and isinstance(entry[1], int | float)
                and abs(entry[1]) < 1e6
                and math.isfinite(entry[1])
            ):
                self.refuse("A piece of the vocabulary has no score that is a moderate number.", "model")
        vocabulary = {entry[0]: number for number, entry in enumerate(entries)}
        if len(vocabulary) < len(entries):
            self.refuse("A piece of the vocabulary occurs twice.", "model")
        self.lengths(vocabulary)
        if not _number(unknown) or unknown >= len(entries):
            self.refuse("The tokeniser has no token for unknown words.", "model")
        return vocabulary, unknown

    def added(self, entries: Any, vocabulary: dict[str, int]) -> dict[str, int]:
        if not isinstance(entries, list) or len(entries) > _MAXIMUM_ADDED:
            self.refuse(f"The added tokens are no list of at most {_MAXIMUM_ADDED:,}.", "added_tokens")
        found: dict[str, int] = {}
        for entry in entries:
            token, number = (entry.get("content"), entry.get("id")) if isinstance(entry, dict) else (None, None)
            if not isinstance(token, str) or not token or not _number(number):
                self.refuse("An added token is empty or has no number.", "added_tokens")
            if token in found or vocabulary.get(token, number) != number:
                self.refuse(f"The token {token[:40]!r} has two numbers.", "added_tokens")
            found[token] = number
        self.lengths(found)
        return found

    def lengths(self, vocabulary: dict[str, int]) -> None:
        if (longest := max(map(len, vocabulary), default=0)) > _LONGEST_TOKEN:
            self.refuse(f"A token has {longest:,} characters; at most {_LONGEST_TOKEN} are read.", "model")


def _number(value: object) -> TypeIs[int]:
    return type(value) is int and 0 <= value < MAXIMUM_TOKENS

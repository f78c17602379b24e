"""The vocabulary of a tokenizer.json, with its merges or scores and its added tokens, checked."""

import math
from typing import Any

from core.text.tokeniser_refusal import MAXIMUM_TOKENS, AbstractTokeniserCheck, is_token_number

_MAXIMUM_MERGES = 1_000_000
_MAXIMUM_ADDED = 10_000
_LONGEST_TOKEN = 512
_LONGEST_WORD = 200


class VocabularyCheck(AbstractTokeniserCheck):
    """See the base class."""

    def model(self, model: dict[str, Any]) -> tuple[dict[str, int], int]:
        """The vocabulary, and the number of the unknown token."""
        kind = model.get("type")
        if kind == "Unigram":
            return self._unigram(model)
        if kind not in ("WordLevel", "WordPiece", "BPE"):
            self.refuse(f"The tokeniser's model is of the type {str(kind)[:40]!r}, which is not read here.", "model")
        vocabulary = model.get("vocab")
        if not isinstance(vocabulary, dict) or not 0 < len(vocabulary) <= MAXIMUM_TOKENS:
            self.refuse(f"The vocabulary is empty or has more than {MAXIMUM_TOKENS:,} tokens.", "model")
        if not all(map(is_token_number, vocabulary.values())) or len(set(vocabulary.values())) < len(vocabulary):
            self.refuse("Two tokens have the same number, or one has none.", "model")
        self._lengths(vocabulary)
        unknown = model.get("unk_token")
        if (unknown is not None and unknown not in vocabulary) or (unknown is None and kind != "BPE"):
            self.refuse(f"The token for unknown words, {str(unknown)[:40]!r}, is not in the vocabulary.", "model")
        if kind == "WordPiece" and not (
            is_token_number(longest := model.get("max_input_chars_per_word")) and 0 < longest <= _LONGEST_WORD
        ):
            self.refuse(f"The longest word that is taken apart must have 1 to {_LONGEST_WORD} characters.", "model")
        for key in ("continuing_subword_prefix", "end_of_word_suffix"):
            affix = model.get(key)
            if affix is not None and not (isinstance(affix, str) and len(affix) <= 16):
                self.refuse("The sign that joins pieces of a word is no short text.", f"model, {key!r}")
        if kind == "BPE":
            self._merges(model, vocabulary)
        return vocabulary, -1 if unknown is None else vocabulary[unknown]

    def _merges(self, model: dict[str, Any], vocabulary: dict[str, int]) -> None:
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

    def _unigram(self, model: dict[str, Any]) -> tuple[dict[str, int], int]:
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
        self._lengths(vocabulary)
        if not is_token_number(unknown) or unknown >= len(entries):
            self.refuse("The tokeniser has no token for unknown words.", "model")
        return vocabulary, unknown

    def added(self, entries: Any, vocabulary: dict[str, int]) -> dict[str, int]:
        """The added tokens with their numbers, which may not contradict the vocabulary's."""
        if not isinstance(entries, list) or len(entries) > _MAXIMUM_ADDED:
            self.refuse(f"The added tokens are no list of at most {_MAXIMUM_ADDED:,}.", "added_tokens")
        found: dict[str, int] = {}
        for entry in entries:
            token, number = (entry.get("content"), entry.get("id")) if isinstance(entry, dict) else (None, None)
            if not isinstance(token, str) or not token or not is_token_number(number):
                self.refuse("An added token is empty or has no number.", "added_tokens")
            if token in found or vocabulary.get(token, number) != number:
                self.refuse(f"The token {token[:40]!r} has two numbers.", "added_tokens")
            found[token] = number
        self._lengths(found)
        return found

    def _lengths(self, vocabulary: dict[str, int]) -> None:
        if (longest := max(map(len, vocabulary), default=0)) > _LONGEST_TOKEN:
            self.refuse(f"A token has {longest:,} characters; at most {_LONGEST_TOKEN} are read.", "model")

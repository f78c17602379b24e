"""The vocabulary of a tokenizer.json, with its merges or scores and its added tokens, checked."""

import math
from typing import Any, NoReturn

from core.language.phrases import whole
from core.language.told import say
from core.text.tokeniser_parts import MAXIMUM_TOKENS, AbstractTokeniserCheck, is_token_number

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
            self.refuse(
                say("The tokeniser's model is of the type {kind}, which is not read here.", kind=repr(str(kind)[:40])),
                "model",
            )
        vocabulary = model.get("vocab")
        if not isinstance(vocabulary, dict) or not 0 < len(vocabulary) <= MAXIMUM_TOKENS:
            self._empty_or_large()
        if not all(map(is_token_number, vocabulary.values())) or len(set(vocabulary.values())) < len(vocabulary):
            self.refuse(say("Two tokens have the same number, or one has none."), "model")
        self._lengths(vocabulary)
        unknown = model.get("unk_token")
        known = isinstance(unknown, str) and unknown in vocabulary
        if (unknown is not None and not known) or (unknown is None and kind != "BPE"):
            self.refuse(
                say("The token for unknown words, {token}, is not in the vocabulary.", token=repr(str(unknown)[:40])),
                "model",
            )
        if kind == "WordPiece" and not (
            is_token_number(longest := model.get("max_input_chars_per_word")) and 0 < longest <= _LONGEST_WORD
        ):
            self.refuse(
                say("The longest word that is taken apart must have 1 to {most} characters.", most=_LONGEST_WORD),
                "model",
            )
        for key in ("continuing_subword_prefix", "end_of_word_suffix"):
            affix = model.get(key)
            if affix is not None and not (isinstance(affix, str) and len(affix) <= 16):
                self.refuse(
                    say("The sign that joins pieces of a word is no short text."),
                    f"model, {key!r}",  # verbatim
                )
        if kind == "BPE":
            self._merges(model, vocabulary)
        return vocabulary, -1 if unknown is None else vocabulary[unknown]

    def _merges(self, model: dict[str, Any], vocabulary: dict[str, int]) -> None:
        if model.get("dropout"):
            self.refuse(
                say("The tokeniser cuts words at random (dropout), so that its answers cannot be repeated."), "model"
            )
        merges = model.get("merges")
        if not isinstance(merges, list) or len(merges) > _MAXIMUM_MERGES:
            self.refuse(say("The merges are no list of at most {most}.", most=whole(_MAXIMUM_MERGES)), "model")
        prefix = len(model.get("continuing_subword_prefix") or "")
        for merge in merges:
            pair = merge.split(" ") if isinstance(merge, str) else merge
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(one, str) for one in pair):
                self.refuse(say("A merge does not name two pieces."), "model")
            if not all(one in vocabulary for one in (*pair, pair[0] + pair[1][prefix:])) or len(pair[1]) < prefix:
                self.refuse(
                    say(
                        "A merge names a piece that is not in the vocabulary: {pieces}.",
                        pieces=repr(" ".join(pair)[:60]),
                    ),
                    "model",
                )

    def _unigram(self, model: dict[str, Any]) -> tuple[dict[str, int], int]:
        entries, unknown = model.get("vocab"), model.get("unk_id")
        if not isinstance(entries, list) or not 0 < len(entries) <= MAXIMUM_TOKENS:
            self._empty_or_large()
        for entry in entries:
            if not (
                isinstance(entry, list)
                and len(entry) == 2
                and isinstance(entry[0], str)
                and isinstance(entry[1], int | float)
                and abs(entry[1]) < 1e6
                and math.isfinite(entry[1])
            ):
                self.refuse(say("A piece of the vocabulary has no score that is a moderate number."), "model")
        vocabulary = {entry[0]: number for number, entry in enumerate(entries)}
        if len(vocabulary) < len(entries):
            self.refuse(say("A piece of the vocabulary occurs twice."), "model")
        self._lengths(vocabulary)
        if not is_token_number(unknown) or unknown >= len(entries):
            self.refuse(say("The tokeniser has no token for unknown words."), "model")
        return vocabulary, unknown

    def _empty_or_large(self) -> NoReturn:
        self.refuse(say("The vocabulary is empty or has more than {most} tokens.", most=whole(MAXIMUM_TOKENS)), "model")

    def added(self, entries: Any, vocabulary: dict[str, int]) -> dict[str, int]:
        """The added tokens with their numbers, which may not contradict the vocabulary's."""
        if not isinstance(entries, list) or len(entries) > _MAXIMUM_ADDED:
            self.refuse(
                say("The added tokens are no list of at most {most}.", most=whole(_MAXIMUM_ADDED)), "added_tokens"
            )
        found: dict[str, int] = {}
        for entry in entries:
            token, number = (entry.get("content"), entry.get("id")) if isinstance(entry, dict) else (None, None)
            if not isinstance(token, str) or not token or not is_token_number(number):
                self.refuse(say("An added token is empty or has no number."), "added_tokens")
            if token in found or vocabulary.get(token, number) != number:
                self.refuse(say("The token {token} has two numbers.", token=repr(token[:40])), "added_tokens")
            found[token] = number
        self._lengths(found)
        return found

    def _lengths(self, vocabulary: dict[str, int]) -> None:
        if (longest := max(map(len, vocabulary), default=0)) > _LONGEST_TOKEN:
            self.refuse(
                say(
                    "A token has {longest} characters; at most {most} are read.",
                    longest=whole(longest),
                    most=_LONGEST_TOKEN,
                ),
                "model",
            )

"""The parts of a tokenizer.json around its vocabulary: normaliser, pre-tokeniser and post-processor, checked."""

import base64
import binascii
from typing import Any, NoReturn

from typing_extensions import TypeIs

from core.base.errors import ModelError
from core.language.told import retold, say

MAXIMUM_TOKENS = 400_000
_AGAIN = say("Save it again with the library: tokenizer.save('tokenizer.json').")


class AbstractTokeniserCheck:
    """Checks of one file; every method raises :class:`ModelError` on what it does not accept.

    Args:
        name: How errors name the file.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def refuse(self, what: str, where: str = "", advice: str = _AGAIN) -> NoReturn:
        """Raise the error: what is wrong, where in the file, and what to do."""
        raise ModelError(what, where=f"{self.name}, {where}" if where else self.name, advice=retold(advice))


def is_token_number(value: object) -> TypeIs[int]:
    """Whether a value can be the number of a token."""
    return type(value) is int and 0 <= value < MAXIMUM_TOKENS


_LONGEST_STRING = 64
_LONGEST_CHARSMAP = 4 * 1024 * 1024
_DEEPEST = 6
_MOST_PARTS = 32

ALLOWED_PARTS = {
    part: frozenset(types.split())
    for part, types in {
        "normalizer": "BertNormalizer ByteLevel Lowercase NFC NFD NFKC NFKD Nmt Precompiled Prepend Replace Sequence "
        "Strip StripAccents",  # verbatim
        "pre_tokenizer": "BertPreTokenizer ByteLevel CharDelimiterSplit Digits FixedLength Metaspace Punctuation "
        "Sequence Split UnicodeScripts Whitespace WhitespaceSplit",  # verbatim
        "post_processor": "BertProcessing ByteLevel RobertaProcessing Sequence TemplateProcessing",  # verbatim
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


class PartsCheck(AbstractTokeniserCheck):
    """See the base class."""

    def component(self, part: str, value: Any, depth: int) -> None:
        """A normaliser, pre-tokeniser or post-processor, with the ones nested in it."""
        if value is None:
            return
        if not isinstance(value, dict) or depth > _DEEPEST:
            self.refuse(say("A part of the tokeniser is not described, or is nested too deeply."), part)
        kind = value.get("type")
        if not isinstance(kind, str) or kind not in ALLOWED_PARTS[part]:
            self.refuse(
                say(
                    "A part of the tokeniser is of the type {kind}, which is not read here.", kind=repr(str(kind)[:40])
                ),
                part,
            )
        if kind == "Sequence":
            inner = value.get(_PARTS_OF_SEQUENCE[part])
            if not isinstance(inner, list) or len(inner) > _MOST_PARTS:
                self.refuse(say("A sequence holds no list of at most {most} parts.", most=_MOST_PARTS), part)
            for one in inner:
                self.component(part, one, depth + 1)
        elif kind == "TemplateProcessing":
            self._template(value)
        elif kind in ("BertProcessing", "RobertaProcessing"):
            for side in ("sep", "cls"):
                pair = value.get(side)
                if not (
                    isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and is_token_number(pair[1])
                ):
                    self.refuse(
                        say("A closing token is not declared as a word and its number ({side}).", side=side), part
                    )
        else:
            self._plain(part, kind, value)

    def _plain(self, part: str, kind: str, value: dict[str, Any]) -> None:
        """A part that is described by a few words and numbers."""
        for key, entry in value.items():
            if key == "precompiled_charsmap":
                self._charsmap(entry)
            elif key == "pattern":
                self._pattern(entry, part)
            elif not isinstance(entry, str | bool | int | None) or (
                isinstance(entry, str) and len(entry) > _LONGEST_STRING
            ):
                self.refuse(
                    say("{kind} has a setting that is no short text, number or truth value.", kind=kind),
                    f"{part}, {key!r}",
                )
        length = value.get("length", 1)
        if kind == "FixedLength" and not (is_token_number(length) and 1 <= length <= 1_000):
            self.refuse(say("FixedLength cuts texts into pieces of no proper length."), part)

    def _pattern(self, entry: Any, part: str) -> None:
        kind, text = next(iter(entry.items())) if isinstance(entry, dict) and len(entry) == 1 else ("", "")
        if kind == "Regex" and text in KNOWN_PATTERNS:
            return
        if kind == "Regex":
            self.refuse(
                say(
                    "The tokeniser cuts texts by a regular expression of its own, {expression}: some of these need "
                    "forever, so only the published ones are run.",
                    expression=repr(str(text)[:60]),
                ),
                part,
                say(
                    "Bring a model whose tokeniser is one of the usual ones (BERT, RoBERTa, DeBERTa, XLM-R, GPT-2, "
                    "Llama)."
                ),
            )
        if kind != "String" or not isinstance(text, str) or not 0 < len(text) <= _LONGEST_STRING:
            self.refuse(say("The tokeniser searches for a pattern that is empty, too long or no text."), part)

    def _charsmap(self, entry: Any) -> None:
        try:
            decoded = base64.b64decode(entry, validate=True) if isinstance(entry, str) else b""
        except binascii.Error:
            decoded = b""
        if not 0 < len(decoded) <= _LONGEST_CHARSMAP:
            self.refuse(say("The table of characters of the normaliser is empty, too large or damaged."), "normalizer")

    def _template(self, value: dict[str, Any]) -> None:
        """Which tokens stand around a text: it must be read exactly once, as the first of its kind."""
        single, special = value.get("single"), value.get("special_tokens")
        if not isinstance(single, list) or len(single) > _MOST_PARTS or not isinstance(special, dict):
            self.refuse(say("The template of the tokeniser is no list of tokens around a text."), "post_processor")
        texts = 0
        for piece in single:
            kind, one = next(iter(piece.items())) if isinstance(piece, dict) and len(piece) == 1 else ("", None)
            if not isinstance(one, dict) or kind not in ("Sequence", "SpecialToken"):
                self.refuse(say("The template of the tokeniser has an entry of no known kind."), "post_processor")
            if one.get("type_id") != 0:
                self.refuse(say("The tokeniser gives the parts of a single text different types."), "post_processor")
            if kind == "Sequence":
                texts += 1 if one.get("id") == "A" else 2
            elif not isinstance(one.get("id"), str) or one["id"] not in special:
                self.refuse(
                    say("The template of the tokeniser names a token that it does not declare."), "post_processor"
                )
        if texts != 1:
            self.refuse(say("The template of the tokeniser does not read the text exactly once."), "post_processor")
        for entry in special.values():
            ids = entry.get("ids") if isinstance(entry, dict) else None
            if not isinstance(ids, list) or not 0 < len(ids) <= _MOST_PARTS or not all(map(is_token_number, ids)):
                self.refuse(say("A closing token of the template has no proper numbers."), "post_processor")

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

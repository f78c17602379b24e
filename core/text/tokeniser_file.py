"""A tokenizer.json, checked before the library sees it: only parts that are known, and none of an absurd size."""

import hashlib
import json
from dataclasses import dataclass

from core.language.phrases import number, whole
from core.language.told import say
from core.text.strict_json import read_object
from core.text.tokeniser_parts import ALLOWED_PARTS, MAXIMUM_TOKENS, PartsCheck
from core.text.tokeniser_vocabulary import VocabularyCheck

MAXIMUM_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class TokeniserFile:
    """What a checked tokenizer.json says.

    Attributes:
        text: JSON for the library, without truncation, padding and decoder.
        vocabulary: SHA-256 of everything that decides the tokens.
        size: Largest token number that can occur, plus one.
        added: Tokens that are found in a text before anything else, with their numbers.
        unknown: Number of the token that stands for what the vocabulary lacks; -1 if there is none.
        keeps_end: Whether the file says that of long texts the end is read.
    """

    text: str
    vocabulary: str
    size: int
    added: tuple[tuple[str, int], ...]
    unknown: int
    keeps_end: bool


def check(content: bytes, name: str) -> TokeniserFile:
    """Check the bytes of a tokenizer.json.

    Args:
        content: The file.
        name: How errors name it.

    Raises:
        ModelError: It is no tokenizer.json, too large, or holds a part that is unknown or not safe to run.
    """
    around, within = PartsCheck(name), VocabularyCheck(name)
    if len(content) > MAXIMUM_BYTES:
        around.refuse(
            say(
                "The tokeniser has {size} MB; at most {most} MB are read.",
                size=number(len(content) / 2**20, 0),
                most=MAXIMUM_BYTES >> 20,
            ),
            advice=say("Bring a model with a smaller vocabulary."),
        )
    found = read_object(content, name)
    if not isinstance(found.get("model"), dict):
        around.refuse(say("This JSON does not describe a tokeniser."))
    parts = {part: found.get(part) for part in ALLOWED_PARTS}
    for part, value in parts.items():
        around.component(part, value, 0)
    vocabulary, unknown = within.model(found["model"])
    added = within.added(found.get("added_tokens") or [], vocabulary)
    known = vocabulary | added
    special = around.specials(parts["post_processor"])
    for token, place in special.items():
        if known.get(token, place) != place:
            around.refuse(say("The token {token} has two numbers.", token=repr(token[:40])), "post_processor")
    size = max((*known.values(), *special.values()), default=-1) + 1
    if size > MAXIMUM_TOKENS or size < 1:
        around.refuse(
            say(
                "The tokens are numbered up to {last}; 0 to {most} is read.",
                last=whole(size - 1),
                most=whole(MAXIMUM_TOKENS - 1),
            ),
            "model",
        )
    decides = {**parts, "added_tokens": found.get("added_tokens") or [], "model": found["model"]}
    canonical = json.dumps(decides, sort_keys=True, separators=(",", ":"))
    entire = {"version": "1.0", "truncation": None, "padding": None, "decoder": None, **decides}
    return TokeniserFile(
        text=json.dumps(entire),
        vocabulary=hashlib.sha256(canonical.encode()).hexdigest(),
        size=size,
        added=tuple(added.items()),
        unknown=unknown,
        keeps_end=isinstance(cut := found.get("truncation"), dict) and cut.get("direction") == "Left",
    )

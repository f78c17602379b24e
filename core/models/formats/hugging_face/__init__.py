"""Hugging Face text classifiers, as a zip of the saved folder."""

from collections.abc import Sequence

from core.language.told import say
from core.models.signature import Signature, names_on_top

_BESIDE = {"tokenizer.json", "tokenizer_config.json", "pytorch_model.bin", "vocab.txt", "vocab.json"}


def _holds(entries: Sequence[str]) -> bool:
    """Two of three: a configuration, weights, and what lies beside them."""
    names = names_on_top(entries)
    weights = any(name.endswith((".safetensors", ".safetensors.index.json")) for name in names)
    return sum(("config.json" in names, weights, not names.isdisjoint(_BESIDE))) > 1


SIGNATURE = Signature("hugging_face", say("zip of a Hugging Face folder"), holds=_holds)

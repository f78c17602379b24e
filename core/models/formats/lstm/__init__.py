"""Recurrent text classifiers, as a zip."""

from core.language.told import say
from core.models.signature import Signature, names_on_top

SIGNATURE = Signature(
    "text_lstm", say("zip of a recurrent text classifier"), holds=lambda entries: "lstm.json" in names_on_top(entries)
)

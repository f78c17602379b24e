"""Recurrent text classifiers, as a zip."""

from core.models.signature import Signature, names_on_top

SIGNATURE = Signature(
    "text_lstm", "zip of a recurrent text classifier", holds=lambda entries: "lstm.json" in names_on_top(entries)
)

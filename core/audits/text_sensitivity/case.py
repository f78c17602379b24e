"""The text whose answer moves most when its words are exchanged, told beside the verdict."""

import numpy as np

from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.base.tables import Case, Table
from core.language.phrases import percent, whole
from core.language.told import say
from core.text.differences import differences

_LONGEST = 160
"""Letters of a text that are shown."""
_BEFORE = 40
"""Letters shown before the first exchanged word."""


def case(finding: TextSensitivityFinding) -> Case | None:
    """Of the texts kept for reading, the one that moves most; None where none was kept or no word exchanged."""
    detail = finding.detail
    shown, scores = detail.shown, detail.audited
    moved = scores.values("CF")[shown.rows]
    if not np.isfinite(moved).any():
        return None
    place = int(np.nanargmax(np.where(scores.flipped[shown.rows], moved + 1, moved)))
    row = int(shown.rows[place])
    text, other = shown.texts[place], shown.exchanged[place]
    found = differences(text, other)
    nothing = say("(nothing)")
    parts = {
        "record": whole(int(shown.records[place])),
        "predicted": detail.classes[scores.predicted[row]],
        "exchanged": ", ".join(dict.fromkeys(f"{one.before or nothing} → {one.after or nothing}" for one in found)),
        "moved": percent(round(float(moved[place]), 3)),
    }
    told = (
        say(
            "Record {record}, predicted {predicted}. With words exchanged ({exchanged}) {moved} of the probability "
            "moves and another class is predicted.",
            **parts,
        )
        if scores.flipped[row]
        else say(
            "Record {record}, predicted {predicted}. With words exchanged ({exchanged}) {moved} of the probability "
            "moves and the predicted class stays.",
            **parts,
        )
    )
    start = max(found[0].begin - _BEFORE, 0) if found else 0
    rows = ((say("As it is"), _part(text, start)), (say("Exchanged"), _part(other, start)))
    return Case(say("The text whose answer moves most"), told, Table("", ("", say("Text")), rows), personal=True)


def _part(text: str, start: int) -> str:
    """The text from about ``start`` on."""
    begin = text.find(" ", start) + 1 if start else 0
    part = text[begin : begin + _LONGEST]
    return f"{'… ' if begin else ''}{part}{' …' if begin + _LONGEST < len(text) else ''}"

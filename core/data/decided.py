"""Outcomes that are themselves decisions of people, as their names say: hired, released, invited."""

# ruff: noqa: SIM905 - lists of words read best as words

from core.base.errors import Caveat
from core.data.column_look import words_of
from core.language.told import say

_DECIDED = frozenset(
    "hired hire approved approve approval admitted accepted accept granted decision selected promoted rejected reject "
    "rejection denied deny denial refused refusal callback callbacks calledback invited shortlisted interviewed "
    "offered awarded funded released paroled detained fired dismissed expelled "
    "entscheidung zusage absage genehmigt bewilligt angenommen zugelassen eingeladen eingestellt abgelehnt "
    "ablehnung".split()
)
IS_A_DECISION = Caveat(
    "warning",
    say("The outcome in the table is itself a decision, which is taken for right here and may have been unfair."),
    say("Look at favourable answers among all as well, which ask for no outcome."),
)


def is_decided(outcome: str, favourable: str) -> bool:
    """Whether the name of an outcome, or of its favourable value, says that people decided it."""
    words = (*words_of(outcome), *words_of(favourable))
    return not _DECIDED.isdisjoint((*words, "".join(words_of(outcome))))

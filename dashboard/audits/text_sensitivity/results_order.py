"""Which of the kept texts are read, and in which order."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.phrases import share_text, whole
from core.language.told import say

Order = Literal["measure", "CF", "unsure", "record"]
ORDERS: tuple[Order, ...] = get_args(Order)

ANY = -1
"""Stands for every group and every class."""


@dataclass(frozen=True)
class Filter:
    """What a text has to be to be read.

    Attributes:
        membership: Place of the protected attribute among the detail's.
        group: Its group; ``ANY`` for all.
        true_class: Index of the true class; ``ANY`` for all.
        predicted_class: Index of the predicted class; ``ANY`` for all.
        changed: Only texts whose predicted class changes when words are exchanged.
    """

    membership: int = 0
    group: int = ANY
    true_class: int = ANY
    predicted_class: int = ANY
    changed: bool = False

    @property
    def set(self) -> int:
        """How many filters are in force."""
        return sum(one != ANY for one in (self.group, self.true_class, self.predicted_class)) + self.changed


def places(finding: TextSensitivityFinding, order: Order, wanted: Filter) -> np.ndarray:
    """Texts to read, as places among those kept, in order.

    Args:
        finding: What was found, with the measure that is read.
        order: Largest measure or CF first (texts without one last), least confident first, or as in the file.
        wanted: What they have to be.
    """
    detail, decision = finding.detail, finding.decision
    rows = detail.shown.rows
    kept = np.ones(len(rows), dtype=bool)
    if wanted.group != ANY:
        kept &= detail.memberships[wanted.membership].codes[rows] == wanted.group
    if wanted.true_class != ANY:
        kept &= detail.label[rows] == wanted.true_class
    if wanted.predicted_class != ANY:
        kept &= detail.audited.predicted[rows] == wanted.predicted_class
    if wanted.changed:
        kept &= detail.audited.flipped[rows]
    keys: dict[Order, np.ndarray] = {
        "measure": -detail.audited.values(decision.measure, signed=decision.signed)[rows],
        "CF": -detail.audited.values("CF")[rows],
        "unsure": detail.audited.confidence[rows],
        "record": detail.shown.records,
    }
    sorted_places = np.argsort(np.nan_to_num(keys[order], nan=np.inf), kind="stable")
    return np.asarray(sorted_places[kept[sorted_places]])


def rank_text(measured: np.ndarray, row: int) -> str:
    """Where one text's measure lies among those of all measured texts, in words; empty where it has none."""
    known = measured[np.isfinite(measured)]
    if not np.isfinite(measured[row]) or len(known) < 2:
        return ""
    below = int((known < measured[row]).sum())
    if below == len(known) - 1:
        return say("the largest of {texts} texts", texts=whole(len(known)))
    share = share_text(100 * below // (len(known) - 1) / 100, 0)
    return say("larger than for {share} of the other texts", share=share)

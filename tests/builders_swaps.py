"""Text sensitivity results whose texts move as a test says."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from core.audits.text_sensitivity.decision import MEASURES
from core.audits.text_sensitivity.reach import GroupReach
from core.audits.text_sensitivity.result import Families, TextSensitivityDetail
from core.base.grouping import Grouping
from tests.builders_sensitivity import make_sensitivity_detail

CF = MEASURES.index("CF")


def all_reached(memberships: Iterable[Grouping]) -> tuple[GroupReach, ...]:
    """The list names words in nearly every text of every group."""
    return tuple(
        GroupReach(one.name, group, 100, 100, 1.0, 0.99, 1.0, 0.0) for one in memberships for group in one.groups
    )


@cache
def few_texts() -> TextSensitivityDetail:
    return make_sensitivity_detail(texts=30, shown=0)


def with_texts(
    moved: np.ndarray,
    *,
    flipped: np.ndarray | None = None,
    families: np.ndarray | None = None,
    counted: bool = True,
    **changes: Any,
) -> TextSensitivityDetail:
    """An audit without a second model whose texts move by ``moved``; none is predicted otherwise unless ``flipped``."""
    detail, rows = few_texts(), np.arange(len(moved)) % 30
    measures = detail.audited.measures[rows]
    measures[:, CF] = moved
    audited = replace(
        detail.audited,
        measures=measures,
        signed=detail.audited.signed[rows],
        flipped=np.zeros(len(moved), dtype=bool) if flipped is None else flipped,
        predicted=detail.audited.predicted[rows],
        confidence=detail.audited.confidence[rows],
    )
    known = None if families is None else Families(families, "words", counted, (), ())
    usual = {
        "label": detail.label[rows],
        "annotation": detail.annotation[rows],
        "memberships": (),
        "draws": 499,
        "reach": all_reached(changes.get("memberships", ())),
    }
    return replace(detail, audited=audited, reference=None, families=known, **{**usual, **changes})

"""What the audit of groups keeps: who was answered what, columns to look within, and prediction sets."""

from __future__ import annotations

from dataclasses import dataclass

from core.audits.group_fairness.conformal import Coverage
from core.audits.group_fairness.settings import GroupFairness
from core.base.grouping import Grouping
from core.data.attribute import Attribute
from core.models.answered import Answered
from core.result import AuditResult


@dataclass(frozen=True)
class GroupFairnessDetail(Answered):
    """What was found about the groups of n people.

    Attributes:
        attributes: The protected attributes.
        columns: Columns within which groups are compared.
        coverage: Prediction sets, one entry for each attribute.
        seed: Seed of what is resampled on request.
    """

    attributes: tuple[Attribute, ...]
    columns: tuple[Grouping, ...]
    coverage: tuple[Coverage, ...]
    seed: int


GroupFairnessResult = AuditResult[GroupFairness, GroupFairnessDetail, None]
"""A result of this audit."""

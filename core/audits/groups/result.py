"""What the audit of groups keeps: who was answered what, how subgroups fare, and prediction sets."""

from __future__ import annotations

from dataclasses import dataclass

from core.audits.groups.conformal import Coverage
from core.audits.groups.settings import Groups
from core.audits.groups.subgroups.scan import SubgroupScan
from core.data.attribute import Attribute
from core.models.answered import Answered
from core.result import AuditResult


@dataclass(frozen=True)
class GroupsDetail(Answered):
    """What was found about the groups of n people.

    Attributes:
        attributes: The protected attributes.
        subgroups: How subgroups fare.
        coverage: Prediction sets, one entry for each attribute.
        seed: Seed of what is resampled on request.
    """

    attributes: tuple[Attribute, ...]
    subgroups: SubgroupScan
    coverage: tuple[Coverage, ...]
    seed: int


GroupsResult = AuditResult[Groups, GroupsDetail, None]
"""A result of this audit."""

"""The table of kinds of test. A new one adds its line here."""

from typing import TYPE_CHECKING, Union

from core.audits.column_sensitivity import KIND as COLUMN_SENSITIVITY
from core.audits.equalized_odds import KIND as EQUALIZED_ODDS
from core.audits.gradient_flow import KIND as GRADIENT_FLOW
from core.audits.group_fairness import KIND as GROUPS
from core.audits.text_sensitivity import KIND as TEXT_SENSITIVITY
from core.audits.transport import KIND as TRANSPORT
from core.contracts.audit import AbstractAudit
from core.contracts.decision import DecisionSettings

KINDS = {
    kind.name: kind for kind in (GRADIENT_FLOW, TRANSPORT, TEXT_SENSITIVITY, COLUMN_SENSITIVITY, EQUALIZED_ODDS, GROUPS)
}
"""Every kind of test by its name, in the order in which tests run and are shown."""

if TYPE_CHECKING:
    AuditSettings = AbstractAudit
    AuditDecision = DecisionSettings
else:
    AuditSettings = Union[tuple(kind.settings for kind in KINDS.values())]  # noqa: UP007
    AuditDecision = Union[tuple(kind.decision for kind in KINDS.values())]  # noqa: UP007

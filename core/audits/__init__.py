"""The table of kinds of test. A new one adds its room and its lines here."""

from core.audits.column_sensitivity import KIND as COLUMN_SENSITIVITY
from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.equalized_odds import KIND as EQUALIZED_ODDS
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.gradient_flow import KIND as GRADIENT_FLOW
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.group_fairness import KIND as GROUPS
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.settings import GroupFairness
from core.audits.text_sensitivity import KIND as TEXT_SENSITIVITY
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import TextSensitivity
from core.audits.transport import KIND as TRANSPORT
from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import Transport

AuditSettings = GradientFlow | Transport | TextSensitivity | ColumnSensitivity | EqualizedOdds | GroupFairness
AuditDecision = (
    GradientFlowDecision
    | TransportDecision
    | TextSensitivityDecision
    | ColumnSensitivityDecision
    | EqualizedOddsDecision
    | GroupFairnessDecision
)

KINDS = {
    kind.name: kind for kind in (GRADIENT_FLOW, TRANSPORT, TEXT_SENSITIVITY, COLUMN_SENSITIVITY, EQUALIZED_ODDS, GROUPS)
}
"""Every kind of test by its name, in the order in which tests run and are shown."""

__all__ = [
    "KINDS",
    "AuditDecision",
    "AuditSettings",
    "ColumnSensitivity",
    "EqualizedOdds",
    "GradientFlow",
    "GroupFairness",
    "TextSensitivity",
    "Transport",
]

"""The table of audits. A new one adds its file and its line here."""

from core.audits.gradient_flow import GradientFlow, GradientFlowDetail

AuditSettings = GradientFlow
AuditDetail = GradientFlowDetail

AUDITS = {"gradient_flow": GradientFlow}

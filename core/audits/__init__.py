"""The table of audits. A new one adds its files and its line in each table here."""

from core.audits.gradient_flow import GradientFlow, GradientFlowDetail
from core.audits.gradient_flow.reading import GradientFlowReading
from core.audits.sensitivity import Sensitivity, SensitivityDetail
from core.audits.sensitivity.reading import SensitivityReading
from core.audits.transport import Transport, TransportDetail
from core.audits.transport.reading import TransportReading

AuditSettings = GradientFlow | Transport | Sensitivity
AuditDetail = GradientFlowDetail | TransportDetail | SensitivityDetail
AuditReading = GradientFlowReading | TransportReading | SensitivityReading

AUDITS: dict[str, type[AuditSettings]] = {
    "gradient_flow": GradientFlow,
    "transport": Transport,
    "sensitivity": Sensitivity,
}

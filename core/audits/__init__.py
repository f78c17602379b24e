"""The table of audits. A new one adds its files and its line in each table here."""

from core.audits.column_sensitivity import ColumnSensitivity, ColumnSensitivityDetail
from core.audits.column_sensitivity.reading import ColumnSensitivityReading
from core.audits.fair_dummies import FairDummies, FairDummiesDetail
from core.audits.fair_dummies.reading import FairDummiesReading
from core.audits.gradient_flow import GradientFlow, GradientFlowDetail
from core.audits.gradient_flow.reading import GradientFlowReading
from core.audits.sensitivity import Sensitivity, SensitivityDetail
from core.audits.sensitivity.reading import SensitivityReading
from core.audits.transport import Transport, TransportDetail
from core.audits.transport.reading import TransportReading

AuditSettings = GradientFlow | Transport | Sensitivity | ColumnSensitivity | FairDummies
AuditDetail = GradientFlowDetail | TransportDetail | SensitivityDetail | ColumnSensitivityDetail | FairDummiesDetail
AuditReading = (
    GradientFlowReading | TransportReading | SensitivityReading | ColumnSensitivityReading | FairDummiesReading
)

AUDITS: dict[str, type[AuditSettings]] = {
    "gradient_flow": GradientFlow,
    "transport": Transport,
    "sensitivity": Sensitivity,
    "column_sensitivity": ColumnSensitivity,
    "fair_dummies": FairDummies,
}

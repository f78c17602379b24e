"""Prediction sensitivity of models that read tables (papers/prediction-sensitivity.md, sections 3-5, App. A)."""

from core.audits.column_sensitivity.detail import AttributeScores, ColumnSensitivityDetail
from core.audits.column_sensitivity.settings import ColumnSensitivity

__all__ = ["AttributeScores", "ColumnSensitivity", "ColumnSensitivityDetail"]

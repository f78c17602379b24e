"""Accumulated prediction sensitivity of text classifiers (papers/prediction-sensitivity.md)."""

from core.audits.sensitivity.detail import (
    Membership,
    SensitivityDetail,
    ShownTexts,
    TextScores,
    WordScores,
)
from core.audits.sensitivity.settings import Sensitivity

__all__ = ["Membership", "Sensitivity", "SensitivityDetail", "ShownTexts", "TextScores", "WordScores"]

"""Protected status models: which words of a text give a protected attribute away (papers/prediction-sensitivity.md)."""

from core.text.protected_status.settings import NoStatus, StatusSource, TrainedStatus, UploadedStatus

__all__ = ["NoStatus", "StatusSource", "TrainedStatus", "UploadedStatus"]

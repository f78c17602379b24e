"""Protected status models: which words of a text give a protected attribute away (papers/prediction-sensitivity.md).

A protected status model is a text model trained or uploaded beside the audited one, so this package imports texts,
models, metrics and sources, and only tests of texts import it.
"""

from core.protected_status.settings import NoStatus, StatusSource, TrainedStatus, UploadedStatus

__all__ = ["NoStatus", "StatusSource", "TrainedStatus", "UploadedStatus"]

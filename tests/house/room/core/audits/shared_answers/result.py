"""What a shared-answers test keeps."""

from dataclasses import dataclass

import numpy as np
from core.audits.shared_answers.settings import SharedAnswers

from core.result import AuditResult


@dataclass(frozen=True)
class SharedAnswersDetail:
    """Which people get an answer that nobody of another group gets.

    Attributes:
        alone: Shape (n,), bool.
    """

    alone: np.ndarray


SharedAnswersResult = AuditResult[SharedAnswers, SharedAnswersDetail, None]
"""A result of this test."""

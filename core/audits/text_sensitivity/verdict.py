"""The finding of this test."""

from core.audits.text_sensitivity import KIND
from core.audits.text_sensitivity.report.telling import TextSensitivityTelling
from core.report.old import OldFinding


class TextSensitivityFinding(OldFinding):
    """See the base class."""

    kind = KIND
    telling = TextSensitivityTelling()

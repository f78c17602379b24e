"""The finding of this test."""

from core.audits.equalized_odds import KIND
from core.audits.equalized_odds.report.telling import EqualizedOddsTelling
from core.report.old import OldFinding


class EqualizedOddsFinding(OldFinding):
    """See the base class."""

    kind = KIND
    telling = EqualizedOddsTelling()

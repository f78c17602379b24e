"""The finding of this test."""

from core.audits.transport import KIND
from core.audits.transport.report.telling import TransportTelling
from core.report.old import OldFinding


class TransportFinding(OldFinding):
    """See the base class."""

    kind = KIND
    telling = TransportTelling()

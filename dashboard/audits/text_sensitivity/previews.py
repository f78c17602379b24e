"""What the sensitivity test of texts shows before it is run, as a child process hands it over."""

from dataclasses import dataclass

from core.base.errors import Notice
from core.protected_status.model import StatusReport


@dataclass(frozen=True)
class StatusPreview:
    """A protected status model as the audit will use it.

    Attributes:
        report: How well it tells the groups apart.
        measured: Texts left to measure, those it learned from left out.
        notices: What a reader has to know.
    """

    report: StatusReport
    measured: int
    notices: tuple[Notice, ...]

"""The one person, text or group that shows what a finding is about, told beside the verdict."""

from dataclasses import dataclass

from core.base.tables import Table


@dataclass(frozen=True)
class Case:
    """The pair, text or group in which the difference that a test looks for is largest.

    Attributes:
        title: What is shown.
        told: It in a sentence or two; may name what stands in ``beside`` and in ``text``.
        beside: The two who are compared, side by side; None where words say it all.
        personal: Whether it is about one person or text, so that no report may hold it.
    """

    title: str
    told: str
    beside: Table | None = None
    personal: bool = False

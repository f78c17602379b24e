"""Before a shared-answers test: how long it takes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SharedAnswersPilot:
    """What is known before the test.

    Attributes:
        audited: People.
        seconds: Estimated time.
    """

    audited: int
    seconds: float

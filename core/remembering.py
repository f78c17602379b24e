"""Answers that take long and are asked for again and again."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Remembering:
    """What works out each answer once; the answers are neither saved nor compared."""

    _known: dict[tuple[object, ...], Any] = field(init=False, repr=False, compare=False, default_factory=dict)

    def _once(self, question: tuple[object, ...], answer: Callable[[], _Answer]) -> _Answer:
        """The answer to a question, worked out the first time it is asked."""
        if question not in self._known:
            self._known[question] = answer()
        return cast(_Answer, self._known[question])

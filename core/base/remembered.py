"""Answers that an object keeps."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar

Asked = TypeVar("Asked", bound=Hashable)
Answer = TypeVar("Answer")


def remembered(method: Callable[[Any, Asked], Answer]) -> Callable[[Any, Asked], Answer]:
    """A method of one argument, of an object that never changes, whose answers are kept with the object.

    Like those of :class:`functools.cached_property` they are neither compared nor copied by ``dataclasses.replace``.
    """
    place = f"_{method.__name__}_remembered"

    @wraps(method)
    def answer(self: Any, asked: Asked) -> Answer:
        known: dict[Asked, Answer] = vars(self).setdefault(place, {})
        if asked not in known:
            known[asked] = method(self, asked)
        return known[asked]

    return answer

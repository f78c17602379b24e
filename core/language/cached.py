"""Words that are worked out once in each language."""

from functools import cached_property
from typing import Any, Self, TypeVar, overload

from core.language.reader import language

T = TypeVar("T")


class cached_in_language(cached_property[T]):  # noqa: N801 - it is used like ``cached_property``
    """A :class:`functools.cached_property` that keeps a value for each language in which it was asked for."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        if instance is None:
            return self
        kept = vars(instance).setdefault(f"{self.attrname} by language", {})  # verbatim
        code = language()
        if code not in kept:
            kept[code] = self.func(instance)
        return kept[code]

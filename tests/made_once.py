"""What many tests read and none changes is made once a session."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Made = TypeVar("Made")


def made_once(builder: Callable[Asked, Made]) -> Callable[Asked, Made]:
    """A builder that makes the same thing once, however it is asked for: by place or name, with a default or without.

    ``functools.cache`` keeps ``made()``, ``made("numbers")`` and ``made(case="numbers")`` apart and refuses what has no
    hash; here arguments are told apart by how they are written.
    """
    told, known = signature(builder), dict[str, Made]()

    @wraps(builder)
    def made(*args: Asked.args, **named: Asked.kwargs) -> Made:
        asked = told.bind(*args, **dict(sorted(named.items())))
        asked.apply_defaults()
        key = str(asked)
        if key not in known:
            known[key] = builder(*args, **named)
        return known[key]

    return made

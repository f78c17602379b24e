"""What many tests read and none changes is made once a session."""

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

import numpy as np

Asked = ParamSpec("Asked")
Made = TypeVar("Made")


def made_once(builder: Callable[Asked, Made]) -> Callable[Asked, Made]:
    """A builder that makes the same thing once, however it is asked for: by place or name, with a default or without.

    ``functools.cache`` keeps ``made()``, ``made("numbers")`` and ``made(case="numbers")`` apart and refuses what has no
    hash; here arguments are told apart by how they are written. Nothing can be written into arrays of what is made.

    What is made may remember what it was asked. A builder of tests that patch a constant takes it as an argument.
    """
    told, known = signature(builder), dict[str, Made]()

    @wraps(builder)
    def made(*args: Asked.args, **named: Asked.kwargs) -> Made:
        asked = told.bind(*args, **dict(sorted(named.items())))
        asked.apply_defaults()
        key = str(asked)
        if key not in known:
            known[key] = builder(*args, **named)
            _protect(known[key])
        return known[key]

    return made


def _protect(part: Any) -> None:
    """Let nobody write into the arrays of a part and of what it is made of."""
    if isinstance(part, np.ndarray):
        part.flags.writeable = False
    elif isinstance(part, (tuple, list)):
        for one in part:
            _protect(one)
    elif isinstance(part, dict):
        _protect(list(part.values()))
    elif is_dataclass(part) and not isinstance(part, type):
        _protect(vars(part))

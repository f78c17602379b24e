"""Where torch computes: on the processor, or on an accelerator (CUDA, MPS) where it sees one and the work is worth it.

An accelerator's last digits are others than the processor's, so that a result keeps its name, and a record made
without one is repeated without one. On the same accelerator the same inputs give the same bytes: no reduced precision
(TF32), and deterministic algorithms alone. Nothing is trained there: training makes much of rounding
(benchmarks/README.md), so that another device gives another model. Whoever stands behind a wall (:mod:`core.wall`) has
the processor alone.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, cast, get_args

from core.base.errors import AuditError, SettingsError
from core.language.told import say

if TYPE_CHECKING:
    import torch

P = ParamSpec("P")
R = TypeVar("R")

Choice = Literal["auto", "processor", "accelerator"]
DEVICE = "EVENHAND_DEVICE"
"""The environment variable that holds the choice; processes that are started from here read it too."""
NAME = "accelerator"
"""What a result calls the accelerator among the versions of libraries."""
WORTH = 2e11
"""Multiplications from which on a computation goes to an accelerator: starting one takes as long as a processor takes
for these, and small ones are slower there."""

_REPEATS_BYTES = {"CUBLAS_WORKSPACE_CONFIG": ":4096:8"}
"""What NVIDIA's library asks for where its sums are to be the same every time; read when it is first used."""

_used: ContextVar[set[str] | None] = ContextVar("_used", default=None)
_lock = threading.Lock()
_at_work: list[tuple[bool, ...]] = []
"""What torch's settings were before each block that uses one; the first of them comes back when the last has ended."""


def chosen() -> Choice:
    """What the environment says: the accelerator where there is one (``auto``), never, or nothing without one.

    Raises:
        SettingsError: It says something else.
    """
    given = os.environ.get(DEVICE, "") or "auto"
    if given in get_args(Choice):
        return cast(Choice, given)
    raise SettingsError(
        say("The environment variable {variable} is {given}.", variable=DEVICE, given=repr(given)),
        advice=say("Set it to auto, processor or accelerator, or unset it."),
    )


@contextmanager
def choosing(choice: Choice | None) -> Iterator[None]:
    """This choice in this block, and in processes that it starts; the environment's where None."""
    before = os.environ.get(DEVICE)
    if choice is not None:
        os.environ[DEVICE] = choice
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(DEVICE, None)
        else:
            os.environ[DEVICE] = before


@contextmanager
def as_recorded(versions: dict[str, str]) -> Iterator[None]:
    """Where a record names no accelerator, none is used unless one was asked for; empty ``versions`` decide nothing."""
    without = bool(versions) and NAME not in versions and chosen() == "auto"
    with choosing("processor" if without else None):
        yield


@contextmanager
def computing() -> Iterator[set[str]]:
    """A block in which accelerators may be used; gives the names of those that were, by the end.

    Raises:
        AuditError: The accelerator's memory does not suffice.
        SettingsError: One is asked for, and torch sees none.
    """
    outer, own = _used.get(), set[str]()
    if chosen() == "accelerator":
        _require_one()
    token = _used.set(own)
    try:
        yield own
    except Exception as error:
        if not own or "out of memory" not in str(error):  # verbatim
            raise
        raise AuditError(
            say("The accelerator has too little memory for this."),
            where=", ".join(sorted(own)),
            advice=say(
                "Let the processor compute it: {variable}=processor, or --device processor on the command line.",
                variable=DEVICE,
            ),
        ) from error
    finally:
        _used.reset(token)
        if own:
            _end()
        if outer is not None and own:
            _note(outer, own)


def accelerated(run: Callable[P, R]) -> Callable[P, R]:
    """Let a run use accelerators; its result, a dataclass, names those that were used among its ``versions``.

    Raises:
        AuditError: As :func:`computing`.
        SettingsError: As :func:`computing`.
    """

    @wraps(run)
    def allowed(*given: P.args, **named: P.kwargs) -> R:
        with computing() as names:
            result: Any = run(*given, **named)
        if names:
            others = tuple(one for one in result.versions if one[0] != NAME)
            result = replace(result, versions=(*others, (NAME, ", ".join(sorted(names)))))
        return cast(R, result)

    return allowed


def device_for(multiplications: float, *, exact: bool = False) -> torch.device:
    """Where to compute something: the processor outside :func:`computing`.

    Args:
        multiplications: About how many it takes.
        exact: Whether it needs 64-bit numbers, which not every accelerator has.
    """
    import torch

    names = _used.get()
    if names is None or multiplications < WORTH or chosen() == "processor":
        return torch.device("cpu")
    found = _accelerator()
    if found is None or (exact and found.type == "mps"):
        return torch.device("cpu")
    _note(names, {name_of(found)})
    return found


def name_of(device: torch.device) -> str:
    """The accelerator's name with what it is driven by."""
    import torch

    if device.type == "cuda":
        return f"{torch.cuda.get_device_name(device)}, CUDA {torch.version.cuda}"  # verbatim
    return f"{device.type.upper()}"


def _accelerator() -> torch.device | None:
    """The first that torch sees; None without one."""
    import torch

    os.environ |= {name: value for name, value in _REPEATS_BYTES.items() if name not in os.environ}
    if torch.cuda.is_available():
        return torch.device("cuda", 0)
    return torch.device("mps") if torch.backends.mps.is_available() else None


def _require_one() -> None:
    if _accelerator() is None:
        raise SettingsError(
            say("An accelerator is asked for, and torch sees none on this machine."),
            where=DEVICE,
            advice=say("Choose auto or processor, or install torch for the accelerator of this machine."),
        )


def _note(into: set[str], names: set[str]) -> None:
    """Remember what is used; the first use of a block begins to repeat bytes."""
    if not into:
        _begin()
    into |= names


def _begin() -> None:
    """Full precision and deterministic algorithms for the whole process, until the last block that asked has ended."""
    import torch

    matmul, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    with _lock:
        deterministic = (
            torch.are_deterministic_algorithms_enabled(),
            torch.is_deterministic_algorithms_warn_only_enabled(),
        )
        _at_work.append((matmul.allow_tf32, cudnn.allow_tf32, cudnn.enabled, *deterministic))
        matmul.allow_tf32 = cudnn.allow_tf32 = cudnn.enabled = False  # cuDNN differentiates no network in eval mode
        torch.use_deterministic_algorithms(True)


def _end() -> None:
    import torch

    matmul, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    with _lock:
        if len(_at_work) > 1:
            _at_work.pop()
            return
        matmul.allow_tf32, cudnn.allow_tf32, cudnn.enabled, deterministic, warn_only = _at_work.pop()
        torch.use_deterministic_algorithms(deterministic, warn_only=warn_only)

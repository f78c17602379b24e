"""What can go wrong, and how it is said.

Every error a user can cause is an :class:`EvenhandError`: one sentence that says what is wrong, one that
says where (row, column, file) and one that says what to do. Pages and the command line show these three
sentences and nothing else, so no user ever meets a traceback.
"""

import errno
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from core.language.fitted import sentences
from core.language.phrases import shortened, without_stop
from core.language.told import Retelling, retold, say, say_as

LONGEST_SENTENCE = 600
"""Characters of a sentence. None of ours needs as many in any language; a user's own is left out in the middle."""


class EvenhandError(Exception):
    """Something a user can mend.

    Args:
        what: What is wrong, one sentence.
        where: The row, column, setting or file at fault; empty if there is only one candidate.
        advice: What to do about it, one sentence in the imperative.
    """

    def __init__(self, what: str, *, where: str = "", advice: str = "") -> None:
        what, where, advice = (shortened(retold(text), LONGEST_SENTENCE) for text in (what, where, advice))
        super().__init__(" ".join(part for part in (what, f"({where})" if where else "", advice) if part))
        self.what = what
        self.where = where
        self.advice = advice

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.what, self.where, self.advice)


def _rebuild(kind: type[EvenhandError], what: str, where: str, advice: str) -> EvenhandError:
    return kind(what, where=where, advice=advice)


class DataError(EvenhandError):
    """The table or the roles of its columns cannot be used as they are."""


class SourceError(EvenhandError):
    """A built-in data source could not be fetched or is not the file it should be."""


class ModelError(EvenhandError):
    """The model file is refused, or does not fit the table."""


class MetricError(EvenhandError):
    """The fair metric cannot be learned or used."""


class SettingsError(EvenhandError):
    """A setting is out of range, or the settings together are unstable."""


class AuditError(EvenhandError):
    """The audit ran but produced nothing that may be reported, for example because the attack diverged."""


class RecordError(EvenhandError):
    """A record or a saved result is damaged, foreign, or of another version."""


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EROFS, errno.EACCES, errno.EPERM)
"""What the system says of a disk that is full, and of one that may not be written."""


class StorageError(EvenhandError):
    """Evenhand's folder has no room, or cannot be read or written."""

    @classmethod
    def of(cls, error: OSError) -> "StorageError":
        """What a failed system call says about the disk."""
        if error.errno in FULL:
            what = say("The disk is full.")
            advice = say("Free some room on it.")
        elif error.errno in FORBIDDEN:
            what = say("Evenhand may not write to its folder.")
            advice = say("Let it be written to.")
        else:
            what = say(
                "A file of Evenhand's own cannot be read or written: {reason}.",
                reason=error.strerror or type(error).__name__,
            )
            advice = say("Check the disk.")
        return cls(
            what,
            where=str(error.filename or ""),
            advice=advice,
        )


class CancelledError(EvenhandError):
    """The user stopped the run."""


@contextmanager
def located(where: str = "", *, of: str = "") -> Iterator[None]:
    """Within this block errors say, besides, among which rows they came up, or of whom or what they are."""
    try:
        yield
    except CancelledError:
        raise
    except EvenhandError as error:
        rows = ", ".join(filter(None, (error.where, where)))
        place = ": ".join(filter(None, (of, rows)))
        raise type(error)(error.what, where=place, advice=error.advice) from error


def how_it_came(error: BaseException) -> str:
    """Where an error and its causes were raised, and of which types; not their messages, which may quote a table."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = f"{how_it_came(cause)}then:\n" if cause is not None else ""
    return f"{before}{''.join(traceback.format_tb(error.__traceback__))}{type(error).__name__}\n"


Forbids = Literal["nothing", "accusing", "clearing", "any claim"]


@dataclass(frozen=True)
class Caveat(Retelling):
    """Something a reader of the result has to know; never an error.

    Attributes:
        level: ``info`` (a choice was recorded), ``warning`` (read the result with care) or ``serious``
            (the result may mislead unless this is mended).
        what: What was noticed, one sentence with its count.
        advice: What the user may do; empty when nothing need be done.
        forbids: What may not be claimed because of it; the only thing for which a verdict is withheld.
    """

    level: Literal["info", "warning", "serious"]
    what: str
    advice: str = ""
    forbids: Forbids = "nothing"

    def __post_init__(self) -> None:
        object.__setattr__(self, "what", shortened(self.what, LONGEST_SENTENCE))
        object.__setattr__(self, "advice", shortened(self.advice, LONGEST_SENTENCE))

    @property
    def line(self) -> str:
        """The caveat as a line of a terminal."""
        level = {
            "serious": say_as("a caveat", "serious"),
            "warning": say_as("a caveat", "warning"),
            "info": say_as("a caveat", "info"),
        }[self.level]
        return f"  {level}: {self.what} {self.advice}".rstrip()

    def is_in(self, headline: str) -> bool:
        """Whether a headline says what was noticed."""
        return without_stop(self.what).casefold() in headline.casefold()


_SEVERITY = {"serious": 0, "warning": 1, "info": 2}


def forbidding(forbids: Forbids, caveats: Iterable[Caveat]) -> tuple[Caveat, ...]:
    """What was noticed, as what forbids a claim."""
    return tuple(replace(one, forbids=forbids) for one in caveats)


def each_once(caveats: Iterable[Caveat]) -> tuple[Caveat, ...]:
    """What was noticed, most serious first, each sentence once: as it forbids a claim, where it does anywhere."""
    kept: dict[str, Caveat] = {}
    for one in caveats:
        if one.what not in kept or kept[one.what].forbids == "nothing":
            kept[one.what] = one
    return most_serious_first(kept.values())


def most_serious_first(caveats: Iterable[Caveat]) -> tuple[Caveat, ...]:
    """Each caveat once; equally serious ones stay in their order."""
    return tuple(sorted(dict.fromkeys(caveats), key=lambda caveat: _SEVERITY[caveat.level]))


def in_short(caveats: Iterable[Caveat]) -> str:
    """The first sentence of the first serious caveat; empty where none is serious."""
    serious = (caveat.what for caveat in caveats if caveat.level == "serious")
    return next((sentences(told)[0] for told in serious), "")


def by_advice(caveats: Iterable[Caveat]) -> tuple[tuple[Caveat, ...], ...]:
    """Caveats that ask for the same thing together: what forbids a claim first, then most serious first.

    Those without advice are one group; a caveat that forbids a claim is never in a group with one that does not.
    """
    groups: dict[tuple[str, bool], list[Caveat]] = {}
    for one in most_serious_first(caveats):
        groups.setdefault((one.advice, one.forbids != "nothing"), []).append(one)
    forbidding_first = sorted(groups.items(), key=lambda group: not group[0][1])
    return tuple(tuple(group) for _, group in forbidding_first)

"""How much an archive may hold."""

from dataclasses import dataclass
from math import inf

from core.base.errors import EvenhandError
from core.language.told import Retelling


@dataclass(frozen=True)
class Limits(Retelling):
    """How much an archive of some format may hold, and how a refusal is said.

    Attributes:
        error: What a refusal is.
        again: Advice for an archive that is broken or odd: how to write it as it should be.
        smaller: Advice for one that holds too much.
        entries: Most entries.
        directory: Most bytes of the list of entries.
        unpacked: Most bytes of all files, unpacked.
        entry_bytes: Most bytes of one file, unpacked.
        ratio: How many times its own size the archive may unpack to.
        entry_ratio: How many times its packed size a file of more than 4 MB may unpack to.
        zip64: Whether archives of the kind for more than 4 GB are read, which some programs write at any size.
        damaged: What is said of an archive that contradicts itself; what the contradiction is then says where. Empty
            where the contradiction itself is said.
    """

    error: type[EvenhandError]
    again: str
    smaller: str
    entries: int
    directory: int
    unpacked: int
    entry_bytes: int
    ratio: float = inf
    entry_ratio: float = inf
    zip64: bool = False
    damaged: str = ""

    def refusal(self, where: str, what: str, advice: str = "") -> EvenhandError:
        """The error for an archive that is not read."""
        return self.error(what, where=where, advice=advice or self.again)

    def contradiction(self, where: str, what: str) -> EvenhandError:
        """The error for an archive whose parts say different things."""
        return self.refusal(f"{where}: {what}", self.damaged) if self.damaged else self.refusal(where, what)

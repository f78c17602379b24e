"""How a model format is told by a file's content."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.language.told import Retelling


def _never(*_: object) -> bool:
    return False


@dataclass(frozen=True)
class Signature(Retelling):
    """What only files of one format look like; nothing of a file is run or unpacked to see it.

    Attributes:
        format: Key of ``core.models.MODEL_FORMATS``.
        called: What people call such a file.
        begins: Whether a file of so many bytes with this beginning is certainly of the format.
        seems: Whether a beginning that is not known to be refused is taken for it.
        suffix: The ending of a name that decides where the bytes do not.
        holds: Whether a zip with these entries is of it.
    """

    format: str
    called: str
    begins: Callable[[bytes, int], bool] = _never
    seems: Callable[[bytes], bool] = _never
    suffix: str = ""
    holds: Callable[[Sequence[str]], bool] = _never


def names_on_top(entries: Sequence[str]) -> set[str]:
    """Names of the files of a zip that lie beside each other, be it in one folder."""
    return {entry.removeprefix("./").rsplit("/", 1)[-1] for entry in entries if entry.strip("./").count("/") <= 1}

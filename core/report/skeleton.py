"""Which headings the appendix of a report has under each standard, and what stands under each: a file a standard."""

from pathlib import Path
from typing import Literal

from core.base.settings import Settings
from core.language.toml import read_toml
from core.report.statement import Standard

_FOLDER = Path(__file__).parent / "skeletons"

Block = Literal["method", "tolerance", "data", "impact", "results", "trust", "accuracy", "assumptions"]
"""Parts of a report that findings fill in."""


class Part(Settings):
    """One heading of a report.

    Attributes:
        heading: What it says.
        reference: Where the standard asks for it; may be empty.
        note: What the standard asks for, in our words; may be empty.
        fields: Fields of the statement that stand under it.
        blocks: What stands below them.
        ask: What neither findings nor statement say, each as the end of "To be filled in:".
    """

    heading: str
    reference: str = ""
    note: str = ""
    fields: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    ask: tuple[str, ...] = ()


class Skeleton(Settings):
    """The headings of a report's appendix; before it stand the page that is signed, who is affected, and the tests.

    Attributes:
        title: What the report calls itself.
        paper: On which paper it is printed where it goes.
        source: Which texts the headings follow, and when they were read; may be empty.
        parts: The headings in order.
    """

    title: str
    paper: Literal["A4", "Letter"]
    source: str
    parts: tuple[Part, ...]

    def has(self, block: Block) -> bool:
        """Whether this stands under a heading of its own."""
        return any(block in part.blocks for part in self.parts)


def skeleton(standard: Standard) -> Skeleton:
    """The headings under a standard, in the reader's language."""
    return Skeleton.model_validate(read_toml(_FOLDER / f"{standard}.toml"))

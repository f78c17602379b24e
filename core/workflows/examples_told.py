"""What is told of each ready-made audit before anything of it is read, from ``assets/examples.toml``.

The first page of a cold server shows this while what reads tables and models is imported.
"""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter

from core.language.told import Retelling, say

Topic = Literal["hiring", "income", "court", "health", "texts", "numbers"]


@dataclass(frozen=True)
class ExamplePicture:
    """What a small drawing shows.

    Attributes:
        topic: What is decided.
        treated: How two similar people of different groups fare.
    """

    topic: Topic
    treated: Literal["differently", "alike", "further apart", "unclear"]


@dataclass(frozen=True, kw_only=True)
class ToldExample(Retelling):
    """One click on the home page, in words.

    Attributes:
        key: Short name for addresses and tests.
        title: What people read on the button.
        story: One sentence: who decides about whom, and what the audit finds.
        about: What its picture shows: who decides what about whom, and how they fare.
        picture: Drawn small beside the story.
        megabytes: Memory that the audit takes, and a little more (``benchmarks/test_memory_told.py``).
        model: File name below ``sample_models``; empty where the table holds a model's answers.
        needs_network: Whether the table has to be fetched once (unless ``EVENHAND_DATA`` names a folder with it).
    """

    key: str
    title: str
    story: str
    about: str
    picture: ExamplePicture
    megabytes: int
    model: str = ""
    needs_network: bool = False


E = TypeVar("E", bound=ToldExample)


def in_words(written: E) -> E:
    """The same with sentences that are in the reader's language whenever they are read."""
    return replace(written, title=say(written.title), story=say(written.story), about=say(written.about))


_FILE = Path(__file__).resolve().parents[2] / "assets" / "examples.toml"
WRITTEN: list[dict[str, Any]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["example"]
"""Every example as it is written."""
TOLD = tuple(map(in_words, TypeAdapter(tuple[ToldExample, ...]).validate_python(WRITTEN)))
"""What is told of every example, in the order in which they are shown."""

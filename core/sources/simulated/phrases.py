"""The phrases of the invented biographies, from ``assets/biographies.toml``."""

import tomllib
from functools import cache
from pathlib import Path

from core.base.settings import Settings

_FILE = Path(__file__).parents[3] / "assets" / "biographies.toml"

Phrases = tuple[str, ...]


class Work(Settings):
    """Phrases about one kind of work.

    Attributes:
        fields: What the work is about; noun phrases.
        deeds: What somebody does; verb phrases that follow "she" or "he".
        places: Where somebody works; with their article.
        past: What somebody did; verb phrases in the past tense.
        studies: What somebody studied.
    """

    fields: Phrases
    deeds: Phrases
    places: Phrases
    past: Phrases
    studies: Phrases


class Occupation(Settings):
    """An occupation of the corpus.

    Attributes:
        family: The family of occupations it belongs to.
        women: Share of women among its people when the corpus is fully biased; made up after common stereotypes.
        work: Phrases that give the occupation away.
    """

    family: str
    women: float
    work: Work


class Sentences(Settings):
    """Sentences with places to fill, by what they are about."""

    work: Phrases
    studies: Phrases
    career: Phrases
    family: Phrases
    free_time: Phrases


class FreeTime(Settings):
    """Phrases about free time, by the gender that stereotypes give them to."""

    women: Phrases
    men: Phrases
    both: Phrases


class Vocabulary(Settings):
    """Everything a biography is made of.

    Attributes:
        sentences: Sentences with places to fill.
        gendered: The word for a woman and the word for a man, by the place they fill.
        slots: What may stand in a place of the same name; a phrase may have places of its own.
        hobbies: What people like to do.
        causes: What people support.
        families: Phrases that fit each occupation of a family alike, so that they leave the occupation open.
        occupations: The 28 occupations of Bias in Bios, by the names of its labels.
    """

    sentences: Sentences
    gendered: dict[str, tuple[str, str]]
    slots: dict[str, Phrases]
    hobbies: FreeTime
    causes: FreeTime
    families: dict[str, Work]
    occupations: dict[str, Occupation]


@cache
def vocabulary() -> Vocabulary:
    """The phrases; read once."""
    return Vocabulary.model_validate(tomllib.loads(_FILE.read_text(encoding="utf-8")))

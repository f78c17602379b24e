"""Words that name a group, and their counterparts: the vector v of P4 and P5, and the swaps of CF.

The shipped list keeps to words that say nothing but a person's gender or a role that has one ("aunt", "actress").
Longer published lists, put into lower case, also hold words such as "new", "bachelor" (a degree) and "ma".
"""

from __future__ import annotations

from functools import cached_property
from typing import Self

from pydantic import model_validator

from core.errors import SettingsError
from core.settings import Settings, setting
from core.text.words import spans

MOST_WORDS = 5_000
"""Pairs and other words a list may hold."""

_LONGEST = 60


class Pair(Settings):
    """Two words that stand for each other in different groups; case does not matter."""

    word: str
    counterpart: str

    @model_validator(mode="after")
    def _are_words(self) -> Self:
        _require_word(self.word)
        _require_word(self.counterpart)
        if self.word.lower() == self.counterpart.lower():
            raise SettingsError(
                f"{self.word!r} is its own counterpart.", where="list of words", advice="Name two different words."
            )
        return self


class WordList(Settings):
    """Words that name a group.

    A word may have several counterparts, of which the first in the list is taken; "her" and "his" become their first
    before a noun and their second elsewhere ("her work", "his work"; "met her", "met him"). An empty list means the
    shipped one.
    """

    name: str = setting("Gendered words", label="Name", help="What the list is about.")
    pairs: tuple[Pair, ...] = setting(
        (),
        label="Pairs",
        help="Words to exchange for each other.",
        empty="the shipped list of gendered words",
        max_length=MOST_WORDS,
    )
    others: tuple[str, ...] = setting(
        (),
        label="Other words",
        help="Words that name a group and have no counterpart.",
        empty="none",
        max_length=MOST_WORDS,
    )

    @model_validator(mode="after")
    def _others_are_words(self) -> Self:
        for word in self.others:
            _require_word(word)
        return self

    @property
    def complete(self) -> WordList:
        """The list itself, or the shipped one if it is empty."""
        return self if self.pairs or self.others else GENDER

    @cached_property
    def counterparts(self) -> dict[str, tuple[str, ...]]:
        """The counterparts of each word in lower case, in the list's order."""
        found: dict[str, list[str]] = {}
        for pair in self.complete.pairs:
            first, second = pair.word.lower(), pair.counterpart.lower()
            for word, other in ((first, second), (second, first)):
                known = found.setdefault(word, [])
                if other not in known:
                    known.append(other)
        return {word: tuple(others) for word, others in found.items()}

    @cached_property
    def listed(self) -> frozenset[str]:
        """Every word that names a group, in lower case."""
        return frozenset(self.counterparts) | {word.lower() for word in self.complete.others}


def _require_word(word: str) -> None:
    if len(word) > _LONGEST or len(found := spans(word)) != 1 or tuple(found[0]) != (0, len(word)):
        raise SettingsError(
            f"{word[:_LONGEST]!r} is not a single word.",
            where="list of words",
            advice="Write one word a cell, without spaces, hyphens or signs.",
        )


def _pairs(text: str) -> tuple[Pair, ...]:
    """Pairs written as "female/male", separated by spaces."""
    return tuple(Pair(word=first, counterpart=second) for first, second in (pair.split("/") for pair in text.split()))


GENDER = WordList(
    name="Gendered words",
    pairs=_pairs(
        "she/he her/his her/him hers/his herself/himself "
        "woman/man women/men girl/boy girls/boys female/male females/males lady/gentleman ladies/gentlemen "
        "mother/father mothers/fathers mom/dad moms/dads mum/dad mums/dads mommy/daddy "
        "motherhood/fatherhood maternal/paternal grandmother/grandfather grandmothers/grandfathers grandma/grandpa "
        "stepmother/stepfather godmother/godfather daughter/son daughters/sons granddaughter/grandson "
        "granddaughters/grandsons stepdaughter/stepson sister/brother sisters/brothers stepsister/stepbrother "
        "sisterhood/brotherhood aunt/uncle aunts/uncles niece/nephew nieces/nephews wife/husband wives/husbands "
        "girlfriend/boyfriend girlfriends/boyfriends bride/groom brides/grooms widow/widower widows/widowers "
        "actress/actor actresses/actors waitress/waiter waitresses/waiters "
        ""
        "businesswoman/businessman businesswomen/businessmen chairwoman/chairman chairwomen/chairmen "
        "spokeswoman/spokesman spokeswomen/spokesmen congresswoman/congressman congresswomen/congressmen "
        "councilwoman/councilman councilwomen/councilmen policewoman/policeman policewomen/policemen "
        "saleswoman/salesman saleswomen/salesmen sportswoman/sportsman sportswomen/sportsmen "
        "cameraman/camerawoman anchorwoman/anchorman stateswoman/statesman noblewoman/nobleman "
        "princess/prince princesses/princes heiress/heir priestess/priest abbess/abbot nun/monk nuns/monks "
        "schoolgirl/schoolboy schoolgirls/schoolboys cowgirl/cowboy cowgirls/cowboys "
        "ms/mr mrs/mr gal/guy gals/guys"
    ),
)
"""The shipped list; the first of each pair is the female word."""

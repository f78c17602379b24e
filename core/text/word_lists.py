"""Words that name a group, and their counterparts: the vector v of P4 and P5, and the swaps of CF.

The shipped list keeps to words that say nothing but a person's gender or a role that has one ("aunt", "actress").
Longer published lists, put into lower case, also hold words such as "new", "bachelor" (a degree) and "ma".
"""

from __future__ import annotations

from functools import cached_property
from typing import Self

from pydantic import Field, model_validator

from core.base.errors import SettingsError
from core.base.settings import Settings, setting
from core.language.told import say, say_as
from core.text.words import key, spans

MOST_WORDS = 5_000
"""Pairs and other words a list may hold."""

_LONGEST = 60
OWN = "Own list"  # verbatim
"""The name of a list that was given none."""


class Pair(Settings):
    """Two words that stand for each other in different groups; case does not matter.

    Attributes:
        word: The word of one group; the same group stands first in every pair of a list.
        counterpart: The word of the other group.
    """

    word: str
    counterpart: str

    @model_validator(mode="after")
    def _are_words(self) -> Self:
        _require_word(self.word)
        _require_word(self.counterpart)
        if key(self.word) == key(self.counterpart):
            raise SettingsError(
                say("{word} is its own counterpart.", word=repr(self.word)),
                where=say("list of words"),
                advice=say("Name two different words."),
            )
        return self


class WordSet(Settings):
    """Words of two groups or more: every row holds one word of each group, and a word goes to another of its row.

    Attributes:
        about: What the groups are groups of ("Race or ethnicity, by first name").
        sides: The groups, two or more.
        rows: One word of each group, in the order of ``sides``; a word stands in one row only.
        capitalised: Whether the words count only with a capital letter, as first names do.
    """

    about: str
    sides: tuple[str, ...] = Field(min_length=2, max_length=20)
    rows: tuple[tuple[str, ...], ...] = Field(min_length=1, max_length=MOST_WORDS)
    capitalised: bool = False

    @model_validator(mode="after")
    def _are_rows(self) -> Self:
        for row in self.rows:
            for word in row:
                _require_word(word)
            if len(row) != len(self.sides):
                raise SettingsError(
                    say("A row has {words} words for {groups} groups.", words=len(row), groups=len(self.sides)),
                    where=self.about,
                    advice=say("Write one word of each group in every row."),
                )
        words = [key(word) for row in self.rows for word in row]
        if len(words) > len(set(words)):
            twice = next(word for word in words if words.count(word) > 1)
            raise SettingsError(
                say("{word} stands there twice.", word=repr(twice)), where=self.about, advice=say("Keep one of them.")
            )
        return self


class WordList(Settings):
    """Words that name a group.

    A word may have several counterparts, of which the first in the list is taken; "her" and "his" become their first
    before a noun and their second elsewhere ("her work", "his work"; "met her", "met him"). An empty list means the
    shipped one.
    """

    name: str = setting("Gendered words", label=say("Name"), help=say("What the list is about."))  # verbatim
    pairs: tuple[Pair, ...] = setting(
        (),
        label=say("Pairs"),
        help=say("Words to exchange for each other."),
        empty=say("the shipped list of gendered words"),
        max_length=MOST_WORDS,
    )
    others: tuple[str, ...] = setting(
        (),
        label=say("Other words"),
        help=say("Words that name a group and have no counterpart."),
        empty=say_as("several", "none"),
        max_length=MOST_WORDS,
    )

    kept: tuple[str, ...] = setting(
        (),
        label=say("Counterparts that stay"),
        help=say("Words with another common meaning: what is exchanged for them is not exchanged back."),
        empty=say_as("several", "none"),
        max_length=MOST_WORDS,
    )
    sets: tuple[WordSet, ...] = setting(
        (),
        label=say("Words of several groups"),
        help=say("Names and terms of two groups or more; each goes to another group's."),
        empty=say_as("several", "none"),
        max_length=50,
    )

    @model_validator(mode="after")
    def _others_are_words(self) -> Self:
        for word in self.others:
            _require_word(word)
        return self

    @property
    def complete(self) -> WordList:
        """The list itself, or the shipped one if it is empty."""
        return self if self.pairs or self.others or self.sets else GENDER

    @cached_property
    def counterparts(self) -> dict[str, tuple[str, ...]]:
        """The counterparts of each word (:func:`core.text.words.key`), in the list's order.

        A word in a set has those of its row, beginning with the next group; sets go before pairs.
        """
        found: dict[str, list[str]] = {}
        for pair in self.complete.pairs:
            first, second = key(pair.word), key(pair.counterpart)
            for word, other in ((first, second), (second, first)):
                if word in self._kept:
                    continue
                known = found.setdefault(word, [])
                if other not in known:
                    known.append(other)
        return {word: tuple(others) for word, others in found.items()} | self.of_sets

    @cached_property
    def _kept(self) -> frozenset[str]:
        return frozenset(map(key, self.complete.kept))

    @cached_property
    def of_sets(self) -> dict[str, tuple[str, ...]]:
        """The counterparts of the words in sets, beginning with the next group's; the first set that has a word."""
        found: dict[str, tuple[str, ...]] = {}
        for one in self.complete.sets:
            for row in one.rows:
                for place, word in enumerate(row):
                    found.setdefault(key(word), tuple(map(key, (*row[place + 1 :], *row[:place]))))
        return found

    @cached_property
    def capitalised(self) -> frozenset[str]:
        """Words that count only where they begin with a capital letter."""
        return frozenset(key(word) for one in self.complete.sets if one.capitalised for row in one.rows for word in row)

    @cached_property
    def sides(self) -> dict[str, tuple[int, int]]:
        """For each word with a counterpart: which list it is in (0 = the pairs), and the place of its group there."""
        found: dict[str, tuple[int, int]] = {}
        for number, one in enumerate(self.complete.sets, start=1):
            for row in one.rows:
                for side, word in enumerate(row):
                    found.setdefault(key(word), (number, side))
        for pair in self.complete.pairs:
            found.setdefault(key(pair.word), (0, 0))
            found.setdefault(key(pair.counterpart), (0, 1))
        return {word: side for word, side in found.items() if word in self.counterparts}

    @cached_property
    def listed(self) -> frozenset[str]:
        """Every word that names a group (:func:`core.text.words.key`)."""
        return frozenset(self.counterparts) | {key(word) for word in self.complete.others}


def _require_word(word: str) -> None:
    if len(word) > _LONGEST or len(found := spans(word)) != 1 or tuple(found[0]) != (0, len(word)):
        raise SettingsError(
            say("{word} is not a single word.", word=repr(word[:_LONGEST])),
            where=say("list of words"),
            advice=say("Write one word a cell, without spaces, hyphens or signs."),
        )


def pairs_of(text: str) -> tuple[Pair, ...]:
    """Pairs written as "female/male", separated by spaces."""
    return tuple(Pair(word=first, counterpart=second) for first, second in (pair.split("/") for pair in text.split()))


GENDER = WordList(
    name="Gendered words",  # verbatim
    pairs=pairs_of(
        "she/he her/his her/him hers/his herself/himself woman/man women/men girl/boy girls/boys "
        "female/male females/males lady/gentleman ladies/gentlemen mother/father mothers/fathers mom/dad "
        "moms/dads mum/dad mums/dads mommy/daddy motherhood/fatherhood maternal/paternal "
        "grandmother/grandfather grandmothers/grandfathers grandma/grandpa stepmother/stepfather "
        "godmother/godfather daughter/son daughters/sons granddaughter/grandson granddaughters/grandsons "
        "stepdaughter/stepson sister/brother sisters/brothers stepsister/stepbrother "
        "sisterhood/brotherhood aunt/uncle aunts/uncles niece/nephew nieces/nephews wife/husband "
        "wives/husbands girlfriend/boyfriend girlfriends/boyfriends bride/groom brides/grooms "
        "widow/widower widows/widowers actress/actor actresses/actors waitress/waiter waitresses/waiters "
        "businesswoman/businessman businesswomen/businessmen chairwoman/chairman chairwomen/chairmen "
        "spokeswoman/spokesman spokeswomen/spokesmen congresswoman/congressman congresswomen/congressmen "
        "councilwoman/councilman councilwomen/councilmen policewoman/policeman policewomen/policemen "
        "saleswoman/salesman saleswomen/salesmen sportswoman/sportsman sportswomen/sportsmen "
        "camerawoman/cameraman anchorwoman/anchorman stateswoman/statesman noblewoman/nobleman "
        "princess/prince princesses/princes heiress/heir priestess/priest abbess/abbot nun/monk "
        "nuns/monks queen/king queens/kings empress/emperor duchess/duke baroness/baron goddess/god "
        "goddesses/gods heroine/hero heroines/heroes landlady/landlord stewardess/steward "
        "sorceress/sorcerer lass/lad schoolgirl/schoolboy schoolgirls/schoolboys cowgirl/cowboy "
        "cowgirls/cowboys ms/mr mrs/mr miss/mr gal/guy gals/guys hostess/host hostesses/hosts "
        "countess/count mistress/master bachelorette/bachelor poetess/poet authoress/author "
        "sculptress/sculptor proprietress/proprietor"  # verbatim
    ),
    kept=("host", "hosts", "count", "master", "bachelor", "poet", "author", "sculptor", "proprietor"),
)
"""The shipped list; the first of each pair is the female word."""

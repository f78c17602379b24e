"""Which columns are probably protected attributes: by their names in several languages, and by the groups they hold."""

# ruff: noqa: SIM905 - lists of words read best as words

import re
from dataclasses import dataclass

import numpy as np

from core.data.cells import as_numbers, as_text
from core.data.column_look import Column
from core.language.told import say

RACE, _FAMILY_STATUS = "race or ethnicity", "family status"  # verbatim
_ATTRIBUTES: dict[str, str] = {
    "sex": "sex gender gndr gend sx geschlecht sexo genero sexe genre sesso geslacht kon kjonn kjønn plec płec pohlavi "
    "cinsiyet пол 性别 性別 성별",  # verbatim
    RACE: "race racial ethnicity ethnic ethn eth raza etnia razza raca ethnie etnicidad caste colour "  # verbatim
    "minority aboriginal indigenous tribe skin herkunft hautfarbe abstammung bevolkerungsgruppe "  # verbatim
    "volkszugehorigkeit ethnizitat 民族",
    "religion": "religion religious creed faith relig konfession religionszugehorigkeit religione religiao "  # verbatim
    "godsdienst",
    "disability": "disability disabled disab handicap handicapped behinderung behindert schwerbehinderung "  # verbatim
    "schwerbehindert discapacidad disabilita deficiencia",
    "nationality": "nationality citizenship citizen foreign foreigner immigrant immigr migrant staatsangehorigkeit "
    "staatsburgerschaft herkunftsland geburtsland auslander migrationshintergrund zuwanderung einwanderung "  # verbatim
    "nacionalidad nationalite nazionalita nacionalidade nationaliteit nativeborn foreignborn",  # verbatim
    "sexual orientation": "orientation lgbt lgbtq gay lesbian",  # verbatim
    "gender identity": "transgender nonbinary",  # verbatim
    "pregnancy": "pregnancy pregnant schwanger schwangerschaft embarazada enceinte",  # verbatim
    "service as a veteran": "veteran",  # verbatim
}
"""Words that name an attribute."""
_FAMILY = frozenset(
    "marital marit marr married maried unmarried single widowed divorced separated cohab maritl msp nevermarried "
    "nevmar familienstand zivilstand verheiratet ledig geschieden verwitwet casado casada matrimoniale matrimonial "
    "civil civile".split()
)
_AGE = frozenset(
    "age ages agea agey agew xage mage aged agegroup agegrp agecat agerange agegr ageband "
    "alter lebensalter altersgruppe altersklasse altersstufe edad idade eta "
    "leeftijd alder ålder wiek возраст 年龄 年齡 나이".split()
)
_AGE_AHEAD = re.compile("(a|m|mth|mom|mother|pat|client|cust|applicant|person|base|cur|current|x)?age(of)?[a-z]{0,3}")
_NOT_OF_PEOPLE = frozenset(
    "house home account car vehicle building device company firm husband wife spouse father dad partner onset first "
    "loan retire retirement "
    "rbc blood cell credit policy equipment machine property pct percent share mean avg median "
    "haus gebaude auto fahrzeug konto firma gerat maschine kredit vertrag".split()
)
"""Beside "age" they say that somebody or something else is meant."""
_GROUPS: dict[str, str] = {
    "sex": "female male woman women man men girl boy femme homme frau mann mujer hombre weiblich mannlich",  # verbatim
    RACE: "black white asian hispanic hispan hispn hisp nonhisp latino latina latinx afam afram african "  # verbatim
    "aframer afroam afroamerican caucasian "
    "nonwhite nwhite nonblack amerindian amerind nativeamerican indian otherrace othrace aapi bipoc roma",
    "religion": "muslim jewish catholic christian protestant hindu buddhist sikh atheist evangelical",  # verbatim
    "nationality": "german swiss turkish mexican chinese polish foreignborn nonnative noncitizen",  # verbatim
}
"""Names of a group: a column of two values under such a name says who belongs to it."""
_HOLD: dict[str, frozenset[str]] = {
    "sex": frozenset(
        "female male f m woman women man men girl boy femme homme frau mann mujer hombre weiblich mannlich diverse "
        "divers "
        "nonbinary other unknown".split()
    ),
    RACE: frozenset(
        "black white asian hispanic hispan latino african caucasian mixed other nonwhite nonblack unknown "
        "schwarze weisse weiße".split()
    ),
}
"""Values that tell the attribute whatever the column is called."""
_TELLING = {
    "sex": frozenset("female male woman women girl boy femme homme frau mujer hombre weiblich mannlich".split()),
    RACE: frozenset("black white asian hispanic hispan latino caucasian schwarze weisse weiße".split()),
}
_PAIRS = (
    ({"native", "country"}, "nationality"),
    ({"national", "origin"}, "nationality"),
    ({"country", "birth"}, "nationality"),
    ({"native", "born"}, "nationality"),
    ({"nat", "am"}, RACE),
    ({"native", "american"}, RACE),
    ({"civil", "status"}, _FAMILY_STATUS),
    ({"estado", "civil"}, _FAMILY_STATUS),
    ({"stato", "civile"}, _FAMILY_STATUS),
)
_AHEAD = (
    ("ethnic", RACE),
    ("ethrace", RACE),
    ("racegr", RACE),
    ("raceeth", RACE),
    ("racecat", RACE),
    ("racef", RACE),
    ("momrace", RACE),
    ("nationalit", "nationality"),
    ("immigr", "nationality"),
    ("disab", "disability"),
    ("marital", _FAMILY_STATUS),
)
_SHORT = frozenset("blk wht nhw nhb".split())
"""Words that tell a group where the column has two values, and may count blocks or the like where it has more."""
_INSIDE = ("white", "black", "female", "hispan", "asian", "latino", "muslim")
"""Parts of a joined name that tell a group, where the column has two values."""
_GROUP_SHARE = re.compile("(race|racial|ethnic|ethnicity|minority|black|white|asian|hispanic)(pct|percent|share).*")
_HARDLY = frozenset("risk relation partner partners reassignment import attitude imp fear".split())
"""Beside the name of an attribute they say that something else is meant."""
_UMLAUT = re.compile("(?<=[aou])e")
"""The second letter of an umlaut as it is written where there are none; names above are written without it."""
_MOST_GROUPS = 50
_OLDEST = 125
_MOST_AGES = 0.95
"""Share of the different values that must be ages; a few slip."""
_SURE = ("sex", RACE)
_RANKS = {"sex": 0, RACE: 1, "age": 3, _FAMILY_STATUS: 4}


@dataclass(frozen=True)
class Protected:
    """Why a column is probably a protected attribute.

    Attributes:
        attribute: Which, in words.
        reason: What follows its name in a sentence.
        rank: Lower comes first.
    """

    attribute: str
    reason: str
    rank: int

    @property
    def sure(self) -> bool:
        """Whether it is taken unless somebody says otherwise; others are offered.

        Age, family status, nationality and the like are protected by law in some places and legitimate in others, and
        have many groups: a fair metric learned from them forgives nearly every difference.
        """
        return self.attribute in _SURE


def protected(column: Column) -> Protected | None:
    """Which protected attribute a column holds, by its name or else by its values; None if none."""
    if column.quantity and _GROUP_SHARE.fullmatch(column.squeezed):
        return Protected(RACE, say("is named like the share of a group"), 2)
    words = column.unnumbered
    words |= {_UMLAUT.sub("", word) for word in words}
    if len(column.distinct) < 2 or words & _HARDLY:
        return None
    if _is_age(column, words):
        return Protected("age", say("is named like an age"), _rank("age"))
    if len(column.distinct) > (_MOST_GROUPS // 2 if column.quantity else _MOST_GROUPS):
        return None
    named, group, held = _named(words, column.squeezed), _group(words, column), _held(column)
    found = named or group or held
    if not found:
        return None
    if named:
        reason = say("is named like {attribute}", attribute=_told(found))
    elif group:
        reason = say("is named after a group ({attribute})", attribute=_told(found))
    else:
        reason = say("holds groups of {attribute}", attribute=_told(found))
    return Protected(found, reason, _rank(found))


def named_in(attribute: str, reason: str) -> Protected:
    """A column that is known to hold an attribute, with why."""
    return Protected(attribute, reason, _rank(attribute))


def _told(attribute: str) -> str:
    return {
        "sex": say("sex"),
        RACE: say("race or ethnicity"),
        "religion": say("religion"),
        "disability": say("disability"),
        "nationality": say("nationality"),
        "sexual orientation": say("sexual orientation"),  # verbatim
        "gender identity": say("gender identity"),  # verbatim
        "pregnancy": say("pregnancy"),
        "service as a veteran": say("service as a veteran"),  # verbatim
        _FAMILY_STATUS: say("family status"),
    }[attribute]


def _rank(attribute: str) -> int:
    return _RANKS.get(attribute, 2)


def _is_age(column: Column, words: set[str]) -> bool:
    named = bool(words & _AGE) or any(_AGE_AHEAD.fullmatch(word) for word in words)
    if not named or words & _NOT_OF_PEOPLE:
        return False
    if not column.number:
        return len(column.distinct) <= _MOST_GROUPS or column.quantity
    return bool(np.quantile(as_numbers(column.distinct), _MOST_AGES) <= _OLDEST)


def _named(words: set[str], squeezed: str) -> str:
    for attribute, names in _ATTRIBUTES.items():
        if words & set(names.split()):
            return attribute
    for pair, attribute in _PAIRS:
        if pair <= words:
            return attribute
    if words & (_FAMILY - {"civil", "civile"}) or re.fullmatch(r"mar\d\d|marstat|marst", squeezed):
        return _FAMILY_STATUS
    for start, attribute in _AHEAD:
        if any(word.startswith(start) for word in words):
            return attribute
    return ""


def _group(words: set[str], column: Column) -> str:
    if len(column.distinct) > 3:
        return ""
    for attribute, names in _GROUPS.items():
        if words & set(names.split()):
            return attribute
    if len(column.distinct) == 2 and (words & _SHORT or any(part in word for part in _INSIDE for word in words)):
        return RACE if not any("female" in word for word in words) else "sex"
    return ""


def _held(column: Column) -> str:
    if column.number or len(column.distinct) > 12:
        return ""
    values = [set(re.findall(r"[^\W\d_]+", value.lower())) for value in as_text(column.distinct)]
    for attribute, known in _TELLING.items():
        told = sum(bool(words & known) for words in values)
        if told >= 2 and all(words & _HOLD[attribute] for words in values):
            return attribute
    return ""

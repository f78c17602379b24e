"""Columns of well-known surveys whose values are codes: which attribute they hold, and what each code stands for.

A survey is told by the names of several of its columns, never by one: ``SEX`` is coded in many ways, beside ``RAC1P``
in one. Codes are labelled only where every value of the column is on the list.

Sources: American Community Survey, PUMS data dictionaries 2014 to 2022 (US Census Bureau). NHANES, demographic
variables 2011 to 2020 (National Center for Health Statistics). HMDA, Regulation C reference charts for loans of 2004 to
2017 and filing instructions for 2018 (FFIEC, CFPB).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from core.data.cells import as_text
from core.data.guess_protected import RACE, Protected, named_in
from core.data.roles import Label
from core.language.told import say

_FEWEST_COLUMNS = 2
_SEXES = {"1": "Male", "2": "Female"}  # verbatim
_RACES_OF_ACS = {
    "1": "White",
    "2": "Black or African American",  # verbatim
    "3": "American Indian",  # verbatim
    "4": "Alaska Native",  # verbatim
    "5": "American Indian or Alaska Native, otherwise specified or not",  # verbatim
    "6": "Asian",
    "7": "Native Hawaiian or other Pacific Islander",  # verbatim
    "8": "Some other race",  # verbatim
    "9": "Two or more races",  # verbatim
}
_MARITAL = {
    "1": "Married",
    "2": "Widowed",
    "3": "Divorced",
    "4": "Separated",
    "5": "Never married, or under 15 years",  # verbatim
}
_CITIZENS = {
    "1": "Born in the US",  # verbatim
    "2": "Born in a US territory",  # verbatim
    "3": "Born abroad of US parents",  # verbatim
    "4": "Naturalised",
    "5": "Not a US citizen",  # verbatim
}
_ORIGINS = {
    "1": "Mexican American",  # verbatim
    "2": "Other Hispanic",  # verbatim
    "3": "Non-Hispanic White",  # verbatim
    "4": "Non-Hispanic Black",  # verbatim
}
_RACES_OF_HMDA = {
    "1": "American Indian or Alaska Native",  # verbatim
    "2": "Asian",
    "3": "Black or African American",  # verbatim
    "4": "Native Hawaiian or other Pacific Islander",  # verbatim
    "5": "White",
    "6": "Not provided",  # verbatim
    "7": "Not applicable",  # verbatim
}
_SEXES_OF_HMDA = {**_SEXES, "3": "Not provided", "4": "Not applicable"}  # verbatim
_ETHNICITIES_OF_HMDA = {
    "1": "Hispanic or Latino",  # verbatim
    "2": "Not Hispanic or Latino",  # verbatim
    "3": "Not provided",  # verbatim
    "4": "Not applicable",  # verbatim
}


@dataclass(frozen=True)
class _Coded:
    """A column of a survey: the attribute that it holds, and what its codes stand for; none where they are too many."""

    attribute: str
    codes: Mapping[str, str]


@dataclass(frozen=True)
class _Survey:
    """A survey: its name, columns that tell it, and those of them, or others, that hold codes."""

    name: str
    telling: frozenset[str]
    columns: Mapping[str, _Coded]


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


_SURVEYS = (
    _Survey(
        "American Community Survey",  # verbatim
        _words(
            "AGEP COW ESR MAR OCCP POBP PINCP PUMA PWGTP RAC1P RAC2P RAC3P RELP RELSHIPP SCHL SERIALNO WKHP"  # verbatim
        ),
        {
            "SEX": _Coded("sex", _SEXES),
            "RAC1P": _Coded(RACE, _RACES_OF_ACS),
            "RAC2P": _Coded(RACE, {}),
            "RAC3P": _Coded(RACE, {}),
            "HISP": _Coded(RACE, {}),
            "MAR": _Coded("family status", _MARITAL),  # verbatim
            "CIT": _Coded("nationality", _CITIZENS),
            "NATIVITY": _Coded("nationality", {"1": "Native", "2": "Foreign born"}),  # verbatim
            "DIS": _Coded("disability", {"1": "With a disability", "2": "Without a disability"}),  # verbatim
        },
    ),
    _Survey(
        "NHANES",
        _words("SEQN RIAGENDR RIDAGEYR RIDRETH1 RIDRETH3 DMDEDUC2 DMDCITZN INDFMPIR WTMEC2YR WTINT2YR"),  # verbatim
        {
            "RIAGENDR": _Coded("sex", _SEXES),
            "RIDRETH1": _Coded(RACE, {**_ORIGINS, "5": "Other race, or several"}),  # verbatim
            "RIDRETH3": _Coded(
                RACE,
                {**_ORIGINS, "6": "Non-Hispanic Asian", "7": "Other race, or several"},  # verbatim
            ),
        },
    ),
    _Survey(
        "HMDA",
        _words(
            "action_taken applicant_sex applicant_race_1 applicant_race-1 applicant_ethnicity "  # verbatim
            "applicant_ethnicity_1 applicant_ethnicity-1 loan_amount_000s derived_sex derived_race"  # verbatim
        ),
        {
            "applicant_sex": _Coded("sex", _SEXES_OF_HMDA),
            "applicant_race_1": _Coded(RACE, _RACES_OF_HMDA),
            "applicant_race-1": _Coded(RACE, _RACES_OF_HMDA),
            "applicant_ethnicity": _Coded(RACE, _ETHNICITIES_OF_HMDA),
            "applicant_ethnicity_1": _Coded(RACE, _ETHNICITIES_OF_HMDA),
            "applicant_ethnicity-1": _Coded(RACE, _ETHNICITIES_OF_HMDA),
        },
    ),
)


def known_attributes(names: Iterable[str]) -> dict[str, Protected]:
    """The columns of a known survey that hold a protected attribute, each with why; none for another table."""
    survey = _survey(names)
    if survey is None:
        return {}
    reason = say("is a column of the {survey} with codes", survey=survey.name)
    held = set(names) & set(survey.columns)
    return {name: named_in(survey.columns[name].attribute, reason) for name in survey.columns if name in held}


def known_labels(frame: pd.DataFrame) -> tuple[Label, ...]:
    """What the codes of a known survey's columns stand for, of those whose every value is on the survey's list."""
    names = [str(name) for name in frame]
    survey = _survey(names)
    found: list[Label] = []
    for name, coded in () if survey is None else survey.columns.items():
        values = set(as_text(frame[name].drop_duplicates().dropna())) if name in names and coded.codes else set()
        if values and values <= coded.codes.keys():
            found += [Label(column=name, value=value, label=coded.codes[value]) for value in sorted(values)]
    return tuple(found)


def _survey(names: Iterable[str]) -> _Survey | None:
    """The survey that at least two of the names tell."""
    given = set(names)
    return next((one for one in _SURVEYS if len(given & one.telling) >= _FEWEST_COLUMNS), None)

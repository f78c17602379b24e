"""Widgets of the roles form beside the list of columns: the good value, how columns are read, and missing values."""

from typing import get_args

import streamlit as st

from core.base.settings import help_of, name_of_choice, title_of
from core.data.roles import GoodEnd, Missing, Roles
from core.language.told import say
from dashboard import forms
from dashboard.fields import name_of_mark
from dashboard.tables import ColumnSummary
from dashboard.text import literal

_NONE = ""


def favourable(outcome: ColumnSummary, current: str | None, *, optional: bool) -> str | None:
    """The value of the outcome that is good for people; where it is optional it can be taken back."""
    options = (_NONE, *outcome.values) if optional else outcome.values
    chosen: str | None = st.selectbox(
        _title("favourable"),
        options,
        index=options.index(current) if current in options else 0 if optional else None,
        format_func=lambda value: f"{outcome.name} = {value}" if value else say("None"),
        key=f"{forms.key_of(f'roles.favourable.{outcome.name}')}{'.optional' if optional else ''}",
        help=help_of(Roles.model_fields["favourable"]),
        placeholder=say("Choose one"),
    )
    return chosen or None


def good_end(outcome: str, current: GoodEnd) -> GoodEnd:
    """Which end of an outcome that is a number is good for people."""
    offered: tuple[GoodEnd, ...] = get_args(GoodEnd)
    chosen: GoodEnd = st.selectbox(
        say("Which end of {outcome} is good for the person?", outcome=literal(outcome, 40)),
        offered,
        index=offered.index(current),
        format_func=lambda value: name_of_choice(Roles, "good_end", value),
        key=forms.key_of(f"roles.good_end.{outcome}"),
    )
    if chosen == "not said":
        st.caption(
            say(
                "As long as it is not said, tests only tell whether groups are treated differently, not who fares "
                "worse, and no group has an impact ratio."
            )
        )
    return chosen


def many(name: str, choices: list[str], current: tuple[str, ...]) -> tuple[str, ...]:
    """Several columns."""
    return tuple(
        st.multiselect(
            _title(name),
            choices,
            [value for value in current if value in choices],
            key=forms.key_of(f"roles.{name}"),
            help=help_of(Roles.model_fields[name]),
            placeholder=say("Choose options"),
        )
    )


def missing_values(current: Missing) -> Missing:
    """What happens to rows with missing values."""
    chosen: Missing = st.selectbox(
        _title("missing"),
        get_args(Missing),
        index=get_args(Missing).index(current),
        format_func=name_of_mark,
        key=forms.key_of("roles.missing"),
        help=help_of(Roles.model_fields["missing"]),
    )
    return chosen


def _title(name: str) -> str:
    return title_of(Roles.model_fields[name])

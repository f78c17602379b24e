"""What the outcome holds, classes or a number: said by the reader, and shown."""

from typing import get_args

import streamlit as st

from core.base.settings import help_of, name_of_choice, title_of
from core.data.labels import as_said, condition
from core.data.quality.health import Health
from core.data.quality.number_outcome import NumberSummary
from core.data.roles import OutcomeType, Roles
from core.figures import data as figures
from core.language.phrases import interval, number, precision, whole
from core.language.told import say
from dashboard import forms
from dashboard.drawings import show_drawing
from dashboard.tables import ColumnSummary
from dashboard.text import literal

_FIELD = Roles.model_fields["outcome_type"]


def choose_type(column: ColumnSummary, chosen: OutcomeType | None) -> OutcomeType:
    """Whether the outcome in ``column`` holds classes or a number, as ``chosen`` before, or else as its values look."""
    proposed: OutcomeType = chosen or ("number" if column.quantity else "classes")
    options: tuple[OutcomeType, ...] = get_args(OutcomeType)
    holds: OutcomeType = st.radio(
        title_of(_FIELD),
        options,
        index=options.index(proposed),
        format_func=lambda value: name_of_choice(Roles, "outcome_type", value),
        horizontal=True,
        key=forms.key_of(f"roles.outcome_type.{column.name}"),
        help=help_of(_FIELD),
    )
    if holds == "number":
        st.caption(
            say("The model estimates a number, such as a cost. Groups are compared by their estimates and errors.")
        )
    elif column.quantity:
        st.caption(
            say(
                "{n} different values, most of them numbers: is this a number?",
                n=whole(column.distinct),
            )
        )
    elif column.is_score:
        st.caption(
            say(
                "{n} different numbers. If they count or measure something, choose “{number}”.",
                n=whole(column.distinct),
                number=name_of_choice(Roles, "outcome_type", "number"),
            )
        )
    return holds


def show_outcome(health: Health, roles: Roles) -> None:
    """How the outcome is spread, where more is to be said than a share: a number, or three classes and more."""
    if health.numbers is not None:
        st.markdown(say("**Outcome {outcome}**", outcome=literal(roles.outcome)))
        if len(health.numbers.counts):
            show_drawing(figures.draw_numbers(health.numbers, roles.outcome), "outcome_numbers")
        st.caption(_told(health.numbers))
    elif len(health.outcomes) > 2:
        with st.expander(say("**Outcome {outcome}**", outcome=literal(roles.outcome)), icon=":material/bar_chart:"):
            show_drawing(figures.draw_outcomes(health.outcomes, roles.favourable), "outcomes")


def show_by_group(health: Health, roles: Roles) -> None:
    """How groups differ in the outcome: mean of a number, share of the favourable value of classes."""
    if roles.outcome_type == "number":
        st.markdown(say("**Mean {outcome} in each group**", outcome=literal(roles.outcome)))
        show_drawing(figures.draw_outcome_means(health.groups, roles.outcome), "outcome_means")
        st.caption(say("Points are means, lines their 95% intervals; hollow points rest on fewer than 30 rows."))
    elif (good := what_is_good(roles)) and health.groups["favourable"].notna().any():
        st.markdown(say("**Share with {good}**", good=literal(good)))
        show_drawing(figures.draw_outcome_rates(health.groups, good, texts=bool(roles.text)), "outcome_rates")


def what_is_good(roles: Roles) -> str:
    """The favourable outcome or decision with its column, such as "deny = no"; empty where there is none."""
    column = roles.outcome or roles.decision
    return as_said(condition(column, roles.favourable)) if column and roles.favourable else ""


def _told(found: NumberSummary) -> str:
    low, first, median, third, high = found.quartiles
    return say(
        "From {ends}; half of the rows lie between {first} and {third}, half below {median}. Mean {mean}, standard "
        "deviation {spread}.",
        ends=interval(low, high),
        first=number(first, precision(first, third)),
        third=number(third, precision(first, third)),
        median=number(median),
        mean=number(found.mean),
        spread=number(found.spread),
    )

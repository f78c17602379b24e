"""The roles form: what each column is for, guessed first and corrected by the user."""

from typing import Any, get_args

import streamlit as st

from core.data.guess_roles import RolesGuess
from core.data.roles import Missing, Roles
from dashboard import forms
from dashboard.draft import Draft, RolesChoice
from dashboard.tables import MOST_VALUES, TableSummary
from dashboard.text import literal
from dashboard.views.data import outcome as data_outcome

_NONE = ""


def show(draft: Draft, summary: TableSummary, guess: RolesGuess | None, declared: dict[str, Any] | None) -> RolesChoice:
    """The form; returns the roles as they stand.

    Args:
        draft: What was chosen so far.
        summary: The table's columns.
        guess: What the columns are probably for; None for a built-in table.
        declared: The roles a built-in table declares; None for an uploaded one.
    """
    st.subheader("What each column is for")
    start = draft.roles if draft.roles != RolesChoice() else _start(guess, declared)
    if guess is not None and draft.roles == RolesChoice():
        st.caption("Guessed from names and values; please correct what is wrong.")
    text, annotation = _texts(summary, start)
    optional = text is not None
    free = tuple(name for name in summary.names if name not in (text, annotation))
    left, right = st.columns(2)
    with left:
        outcome = _one("outcome", free, start.outcome, optional)
        others = [name for name in free if name != outcome]
        column = summary.column(outcome) if outcome else None
        before = start.outcome_type if outcome == start.outcome else None
        outcome_type = "classes" if column is None or optional else data_outcome.choose_type(column, before)
        protected = _many("protected", others, start.protected)
    with right:
        favourable = None
        if outcome_type == "classes":
            values = () if column is None else column.values
            good = start.favourable if optional or start.favourable else _start(guess, declared).favourable
            favourable = _one("favourable", values, good if good in values else None, optional)
            if column is not None and column.distinct > MOST_VALUES:
                st.caption(f"{column.distinct:,} different values; the most frequent are listed.")
        predictions = _many("predictions", others, start.predictions)
    features = _many("features", others, start.features)
    missing = st.selectbox(
        _title("missing"),
        get_args(Missing),
        index=get_args(Missing).index(start.missing),
        format_func=lambda value: f"{value[0].upper()}{value[1:]}",
        key=forms.key_of("roles.missing"),
        help=Roles.model_fields["missing"].description,
    )
    with st.expander("How columns are read", icon=":material/tune:"):
        numeric = _many("numeric", [n for n in others if summary.column(n).kind == "text"], start.numeric)
        categorical = _many("categorical", others, start.categorical)
    _show_ignored(summary, {text, annotation, outcome, *protected, *features, *predictions}, guess)
    return RolesChoice(
        text=text,
        annotation=annotation,
        outcome=outcome,
        outcome_type=outcome_type,
        favourable=favourable,
        protected=protected,
        features=features,
        predictions=predictions,
        numeric=numeric,
        categorical=categorical,
        missing=missing,
    )


def _start(guess: RolesGuess | None, declared: dict[str, Any] | None) -> RolesChoice:
    if declared is not None:
        return RolesChoice.model_validate(declared)
    if guess is None:
        return RolesChoice()
    return RolesChoice(
        text=guess.text,
        annotation=guess.annotation,
        outcome=guess.outcome,
        outcome_type=guess.outcome_type,
        favourable=guess.favourable,
        protected=guess.protected,
        features=guess.features,
        predictions=guess.predictions,
    )


def _texts(summary: TableSummary, start: RolesChoice) -> tuple[str | None, str | None]:
    """The columns with texts and with people's judgement; folded away where nothing speaks for texts."""
    written = tuple(name for name in summary.names if summary.column(name).kind == "text")
    folded = start.text is None
    place = st.expander("For models that read texts", icon=":material/article:") if folded else st.container()
    with place:
        left, right = st.columns(2)
        with left:
            text = _one("text", written, start.text, optional=True)
        with right:
            rest = tuple(name for name in summary.names if name != text)
            annotation = _one("annotation", rest, start.annotation, optional=True) if text is not None else None
        if text is not None:
            st.info(
                "A text is enough to begin with. Everything below may stay empty; each column adds something: an "
                "**outcome**, whether answers are right; a **protected attribute**, how groups differ and which words "
                "give them away; **judgements of people**, whether the measures agree with them.",
                icon=":material/info:",
            )
    return text, annotation


def _one(name: str, choices: tuple[str, ...], current: str | None, optional: bool = False) -> str | None:
    """A single column or value; where it is optional it can be taken back."""
    options = (_NONE, *choices) if optional else choices
    chosen: str | None = st.selectbox(
        _title(name),
        options,
        index=options.index(current) if current in options else 0 if optional else None,
        format_func=lambda value: value or "None",
        key=f"{forms.key_of(f'roles.{name}')}{'.optional' if optional else ''}",
        help=Roles.model_fields[name].description,
        placeholder="Choose one",
    )
    return chosen or None


def _many(name: str, choices: list[str], current: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        st.multiselect(
            _title(name),
            choices,
            [value for value in current if value in choices],
            key=forms.key_of(f"roles.{name}"),
            help=Roles.model_fields[name].description,
        )
    )


def _title(name: str) -> str:
    return str(Roles.model_fields[name].title)


def _show_ignored(summary: TableSummary, used: set[str | None], guess: RolesGuess | None) -> None:
    ignored = [name for name in summary.names if name not in used]
    if not ignored:
        return
    reasons = dict(guess.ignored) if guess is not None else {}
    told = ", ".join(literal(name) + (f" ({literal(reasons[name])})" if name in reasons else "") for name in ignored)
    st.caption(f"Ignored: {told}.")

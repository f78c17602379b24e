"""The roles form: what each column is for, guessed first and corrected by the user."""

from typing import Any

import streamlit as st

from core.data.guess_roles import RolesGuess
from dashboard.draft import Draft, RolesChoice
from dashboard.tables import MOST_VALUES, TableSummary
from dashboard.text import literal
from dashboard.views.data import outcome as data_outcome
from dashboard.views.data import role_widgets
from dashboard.views.data.texts import choose_texts


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
    text, annotation = choose_texts(summary, start)
    optional = text is not None
    left, right = st.columns(2)
    below, together = st.container(), st.container()
    untold = tuple(name for name in summary.names if name not in (text, annotation))
    with together:
        belongs_to = role_widgets.one("belongs_to", untold, start.belongs_to, optional=True)
        if guess is not None and guess.belongs_to is not None and belongs_to is None:
            name, reason = guess.belongs_to
            st.caption(f"Perhaps {literal(name)}: {literal(reason)}.")
    free = tuple(name for name in untold if name != belongs_to)
    with left:
        outcome = role_widgets.one("outcome", free, start.outcome, optional)
        others = [name for name in free if name != outcome]
        column = summary.column(outcome) if outcome else None
        before = start.outcome_type if outcome == start.outcome else None
        outcome_type = "classes" if column is None or optional else data_outcome.choose_type(column, before)
        protected = role_widgets.many("protected", others, start.protected)
    with right:
        favourable = None
        if outcome_type == "classes":
            values = () if column is None else column.values
            good = start.favourable if optional or start.favourable else _start(guess, declared).favourable
            favourable = role_widgets.one("favourable", values, good if good in values else None, optional)
            if column is not None and column.distinct > MOST_VALUES:
                st.caption(f"{column.distinct:,} different values; the most frequent are listed.")
        predictions = role_widgets.many("predictions", others, start.predictions)
    with below:
        features = role_widgets.many("features", others, start.features)
    missing = role_widgets.missing_values(start.missing)
    with st.expander("How columns are read", icon=":material/tune:"):
        numeric = role_widgets.many("numeric", [n for n in others if summary.column(n).kind == "text"], start.numeric)
        categorical = role_widgets.many("categorical", others, start.categorical)
    _show_ignored(summary, {text, annotation, belongs_to, outcome, *protected, *features, *predictions}, guess)
    return RolesChoice(
        text=text,
        annotation=annotation,
        belongs_to=belongs_to,
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


def _show_ignored(summary: TableSummary, used: set[str | None], guess: RolesGuess | None) -> None:
    ignored = [name for name in summary.names if name not in used]
    if not ignored:
        return
    reasons = dict(guess.ignored) if guess is not None else {}
    told = ", ".join(literal(name) + (f" ({literal(reasons[name])})" if name in reasons else "") for name in ignored)
    st.caption(f"Ignored: {told}.")

"""What the equalized odds test asks, and of whom."""

from typing import get_args

import streamlit as st

from core.audits.equalized_odds.settings import Asks, EqualizedOdds
from core.audits.equalized_odds.wording_asked import example, question
from core.base.settings import name_of_choice
from core.data.roles import Roles
from core.language.told import retold, say
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.text import literal

_COMPARED: dict[Asks, str] = {
    "equalized odds": say(
        "Compared are people with the same outcome. The outcomes in the table are taken to be right."
    ),
    "demographic parity": say(
        "Compared are all people, whatever their outcome. Differences in the outcome are no excuse."
    ),
    "calibration": say(
        "Compared are people who got the same answer. Their outcomes in the table are taken to be right."
    ),
}


def show(draft: Draft) -> str:
    """Choose the question; returns why the next step is shut."""
    roles = draft.roles.roles
    if roles is None:
        return say("The roles of the columns are not chosen yet.")
    names = [literal(name) for name in draft.told(roles.protected)]
    st.write(
        say(
            "This test compares groups of people: those of **{names}**. All of them are tested.",
            names="**, **".join(names),
        )
    )
    _choose_question(draft, roles)
    _choose_given(session.draft(), roles)
    return ""


def _choose_given(draft: Draft, roles: Roles) -> None:
    """What may rightly matter for a decision; nothing where another question is asked, or numbers are predicted."""
    settings = draft.settings(EqualizedOdds)
    if settings.asks != "demographic parity" or roles.outcome_type == "number":
        session.keep(draft, settings.model_copy(update={"given": ()}))
        return
    columns = tuple(name for name in roles.features if name not in roles.protected)
    kept = settings.model_copy(update={"given": tuple(name for name in settings.given if name in columns)})
    drawn = forms.draw(EqualizedOdds, dict(kept), "fair_dummies.alike", fields=("given",), options={"given": columns})
    if drawn is not None:
        session.keep(draft, drawn)


def _choose_question(draft: Draft, roles: Roles) -> None:
    if roles.without_outcome:
        st.info(
            say(
                "{question} No outcome is known, so nobody can be compared with people of the same outcome. {example}",
                question=question("demographic parity"),
                example=example("demographic parity", numbers=False),
            ),
            icon=":material/info:",
        )
        return
    choices = get_args(Asks)
    chosen: Asks = st.radio(
        say("The question"),
        choices,
        index=choices.index(draft.settings(EqualizedOdds).asks),
        format_func=lambda value: name_of_choice(EqualizedOdds, "asks", value),
        captions=[question(value) for value in choices],
        key=forms.key_of("fair_dummies.asks"),
    )
    st.info(
        f"{example(chosen, numbers=roles.outcome_type == 'number')} {retold(_COMPARED[chosen])}", icon=":material/info:"
    )
    session.keep(draft, draft.settings(EqualizedOdds).model_copy(update={"asks": chosen}))

"""Which groups are combined, and which columns are looked within."""

import streamlit as st

from core.audits.group_fairness.settings import GroupFairness
from core.language.phrases import quoted
from core.language.told import say
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.text import literal


def show(draft: Draft) -> str:
    """How many attributes are combined, and the columns within which groups are compared too.

    Returns:
        Why the next step is shut; empty when it is open.
    """
    roles = draft.roles.roles
    if roles is None:
        return say("The roles of the columns are not chosen yet.")
    names = [literal(name) for name in draft.told(roles.protected)]
    st.write(say("All groups of **{names}** are compared.", names="**, **".join(names)))
    st.header(say("Combinations and columns"))
    st.caption(
        say(
            "A model can treat every group alike and still wrong those who belong to two of them, so combinations of "
            "groups are looked at too. Other columns accuse nobody: they show where a difference lies, and whether it "
            "is there among people who are alike."
        )
    )
    columns = tuple(name for name in roles.features if name not in roles.protected)
    chosen = draft.settings(GroupFairness)
    kept = chosen.model_copy(update={"columns": tuple(name for name in chosen.columns if name in columns)})
    drawn = forms.draw(
        GroupFairness, dict(kept), "groups.columns", fields=("columns", "depth"), options={"columns": columns}
    )
    if drawn is not None:
        drawn = _guessed(drawn)
    if drawn is None:
        return say("A setting is not valid yet.")
    strange = [name for name in drawn.columns if name not in columns]
    if strange:
        return say("{column} is no feature of this table beside the protected attributes.", column=quoted(strange[0]))
    session.keep(draft, drawn)
    return ""


def _guessed(chosen: GroupFairness) -> GroupFairness | None:
    """What is known of an attribute that is only guessed; None while a setting is not valid."""
    fields = ("guessed", "guessed_group", "guessed_right", "others_right")
    with st.expander(say("A group that is only guessed"), expanded=bool(chosen.guessed), icon=":material/help:"):
        st.caption(
            say(
                "If a protected attribute is not recorded, declare the column of guesses as protected and say here how "
                "often the guess was right where it was checked. It can show a violation, and never that there is none."
            )
        )
        return forms.draw(GroupFairness, dict(chosen), "groups.guessed", fields=fields)

"""What the fair-dummies test asks, of whom, and which columns make subgroups."""

from typing import get_args

import streamlit as st

from core.audits.equalized_odds.settings import Asks, EqualizedOdds
from core.audits.equalized_odds.wording import example, question
from core.data.roles import Roles
from core.settings import name_of_choice
from dashboard import forms, session
from dashboard.session import Draft
from dashboard.text import literal

_COMPARED: dict[Asks, str] = {
    "equalized odds": "Compared are people with the same outcome. The outcomes in the table are taken to be right.",
    "demographic parity": "Compared are all people, whatever their outcome. Differences in the outcome are no excuse.",
    "calibration": "Compared are people who got the same answer. Their outcomes in the table are taken to be right.",
}


def show(draft: Draft) -> str:
    """Choose the question and the columns of subgroups; returns why the next step is shut."""
    roles = draft.roles.roles
    if roles is None:
        return "The roles of the columns are not chosen yet."
    names = [literal(name) for name in roles.protected]
    st.write(f"This test compares groups of people: those of **{'**, **'.join(names)}**. All of them are tested.")
    draft = _choose_question(draft, roles)
    return _choose_subgroups(draft, roles)


def _choose_question(draft: Draft, roles: Roles) -> Draft:
    choices = get_args(Asks)
    chosen: Asks = st.radio(
        "The question",
        choices,
        index=choices.index(draft.settings(EqualizedOdds).asks),
        format_func=lambda value: name_of_choice(EqualizedOdds, "asks", value),
        captions=[question(value) for value in choices],
        key=forms.key_of("fair_dummies.asks"),
    )
    st.info(f"{example(chosen, numbers=roles.outcome_type == 'number')} {_COMPARED[chosen]}", icon=":material/info:")
    return session.keep(draft, draft.settings(EqualizedOdds).model_copy(update={"asks": chosen}))


def _choose_subgroups(draft: Draft, roles: Roles) -> str:
    """The columns whose combinations are looked at besides the protected attributes one by one."""
    st.subheader("Subgroups")
    st.caption(
        "A model can treat every group alike and still wrong those who belong to two of them. So combinations of "
        "columns are looked at too, such as sex and region, and numbers in ranges; one bound holds for all of them."
    )
    columns = tuple(dict.fromkeys((*roles.protected, *roles.features)))
    known = draft.settings(EqualizedOdds)
    kept = known.model_copy(
        update={"subgroup_columns": tuple(name for name in known.subgroup_columns if name in columns)}
    )
    drawn = forms.draw(
        EqualizedOdds,
        dict(kept),
        "fair_dummies.subgroups",
        fields=("subgroup_columns", "depth"),
        options={"subgroup_columns": columns},
    )
    if drawn is None:
        return "A setting is not valid yet."
    strange = [name for name in drawn.subgroup_columns if name not in columns]
    if strange:
        return f"{literal(strange[0])} is neither a protected attribute nor a feature of this table."
    session.keep(draft, drawn)
    return ""

"""Which columns make the subgroups."""

import streamlit as st

from core.audits.group_fairness.settings import GroupFairness
from core.language.told import say
from core.phrases import quoted
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.text import literal


def show(draft: Draft) -> str:
    """The columns whose combinations are looked at besides the protected attributes one by one.

    Returns:
        Why the next step is shut; empty when it is open.
    """
    roles = draft.roles.roles
    if roles is None:
        return say("The roles of the columns are not chosen yet.")
    names = [literal(name) for name in roles.protected]
    st.write(say("All groups of **{names}** are compared, and those of every two of them.", names="**, **".join(names)))
    st.header(say("Subgroups"))
    st.caption(
        say(
            "A model can treat every group alike and still wrong those who belong to two of them. So "
            "combinations of columns are looked at too, such as sex and region, and numbers in ranges; one "
            "bound holds for all of them."
        )
    )
    columns = tuple(dict.fromkeys((*roles.protected, *roles.features)))
    chosen = draft.settings(GroupFairness)
    kept = chosen.model_copy(
        update={"subgroup_columns": tuple(name for name in chosen.subgroup_columns if name in columns)}
    )
    drawn = forms.draw(
        GroupFairness,
        dict(kept),
        "groups.subgroups",
        fields=("subgroup_columns", "depth"),
        options={"subgroup_columns": columns},
    )
    if drawn is None:
        return say("A setting is not valid yet.")
    strange = [name for name in drawn.subgroup_columns if name not in columns]
    if strange:
        return say("{column} is neither a protected attribute nor a feature of this table.", column=quoted(strange[0]))
    session.keep(draft, drawn)
    return ""

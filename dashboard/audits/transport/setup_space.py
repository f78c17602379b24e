"""With whom people are compared: people in the table, or the same person in every other group."""

from typing import Literal

import streamlit as st

from core.audits.transport.settings import Transport
from core.base.settings import name_of_choice, title_of
from core.language.told import retold, say
from dashboard import forms
from dashboard.draft import Draft
from dashboard.text import literal
from dashboard.views.model.preview import preview_of

Space = Literal["observed", "all groups"]  # verbatim

_SAID: dict[Space, str] = {
    "all groups": say(  # verbatim
        "The model is asked how it would judge the same person in every other group, all else equal. "
        "That finds what it makes of the protected attributes themselves; one that does not read them "
        "always answers alike."
    ),
    "observed": say(
        "Who is in the table limits the comparison. It also sees what comes in through other columns, as "
        "far as the columns that tell people apart leave them open."
    ),
}


def choose(draft: Draft) -> Space:
    """The choice, where the model can be asked about people who are not in the table; else why it cannot."""
    if draft.model is None:
        return "observed"
    seen = preview_of(draft)
    if seen is None or seen.answers_only_here:
        if seen is not None:
            st.caption(
                say(
                    "People are compared with people in the table. {why}",
                    why=literal(retold(seen.answers_only_here)),
                )
            )
        return "observed"
    spaces = list(_SAID)
    chosen: Space = st.radio(
        title_of(Transport.model_fields["space"]),
        spaces,
        index=spaces.index(draft.settings(Transport).space),
        format_func=lambda space: name_of_choice(Transport, "space", space),
        captions=[retold(_SAID[space]) for space in spaces],
        key=forms.key_of("rules.space"),
    )
    return chosen

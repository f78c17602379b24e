"""What the sensitivity test looks for in texts: words that name a group, and words that give it away."""

from typing import Any

import streamlit as st

from core.status import NoStatus
from dashboard import session
from dashboard.session import Draft
from dashboard.views import sensitivity_reference, sensitivity_status, sensitivity_swaps, sensitivity_words


def show(draft: Draft) -> str:
    """Say which words give a group away, and see where they stand; returns why the next step is shut."""
    st.write(
        "Two texts are similar if they differ only in words that name a group, such as “she” and “he”. What is "
        "proposed below is a fair start; nothing needs to be changed."
    )
    st.subheader("Words that name a group")
    draft = _keep_and_show(draft, words=sensitivity_words.choose(draft))
    seen = sensitivity_words.look(draft)
    if seen is not None:
        sensitivity_words.show(draft, seen)
        st.subheader("Texts with these words exchanged")
        draft = _keep_and_show(draft, edits=sensitivity_swaps.show(draft, seen))
    st.subheader("Words that give the group away")
    status, missing = sensitivity_status.choose(draft)
    draft = take_status(draft, status)
    if not missing:
        missing = sensitivity_status.show(draft)
    st.subheader("A second model to compare with")
    draft, unfit = sensitivity_reference.choose(draft)
    if missing or unfit:
        return missing or unfit
    if seen is None:
        return "The words are not looked for yet."
    if not seen.listed_texts and isinstance(draft.sensitivity.status, NoStatus):
        return "None of the words occurs in any text, and no model says which words give the group away."
    return ""


def keep(draft: Draft, **values: Any) -> Draft:
    """The draft with these fields of its sensitivity test."""
    changed = draft.sensitivity.model_copy(update=values)
    if changed == draft.sensitivity:
        return draft
    session.change(sensitivity=changed)
    return draft.model_copy(update={"sensitivity": changed})


def _keep_and_show(draft: Draft, **values: Any) -> Draft:
    """The same; where they changed, the page begins anew, so that what stands above shows it too."""
    if keep(draft, **values) != draft:
        st.rerun()
    return draft


def take_status(draft: Draft, status: Any) -> Draft:
    """The draft with another protected status model; without one, the listed words are what is measured by."""
    before = draft.sensitivity.status
    draft = keep(draft, status=status)
    if isinstance(before, NoStatus) == isinstance(status, NoStatus):
        return draft
    measure = "P5" if isinstance(status, NoStatus) else "P3"
    reading = draft.sensitivity_reading.model_copy(update={"measure": measure})
    session.change(sensitivity_reading=reading)
    return draft.model_copy(update={"sensitivity_reading": reading})

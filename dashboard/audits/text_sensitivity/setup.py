"""What the sensitivity test looks for in texts: words that name a group, and words that give it away."""

from typing import Any

import streamlit as st

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import TextSensitivity
from core.protected_status import NoStatus
from dashboard import session
from dashboard.audits.text_sensitivity import setup_reference as sensitivity_reference
from dashboard.audits.text_sensitivity import setup_status as sensitivity_status
from dashboard.audits.text_sensitivity import setup_swaps as sensitivity_swaps
from dashboard.audits.text_sensitivity import setup_words as sensitivity_words
from dashboard.session import Draft


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
    if not seen.listed_texts and isinstance(draft.settings(TextSensitivity).status, NoStatus):
        return "None of the words occurs in any text, and no model says which words give the group away."
    return ""


def keep(draft: Draft, **values: Any) -> Draft:
    """The draft with these fields of its sensitivity test."""
    return session.keep(draft, draft.settings(TextSensitivity).model_copy(update=values))


def _keep_and_show(draft: Draft, **values: Any) -> Draft:
    """The same; where they changed, the page begins anew, so that what stands above shows it too."""
    if keep(draft, **values) != draft:
        st.rerun()
    return draft


def take_status(draft: Draft, status: Any) -> Draft:
    """The draft with another protected status model; without one, the listed words are what is measured by."""
    before = draft.settings(TextSensitivity).status
    draft = keep(draft, status=status)
    if isinstance(before, NoStatus) == isinstance(status, NoStatus):
        return draft
    measure = "P5" if isinstance(status, NoStatus) else "P3"
    return session.keep(draft, draft.decision(TextSensitivityDecision).model_copy(update={"measure": measure}))

"""What the sensitivity test looks for in texts: words that name a group, and words that give it away."""

from typing import Any

import streamlit as st

from core.audits.text_sensitivity.settings import TextSensitivity
from core.language.told import say
from core.protected_status import NoStatus
from dashboard.audits.text_sensitivity import setup_reference, setup_status, setup_swaps, setup_words, status_quality
from dashboard.audits.text_sensitivity.setup_status import keep, take_status
from dashboard.draft import Draft


def show(draft: Draft) -> str:
    """Say which words give a group away, and see where they stand; returns why the next step is shut."""
    st.write(
        say(
            "Two texts are similar if they differ only in words that name a group, such as “she” and “he”. "
            "What is proposed below is a start; please check it."
        )
    )
    st.header(say("Words that name a group"))
    draft = _keep_and_show(draft, words=setup_words.choose(draft))
    seen = setup_words.look(draft)
    if seen is not None:
        setup_words.show(draft, seen)
        st.header(say("Texts with these words exchanged"))
        draft = _keep_and_show(draft, edits=setup_swaps.show(draft, seen))
    st.header(say("Words that give the group away"))
    status, missing = setup_status.choose(draft)
    draft = take_status(draft, status)
    if not missing:
        missing = status_quality.show(draft)
    st.header(say("A second model to compare with"))
    draft, unfit = setup_reference.choose(draft)
    if missing or unfit:
        return missing or unfit
    if seen is None:
        return say("The words are not looked for yet.")
    if not seen.listed_texts and isinstance(draft.settings(TextSensitivity).status, NoStatus):
        return say("None of the words occurs in any text, and no model says which words give the group away.")
    return ""


def _keep_and_show(draft: Draft, **values: Any) -> Draft:
    """The same; where they changed, the page begins anew, so that what stands above shows it too."""
    if keep(draft, **values) != draft:
        st.rerun()
    return draft

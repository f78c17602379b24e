"""One entry as its link shows it: the verdict, what is stated, the signed files, and nothing else of anybody."""

from functools import partial

import streamlit as st

from core.language.told import say
from core.register.links import opened, shared_file
from core.register.register import Register
from core.report.stated import stated_fields
from dashboard.messages import show_facts
from dashboard.text import literal
from dashboard.views.register import frozen, words


def page() -> None:
    """Show the entry, or say in a sentence why its link shows nothing."""
    st.title(say("An audit, shared with you"), anchor=False)
    register = Register()
    link = st.query_params.get("entry", ""), st.query_params.get("key", "")
    entry = opened(register, *link)
    st.header(words.title(entry), anchor=False)
    st.caption(words.details(entry))
    st.markdown(f"{words.verdict(entry)} · {words.status(entry)}")
    if entry.summary.headline:
        st.write(f"**{literal(entry.summary.headline)}.** {literal(entry.summary.sentence)}")
    stated = {field.label: field.value for field in stated_fields(entry.statement).values() if field.value}
    if stated:
        st.header(say("Statement"), anchor=False)
        show_facts(stated)
    if entry.documents:
        st.header(say("Signed files"), anchor=False)
        frozen.offer(entry, partial(shared_file, register, *link))
    else:
        st.info(say("It is not signed yet. Once it is, its report and its record can be read here."))
    st.caption(say("You can read and save what stands here, and change nothing."))

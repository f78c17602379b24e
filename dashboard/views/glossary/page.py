"""The glossary: every symbol and term, with a search field."""

import streamlit as st

from core.language.phrases import count
from core.language.told import say, say_count
from core.report.glossary import Term, find, topics


def page() -> None:
    """Show the terms that match what is typed, by topic; all of them when nothing is."""
    st.title(say("Glossary"))
    query = st.text_input(
        say("Search the glossary"),
        placeholder=say("For example: tolerance, λ, bound"),
        key="glossary_query",
        max_chars=80,
    )
    found = find(query)
    st.caption(_count(len(found), query))
    for topic, heading in topics().items():
        terms = [term for term in found if term.topic == topic]
        if terms:
            st.header(heading)
            for term in terms:
                _show(term)


def _show(term: Term) -> None:
    with st.container(border=True):
        st.markdown(f"**{term.name}**" + (f" · `{term.symbol}`" if term.symbol else ""))
        st.markdown(" ".join(part for part in (term.meaning, term.explanation) if part))
        notes = [say("Also: {also}.", also=", ".join(term.also)) if term.also else "", term.reference]
        if any(notes):
            st.caption("  \n".join(note for note in notes if note))


def _count(found: int, query: str) -> str:
    if not query.strip():
        return count(found, "term")
    if not found:
        return say("No term matches. Try a shorter word, or the symbol alone.")
    return say_count("{n} term matches", "{n} terms match", found)

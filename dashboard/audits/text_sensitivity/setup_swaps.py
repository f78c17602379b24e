"""Texts beside their counterparts, with the exchanged words marked; every counterpart can be corrected."""

import numpy as np
import streamlit as st

from core.audits.text_sensitivity.preview import WordsLook, counterpart, with_edit
from core.audits.text_sensitivity.settings import Edit, TextSensitivity
from core.language.phrases import count, whole
from core.language.told import say
from core.text.swaps import exchange
from dashboard import forms
from dashboard.audits.text_sensitivity.marked_text import wrapped
from dashboard.draft import Draft
from dashboard.pager import previous_and_next
from dashboard.text import literal

_PLACE = "swaps.place"
_MARK = "color:inherit;font-weight:700;text-decoration:underline;background:rgba(230,159,0,0.25)"
_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;margin:0;max-height:22rem;overflow-y:auto"


def show(draft: Draft, seen: WordsLook) -> tuple[Edit, ...]:
    """One text after the other; returns the counterparts written by hand."""
    edits = draft.settings(TextSensitivity).edits
    if not seen.shown:
        st.caption(say("In no text a word can be exchanged, so there is nothing to show."))
        return _forget(edits)
    st.caption(
        say(
            "Exchanged words are bold and underlined. The exchange knows no grammar: where it errs, correct "
            "the counterpart. The test uses what stands there."
        )
    )
    place = min(int(st.session_state.get(_PLACE, 0)), len(seen.shown) - 1)
    _browse(place, len(seen.shown), seen.exchanged_texts)
    record, text = int(seen.records[place]), seen.shown[place]
    words = draft.settings(TextSensitivity).words
    swapped = exchange(text, words)
    now = counterpart(edits, record, text, words)
    by_hand = now != swapped.text
    left, right = st.columns(2)
    with left, st.container(border=True, key="swap_before"):
        st.markdown(say("**Row {record}, as it is**", record=whole(record)))
        st.html(marked(text, swapped.before))
    with right, st.container(border=True, key="swap_after"):
        st.markdown(say("**Counterpart, corrected by hand**") if by_hand else say("**Counterpart**"))
        st.html(marked(now, np.empty((0, 2), dtype=np.int64) if by_hand else swapped.after))
    with st.expander(say("Correct this counterpart"), icon=":material/edit:"):
        written = st.text_area(say("Counterpart"), now, height="content", key=forms.key_of(f"swap.{record}"))
        if not written.strip():
            st.caption(say("An empty counterpart is not used."))
        elif written != now:
            edits = with_edit(edits, record, written, swapped.text)
        if by_hand and st.button(say("Undo the correction"), key=f"swap_undo_{record}", icon=":material/undo:"):
            forms.forget("swap")
            edits = with_edit(edits, record, swapped.text, swapped.text)
    return _forget(edits)


def marked(text: str, found: np.ndarray) -> str:
    """``text`` as HTML in which nothing of it is obeyed, with these spans, shape (m, 2), marked."""
    body = wrapped(text, found, lambda _, word: f'<mark style="{_MARK}">{word}</mark>')  # verbatim
    return f'<p dir="auto" style="{_TEXT}">{body}</p>'


def _browse(place: int, shown: int, exchanged: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="swaps_browse"):
        previous_and_next(_PLACE, place, shown - 1, named="swaps")
        if exchanged == shown:
            st.caption(say("Text {place} of {shown}", place=place + 1, shown=shown))
        else:
            st.caption(
                say(
                    "Text {place} of {shown}, drawn at random from {texts} with such words",
                    place=place + 1,
                    shown=shown,
                    texts=count(exchanged, "text"),
                )
            )


def _forget(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The corrections that stand, with a way to drop them all."""
    if not edits:
        return edits
    records = ", ".join(whole(edit.record) for edit in edits[:10]) + ("…" if len(edits) > 10 else "")
    with st.container(horizontal=True, vertical_alignment="center", key="swaps_edits"):
        st.caption(
            say(
                "{counterparts} corrected by hand: {records}",
                counterparts=count(len(edits), "counterpart"),
                records=literal(say("row {records}", records=records)),
            )
        )
        if st.button(say("Forget these corrections"), key="swaps_forget", type="tertiary", icon=":material/delete:"):
            forms.forget("swap")
            return ()
    return edits

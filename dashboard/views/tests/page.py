"""Step 3: which tests, what each one asks, and what it needs."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.audits import KINDS
from core.language.phrases import count, listed
from core.language.told import say
from dashboard import forms, session, stepper
from dashboard.draft import Draft
from dashboard.jobs.previews import ModelPreview
from dashboard.text import literal
from dashboard.views.model.preview import preview_of

_A_ROW = 3


def page() -> None:
    """Choose the tests among those that the model allows."""
    draft = session.draft()
    if (place := stepper.header(draft, "tests")) is None:
        return
    st.write(say("Which questions should be answered? What is ticked suits your model; press Next to go on with it."))
    seen = preview_of(draft)
    problem = say("It is not known yet which tests suit the model.")
    if seen is not None:
        draft, problem = _choose(draft, seen), ""
    stepper.footer(place, draft, "tests", problem)


def _choose(draft: Draft, seen: ModelPreview) -> Draft:
    unsuited = dict(seen.unsuited)
    unchosen = set(draft.tests) in (set(), set(KINDS))
    if unchosen:
        draft = session.keep(draft, *seen.settings)
    left_out = {*unsuited, *dict(seen.held_back), *dict(seen.unready)} if unchosen else {*unsuited}
    now = tuple(kind for kind in draft.tests if kind not in left_out) or seen.proposed
    suited = [kind for kind in KINDS if kind not in unsuited]
    ticked = [
        kind
        for kind, place in zip(suited, _places(len(suited)), strict=True)
        if _show(kind, draft, place, kind in now, seen)
    ]
    if unsuited:
        _fold(draft, seen, expanded=not suited)
    if len(ticked) > 1:
        st.caption(say("Several tests are several chances of a false alarm, so each has to give stronger evidence."))
    if beside := [kind for kind in suited if kind not in ticked and any(kind in KINDS[one].beside for one in ticked)]:
        names = listed([draft.title(kind) for kind in beside])
        st.info(
            say("Best run beside what is ticked, and not ticked: {tests}.", tests=literal(names)),
            icon=":material/add_task:",
        )
    chosen = tuple(ticked)
    return session.change(tests=chosen) if chosen != draft.tests else draft


def _fold(draft: Draft, seen: ModelPreview, *, expanded: bool) -> None:
    """The tests that cannot be run here, each with its reason."""
    unsuited = dict(seen.unsuited)
    names = [kind for kind in KINDS if kind in unsuited]
    with st.expander(say("{tests} not available here, and why", tests=count(len(names), "test")), expanded=expanded):
        for kind, place in zip(names, _places(len(names)), strict=True):
            _show(kind, draft, place, False, seen)


def _places(cards: int) -> list[DeltaGenerator]:
    """Where the cards go: up to three side by side, more of them in rows of two."""
    a_row = max(cards, 1) if cards <= _A_ROW else 2
    return [place for _ in range(0, cards, a_row) for place in st.columns(a_row)][:cards]


def _show(kind: str, draft: Draft, place: DeltaGenerator, ticked: bool, seen: ModelPreview) -> bool:
    """One test as a card; returns whether it is ticked."""
    told = KINDS[kind]
    reason, against = dict(seen.unsuited).get(kind, ""), dict(seen.held_back).get(kind, "")
    unready = dict(seen.unready).get(kind, "")
    key = forms.key_of(f"tests.{kind}")
    st.session_state.setdefault(key, ticked)
    with place, st.container(border=True, key=f"test_{kind}", height="stretch"):
        chosen = st.checkbox(draft.title(kind), key=key, disabled=bool(reason))
        st.write(say("**Asks:** {what}", what=told.asks))
        st.write(say("**Needs:** {what}", what=told.needs))
        st.write(say("**Says:** {what}", what=told.gives))
        if reason:
            st.info(f"{say('Not available here.')} {literal(reason)}", icon=":material/block:")
        if against:
            st.info(f"{say('Not proposed here.')} {literal(against)}", icon=":material/info:")
        if unready:
            st.info(f"{say('Needs a choice of yours later.')} {literal(unready)}", icon=":material/info:")
    return chosen and not reason

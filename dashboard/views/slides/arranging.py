"""Order, captions and hiding of slides, where a presenter changes them; kept as long as the page is open."""

import streamlit as st

from core.language.told import say
from core.slides.deck import Deck
from core.slides.settings import LONGEST_CAPTION, DeckSettings, SlideSettings
from dashboard.messages import guarded


def arranged(deck: Deck, job: str) -> DeckSettings:
    """What was chosen for the slides of a result; slides that came since follow as they are."""
    known = {slide.key for slide in deck.slides}
    chosen: DeckSettings = st.session_state.get(_place(job), DeckSettings())
    kept = tuple(one for one in chosen.slides if one.key in known)
    named = {one.key for one in kept}
    settings = DeckSettings(slides=(*kept, *(one for one in DeckSettings.of(deck).slides if one.key not in named)))
    st.session_state[_place(job)] = settings
    return settings


def show(deck: Deck, settings: DeckSettings, job: str) -> None:
    """A row a slide: caption, up, down, and whether it is shown."""
    st.caption(
        say(
            "Order, captions and which slides are shown are yours; what the audit found stands as it is. "
            "Kept while this page is open, and in the files you save."
        )
    )
    known = {slide.key: slide for slide in deck.slides}
    moves = (("up", say("Up"), -1, 0), ("down", say("Down"), 1, len(settings.slides) - 1))
    for place, one in enumerate(settings.slides):
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"slide_row_{one.key}"):
            st.text_input(
                ", ".join(filter(None, (say("Caption of slide {number}", number=place + 1), known[one.key].test))),
                one.caption or known[one.key].caption,
                key=f"slide_caption_{one.key}",
                max_chars=LONGEST_CAPTION,
                on_change=guarded()(_change),
                args=(job, one.key, "caption"),
            )
            for name, label, step, end in moves:
                st.button(
                    label,
                    key=f"slide_{name}_{one.key}",
                    icon=f":material/arrow_{name}ward:",
                    disabled=place == end,
                    on_click=guarded()(_move),
                    args=(job, one.key, step),
                )
            st.toggle(
                say("Shown"),
                not one.hidden,
                key=f"slide_shown_{one.key}",
                on_change=guarded()(_change),
                args=(job, one.key, "shown"),
            )


def _change(job: str, key: str, what: str) -> None:
    """Keep what a widget says of a slide; others may have changed with the same click."""
    said = st.session_state[f"slide_{what}_{key}"]
    changed = {"caption": said} if what == "caption" else {"hidden": not said}
    _keep(job, [one.model_copy(update=changed) if one.key == key else one for one in _chosen(job)])


def _move(job: str, key: str, step: int) -> None:
    slides = _chosen(job)
    place = next(i for i, one in enumerate(slides) if one.key == key)
    slides[place], slides[place + step] = slides[place + step], slides[place]
    _keep(job, slides)


def _chosen(job: str) -> list[SlideSettings]:
    settings: DeckSettings = st.session_state[_place(job)]
    return list(settings.slides)


def _keep(job: str, slides: list[SlideSettings]) -> None:
    st.session_state[_place(job)] = DeckSettings(slides=tuple(slides))


def _place(job: str) -> str:
    return f"slides_of_{job}"

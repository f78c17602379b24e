"""Order, captions and hiding of slides, where a presenter changes them; kept as long as the page is open."""

import streamlit as st

from core.slides.deck import Deck
from core.slides.settings import LONGEST_CAPTION, DeckSettings, SlideSettings
from dashboard.messages import guarded


def arranged(deck: Deck, job: str) -> DeckSettings:
    """What was chosen for the slides of a result; slides that came since follow as they are."""
    known = {slide.key for slide in deck.slides}
    chosen: DeckSettings = st.session_state.get(_place(job), DeckSettings())
    kept = tuple(one for one in chosen.slides if one.key in known)
    named = {one.key for one in kept}
    return DeckSettings(slides=(*kept, *(one for one in DeckSettings.of(deck).slides if one.key not in named)))


def show(deck: Deck, settings: DeckSettings, job: str) -> None:
    """A row a slide: caption, up, down, and whether it is shown."""
    st.caption(
        "Order, captions and which slides are shown are yours; what the audit found stands as it is. Kept while this "
        "page is open, and in the files you save."
    )
    tests = {slide.key: slide.test for slide in deck.slides}
    moves = (("up", -1, 0), ("down", 1, len(settings.slides) - 1))
    for place, one in enumerate(settings.slides):
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"slide_row_{one.key}"):
            st.text_input(
                f"Caption of slide {place + 1}{f', {tests[one.key]}' if tests[one.key] else ''}",
                one.caption,
                key=f"slide_caption_{one.key}",
                max_chars=LONGEST_CAPTION,
                on_change=guarded()(_change),
                args=(settings, job, place, "caption"),
            )
            for name, step, end in moves:
                st.button(
                    name.capitalize(),
                    key=f"slide_{name}_{one.key}",
                    icon=f":material/arrow_{name}ward:",
                    disabled=place == end,
                    on_click=guarded()(_swap),
                    args=(settings, job, place, place + step),
                )
            st.toggle(
                "Shown",
                not one.hidden,
                key=f"slide_shown_{one.key}",
                on_change=guarded()(_change),
                args=(settings, job, place, "shown"),
            )


def _change(settings: DeckSettings, job: str, place: int, what: str) -> None:
    """Keep what a widget says of a slide."""
    one = settings.slides[place]
    said = st.session_state[f"slide_{what}_{one.key}"]
    changed = one.model_copy(update={"caption": said} if what == "caption" else {"hidden": not said})
    _keep(job, (*settings.slides[:place], changed, *settings.slides[place + 1 :]))


def _swap(settings: DeckSettings, job: str, place: int, to: int) -> None:
    slides = list(settings.slides)
    slides[place], slides[to] = slides[to], slides[place]
    _keep(job, tuple(slides))


def _keep(job: str, slides: tuple[SlideSettings, ...]) -> None:
    st.session_state[_place(job)] = DeckSettings(slides=slides)


def _place(job: str) -> str:
    return f"slides_of_{job}"

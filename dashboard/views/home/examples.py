"""Examples that run with one click; what they need of core is imported where it is used, for a cold server is slow."""

from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.language.told import say, say_count
from core.workflows.examples_told import TOLD, ExamplePicture, ToldExample
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Needs
from dashboard.needed import too_large
from dashboard.pages import open_page
from dashboard.text import as_html
from dashboard.waiting import size

if TYPE_CHECKING:
    from core.audits import AuditSettings
    from core.workflows.examples import Example

_SHOWN = ("hiring-baseline", "hiring-sensr", "hiring-predictions", "hiring-decisions", "compas-faith", "diabetes")
_MOST_TEXTS = 2
"""Examples of text classifiers shown at once, the first of the table of examples."""
_DRAWING = Path(__file__).parents[3] / "assets" / "pictures.svg"
_TREATED = {
    "differently": ("yes", "no"),
    "alike": ("yes", "yes"),
    "further apart": ("low", "high"),
    "unclear": ("open", "open"),
}
"""What one of the two gets, and what the other, by the names of the drawing's parts."""


def show() -> None:
    """Some examples, and the others folded away; which tests they run is told last, once these are imported."""
    texts = [one.key for one in TOLD if one.picture.topic == "texts"]
    shown = (*_SHOWN, *texts[:_MOST_TEXTS])
    told = {one.key: one for one in TOLD}
    places = {key: _show_example(told[key]) for key in shown}
    with st.expander(say("More examples"), icon=":material/more_horiz:"):
        places |= {key: _show_example(more) for key, more in told.items() if key not in shown}
    from core.workflows.examples import example

    for key, place in places.items():
        place.caption(_what_it_runs(example(key)))


def _show_example(chosen: ToldExample) -> DeltaGenerator:
    """The card of an example; returns the place for what it runs."""
    with st.container(border=True, key=f"card_{chosen.key}"):
        told, beside = st.columns([3, 1])
        with beside:
            st.html(drawn(chosen.picture, chosen.about))
        with told:
            st.markdown(f"**{chosen.title}**")
            st.write(chosen.story)
            with st.container(horizontal=True, vertical_alignment="center", key=f"row_{chosen.key}"):
                if st.button(say("Run this example"), key=f"example_{chosen.key}", icon=":material/play_circle:"):
                    _run(chosen.key)
                place = st.empty()
                place.caption("…")  # as high as what follows, lest a button moves away from under the pointer
                return place


def _what_it_runs(chosen: "Example") -> str:
    """Its tests, what it brings and what it takes, in a sentence."""
    tests = names_of_tests(chosen.audits)
    brings = say("with the model") if chosen.model else say("with predictions only")
    if chosen.needs_network:
        brings = say("{brings}; needs the internet, to fetch its table once", brings=brings)
    return say_count(
        "{tests} test, {brings}; takes about {size} of memory.",
        "{tests} tests, {brings}; takes about {size} of memory.",
        len(chosen.audits),
        tests=f"{tests[:1].upper()}{tests[1:]}",
        brings=brings,
        size=size(_needs(chosen).memory),
    )


def _needs(chosen: ToldExample) -> Needs:
    return Needs(memory=chosen.megabytes * 10**6)


def _run(key: str) -> None:
    from core.base.files import FileStore
    from core.workflows.examples import example, open_example
    from dashboard.views.results.widgets import forget_reading

    needs = _needs(example(key))
    if reason := too_large(needs):
        st.error(reason, icon=":material/memory:")
        return
    study = open_example(key, FileStore())
    job = jobs.submit("audit", {"study": study.model_dump(mode="json")}, again=True, needs=needs)
    forget_reading()
    open_page("audit", audit=job.id, tour="yes")


def names_of_tests(audits: Iterable["AuditSettings"]) -> str:
    """What people call these tests, without the word "test"."""
    from core.audits import KINDS
    from core.language.phrases import listed

    return listed([KINDS[audit.kind].name_in_text for audit in audits])


def drawn(picture: ExamplePicture, alt: str) -> str:
    """A drawing as HTML, on a light page or a dark one.

    Args:
        picture: What it shows.
        alt: The same in words, for those who do not see it.
    """
    first, second = _TREATED[picture.treated]
    drawing = _whole().format(topic=picture.topic, first=first, second=second)
    address = f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"
    return f'<img class="ev-picture" alt="{as_html(alt)}" src="{address}">'  # verbatim


@cache
def _whole() -> str:
    """The drawing with all its parts, of which few are shown."""
    return _DRAWING.read_text(encoding="utf-8")

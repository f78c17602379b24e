"""One claim on one line: its bound, its estimate and the tolerance, drawn so small that it stands beside words."""

import math
from collections.abc import Iterator

import streamlit as st

from core.claims import Claim
from core.figures.series import in_view
from core.language.told import say
from core.report.multiple_tests import TestLine
from dashboard.text import as_html

_ROOM = 0.08
"""Of the line's length, at both ends."""


def show_sparkline(line: TestLine, nothing: float) -> None:
    """The claim of a line; nothing where it has no number.

    Args:
        line: The line.
        nothing: The value without any difference.
    """
    if line.claim is not None and line.claim.defined:
        st.html(sparkline(line.claim, line.number, line.verdict.words, nothing))


def sparkline(claim: Claim, number: str, verdict: str, nothing: float) -> str:
    """The same as HTML: a bar to the bound that decides, a diamond for the estimate, a dashed line for the tolerance.

    A bar whose bound lies out of view ends in an arrow. Shapes tell them apart, not colours; what they show is said to
    those who cannot see it.

    Args:
        claim: A claim that is defined.
        number: Its number in words.
        verdict: What is said of it.
        nothing: The value without any difference, from which the line begins.
    """
    low, high = sorted(one if math.isfinite(one) else claim.estimate for one in claim.decisive)
    least, most = in_view(claim.estimate, claim.tolerance, nothing)
    cut = [side for side, beyond in (("left", low < least), ("right", high > most)) if beyond]
    low, high = max(low, least), min(high, most)
    places = [low, high, claim.estimate, claim.tolerance, nothing]
    begin, length = min(places), (max(places) - min(places)) or 1.0

    def at(value: float) -> float:
        return 100 * (_ROOM + (1 - 2 * _ROOM) * (value - begin) / length)

    def marks() -> Iterator[str]:
        yield f'<span class="ev-spark-nothing" style="left:{at(nothing):.1f}%"></span>'  # verbatim
        ends_at = f"left:{at(low):.1f}%;width:{at(high) - at(low):.1f}%"  # verbatim
        yield f'<span class="{" ".join(("ev-spark-bar", *cut))}" style="{ends_at}"></span>'  # verbatim
        yield f'<span class="ev-spark-limit" style="left:{at(claim.tolerance):.1f}%"></span>'  # verbatim
        yield f'<span class="ev-spark-value" style="left:{at(claim.estimate):.1f}%"></span>'  # verbatim

    told = say(
        "{verdict}: {number}. The bar reaches to the bound, the dashed line is the tolerance.",
        verdict=verdict,
        number=number,
    )
    return f'<div class="ev-spark" role="img" aria-label="{as_html(told)}">{"".join(marks())}</div>'  # verbatim

"""A system's verdicts in the order of time, as a chart and in words."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby, pairwise

from core.figures import theme
from core.figures.chart import Drawing
from core.inference.estimate import Verdict
from core.language import phrases
from core.language.phrases import count
from core.language.told import say, say_count
from core.register.entry import WORST_FIRST, Entry, verdict_words

_PLACES = {verdict: place for place, verdict in enumerate(reversed(WORST_FIRST[:3]))}
"""Height of a verdict: the worse, the higher."""


def draw(entries: Sequence[Entry]) -> Drawing:
    """A mark for each entry with a verdict; its height, its form and its colour say the same.

    Only verdicts of the same question, asked in the same way, are joined by a line.

    Args:
        entries: Of one system, in any order.
    """
    shown = sorted((one for one in entries if one.summary.verdict in _PLACES), key=lambda one: one.made)
    figure = theme.blank(190)
    for _, asked in groupby(shown, key=lambda one: one.summary.definition):
        run = list(asked)
        verdicts = [Verdict(one.summary.verdict) for one in run]
        figure.add_scatter(
            x=[1000 * one.made for one in run],
            y=[_PLACES[one.summary.verdict] for one in run],
            mode="lines+markers",
            line={"color": theme.FAINT, "shape": "hv"},
            marker={
                "size": 12,
                "color": [theme.VERDICT_COLOUR[verdict] for verdict in verdicts],
                "symbol": [theme.VERDICT_MARKER[verdict] for verdict in verdicts],
            },
            text=[f"{day(one.made)}<br>{theme.literal(one.summary.headline, 80)}" for one in run],
            hovertemplate="%{text}<extra></extra>",
            showlegend=False,
        )
    figure.update_xaxes(type="date", title=say("when the audit ended"))
    figure.update_yaxes(
        tickvals=list(_PLACES.values()), ticktext=[verdict_words(verdict) for verdict in _PLACES], range=(-0.5, 2.5)
    )
    return Drawing(figure, words(shown))


def words(shown: Sequence[Entry]) -> str:
    """What the chart shows, one sentence or two.

    Args:
        shown: Entries with a verdict, in the order of time.
    """
    if not shown:
        return say("No audit of this system has ended in a verdict yet.")
    last = shown[-1]
    told = say(
        "{verdicts} from {first} to {last}. The latest is: {verdict}",
        verdicts=count(len(shown), "verdict"),
        first=day(shown[0].made),
        last=day(last.made),
        verdict=verdict_words(last.summary.verdict),
    )
    if len(shown) < 2:
        return f"{told}."
    pairs = [(one.summary, then.summary) for one, then in pairwise(shown)]
    others = sum(one.definition != then.definition for one, then in pairs)
    if others:
        told = say_count(
            "{told}; what is measured changed {n} time, and verdicts before and after cannot be held against each "
            "other",
            "{told}; what is measured changed {n} times, and verdicts before and after cannot be held against each "
            "other",
            others,
            told=told,
        )
    changes = sum(one.verdict != then.verdict for one, then in pairs if one.definition == then.definition)
    if others and not changes:
        return f"{told}."
    if not changes:
        return say("{told}; it never changed.", told=told)
    return say_count("{told}; it changed {n} time.", "{told}; it changed {n} times.", changes, told=told)


def day(seconds: float) -> str:
    """``23 November 2026``, in the machine's own time zone."""
    return phrases.day(datetime.fromtimestamp(seconds)).lstrip("0")

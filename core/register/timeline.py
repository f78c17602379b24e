"""A system's verdicts in the order of time, as a chart and in words."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from core import phrases
from core.figures import theme
from core.figures.chart import Drawing
from core.inference.estimate import Verdict
from core.language.told import say, say_count
from core.phrases import count
from core.register.entry import WORST_FIRST, Entry, verdict_words

_PLACES = {verdict: place for place, verdict in enumerate(reversed(WORST_FIRST[:3]))}
"""Height of a verdict: the worse, the higher."""


def draw(entries: Sequence[Entry]) -> Drawing:
    """A mark for each entry with a verdict; its height, its form and its colour say the same.

    Args:
        entries: Of one system, in any order.
    """
    shown = sorted((one for one in entries if one.summary.verdict in _PLACES), key=lambda one: one.made)
    verdicts = [Verdict(one.summary.verdict) for one in shown]
    figure = theme.blank(190)
    figure.add_scatter(
        x=[1000 * one.made for one in shown],
        y=[_PLACES[one.summary.verdict] for one in shown],
        mode="lines+markers",
        line={"color": theme.FAINT, "shape": "hv"},
        marker={
            "size": 12,
            "color": [theme.VERDICT_COLOUR[verdict] for verdict in verdicts],
            "symbol": [theme.VERDICT_MARKER[verdict] for verdict in verdicts],
        },
        text=[f"{day(one.made)}<br>{theme.literal(one.summary.headline, 80)}" for one in shown],
        hovertemplate="%{text}<extra></extra>",
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
    changes = sum(one.summary.verdict != then.summary.verdict for one, then in pairwise(shown))
    if len(shown) < 2:
        return f"{told}."
    if not changes:
        return say("{told}; it never changed.", told=told)
    return say_count("{told}; it changed {n} time.", "{told}; it changed {n} times.", changes, told=told)


def day(seconds: float) -> str:
    """``23 November 2026``, in the machine's own time zone."""
    return phrases.day(datetime.fromtimestamp(seconds)).lstrip("0")

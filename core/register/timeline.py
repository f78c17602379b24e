"""A system's verdicts in the order of time, as a chart and in words."""

import time
from collections.abc import Sequence
from itertools import pairwise

from core.figures import theme
from core.figures.chart import Drawing
from core.inference.estimate import Verdict
from core.language.told import say
from core.phrases import count
from core.register.entry import WORST_FIRST, Entry

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
    figure.update_yaxes(tickvals=list(_PLACES.values()), ticktext=list(_PLACES), range=(-0.5, 2.5))
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
        "{shown} from {made} to {made2}",
        shown=count(len(shown), "verdict"),
        made=day(shown[0].made),
        made2=day(last.made),
    )
    changes = sum(one.summary.verdict != then.summary.verdict for one, then in pairwise(shown))
    changed = (
        say("; it never changed")
        if not changes and len(shown) > 1
        else say("; it changed {changes}", changes=count(changes, "time"))
    )
    return say(
        "{told}. The latest is: {verdict}{changed}.",
        told=told,
        verdict=last.summary.verdict,
        changed=changed if len(shown) > 1 else "",
    )


def day(seconds: float) -> str:
    """``23 November 2026``, in the machine's own time zone."""
    return time.strftime("%d %B %Y", time.localtime(seconds)).lstrip("0")

"""Whether the model of who belongs to which group, learned on other rows, says so rightly."""

from typing import cast

import numpy as np

from core.audits.equalized_odds.figures import panels
from core.audits.equalized_odds.figures.panels import GroupPanel
from core.audits.equalized_odds.result import CONTRADICTED, AttributeCalibration
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.data.attribute import Attribute
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.inference.share import Share
from core.language.phrases import count, p_value, share_to_tenths
from core.language.told import say, say_count

MOST_PANELS = 6
"""Groups that are drawn at most: those with most people."""
_ALPHA = 0.05


def applies(finding: EqualizedOddsFinding) -> bool:
    """Whether there is such a model: where permutation is exact, none is needed."""
    found = finding.test.calibration
    return found is not None and len(found.rows) > 0


def draw(finding: EqualizedOddsFinding) -> Drawing:
    """A panel a group: the share of people who belong to it, by the probability that the model gives them."""
    one, found = finding.result.detail.attributes[finding.place], cast(AttributeCalibration, finding.test.calibration)
    parts = _parts(one, found)
    shown = parts[:MOST_PANELS]
    promised = 100 * np.array([found.expected.min(), found.expected.max()])
    more = len(parts) - len(shown)
    left_out = say_count("{n} smaller group not shown", "{n} smaller groups not shown", more) if more > 0 else ""
    across = say("share promised, in %") if one.continuous else say("probability of the group, as learned, in %")
    figure = panels.draw(
        [_panel(name, found, bins) for name, bins in shown],
        x_title="<br>".join(filter(None, (across, left_out))),
        y_title=say("people who do belong to it, in %"),
        line=(promised, promised),
        line_told=say("where learned rightly"),
    )
    marks.note(figure, _verdict(found), yshift=40)
    figure.update_layout(margin={"t": 66}, height=figure.layout.height + 22)
    told = [
        f"{name}: "
        + ", ".join(
            say(
                "{found} where {expected}",
                found=_percent(found.observed[b]),
                expected=_percent(found.expected[b]),
            )
            for b in bins
        )
        for name, bins in shown
    ]
    return Drawing(
        figure,
        say(
            "How often people belong to a group of {name}, beside the probability that was learned on other "
            "rows. {verdict}. {told}.",
            name=one.name,
            verdict=_verdict(found),
            told="; ".join(told),
        ),
    )


def _parts(one: Attribute, found: AttributeCalibration) -> list[tuple[str, np.ndarray]]:
    """Names and bins of the panels, those with most people first; a number has one panel for all its quantiles."""
    if one.continuous:
        return [(say("all quantiles"), np.argsort(found.expected, kind="stable"))]
    bins = {int(g): np.flatnonzero(found.group == g) for g in np.unique(found.group)}
    people = {g: float((found.observed[own] * found.rows[own]).sum()) for g, own in bins.items()}
    order = sorted(bins, key=lambda g: (-people[g], g))
    return [(one.groups[g], bins[g][np.argsort(found.expected[bins[g]], kind="stable")]) for g in order]


def _panel(name: str, found: AttributeCalibration, bins: np.ndarray) -> GroupPanel:
    counts = np.round(found.observed[bins] * found.rows[bins]).astype(np.int64)
    ends = [Share(int(k), int(n)).two_sided(_ALPHA) for k, n in zip(counts, found.rows[bins], strict=True)]
    return GroupPanel(
        head=f"<b>{theme.literal(name, theme.LONGEST_LINE)}</b>",
        x=100 * found.expected[bins],
        y=100 * found.observed[bins],
        low=100 * np.array([end.low for end in ends]),
        high=100 * np.array([end.high for end in ends]),
        told=tuple(
            say(
                "learned {expected}, found {found} of {people}",
                expected=_percent(found.expected[b]),
                found=_percent(found.observed[b]),
                people=count(int(found.rows[b]), "person", "people"),
            )
            for b in bins
        ),
    )


def _verdict(found: AttributeCalibration) -> str:
    p = p_value(found.p_value, alpha=CONTRADICTED)
    if found.p_value < CONTRADICTED:
        return say("Contradicted by the rows (p-value {p})", p=p)
    return say("Not contradicted by the rows (p-value {p})", p=p)


def _percent(share: float) -> str:
    return share_to_tenths(float(share))

"""Several models in one chart: their lower bounds against the length of the search, or the weight of similarity."""

from collections.abc import Callable, Mapping
from itertools import cycle

import numpy as np

from core.audits.gradient_flow.decision import name_of
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.figures import marks, theme
from core.figures.chart import Chart, Drawing
from core.language.phrases import number, percent
from core.language.told import localized, retold, say

Findings = Mapping[str, GradientFlowFinding]
Curve = tuple[np.ndarray, np.ndarray]
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
COLOURS = (theme.BLUE, theme.ORANGE, theme.GREEN, theme.GREY)
_TICKS = np.array([m * 10.0**power for power in range(-6, 7) for m in (1, 2, 5)])


def _over_time(finding: GradientFlowFinding) -> Curve:
    """T_n at every recorded stopping time."""
    return np.array(finding.sweep.steps, dtype=np.float64), np.array(finding.sweep.lower_bound)


def _over_weights(finding: GradientFlowFinding) -> Curve:
    """The lower bound under every weight of similarity that was tried."""
    at = [one.at for one in finding.detail.repeated if one.setting == "weights"]
    return at[0], np.array([one.low for one in finding.parts["weights"]])


def _draw(findings: Findings, curve: Callable[[GradientFlowFinding], Curve], axis: str, what: str) -> Drawing:
    """A line a model on two logarithmic axes, as in Fig. 2, told apart by colour, dash and its name at the end."""
    figure = theme.blank(400)
    first = next(iter(findings.values()))
    delta, told, drawn = first.decision.delta, list[str](), [first.decision.delta, 1.0]
    looks = zip(findings.items(), cycle(COLOURS), _dashes(), strict=False)
    reach = list[float]()
    for (name, finding), colour, dash in looks:
        x, y = curve(finding)
        shown = np.isfinite(y) & (y > 0)
        x, y = x[shown], y[shown]
        if not len(x):
            told.append(say("{model}: no value", model=name))
            continue
        drawn += y.tolist()
        reach += x.tolist()
        figure.add_scatter(
            name=theme.literal(name),
            x=x,
            y=y,
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2},
            marker={"size": 5},
            showlegend=True,
            **marks.hover([f"{theme.literal(name)}: {number(float(bound))}" for bound in y]),
        )
        told.append(
            say(
                "{model}: {first} at {start} to {last} at {end}",
                model=name,
                first=number(float(y[0])),
                start=localized(f"{x[0]:g}"),
                last=number(float(y[-1])),
                end=localized(f"{x[-1]:g}"),
            )
        )
    low, high = np.log10(min(drawn)), np.log10(max(drawn))
    room = 0.08 * max(high - low, 0.1)
    figure.add_hline(y=delta, line={"color": theme.ORANGE, "dash": "dash", "width": 1.5})
    figure.update_yaxes(title=what, type="log", range=[low - room, high + room], **_ticks(10**low, 10**high))
    if reach:
        figure.update_xaxes(title=retold(axis), type="log", **_ticks(min(reach), max(reach)))
    figure.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})
    closing = say("The tolerance is {tolerance}.", tolerance=number(delta))
    return Drawing(figure, f"{what}: {'; '.join(told)}. {closing}")


def _dashes() -> list[str]:
    """A dash for each model: it changes when all colours were used."""
    return [dash for dash in DASHES for _ in COLOURS]


def _ticks(low: float, high: float) -> dict[str, list[float] | list[str]]:
    """Ticks of a logarithmic axis in the reader's own marks."""
    at = _TICKS[(low * 0.9 <= _TICKS) & (high * 1.1 >= _TICKS)]
    return {"tickvals": at.tolist(), "ticktext": [localized(f"{value:,g}") for value in at]}


def _what(findings: Findings) -> str:
    first = next(iter(findings.values()))
    return say(
        "lower {confidence} bound of the {statistic}",
        confidence=percent(1 - first.decision.alpha),
        statistic=name_of(first.decision.statistic),
    )


OF_SEVERAL: dict[str, Chart[[Findings]]] = {
    "sweep": Chart(
        say("All models by the length of the search"),
        say(
            "Each line is one model: the lower bound had the search stopped after so many steps. Both axes are "
            "logarithmic. Above the dashed line the tolerance is exceeded."
        ),
        lambda findings: _draw(findings, _over_time, say("length of the search, steps"), _what(findings)),
        lambda findings: all(len(one.detail.steps) > 1 for one in findings.values()),
    ),
    "weights": Chart(
        say("All models by the weight of similarity"),
        say(
            "Each line is one model: the lower bound under each weight that was tried, given exactly its metric. Both "
            "axes are logarithmic. Above the dashed line the tolerance is exceeded."
        ),
        lambda findings: _draw(findings, _over_weights, say("weight of similarity λ"), _what(findings)),
        lambda findings: all("weights" in one.parts for one in findings.values()),
    ),
}
"""Charts of the same test of several models."""

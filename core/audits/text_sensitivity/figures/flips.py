"""How often exchanging words changes the predicted class, by group and by class."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.audits.text_sensitivity.answers import column
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.data.dataset import MINIMUM_ROWS
from core.figures import interval_rows as rows
from core.figures import theme
from core.figures.interval_rows import Line, Row
from core.inference.share import Share
from core.phrases import count, percent

MOST_CLASSES = 8
"""Classes shown, those predicted most often among texts with exchanged words."""


def applies(result: TextSensitivityResult, decision: TextSensitivityDecision) -> bool:
    """Whether words were exchanged in enough texts."""
    return result.detail.flips().n >= MINIMUM_ROWS


def draw(result: TextSensitivityResult, decision: TextSensitivityDecision) -> go.Figure:
    """All texts, every group, and the classes predicted most often, each with its own interval (Wilson's)."""
    found = [_row(name, share, decision) for name, share in _shares(result, safe=True)]
    top = 100 * max(1e-3, *(row.high for row in found if np.isfinite(row.high))) / 100
    figure = rows.draw(
        found, [Line(0.0, "")], "texts whose predicted class changes, in %", span=(-0.03 * top, 1.06 * top)
    )
    left_out = len(_classes(result)) - MOST_CLASSES
    if left_out > 0:
        text = f"{count(left_out, 'class', 'classes')} predicted less often not shown"
        figure.add_annotation(
            x=1, y=1, xref="paper", yref="paper", xanchor="right", yanchor="bottom", showarrow=False, text=text
        )
        figure.update_layout(margin={"t": 34}, height=figure.layout.height + 24)
    return figure


def alt(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    """The figure in words."""
    told = "; ".join(f"{name}: {_told(share, decision)}" for name, share in _shares(result, safe=False))
    return f"Share of texts whose predicted class changes when words are exchanged. {told}."


def _classes(result: TextSensitivityResult) -> list[int]:
    """Classes predicted for texts with exchanged words, the most frequent first."""
    exchanged = np.isfinite(column(result.detail.audited, "CF", False))
    often = np.bincount(result.detail.audited.predicted[exchanged], minlength=len(result.detail.classes))
    return [int(k) for k in np.argsort(-often, kind="stable") if often[k]]


def _shares(result: TextSensitivityResult, *, safe: bool) -> list[tuple[str, Share]]:
    detail = result.detail
    exchanged = np.isfinite(column(detail.audited, "CF", False))
    named: list[tuple[str, str, np.ndarray]] = [
        (membership.attribute, group, membership.codes == g)
        for membership in detail.memberships
        for g, group in enumerate(membership.groups)
    ]
    named += [("predicted", detail.classes[k], detail.audited.predicted == k) for k in _classes(result)[:MOST_CLASSES]]
    found = [("<b>all texts</b>" if safe else "all texts", detail.flips())]
    for kind, name, inside in named:
        told = f"{theme.literal(kind, 14)}: <b>{theme.literal(name, 22)}</b>" if safe else f"{kind} {name}"
        kept = exchanged & inside
        found.append((told, Share(int((detail.audited.flipped & kept).sum()), int(kept.sum()))))
    return found


def _row(name: str, share: Share, decision: TextSensitivityDecision) -> Row:
    told = _told(share, decision)
    if share.n < MINIMUM_ROWS:
        return Row(f"{name} {told}", float("nan"), float("nan"), float("nan"), told)
    ends = share.two_sided(decision.alpha)
    return Row(
        words=f"{name} {told}",
        value=100 * share.value,
        low=100 * ends.low,
        high=100 * ends.high,
        told=f"{name}<br>{told}",
        colour=theme.GREY if name == "<b>all texts</b>" else theme.BLUE,
    )


def _told(share: Share, decision: TextSensitivityDecision) -> str:
    if share.n < MINIMUM_ROWS:
        return f"insufficient evidence ({count(share.n, 'text')})"
    ends = share.two_sided(decision.alpha)
    value, low, high = (percent(round(one, 3)) for one in (share.value, ends.low, ends.high))
    return f"{value} ({low} to {high}) of {count(share.n, 'text')}"

"""How well the protected status model tells each group: what leans on it is only as good."""

from typing import cast

import numpy as np
import plotly.graph_objects as go

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.figures import interval_rows as rows
from core.figures import theme
from core.phrases import count, percent
from core.protected_status.model import StatusReport


def applies(result: TextSensitivityResult, decision: TextSensitivityDecision) -> bool:
    """Whether there is such a model and its groups are known in the table."""
    status = result.detail.status
    return status is not None and bool(np.isfinite(status.accuracy).any())


def draw(result: TextSensitivityResult, decision: TextSensitivityDecision) -> go.Figure:
    """A row a group: the share of its held-out texts that is recognised, with its interval, beside mere guessing."""
    status = cast(StatusReport, result.detail.status)
    guess = 100 / len(status.groups)
    found = [_row(status, g) for g in range(len(status.groups))]
    return rows.draw(
        found,
        [rows.Line(guess, "guessing")],
        "held-out texts recognised, in %",
        span=(min(-2.0, guess - 5), 104.0),
    )


def alt(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    """The figure in words."""
    status = cast(StatusReport, result.detail.status)
    told = "; ".join(f"{status.groups[g]}: {_told(status, g)}" for g in range(len(status.groups)))
    guess = percent(round(1 / len(status.groups), 3))
    return f"Held-out texts of each group that the protected status model recognises ({guess} by guessing). {told}."


def _row(status: StatusReport, g: int) -> rows.Row:
    name = f"{theme.literal(status.attribute, 14)}: <b>{theme.literal(status.groups[g], 18)}</b>"
    weak = bool(status.accuracy_low[g] <= 1 / len(status.groups))
    return rows.Row(
        words=f"{name} {_told(status, g)}",
        value=100 * float(status.accuracy[g]),
        low=100 * float(status.accuracy_low[g]),
        high=100 * float(status.accuracy_high[g]),
        told=f"{name}<br>{_told(status, g)}",
        colour=theme.ORANGE if weak else theme.BLUE,
        symbol="x" if weak else "diamond",
    )


def _told(status: StatusReport, g: int) -> str:
    if not np.isfinite(status.accuracy[g]):
        return "no held-out text"
    value, low, high = (
        percent(round(float(one[g]), 3)) for one in (status.accuracy, status.accuracy_low, status.accuracy_high)
    )
    return f"{value} ({low} to {high}) of {count(int(status.texts[g]), 'text')}"

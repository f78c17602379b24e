"""What a fair metric calls similar, how well its probes see, and how much each of its directions carries."""

import numpy as np
import plotly.graph_objects as go

from core.encoder import Encoder
from core.figures import theme
from core.metric import FittedMetric, Probe
from core.words import count, number, percent


def free_shares(metric: FittedMetric, encoder: Encoder) -> np.ndarray:
    """For each original column the share of a change in it that the metric does not see; shape (F,), 0 to 1.

    With P the projector on the free directions it is P_jj for a number and, for a category, the mean of vᵀPv over
    the unit changes v from one category to another.
    """
    projector = metric.free.T @ metric.free
    shares = []
    for i in range(len(encoder.columns)):
        block = projector[np.ix_(encoder.sources == i, encoder.sources == i)]
        k = len(block)
        shares.append(block[0, 0] if k == 1 else (k * np.trace(block) - block.sum()) / (k * (k - 1)))
    return np.asarray(np.clip(shares, 0.0, 1.0))


def draw_free_shares(metric: FittedMetric, encoder: Encoder) -> go.Figure:
    """A bar per original column, the freest on top."""
    shares = free_shares(metric, encoder)
    order = np.argsort(-shares, kind="stable")
    figure = theme.blank(70 + 24 * len(order), bargap=0.35)
    figure.add_bar(
        x=shares[order],
        y=np.arange(len(order)),
        orientation="h",
        marker={"color": theme.BLUE},
        text=[percent(round(float(share), 3)) for share in shares[order]],
        textposition="outside",
        cliponaxis=False,
        customdata=[theme.literal(encoder.features[i]) for i in order],
        hovertemplate="%{customdata}: %{text} of a change goes unseen<extra></extra>",
    )
    _categories(figure, [encoder.features[i] for i in order])
    figure.update_xaxes(range=(0, 1.12), tickvals=(0, 0.5, 1), ticktext=("counts fully", "half", "free"), side="top")
    return figure


def alt_free_shares(metric: FittedMetric, encoder: Encoder) -> str:
    """The figure in words."""
    shares = free_shares(metric, encoder)
    most = np.argsort(-shares, kind="stable")[:3]
    told = ", ".join(f"{encoder.features[i]} {percent(round(float(shares[i]), 3))}" for i in most)
    return f"Share of a change in each of {count(len(shares), 'column')} that the metric does not see; most: {told}."


def draw_probes(metric: FittedMetric) -> go.Figure:
    """For each protected attribute the held-out AUC (diamond) and the accuracy per group (circles), with intervals."""
    rows = [row for probe in metric.probes for row in _probe_rows(probe)]
    figure = theme.blank(90 + 34 * len(rows))
    for is_auc, symbol, colour in ((True, "diamond", theme.ORANGE), (False, "circle", theme.BLUE)):
        chosen = [i for i, row in enumerate(rows) if row[4] is is_auc]
        value = np.array([rows[i][1] for i in chosen])
        figure.add_scatter(
            name="AUC" if is_auc else "accuracy",
            x=value,
            y=chosen,
            mode="markers+text",
            marker={"symbol": symbol, "size": 11, "color": colour},
            error_x={
                "array": [rows[i][3] - rows[i][1] for i in chosen],
                "arrayminus": [rows[i][1] - rows[i][2] for i in chosen],
                "thickness": 2,
            },
            text=[number(x) for x in value],
            textposition="top center",
            customdata=[f"{rows[i][0]}<br>95% interval {number(rows[i][2])} to {number(rows[i][3])}" for i in chosen],
            hovertemplate="%{customdata}<extra></extra>",
        )
    theme.reference_line(figure, 0.5, (0, 1), "AUC of guessing")
    figure.update_xaxes(range=(-0.02, 1.05))
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[row[0] for row in rows],
        range=(len(rows) - 0.4, -0.75),
        showgrid=False,
    )
    return figure


def alt_probes(metric: FittedMetric) -> str:
    """The figure in words."""
    told = ", ".join(f"{probe.attribute} {number(probe.auc)}" for probe in metric.probes)
    return f"Held-out AUC of the probe for each protected attribute (0.5 is guessing): {told}; and accuracy per group."


def draw_spectrum(metric: FittedMetric) -> go.Figure:
    """How much each learned direction carries, those that were freed filled and the others open."""
    freed = np.arange(len(metric.spectrum)) < len(metric.free)
    figure = theme.blank(260)
    figure.add_scatter(
        x=np.arange(1, len(freed) + 1),
        y=metric.spectrum,
        mode="lines+markers",
        line={"color": theme.GREY, "width": 1},
        marker={"size": 10, "color": theme.BLUE, "symbol": np.where(freed, "circle", "circle-open").tolist()},
        customdata=np.where(freed, "free", "kept"),
        hovertemplate="direction %{x}: %{y:.3g} (%{customdata})<extra></extra>",
    )
    figure.update_xaxes(title="direction (filled: free)", dtick=max(1, len(freed) // 10))
    figure.update_yaxes(title="size", rangemode="tozero")
    return figure


def alt_spectrum(metric: FittedMetric) -> str:
    """The figure in words."""
    values = ", ".join(number(float(value)) for value in metric.spectrum[:5])
    return f"Size of {count(len(metric.spectrum), 'learned direction')}, descending from {values}."


def _probe_rows(probe: Probe) -> list[tuple[str, float, float, float, bool]]:
    """Label, value, low, high, and whether it is the AUC."""
    head = (f"<b>{theme.literal(probe.attribute, 14)}</b>: AUC", probe.auc, probe.auc_low, probe.auc_high, True)
    groups = zip(probe.groups, probe.accuracy, probe.accuracy_low, probe.accuracy_high, strict=True)
    return [head, *((theme.literal(name, 16), float(a), float(b), float(c), False) for name, a, b, c in groups)]


def _categories(figure: go.Figure, names: list[str]) -> None:
    """Names down the left side, first on top."""
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[theme.literal(name, 20) for name in names],
        range=(len(names) - 0.4, -0.6),
        showgrid=False,
    )

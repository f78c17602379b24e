"""Who is in a table, and who receives the favourable outcome."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.figures import theme
from core.words import count, percent


def draw_group_sizes(groups: pd.DataFrame, *, texts: bool = False) -> go.Figure:
    """Rows in each protected group; groups too small to judge are hatched and say so.

    Args:
        groups: As :attr:`core.health.Health.groups`: columns attribute, group, rows, favourable, enough.
        texts: Whether a row is a text, not a person.
    """
    enough = groups["enough"].to_numpy(dtype=bool)
    figure = _bars(groups, groups["rows"].to_numpy(dtype=float), 30, texts)
    figure.update_traces(
        marker={"color": theme.BLUE, "pattern": {"shape": np.where(enough, "", "/").tolist()}},
        text=[f"{rows:,}" + ("" if ok else " (too few)") for rows, ok in zip(groups["rows"], enough, strict=True)],
    )
    figure.update_xaxes(title="texts" if texts else "people", range=(0, 1.25 * float(groups["rows"].max())))
    return figure


def alt_group_sizes(groups: pd.DataFrame, *, texts: bool = False) -> str:
    """The figure in words."""
    rows = zip(groups["attribute"], groups["group"], groups["rows"], strict=True)
    told = ", ".join(f"{attribute} {group} {n:,}" for attribute, group, n in rows)
    return f"{'Texts' if texts else 'People'} in each protected group: {told}."


def draw_outcome_rates(groups: pd.DataFrame, favourable: str, *, texts: bool = False) -> go.Figure:
    """Share of each protected group with the favourable outcome; ``groups`` as for :func:`draw_group_sizes`."""
    share = groups["favourable"].to_numpy(dtype=float)
    figure = _bars(groups, share, 30, texts)
    figure.update_traces(
        marker={"color": theme.GREEN},
        text=[percent(round(value, 3)) if np.isfinite(value) else "no outcome" for value in share],
    )
    figure.update_xaxes(
        title=f"share with outcome {theme.literal(favourable, 24)}", range=(0, 1.25 * float(np.nanmax([*share, 0.01])))
    )
    return figure.update_xaxes(tickformat=".0%")


def alt_outcome_rates(groups: pd.DataFrame, favourable: str) -> str:
    """The figure in words."""
    rows = zip(groups["attribute"], groups["group"], groups["favourable"].astype(float), strict=True)
    told = ", ".join(f"{attribute} {group} {percent(round(share, 3))}" for attribute, group, share in rows)
    return f"Share of each protected group with the outcome {favourable}: {told}."


def _bars(groups: pd.DataFrame, values: np.ndarray, bar: int, texts: bool) -> go.Figure:
    """A horizontal bar per group, with a gap and the attribute's name before its first group."""
    position, labels, last, y = [], [], None, -1.0
    for attribute, group in zip(groups["attribute"], groups["group"], strict=True):
        y += 1.0 if attribute == last else 1.6
        position.append(y)
        labels.append(
            (f"<b>{theme.literal(attribute, 12)}</b>  " if attribute != last else "") + theme.literal(group, 16)
        )
        last = attribute
    figure = theme.blank(int(90 + bar * (y + 1)), bargap=0.3)
    figure.add_bar(
        x=values,
        y=position,
        orientation="h",
        textposition="outside",
        cliponaxis=False,
        customdata=[
            count(int(rows), "text") if texts else count(int(rows), "person", "people") for rows in groups["rows"]
        ],
        hovertemplate="%{text}, of %{customdata}<extra></extra>",
        width=0.75,
    )
    figure.update_yaxes(tickvals=position, ticktext=labels, range=(y + 0.7, -0.1), showgrid=False)
    return figure

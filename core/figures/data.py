"""Who is in a table, which outcomes there are, and how groups differ in them."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.base.tables import NOT_GIVEN, Table
from core.data.labels import condition
from core.data.quality.number_outcome import NumberSummary
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.catalogue import separators
from core.language.phrases import count, interval, number, percent, whole
from core.language.reader import language
from core.language.told import say, say_count, unpacked


def fitting(groups: pd.DataFrame) -> pd.DataFrame:
    """The groups that a chart has room for: of the first attributes, as many as fit into twelve rows.

    Of a first attribute with more groups the first twelve, which are its largest unless it is a number.

    Args:
        groups: As :attr:`core.data.quality.health.Health.groups`.
    """
    kept: list[str] = []
    for attribute, size in groups.groupby("attribute", sort=False).size().items():
        if kept and groups["attribute"].isin([*kept, str(attribute)]).sum() > theme.MOST_ROWS:
            break
        kept.append(str(attribute))
        if size > theme.MOST_ROWS:
            break
    return groups[groups["attribute"].isin(kept)].head(theme.MOST_ROWS)


def listed_groups(groups: pd.DataFrame, favourable: str = "") -> Table:
    """Every group with its rows, and its share of the favourable outcome or its mean where there is one.

    Args:
        groups: As :attr:`core.data.quality.health.Health.groups`.
        favourable: What the share is of, such as "deny = no"; empty for none.
    """
    pairs = zip(groups["attribute"], map(unpacked, groups["group"]), strict=True)
    names = [condition(attribute, group) for attribute, group in pairs]
    columns = {say("Group"): names, say("Rows"): list(map(whole, groups["rows"].astype(int)))}
    share, mean = groups["favourable"].to_numpy(dtype=float), groups["mean"].to_numpy(dtype=float)
    if np.isfinite(share).any():
        columns[say("Share with {favourable}", favourable=favourable)] = [
            percent(round(value, 3)) if np.isfinite(value) else NOT_GIVEN for value in share
        ]
    if np.isfinite(mean).any():
        columns[say("Mean outcome")] = _told_means(groups)
    return Table.of_columns(say("All {n} groups", n=whole(len(groups))), columns)


def draw_group_sizes(groups: pd.DataFrame, *, texts: bool = False) -> Drawing:
    """Rows in each protected group; groups too small to judge are hatched and say so.

    Args:
        groups: As :attr:`core.data.quality.health.Health.groups`: columns attribute, group, rows, favourable, enough.
        texts: Whether a row is a text, not a person.
    """
    enough = groups["enough"].to_numpy(dtype=bool)
    figure = _bars(groups, groups["rows"].to_numpy(dtype=float), texts)
    figure.update_traces(
        marker={"color": theme.BLUE, "pattern": {"shape": np.where(enough, "", "/").tolist()}},
        text=[_too_few(whole(int(rows)), ok) for rows, ok in zip(groups["rows"], enough, strict=True)],
    )
    figure.update_xaxes(title=say("texts") if texts else say("people"), range=(0, 1.25 * float(groups["rows"].max())))
    rows = zip(groups["attribute"], map(unpacked, groups["group"]), groups["rows"], strict=True)
    told = _separated(f"{condition(attribute, group)}: {whole(int(n))}" for attribute, group, n in rows)
    return Drawing(
        figure,
        say("Texts in each protected group: {told}.", told=told)
        if texts
        else say("People in each protected group: {told}.", told=told),
    )


def _too_few(told: str, enough: bool) -> str:
    return told if enough else say("{rows} (too few)", rows=told)


def _separated(parts: Iterable[str]) -> str:
    """Parts with numbers in them: commas between them, or semicolons where a comma stands for decimals."""
    return (", " if separators(language())[0] == "." else "; ").join(parts)


def draw_outcome_rates(groups: pd.DataFrame, favourable: str, *, texts: bool = False) -> Drawing:
    """Share of each protected group with the favourable outcome.

    Args:
        groups: As for :func:`draw_group_sizes`.
        favourable: That outcome with its column, such as "deny = no".
        texts: Whether a row is a text, not a person.
    """
    share = groups["favourable"].to_numpy(dtype=float)
    figure = _bars(groups, share, texts)
    figure.update_traces(
        marker={"color": theme.GREEN},
        text=[percent(round(value, 3)) if np.isfinite(value) else say("no outcome") for value in share],
    )
    figure.update_xaxes(
        title=say("share with {favourable}", favourable=theme.literal(favourable, 40)),
        range=(0, 1.25 * float(np.nanmax([*share, 0.01]))),
    )
    figure.update_xaxes(tickformat=".0%")
    rows = zip(groups["attribute"], map(unpacked, groups["group"]), share, strict=True)
    told = _separated(f"{condition(attribute, group)}: {percent(round(value, 3))}" for attribute, group, value in rows)
    return Drawing(
        figure, say("Share of each protected group with {favourable}: {told}.", favourable=favourable, told=told)
    )


def draw_outcome_means(groups: pd.DataFrame, outcome: str) -> Drawing:
    """Mean outcome in each protected group with its 95% interval; hollow where there are too few rows to judge.

    Args:
        groups: As :attr:`core.data.quality.health.Health.groups`.
        outcome: What people call it.
    """
    mean, enough = groups["mean"].to_numpy(dtype=float), groups["enough"].to_numpy(dtype=bool)
    position, labels = _places(groups)
    means = _told_means(groups)
    figure = theme.blank(int(90 + theme.row_height(labels, 30) * (position[-1] + 1)) if position else 120)
    low, high = (np.where(np.isfinite(end), end, mean) for end in (groups["low"], groups["high"]))
    figure.add_scatter(
        x=mean,
        y=position,
        mode="markers+text",
        marker={"size": 10, "color": theme.GREEN, "symbol": np.where(enough, "circle", "circle-open").tolist()},
        error_x=marks.whiskers(mean, low, high, thickness=1.5, width=4),
        text=[number(value) if np.isfinite(value) else "" for value in mean],
        textposition="top center",  # verbatim
        customdata=list(zip(means, groups["rows"], strict=True)),
        hovertemplate=say("%{customdata[0]}, %{customdata[1]:,} rows") + "<extra></extra>",
        cliponaxis=False,
    )
    figure.update_xaxes(title=say("mean {outcome}", outcome=theme.literal(outcome, 30)))
    last = position[-1] if position else 0.0
    figure.update_yaxes(tickvals=position, ticktext=labels, range=(last + 0.7, -0.4), showgrid=False)
    rows = zip(groups["attribute"], map(unpacked, groups["group"]), means, enough, strict=True)
    told = "; ".join(
        f"{condition(name, group)}: {mean if ok else say('{mean} (too few rows)', mean=mean)}"
        for name, group, mean, ok in rows
    )
    return Drawing(figure, say("Mean {outcome} in each protected group: {told}.", outcome=outcome, told=told))


def _told_means(groups: pd.DataFrame) -> list[str]:
    return [
        say("{mean}, 95% interval {interval}", mean=number(mean), interval=interval(low, high))
        if np.isfinite(low + high)
        else number(mean)
        if np.isfinite(mean)
        else say("no outcome")
        for mean, low, high in zip(groups["mean"], groups["low"], groups["high"], strict=True)
    ]


def draw_numbers(numbers: NumberSummary, outcome: str) -> Drawing:
    """How an outcome that is a number is spread: rows in bars of equal width, and the mean."""
    figure = theme.blank(230, bargap=0.04)
    edges = numbers.edges
    figure.add_bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=numbers.counts,
        width=np.diff(edges),
        marker={"color": theme.BLUE},
        customdata=[interval(low, high) for low, high in pairwise(edges)],
        hovertemplate=say("%{customdata}: %{y:,} rows") + "<extra></extra>",
    )
    figure.add_vline(
        x=numbers.mean,
        line={"color": theme.ORANGE, "dash": "dash"},
        annotation={"text": say("mean {mean}", mean=number(numbers.mean)), "font": {"color": theme.TEXT}},
        annotation_position="top",
    )
    figure.update_xaxes(title=theme.literal(outcome, 40))
    figure.update_yaxes(title=say("rows"))
    low, first, median, third, high = numbers.quartiles
    return Drawing(
        figure,
        say(
            "Histogram of {outcome} in {rows}, from {ends}: a quarter below {first}, half below {median}, "
            "three quarters below {third}, mean {mean}.",
            outcome=outcome,
            rows=count(numbers.rows, "row"),
            ends=interval(low, high),
            first=number(first),
            median=number(median),
            third=number(third),
            mean=number(numbers.mean),
        ),
    )


def draw_outcomes(outcomes: pd.DataFrame, favourable: str) -> Drawing:
    """Rows with each outcome, at most twelve, the most frequent first; the favourable one is coloured and says so.

    Args:
        outcomes: As :attr:`core.data.quality.health.Health.outcomes`.
        favourable: The favourable outcome; empty where none is.
    """
    shown = outcomes.head(theme.MOST_ROWS)
    good = (shown["outcome"] == favourable).to_numpy()
    names = [theme.beside(name) for name in shown["outcome"]]
    figure = theme.blank(70 + theme.row_height(names, 28) * len(shown), bargap=0.3)
    texts = [
        say("{rows} ({share}), favourable", rows=whole(rows), share=percent(round(share, 3)))
        if ok
        else f"{whole(rows)} ({percent(round(share, 3))})"
        for rows, share, ok in zip(shown["rows"], shown["share"], good, strict=True)
    ]
    colours = np.where(good, theme.GREEN, theme.GREY).tolist()
    marks.named_bars(figure, shown["rows"].tolist(), names, texts, texts, marker={"color": colours})
    figure.update_xaxes(title=say("rows"), range=(0, 1.45 * float(shown["rows"].max())))
    if left_out := len(outcomes) - len(shown):
        marks.note(
            figure,
            say_count("{n} rarer outcome is not drawn", "{n} rarer outcomes are not drawn", left_out),
            right=True,
        )
    rows = zip(shown["outcome"], shown["rows"], strict=True)
    told = _separated(
        say("{outcome} (favourable) {rows}", outcome=name, rows=whole(n))
        if name == favourable
        else f"{name} {whole(n)}"
        for name, n in rows
    )
    return Drawing(figure, say("Rows with each outcome: {told}.", told=told))


def _bars(groups: pd.DataFrame, values: np.ndarray, texts: bool) -> go.Figure:
    """A horizontal bar per group."""
    position, labels = _places(groups)
    y = position[-1] if position else -1.0
    figure = theme.blank(int(90 + theme.row_height(labels, 30) * (y + 1)), bargap=0.3)
    figure.add_bar(
        x=values,
        y=position,
        orientation="h",
        textposition="outside",
        cliponaxis=False,
        customdata=[
            count(int(rows), "text") if texts else count(int(rows), "person", "people") for rows in groups["rows"]
        ],
        hovertemplate=say("%{text}, of %{customdata}") + "<extra></extra>",
        width=0.75,
    )
    figure.update_yaxes(tickvals=position, ticktext=labels, range=(y + 0.7, -0.1), showgrid=False)
    return figure


def _places(groups: pd.DataFrame) -> tuple[list[float], list[str]]:
    """Where each group stands, with a gap before the first of an attribute; and its label."""
    position: list[float] = []
    labels, last, y = [], None, -1.0
    for attribute, group in zip(groups["attribute"], map(unpacked, groups["group"]), strict=True):
        y += 1.0 if attribute == last else 1.6
        position.append(y)
        labels.append(theme.beside(condition(attribute, group)))
        last = attribute
    return position, labels

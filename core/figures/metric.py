"""What a fair metric calls similar, how well its probes see, and how much each of its directions carries."""

import numpy as np

from core.base.tables import Table
from core.contracts.metric import FittedMetric, Probe
from core.data.encoder import Encoder
from core.figures import marks, theme
from core.figures.chart import Chart, Drawing
from core.language.phrases import count, number, percent
from core.language.told import say, say_as, say_count
from core.metrics.portrait import ColumnFreedom, column_freedom


def draw_free_shares(metric: FittedMetric, encoder: Encoder) -> Drawing:
    """A bar per original column, as long as it is free (:func:`column_freedom`); the freest, up to twelve of them."""
    every = sorted(column_freedom(metric, encoder), key=lambda row: -row.share)
    freedom = every[: theme.MOST_ROWS]
    names = [theme.beside(row.column) for row in freedom]
    figure = theme.blank(70 + theme.row_height(names, 24) * len(freedom), bargap=0.35)
    marks.named_bars(
        figure,
        [row.share for row in freedom],
        names=names,
        texts=[_share(row.share) for row in freedom],
        told=[_freest(row) for row in freedom],
        marker={"color": theme.BLUE},
    )
    figure.update_xaxes(
        range=(0, 1.15),
        tickvals=(0, 0.5, 1),
        ticktext=(say("counts fully"), say("half"), say_as("of a column", "free")),
        side="top",
    )
    if left_out := len(every) - len(freedom):
        marks.note(
            figure,
            say_count(
                "{n} more column is no freer than the last",
                "{n} more columns are no freer than the last",
                left_out,
            ),
            below=True,
            yshift=-4,
        )
    told = ", ".join(f"{row.column} {_share(row.share)}" for row in freedom[:3])
    return Drawing(
        figure,
        say(
            "How freely people may differ in each of {columns} and stay similar; most: {told}.",
            columns=count(len(every), "column"),
            told=told,
        ),
    )


def free_shares(metric: FittedMetric, encoder: Encoder) -> Table:
    """The same of every column."""
    freedom = sorted(column_freedom(metric, encoder), key=lambda row: -row.share)
    return Table.of_columns(
        say("How freely each column may differ"),
        {say("Column"): [row.column for row in freedom], say("Free"): [_share(row.share) for row in freedom]},
    )


def draw_probes(metric: FittedMetric) -> Drawing:
    """For each protected attribute the held-out AUC (diamond) and the accuracy per group (circles), with intervals."""
    rows = [row for probe in metric.probes for row in _probe_rows(probe)]
    figure = theme.blank(90 + 34 * len(rows))
    for is_auc, symbol, colour in ((True, "diamond", theme.ORANGE), (False, "circle", theme.BLUE)):
        chosen = [i for i, row in enumerate(rows) if row[4] is is_auc]
        value, low, high = (np.array([rows[i][place] for i in chosen]) for place in (1, 2, 3))
        figure.add_scatter(
            name="AUC" if is_auc else "accuracy",
            x=value,
            y=chosen,
            mode="markers+text",
            marker={"symbol": symbol, "size": 11, "color": colour},
            error_x=marks.whiskers(value, low, high, thickness=2),
            text=[number(x) for x in value],
            textposition="top center",  # verbatim
            customdata=[
                say(
                    "{name}<br>95% interval {low} to {high}",
                    name=rows[i][0],
                    low=number(rows[i][2]),
                    high=number(rows[i][3]),
                )
                for i in chosen
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    figure.add_vline(x=0.5, line={"color": theme.GREY, "width": 2, "dash": "dot"})
    theme.line_label(figure, 0.5, (0.0, 1.0), say("AUC of guessing"))
    figure.update_xaxes(range=(-0.02, 1.05))
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[row[0] for row in rows],
        range=(len(rows) - 0.4, -0.75),
        showgrid=False,
    )
    told = ", ".join(f"{probe.attribute} {number(probe.auc)}" for probe in metric.probes)
    return Drawing(
        figure,
        say(
            "Held-out AUC of the probe for each protected attribute (0.5 is guessing): {told}; and accuracy per group.",
            told=told,
        ),
    )


def draw_spectrum(metric: FittedMetric) -> Drawing:
    """How much each learned direction carries, those that were freed filled and the others open."""
    freed = np.arange(len(metric.spectrum)) < len(metric.free)
    figure = theme.blank(260)
    figure.add_scatter(
        x=np.arange(1, len(freed) + 1),
        y=metric.spectrum,
        mode="lines+markers",
        line={"color": theme.GREY, "width": 1},
        marker={"size": 10, "color": theme.BLUE, "symbol": np.where(freed, "circle", "circle-open").tolist()},
        customdata=np.where(freed, say_as("of a direction", "free"), say_as("of a direction", "kept")),
        hovertemplate=say("direction %{x}: %{y:.3g} (%{customdata})") + "<extra></extra>",
    )
    figure.update_xaxes(title=say("direction (filled: free)"), dtick=max(1, len(freed) // 10))
    figure.update_yaxes(title=say("size"), rangemode="tozero")
    values = ", ".join(number(float(value)) for value in metric.spectrum[:5])
    return Drawing(
        figure,
        say(
            "Size of {directions}, descending from {values}.",
            directions=count(len(metric.spectrum), "learned direction"),
            values=values,
        ),
    )


def _probe_rows(probe: Probe) -> list[tuple[str, float, float, float, bool]]:
    """Label, value, low, high, and whether it is the AUC."""
    head = (f"<b>{theme.literal(probe.attribute, 14)}</b>: AUC", probe.auc, probe.auc_low, probe.auc_high, True)
    groups = zip(probe.groups, probe.accuracy, probe.accuracy_low, probe.accuracy_high, strict=True)
    return [head, *((theme.literal(name, 16), float(a), float(b), float(c), False) for name, a, b, c in groups)]


def _freest(row: ColumnFreedom) -> str:
    told = say("<b>{column}</b>: {share} free", column=theme.literal(row.column), share=_share(row.share))
    if not row.change:
        return told
    one, other = map(theme.literal, row.change)
    return say(
        "{told}, most between {one} and {other}: {largest}",
        told=told,
        one=one,
        other=other,
        largest=_share(row.largest),
    )


def _share(value: float) -> str:
    return percent(round(value, 3))


FREE_SHARES = Chart(
    say("What the metric does not see"),
    say("People who differ only where a bar is full count as the same; where it is empty every difference counts."),
    draw_free_shares,
    lambda metric, encoder: not encoder.is_embedding,
)
PROBES = Chart(
    say("How well the metric sees each protected attribute"),
    say("Measured on rows the probe never saw. A probe no better than guessing leaves the metric blind."),
    draw_probes,
    lambda metric: bool(metric.probes),
)

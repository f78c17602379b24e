"""How the measures go with what people found biased, exchanged words being the baseline to beat."""

import math

from core.audits.text_sensitivity.decision import measure_name
from core.audits.text_sensitivity.summaries import JudgementSummary
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row
from core.language.phrases import count, number
from core.language.told import say


def applies(finding: TextSensitivityFinding) -> bool:
    """Whether people judged enough texts for something to be said."""
    return any(not one.undefined for one in finding.annotations)


def draw_correlation(finding: TextSensitivityFinding) -> Drawing:
    """A row a measure: the point-biserial correlation with its interval; dotted lines at 0 and at that of CF."""
    rows = [
        _row(finding, one, (one.correlation, one.correlation_low, one.correlation_high), 2)
        for one in finding.annotations
    ]
    return _drawing(
        rows,
        say("correlation with people's judgement"),
        say("Correlation of each measure with what people found biased; CF (exchanged words) is the baseline."),
    )


def draw_information(finding: TextSensitivityFinding) -> Drawing:
    """A row a measure: the mutual information, in bins, with its interval; dotted lines at 0 and at that of CF."""
    rows = [
        _row(finding, one, (one.information, one.information_low, one.information_high), 3)
        for one in finding.annotations
    ]
    return _drawing(
        rows,
        say("mutual information with people's judgement, in nats"),
        say(
            "Mutual information of each measure with what people found biased, nats; CF (exchanged words) is the "
            "baseline."
        ),
    )


def _drawing(rows: list[Row], title: str, what: str) -> Drawing:
    """The rows, and lines at 0 and at the baseline."""
    baseline = next((row.value for row in rows if row.symbol == "square"), math.nan)
    lines = [Line(0.0, "")]
    if math.isfinite(baseline):
        lines.append(Line(baseline, say("dotted: exchanged words (CF)")))
    return interval_rows.draw(rows, lines, title, what=what)


def _row(
    finding: TextSensitivityFinding, one: JudgementSummary, found: tuple[float, float, float], decimals: int
) -> Row:
    """A measure's row; ``found`` is a value with the ends of its interval."""
    value, low, high = found
    name = theme.literal(measure_name(one.measure, finding.decision))
    words = (
        say("nothing can be said ({texts})", texts=count(one.texts, "judged text"))
        if one.undefined
        else say(
            "{value} ({low} to {high}), {texts}",
            value=number(value, decimals),
            low=number(low, decimals),
            high=number(high, decimals),
            texts=count(one.texts, "text"),
        )
    )
    told, baseline = theme.literal(words), one.measure == "CF"
    return Row(
        words=f"<b>{one.measure}</b> {told}",
        value=value,
        low=low,
        high=high,
        told=f"{name}<br>{told}",
        alt=f"{one.measure} {words}",
        colour=theme.GREY if baseline else theme.BLUE,
        symbol="square" if baseline else "diamond",
    )

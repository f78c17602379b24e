"""Estimates as scatter charts of PowerPoint: a series for each row and each line, whose numbers can be edited."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pptx.chart.data import XyChartData
from pptx.chart.xlsx import XyWorkbookWriter
from pptx.enum.chart import XL_CHART_TYPE, XL_MARKER_STYLE, XL_TICK_LABEL_POSITION
from pptx.enum.dml import MSO_LINE
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Pt
from xlsxwriter import Workbook

from core.figures.series import Span, Spans
from core.figures.svg import LONGEST_AXIS, LONGEST_TOLERANCE, ONE_LINE, Plot, axis_title, plot
from core.language.fitted import short, width, wrapped
from core.language.told import say, say_as
from core.slides.layout import EDGE, FOOT, INSIDE, reading
from core.slides.powerpoint.words import BEYOND, FONT, QUIET, SMALLEST, Look, describe, plain, put, px, rgb

_NAMES, _PLOT, _NUMBERS = 522, 356, 262
"""Widths of the names of rows, of the plot and of the numbers beside it."""
_ABOVE, _BELOW, _READING, _LINE = 30, 84, 62, 28
"""Heights of the word above the plot, of axis and title below it, of how to read it below them, and of a line."""
_ARROW, _ARROW_BASE = 16, 20
"""Length and base of an arrow, before it is turned."""
_MARKERS = {
    "x": XL_MARKER_STYLE.X,
    "circle": XL_MARKER_STYLE.CIRCLE,
    "square": XL_MARKER_STYLE.SQUARE,
    "diamond": XL_MARKER_STYLE.DIAMOND,
}


class _Workbook(XyWorkbookWriter):
    """The numbers of a chart, whose names stay text: no formula and no link to elsewhere."""

    @contextmanager
    def _open_worksheet(self, xlsx_file: Any) -> Iterator[tuple[Any, Any]]:
        with Workbook(xlsx_file, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}) as book:
            yield book, book.add_worksheet()


class _Data(XyChartData):
    @property
    def _workbook_writer(self) -> _Workbook:
        return _Workbook(self)  # type: ignore[no-untyped-call]


def draw(page: Any, spans: Spans, alt: str, top: float) -> None:
    """The chart, with names on its left, numbers on its right, and how to read it below."""
    shown, left = plot(spans), EDGE + _NAMES
    first, title = top + _ABOVE, axis_title(spans, shown)
    more = _LINE * (len(title) - 1)
    step = min(shown.row_height, (FOOT - _READING - _BELOW - more - first) / len(shown.rows))
    inside = step * len(shown.rows)
    frame = page.shapes.add_chart(
        XL_CHART_TYPE.XY_SCATTER_LINES, *map(px, (left, first, _PLOT, inside + _BELOW)), _data(spans, shown)
    )
    frame.name = "Chart"
    describe(frame, alt)
    _dress(frame.chart, spans, shown)
    _place(frame.chart, inside / (inside + _BELOW))
    for i, row in enumerate(shown.rows):
        y = first + step * i
        if row.heads:
            heading = (" ".join(wrapped(row.name, LONGEST_AXIS)),)
            put(page, f"Heading {i + 1}", (EDGE, y, INSIDE, step), heading, Look(bold=True, covers=True))  # verbatim
            continue
        one_line = width(row.name) <= ONE_LINE
        middle, name = Look(middle=True), row.name if one_line else " ".join(wrapped(row.name, 38))
        for end, further, turned in zip((row.low, row.high), row.goes_on, (-1, 1), strict=True):
            if further:
                at = left + _PLOT * (end - shown.low) / (shown.high - shown.low)
                middle_of_arrow = (at + turned * _ARROW / 2, y + step / 2)
                _arrow(page, f"Goes on {i + 1}", middle_of_arrow, turned, row.colour)  # verbatim
        numbers = (" ".join(wrapped(row.said, 23)),)
        put(page, f"Name {i + 1}", (EDGE, y, _NAMES - 12, step), (name,), middle)  # verbatim
        put(page, f"Numbers {i + 1}", (left + _PLOT + 12, y, _NUMBERS, step), numbers, middle)  # verbatim
    axis = (EDGE + 104, first + inside + 40, INSIDE - 104, 32 + more)
    put(page, "Axis", axis, (" ".join(title),), Look(colour=QUIET, align=PP_ALIGN.CENTER))
    if spans.tolerances:
        at = left + _PLOT * (spans.tolerances[0] - shown.low) / (shown.high - shown.low)
        start = min(max(at - 150, left - 60), left + _PLOT - 240)
        look = Look(colour=BEYOND, align=PP_ALIGN.CENTER, bold=True)
        put(page, "Tolerance", (start, top - 4, 300, 34), (short(spans.told, LONGEST_TOLERANCE),), look)
    below = (EDGE, first + inside + _BELOW + more, INSIDE, _READING)
    put(page, "How to read it", below, (reading(spans),), Look(colour=QUIET))  # verbatim


def _arrow(page: Any, name: str, middle: tuple[float, float], turned: int, colour: str) -> None:
    """A triangle that points to the right, or with -1 to the left: that an interval goes on beyond the picture."""
    across, along = middle
    place = (across - _ARROW_BASE / 2, along - _ARROW / 2, _ARROW_BASE, _ARROW)
    shape = page.shapes.add_shape(MSO_SHAPE.ISOSCELES_TRIANGLE, *map(px, place))
    shape.name, shape.rotation = name, 90.0 * turned
    shape.shadow.inherit = False
    shape.fill.solid()
    shape.fill.fore_color.rgb = rgb(colour)
    shape.line.fill.background()


def _data(spans: Spans, shown: Plot) -> _Data:
    """A row is three points at its height, or one without an interval; a line is two."""
    data, rows = _Data(), len(shown.rows)  # type: ignore[no-untyped-call]

    def add(name: str, points: list[tuple[float, float]]) -> None:
        series = data.add_series(plain(name))  # type: ignore[no-untyped-call]
        for x, y in points:
            series.add_data_point(x, y)

    for i, row in _drawn(shown):
        add(short(row.name, 80), [(x, rows - i - 0.5) for x in _points(row)])
    for value in spans.tolerances:
        add(say_as("in a chart", "tolerance"), [(value, 0.0), (value, float(rows))])
    if math.isfinite(spans.level):
        add(say("no difference"), [(spans.level, 0.0), (spans.level, float(rows))])
    return data


def _drawn(shown: Plot) -> list[tuple[int, Span]]:
    """The rows that are no headings, with their places."""
    return [(i, row) for i, row in enumerate(shown.rows) if not row.heads]


def _points(row: Span) -> list[float]:
    ends = [row.low, row.high] if math.isfinite(row.low + row.high) else []
    value = [row.value] if math.isfinite(row.value) else []
    return [*ends[:1], *value, *ends[1:]]


def _dress(chart: Any, spans: Spans, shown: Plot) -> None:
    """Colours, markers and axes."""
    chart.has_legend = chart.has_title = False
    chart.font.size, chart.font.name = Pt(SMALLEST), FONT
    series, rows = list(chart.plots[0].series), len(shown.rows)
    drawn = _drawn(shown)
    for (_, row), one in zip(drawn, series, strict=False):
        _row(one, row)
    tolerances = len(drawn) + len(spans.tolerances)
    for one in series[len(drawn) : tolerances]:
        _line(one, BEYOND, MSO_LINE.DASH)
    for one in series[tolerances:]:
        _line(one, QUIET, MSO_LINE.ROUND_DOT)
    across, up = chart.category_axis, chart.value_axis
    across.minimum_scale, across.maximum_scale, across.major_unit = shown.low, shown.high, shown.step
    across.tick_labels.number_format = shown.number_format
    across.tick_labels.number_format_is_linked = False
    across.format.line.color.rgb = rgb(QUIET)
    across.has_title = False
    up.minimum_scale, up.maximum_scale = 0, rows
    up.tick_label_position = XL_TICK_LABEL_POSITION.NONE
    up.format.line.fill.background()
    across.has_major_gridlines = up.has_major_gridlines = False


def _row(series: Any, row: Span) -> None:
    """The interval as a line; the estimate has the marker that says the verdict."""
    colour = rgb(row.colour)
    series.smooth = False
    series.format.line.color.rgb, series.format.line.width = colour, Pt(4)
    points = _points(row)
    markers = [(series.marker, XL_MARKER_STYLE.DASH, 6, colour)]
    if points:
        style = _MARKERS.get(row.symbol.removesuffix("-open"), XL_MARKER_STYLE.DIAMOND)
        inside = rgb("#FFFFFF") if row.symbol.endswith("-open") else colour
        markers.append((series.points[len(points) // 2].marker, style, 15, inside))
    for marker, style, size, inside in markers:
        marker.style, marker.size = style, size
        marker.format.fill.solid()
        marker.format.fill.fore_color.rgb = inside
        marker.format.line.color.rgb = colour


def _line(series: Any, colour: str, dash: Any) -> None:
    series.smooth = False
    series.marker.style = XL_MARKER_STYLE.NONE
    series.format.line.color.rgb, series.format.line.width = rgb(colour), Pt(2.5)
    series.format.line.dash_style = dash


def _place(chart: Any, share: float) -> None:
    """Let the plot begin at the upper edge and take this share of the height, so that names stand beside its rows."""
    area = chart._chartSpace.chart.plotArea
    for old in area.findall(qn("c:layout")):
        area.remove(old)
    values = (("layoutTarget", "inner"), ("xMode", "edge"), ("yMode", "edge"), ("x", 0), ("y", 0), ("w", 1))
    inner = "".join(f'<c:{name} val="{value}"/>' for name, value in (*values, ("h", round(share, 4))))  # verbatim
    layout = f"<c:layout {nsdecls('c')}><c:manualLayout>{inner}</c:manualLayout></c:layout>"  # verbatim
    area.insert(0, parse_xml(layout))

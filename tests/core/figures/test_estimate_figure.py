"""The chart of one estimate: a bound outside of the picture is not drawn as if it lay in it."""

from dataclasses import replace

from core.claims import Claim
from core.figures import svg
from core.figures.chart import Drawing
from core.figures.estimate import Shown, draw
from core.figures.series import Spans
from core.inference.estimate import Verdict
from core.language.units import POINTS


def drawn(high: float) -> Drawing:
    claim = Claim(what="rise", estimate=0.0, low=0.0, high=high, p_value=0.5, tolerance=0.0365, unit=POINTS)
    return draw(claim, Verdict.INSUFFICIENT, Shown("rise", "no difference", 0.05))


def ends(high: float) -> tuple[str, ...]:
    bounds = next(trace for trace in drawn(high).figure.data if trace.name == "bounds")
    return tuple(bounds.marker.symbol)


def series(high: float) -> Spans:
    found = drawn(high).series
    assert isinstance(found, Spans)
    return found


def test_a_bar_whose_bound_lies_outside_of_the_picture_ends_in_an_arrow() -> None:
    assert ends(0.1) == ("line-ns-open", "line-ns-open")
    assert ends(0.661) == ("line-ns-open", "triangle-right")


def test_the_same_as_an_image_ends_in_an_arrow() -> None:
    assert series(0.1).rows[0].goes_on == (False, False)
    assert series(0.661).rows[0].goes_on == (False, True)
    inside, outside = (str(svg.draw(series(high), "")) for high in (0.1, 0.661))
    caps = 'class="interval"'
    assert (inside.count(caps), outside.count(caps)) == (3, 2), "the bar, and a cap at each end that is drawn"
    assert (inside.count("<path"), outside.count("<path")) == (1, 2)


def test_a_long_title_of_an_axis_is_told_in_full_where_there_is_room() -> None:
    words = [f"word{place}" for place in range(40)]
    long = replace(series(0.1), axis=" ".join(words))
    assert "word39" not in str(svg.draw(long, ""))
    told = str(svg.draw(long, "", titles=6))
    assert all(word in told for word in words)

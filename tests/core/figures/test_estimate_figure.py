"""The chart of one estimate: a bound outside of the picture is not drawn as if it lay in it."""

from core.claims import Claim
from core.figures.estimate import Shown, draw
from core.inference.estimate import Verdict
from core.language.units import POINTS


def ends(high: float) -> tuple[str, ...]:
    claim = Claim(what="rise", estimate=0.0, low=0.0, high=high, p_value=0.5, tolerance=0.0365, unit=POINTS)
    figure = draw(claim, Verdict.INSUFFICIENT, Shown("rise", "no difference", 0.05)).figure
    bounds = next(trace for trace in figure.data if trace.name == "bounds")
    return tuple(bounds.marker.symbol)


def test_a_bar_whose_bound_lies_outside_of_the_picture_ends_in_an_arrow() -> None:
    assert ends(0.1) == ("line-ns-open", "line-ns-open")
    assert ends(0.661) == ("line-ns-open", "triangle-right")

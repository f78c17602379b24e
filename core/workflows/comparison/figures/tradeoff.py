"""How right each model is against how differently it decides about groups."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.caveats.assumptions import is_decided
from core.claims import Claim
from core.figures import marks, theme
from core.figures.chart import Chart, Drawing
from core.language.phrases import number, share_text
from core.language.told import retold, say
from core.workflows.comparison.rates import AtErrorRate, Rate, rate_claims
from core.workflows.comparison.result import ComparisonResult

ORDER = ("AOD", "EOD", "SPD")
"""The difference of groups that is drawn: the first that is known. Where outcomes are decisions it is the last, which
asks for no outcome."""
_MEASURES = {
    "SPD": say("favourable answers among all people"),
    "EOD": say("favourable answers among people with the favourable outcome"),
    "AOD": say("favourable answers, averaged over outcomes"),
}
_UNBEATEN = {"symbol": "diamond", "size": 13, "color": theme.BLUE}
_CIRCLE = {"symbol": "circle", "size": 11, "color": theme.GREY}


def undominated(right: np.ndarray, unfair: np.ndarray) -> np.ndarray:
    """The models that no other beats in one without losing in the other, shape (m,), bool.

    Args:
        right: How right each is, shape (m,); more is better.
        unfair: How unfair, shape (m,); less is better.
    """
    at_least = (right[None, :] >= right[:, None]) & (unfair[None, :] <= unfair[:, None])
    better = (right[None, :] > right[:, None]) | (unfair[None, :] < unfair[:, None])
    return np.asarray(~(at_least & better).any(axis=1))


def draw(plan: AtErrorRate, result: ComparisonResult) -> Drawing:
    """Accuracy against the largest difference of groups, with both intervals; diamonds where some models are beaten."""
    key, x, y = places(plan, result)
    best = undominated(x[:, 0], y[:, 0])
    marked = best & ~best.all()
    figure = blank(key, x, y)
    middle = (x.min() + x.max()) / 2
    written = _written(result.names, np.stack([x[:, 0], y[:, 0]], axis=1))
    for name, text, across, up, unbeaten in zip(result.names, written, x, y, marked, strict=True):
        figure.add_scatter(
            name=name,
            x=[across[0]],
            y=[up[0]],
            mode="markers+text",
            text=[text],
            textposition="top left" if across[0] > middle else "top right",  # verbatim
            marker=_UNBEATEN if unbeaten else _CIRCLE,
            error_x=marks.whiskers(across[:1], across[1:2], across[2:], color=theme.GREY),
            error_y=marks.whiskers(up[:1], up[1:2], up[2:], color=theme.GREY),
            hovertemplate=f"{theme.literal(name)}: %{{x:.1f}}, %{{y:.1f}}<extra></extra>",
        )
    return Drawing(figure, f"{'; '.join(in_words(result.names, key, x[:, 0], y[:, 0]))}.")


def places(plan: AtErrorRate, result: ComparisonResult) -> tuple[str, np.ndarray, np.ndarray]:
    """Which difference of groups is drawn, and accuracy in percent and that difference in points.

    Both have shape (m, 3): the estimate and the ends of its interval.
    """
    claims = dict(rate_claims(result, plan.alpha))
    (accuracy,) = [found for rate, found in claims.items() if rate.key == "accuracy"]
    decided = is_decided(result.data.outcome, result.data.favourable)
    key, of_groups = _drawn(tuple(claims), ORDER[::-1] if decided else ORDER)
    unfair = [_largest(claims, of_groups, place) for place in range(len(result.names))]
    x = np.array([[one.estimate, *one.ends] for one in accuracy]) * 100
    return key, x, np.array([_size(one) for one in unfair]) * 100


def blank(key: str, x: np.ndarray, y: np.ndarray) -> go.Figure:
    """The figure with its axes, which hold all that :func:`places` finds, and no mark yet."""
    figure = theme.blank(420)
    figure.update_xaxes(title=say("accuracy, in %"), range=theme.padded(list(x.ravel()), 0.12), nticks=6)
    return figure.update_yaxes(
        title=theme.in_lines(
            say("largest difference of groups in {measure}, in points", measure=retold(_MEASURES[key])), 44
        ),
        range=theme.padded([0.0, *y.ravel()], 0.12),
        nticks=6,
    )


def in_words(names: Sequence[str], key: str, right: np.ndarray, unfair: np.ndarray) -> list[str]:
    """Every model with its accuracy and its difference of groups, both shape (m,), and whether none beats it."""
    best = undominated(right, unfair)
    return [
        _in_words(name, float(across), key, float(up), unbeaten=bool(unbeaten))
        for name, across, up, unbeaten in zip(names, right, unfair, best, strict=True)
    ]


def _written(names: Sequence[str], places: np.ndarray) -> list[str]:
    """What stands beside each mark: of several models at one place, shape (m, 2), their names, each on a line."""
    first: dict[tuple[float, ...], int] = {}
    written = [""] * len(names)
    for place, (name, at) in enumerate(zip(names, places.round(1).tolist(), strict=True)):
        mark = first.setdefault(tuple(at), place)
        written[mark] += ("<br>" if written[mark] else "") + theme.literal(name, 24)
    return written


def _in_words(name: str, right: float, measure: str, unfair: float, *, unbeaten: bool) -> str:
    told = say(
        "{model}: accuracy {right}, largest difference of groups in {measure} {unfair} points",
        model=name,
        right=share_text(right / 100, 1),
        measure=retold(_MEASURES[measure]),
        unfair=number(unfair, 1),
    )
    return say("{told}, and no model beats it in both", told=told) if unbeaten else told


def _largest(claims: dict[Rate, tuple[Claim, ...]], of_groups: list[Rate], place: int) -> Claim:
    return max((claims[rate][place] for rate in of_groups), key=lambda one: abs(one.estimate))


def _drawn(known: tuple[Rate, ...], order: tuple[str, ...]) -> tuple[str, list[Rate]]:
    key = next(one for one in order if any(rate.key == one for rate in known))
    return key, [rate for rate in known if rate.key == key]


def _size(claim: Claim) -> tuple[float, float, float]:
    """Size of a signed difference, and the ends of the interval of its size."""
    low, high = claim.ends
    return abs(claim.estimate), max(0.0, low, -high), max(abs(low), abs(high))


def applies(plan: AtErrorRate, result: ComparisonResult) -> bool:
    """Whether accuracy and a difference of groups are known."""
    keys = {rate.key for rate, _ in rate_claims(result, plan.alpha)}
    return "accuracy" in keys and bool(keys & {*ORDER})


TRADE_OFF = Chart(
    say("Accuracy against differences of groups"),
    say(
        "To the right models agree with the recorded outcomes more often, which repeats them where they were unfair; "
        "further down they decide about groups more alike. Bars are intervals, each by itself. Where "
        "other models are beaten in both, those that none beats are diamonds."
    ),
    draw,
    applies,
)

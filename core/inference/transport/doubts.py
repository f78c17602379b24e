"""Why a method's bounds may be wrong for this sample and budget."""

from dataclasses import dataclass
from math import exp, sqrt

import numpy as np

from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local
from core.inference.transport.methods import PUBLISHED, Method, as_published, default_size, step
from core.inference.transport.prices import Prices
from core.inference.transport.truncated import distortion
from core.language.phrases import whole
from core.language.told import localized, say

LARGEST_KINK = 0.25
"""At a kink of this size, a method that ignores it puts the upper bound about 0.1 standard errors too low."""

_WIDENED = 4 / 3
"""Kinks are looked for a little further away than bounds allow for them, so that fewer go unnoticed."""

LARGEST_SKEWNESS = 0.2
"""Above this, a normal upper bound missed with 0.09 to 0.12 instead of 0.05."""

FEWEST_PEOPLE = 5
"""Where a value rested on 3 people in the mean, drawn upper bounds missed with 0.06, on 2 with 0.16, on 1 with 0.37."""

CHECKED = 1000
"""Draws that the paper's check of normality (section 4.1) looks at, however many there are: the more draws, the smaller
the deviations that would be found."""

FEWEST_DRAWN = 30
"""Where a resample as published holds fewer people who carry the value, upper bounds missed with up to 0.20; where it
holds 30, with 0.068 of 400 samples."""

LARGEST_SHIFT = 0.1
"""Standard errors by which the numerical bootstrap's draws may lie off."""

LEAST_SPREAD = 0.95
"""Share of their right spread that its draws have at least."""

LEVEL = 0.01
"""Draws with a smaller p-value do not look normal."""


@dataclass(frozen=True)
class Normality:
    """What the Anderson-Darling test says of draws whose mean and variance are unknown.

    Draws that are not normal suggest a kink, where Efron's bootstrap is invalid, or too few people behind the value.
    Normal draws prove little: of samples from a population with a kink, the check noticed 0.02 to 0.57.

    Attributes:
        statistic: A², corrected for the number of draws (D'Agostino and Stephens 1986, table 4.7).
        p_value: Of the hypothesis that the draws are normal (the same, table 4.9); 1 where A² is below 0.6.
    """

    statistic: float
    p_value: float

    @property
    def doubtful(self) -> bool:
        """Whether the draws do not look normal."""
        return self.p_value < LEVEL


@dataclass(frozen=True)
class Doubts:
    """How far this sample and budget are from what the simple methods assume.

    Attributes:
        kink: Standard deviation between people of what they gain more at the one end of the possible prices than at
            the other, relative to that of the gain itself. 0 where one price is possible, and where all gain alike at
            the sample's own price, as on one side of a kink with a single step; upper bounds missed with 0.04 to 0.05
            there. It noticed 0.82 to 0.88 of samples from populations with a kink larger than 0.4.
        skewness: Of the error of the value: that of people's gains over sqrt(n); large when few people carry it.
        people: How many people (clusters, where they belong together) with equal gains would carry the value as
            unevenly as these do, n (Σ f a)² / Σ f a²; 0 where nobody gains.
        normality: The paper's check of the draws; None for methods other than Efron's.
        sentences: What speaks against the method here, most serious first; empty when nothing does.
    """

    kink: float
    skewness: float
    people: float
    normality: Normality | None
    sentences: tuple[str, ...]


def doubts(method: Method, envelope: Envelope, draws: Draws, budget: float) -> Doubts:
    """Look for reasons to distrust a method.

    Args:
        method: How the uncertainty is found.
        envelope: Of the losses of ``draws.sample`` and the costs.
        draws: Of the sample.
        budget: Mean cost that may be spent.
    """
    sample = draws.sample
    local = Local.of(Prices.of(envelope, sample), sample, budget)
    kink, skewness = _kink(local, budget), _skewness(local)
    normality = (
        check_normality(as_published(envelope, draws, budget, draws.independent).roots) if method == "Efron" else None
    )
    found = []
    if method in ("closed form", "Efron") and kink > LARGEST_KINK:  # verbatim
        found.append(
            say(
                "More than one price of the budget could be optimal here, so the audit value has a kink, which "
                "this method ignores: its upper bound may be too low."
            )
        )
    if normality is not None and normality.doubtful:
        found.append(
            say(
                "The bootstrap draws are not normal (Anderson-Darling p = {p_value}).",
                p_value=localized(f"{normality.p_value:.2g}"),
            )
        )
    people = _people(local)
    if 0 < people < FEWEST_PEOPLE:
        found.append(
            say(
                "The audit value rests on about {people} people, too few for any upper bound.",
                people=localized(f"{people:.0f}"),
            )
        )
    elif method in PUBLISHED:
        found += _of_published(method, local, draws, budget, people)
    elif method == "closed form" and abs(skewness) > LARGEST_SKEWNESS:  # verbatim
        found.append(say("Few people carry the audit value, so it is not normal: its upper bound may be too low."))
    return Doubts(kink, skewness, people, normality, tuple(found))


def _of_published(method: Method, local: Local, draws: Draws, budget: float, people: float) -> list[str]:
    """Why one of the paper's own ways may miss here, in either direction."""
    sample, found = draws.sample, list[str]()
    size = default_size(draws.independent)
    if sample.variances.any():
        found.append(say("This way takes the losses of all kinds of people as known, and some are estimates here."))
    if method == "numerical" and sample.together is not None:
        found.append(say("This way takes all rows as independent, and some belong together."))
    carried = people * size / draws.independent
    if method != "numerical" and 0 < carried < FEWEST_DRAWN:
        found.append(
            say(
                "Of {size} people drawn at a time about {people} carry the audit value, too few for bounds that hold.",
                size=whole(size),
                people=localized(f"{carried:.0f}"),
            )
        )
    if _kink(local, budget, sqrt(draws.independent / size)) > LARGEST_KINK:
        found.append(
            say(
                "The audit value has a kink that so small samples reach and all people do not: bounds of this way may "
                "miss in either direction."
            )
        )
    if method == "numerical":
        shift, spread = distortion(sample.masses, local.gains, step(draws.independent))
        if abs(shift) > LARGEST_SHIFT or spread < LEAST_SPREAD:
            found.append(
                say(
                    "Many groups of similar people are so small that the draws of this way are cut off at nobody. "
                    "Their mean is off by {shift} standard errors, and they spread {spread} times as much as they "
                    "should.",
                    shift=localized(f"{abs(shift):.2f}"),
                    spread=localized(f"{spread:.2f}"),
                )
            )
    return found


def check_normality(draws: np.ndarray) -> Normality:
    """Anderson and Darling's test; draws without spread count as normal.

    Args:
        draws: In any order, shape (B,); of more than `CHECKED`, as many are taken at random, always the same.
    """
    if len(draws) > CHECKED:
        draws = np.random.default_rng(0).choice(draws, CHECKED, replace=False)
    values = np.sort(draws)
    count, deviation = len(values), values.std(ddof=1) if len(values) > 1 else 0.0
    if not deviation > 1e-12 * (1 + np.abs(values).max(initial=0.0)):
        return Normality(0.0, 1.0)
    from scipy.special import log_ndtr

    scores = (values - values.mean()) / deviation
    weights = 2 * np.arange(1, count + 1) - 1
    raw = -count - float((weights * (log_ndtr(scores) + log_ndtr(-scores[::-1]))).mean())
    statistic = raw * (1 + 0.75 / count + 2.25 / count**2)
    if statistic < 0.6:
        return Normality(statistic, 1.0)
    if statistic > 13:
        return Normality(statistic, 0.0)
    return Normality(statistic, exp(1.2937 - 5.709 * statistic + 0.0186 * statistic**2))


def _kink(local: Local, budget: float, further: float = 1.0) -> float:
    """See :class:`Doubts`; looked for so many times as far away."""
    prices, own = local.prices, local.prices.sample.spread(local.gains)
    low, high = prices.possible(budget, _WIDENED * further)
    if low == high or own == 0:
        return 0.0
    return sqrt(prices.sample.spread(prices.gains(low) - prices.gains(high)) / own)


def _skewness(local: Local) -> float:
    own = local.prices.sample.spread(local.gains)
    centred, shares = local.prices.sample.scores(local.gains)
    return float(shares @ centred**3) / own**1.5 / sqrt(local.prices.n) if own > 1e-18 else 0.0


def _people(local: Local) -> float:
    sample, gains = local.prices.sample, np.maximum(local.gains, 0.0)
    shares = sample.masses
    if sample.together is not None:
        gains, shares = sample.together.sums(gains), np.full(sample.independent, 1 / sample.n)
    second = float(shares @ gains**2)
    return sample.n * float(shares @ gains) ** 2 / second if second > 0 else 0.0

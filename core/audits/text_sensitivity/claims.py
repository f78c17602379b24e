"""What a text sensitivity test says besides its verdict, as claims: measures, groups, changed classes, and helpers.

Words of the corpus are none: their shares are sums over the texts, without an interval.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from core.audits.text_sensitivity.corners import CORNERS
from core.audits.text_sensitivity.decision import MEASURES, TextMeasure, TextSensitivityDecision, measure_name
from core.audits.text_sensitivity.estimates import Estimates, GroupMeans
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.claims import Claim
from core.data.labels import condition
from core.inference.agreement import agreement
from core.inference.estimate import Interval
from core.inference.excess import GroupExcess
from core.inference.several import holm
from core.inference.share import Share
from core.language.told import retold, say
from core.language.units import PLAIN, SHARES
from core.moved_answers import decided_otherwise, means_of_groups
from core.protected_status.model import StatusReport


def means(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[Claim]:
    """Every measure's mean, of both models, and how many times as sensitive as the second the audited one is."""
    compared = estimates.detail.reference is not None
    models = [say("Audited model"), *([say("Second model")] if compared else [])]
    for second, model in enumerate(models):
        for measure in MEASURES:
            one = estimates.mean(measure, signed=decision.signed, second=bool(second))
            known = {"people": one.n, "unit": unit_of(measure), "why": retold(one.undefined)}
            ends = one.two_sided(decision.alpha)
            yield Claim.with_ends(model, measure_name(measure, decision), one.value, ends, **known)
    for measure in MEASURES if compared else ():
        times = estimates.ratio(measure)
        yield Claim.with_ends(
            say("Audited model, times the second"), measure_name(measure, decision), times.value,
            times.two_sided(decision.alpha), unit=PLAIN, why=retold(times.undefined),
        )  # fmt: skip


def groups(
    estimates: Estimates, decision: TextSensitivityDecision, excesses: tuple[GroupExcess, ...]
) -> Iterator[Claim]:
    """Means by group of the judged and of the chosen measure, with few texts no number: it would tell of single ones.

    p-values are of exchanged words only: that the mean is within the tolerance.
    """
    shown = {(one.attribute, one.group): one.p_mean for one in excesses}
    for measure, members in _by_group(estimates, decision):
        swaps = measure == "CF"
        like = Claim(what=measure_name(measure, decision), unit=unit_of(measure))
        if swaps and decision.judged == "swaps":
            like = Claim(what=like.what, unit=like.unit, tolerance=decision.delta)
        attribute, names, alpha = members.attribute, members.groups, decision.alpha
        p_values = [shown.get((attribute, group), math.nan) for group in names] if swaps else ()
        told = means_of_groups(attribute, names, members.found, like, alpha=alpha, p_values=p_values)
        yield from (one if one.judged else replace(one, estimate=math.nan) for one in told)


def differences(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[Claim]:
    """The largest difference between groups by measure and attribute, where two of them are large enough.

    Intervals hold together for all pairs; the p-value is of "all groups are alike".
    """
    for measure, one in _by_group(estimates, decision):
        if np.isnan(one.found.p_value):
            continue
        judged = np.where(np.isfinite(one.found.differences_low), one.found.differences, -np.inf)
        i, j = np.unravel_index(int(judged.argmax()), judged.shape)
        if i == j:
            i, j = np.argwhere(np.isfinite(judged) & ~np.eye(len(judged), dtype=bool))[0]
        low, high = float(one.found.differences_low[i, j]), float(one.found.differences_high[i, j])
        yield Claim.with_ends(
            condition(one.attribute, one.groups[i]),
            measure_name(measure, decision),
            float(one.found.differences[i, j]),
            Interval(low, high, 1 - decision.alpha),
            against=condition(one.attribute, one.groups[j]),
            unit=unit_of(measure),
            people=int(one.found.rows[i]),
            others=int(one.found.rows[j]),
            p_value=one.found.p_value,
            tolerance=0.0,
        )


def flips(
    estimates: Estimates, decision: TextSensitivityDecision, excesses: tuple[GroupExcess, ...]
) -> Iterator[Claim]:
    """Texts whose predicted class changes: all, the second model's, every group's and every predicted class's.

    Each has an interval by itself; p-values of groups and classes are adjusted for all of them and for their means.
    """
    what, alpha = say("Texts whose predicted class changes"), decision.alpha
    yield decided_otherwise(say("All texts"), what, estimates.flips(), alpha)
    if estimates.detail.reference is not None:
        yield decided_otherwise(say("All texts, second model"), what, estimates.flips(second=True), alpha)
    p_values = {(one.attribute, one.group): one.p_changed for one in excesses}
    for part in estimates.parts:
        one = part.sample
        if part.corner and one.attribute != retold(CORNERS[0]):
            continue
        who = condition(one.attribute, one.group) if not part.corner else f"{one.attribute}: {one.group}"
        yield decided_otherwise(
            who, what, one.changed, alpha, p_value=p_values.get((one.attribute, one.group), math.nan)
        )


def status(report: StatusReport | None) -> tuple[Claim, ...]:
    """How well a protected status model recognises each group on texts it never learned from; empty without one."""
    if report is None:
        return ()
    names = [f"{report.attribute} = {group}" if report.attribute else group for group in report.groups]
    ends = zip(report.accuracy_low.tolist(), report.accuracy_high.tolist(), strict=True)
    return tuple(
        Claim.with_ends(
            name,
            say("Held-out texts recognised"),
            share,
            Interval(*interval, 0.95),
            people=n,
            unit=SHARES,
            why="" if n else say("no held-out text"),
        )
        for name, n, share, interval in zip(names, report.texts.tolist(), report.accuracy.tolist(), ends, strict=True)
    )


def judgements(estimates: Estimates, decision: TextSensitivityDecision) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """How the measures go with what people found biased: correlations, and mutual information in nats.

    p-values are of "no better than CF", by a paired bootstrap, adjusted for the number of measures (Holm).
    """
    judged = estimates.judgements(signed=decision.signed, alpha=decision.alpha)
    r_p = holm(np.array([one.beyond.correlation_p if one.beyond else math.nan for one in judged]))
    mi_p = holm(np.array([one.beyond.information_p if one.beyond else math.nan for one in judged]))
    correlations, information = [], []
    for place, one in enumerate(judged):
        found, name, confidence = one.found, measure_name(one.measure, decision), 1 - decision.alpha
        known = {"people": found.n, "why": retold(found.undefined)}
        ends = Interval(found.correlation_low, found.correlation_high, confidence)
        what = say("Correlation with people's judgement")
        correlations.append(Claim.with_ends(name, what, found.correlation, ends, p_value=float(r_p[place]), **known))
        ends = Interval(found.information_low, found.information_high, confidence)
        what = say("Mutual information with people's judgement, in nats")
        information.append(Claim.with_ends(name, what, found.information, ends, p_value=float(mi_p[place]), **known))
    return tuple(correlations), tuple(information)


def agreed(detail: TextSensitivityDetail, alpha: float) -> tuple[Claim, ...]:
    """What each person, and the majority of them, said of the texts, and how far they agree; empty without any."""
    if detail.judged is None:
        return ()
    biased, unclear = say("Found biased"), say("Could not be told")
    asked = np.isfinite(detail.judged)
    people = [(name, said[known]) for name, said, known in zip(detail.annotators, detail.judged, asked, strict=True)]
    several = len(people) > 1
    if several:
        people.append((say("Majority"), np.nan_to_num(detail.annotation[asked.any(axis=0)], nan=2.0)))
    claims = []
    for name, said in people:
        for what, answer in ((biased, 1), (unclear, 2)):
            share = Share(int((said == answer).sum()), len(said))
            ends = share.two_sided(alpha)
            claims.append(Claim.with_ends(name, what, share.value, ends, people=len(said), unit=SHARES))
    if several:
        found = agreement(detail.judged, alpha, detail.counted_families if detail.same is None else detail.same)
        claims.append(
            Claim.with_ends(
                say("All of them"), say("Agreement beyond chance (Fleiss' kappa)"), found.kappa,
                Interval(found.low, found.high, 1 - alpha), people=found.n, unit=PLAIN, why=retold(found.undefined),
            )
        )  # fmt: skip
    return tuple(claims)


def _by_group(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[tuple[TextMeasure, GroupMeans]]:
    """Groups of every attribute, by the measure that the verdict rests on and by the one chosen to be shown."""
    for measure in dict.fromkeys((decision.verdict_measure, decision.measure)):
        for one in estimates.by_group(measure, signed=decision.signed, alpha=decision.alpha):
            yield measure, one

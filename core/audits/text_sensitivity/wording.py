"""A text sensitivity test in words: its verdict, what would help, what a measure asks, and how the models differ."""

from collections.abc import Callable, Iterator

from core.audits.text_sensitivity.decision import TextMeasure
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.result import TextSensitivityDetail, TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.caveats.doubts import beyond_clause, beyond_sentence
from core.claims import Claim
from core.claims_told import Said, at_most, beyond_tolerance, needed, tolerated, value_text
from core.finding import verdict_headline
from core.inference.estimate import Verdict
from core.language.phrases import count, interval, lower_first, number, percent, without_stop
from core.language.told import retold, say, say_as, say_count
from core.language.units import POINTS
from core.moved_answers import how_far, share_told
from core.one_estimate import BoundWords, conclusion, no_number
from core.text.shipped_lists import shown

REACTS_TO: dict[TextMeasure, str] = {
    "P1": say("words of any kind (P1)"),
    "P2": say("words that give the group away (P2)"),
    "P3": say("words that give the group away, weighted by their embeddings (P3)"),
    "P4": say("words that name a group (P4)"),
    "P5": say("words that name a group, weighted by their embeddings (P5)"),
    "CF": say("the exchange of words that name a group (CF)"),
}
"""What each measure says the model's answer reacts to."""


EQUAL_TREATMENT = say(
    "Equal treatment means here that a text and the same text with the listed words exchanged get "
    "nearly the same answer. Whether answers are right, and what other words reveal of the group, "
    "was not tested: a model that gives every text one answer passes."
)
"""What "no violation" means."""


def opening(finding: TextSensitivityFinding) -> str:
    """The verdict in a few words, with the groups beyond the tolerance and how many texts change their class."""
    if finding.judged == "swaps":
        verdict = verdict_headline(finding, say("by exchanging the words of this list"))
    elif finding.verdict is Verdict.VIOLATION:
        verdict = say("Violation found in comparison with the second model")
    elif not_worse(finding):
        verdict = say("Not worse than the second model, but both may be unfair")
    else:
        verdict = say("Insufficient evidence in comparison with the second model")
    beyond = beyond_clause(finding.beyond) if finding.verdict is not Verdict.VIOLATION else ""
    return verdict + beyond + _class_changes(finding)


def sentence(finding: TextSensitivityFinding) -> str:
    """The verdict in plain words, with texts, estimate, bounds and tolerance; then the second model's part."""
    if finding.undefined:
        return no_number(finding)
    if finding.judged == "reference":
        return f"{finding.opening}: {_about_models(finding)}."
    words = list_name(finding.result)

    def changes(estimate: str) -> str:
        return say("exchanging {words} changes the answer by {estimate} on average", words=words, estimate=estimate)

    told = [f"{finding.opening}: {how_far(finding, changes, ('text', 'texts'))}."]
    if finding.verdict is Verdict.NO_VIOLATION:
        told.append(retold(EQUAL_TREATMENT))
    return " ".join([*told, *_beside_the_second_model(finding)])


def ratio_sentence(finding: TextSensitivityFinding) -> str:
    """How many times as sensitive as the second model the audited one is; empty where that is not known."""
    measure, alpha = finding.decision.measure, finding.decision.alpha
    found = finding.estimates.ratio(measure)
    if found.undefined:
        return ""
    ends = found.two_sided(alpha)
    return say(
        "The audited model is {times} times as sensitive as the second one to {words} ({confidence} interval "
        "{interval}).",
        times=number(found.value),
        words=retold(REACTS_TO[measure]),
        confidence=percent(1 - alpha),
        interval=interval(ends.low, ends.high),
    )


def flips_sentence(finding: TextSensitivityFinding) -> str:
    """In how many texts the predicted class changes when words are exchanged."""
    found, alpha = finding.estimates.flips(), finding.decision.alpha
    if not found.n:
        return say("No word was exchanged in any text.")
    return say_count(
        "{n} of {texts} changes the predicted class when words are exchanged, {share} ({confidence} interval "
        "{interval}).",
        "{n} of {texts} change the predicted class when words are exchanged, {share} ({confidence} interval "
        "{interval}).",
        found.count,
        texts=count(found.n, "text"),
        **share_told(found, alpha),
    )


def status_sentence(detail: TextSensitivityDetail) -> str:
    """How good the protected status model is, and what follows from it."""
    report = detail.status
    if report is None:
        return say("There is no protected status model, so that only the words of the list count (P4, P5, CF).")
    if report.weak:
        return say(
            "The protected status model is weak: {weak}. Read P4 or P5 instead.",
            weak=lower_first(without_stop(retold(report.weak))),
        )
    return say("The protected status model tells the groups apart well enough to say which words give them away.")


def text_share(value: float) -> str:
    """A share of a text's sensitivity, as it stands everywhere beside a word."""
    if 0 < value < 0.0001:
        return say("< {share}", share=percent(0.0001))
    return percent(round(value, 3 if value >= 0.01 else 4))


def list_name(result: TextSensitivityResult) -> str:
    """The list of words in a sentence: ``gendered words``, ``words of the list “Family”``."""
    words = result.audit.words
    shipped = words.complete is not words
    return (
        lower_first(shown(words.complete.name))
        if shipped
        else say("words of the list “{name}”", name=shown(words.name))
    )


def _class_changes(finding: TextSensitivityFinding) -> str:
    """How many texts change their predicted class, to go on with; empty if none does."""
    found, alpha = finding.estimates.flips(), finding.decision.alpha
    if not found.count:
        return ""
    return say(
        "; {share} of texts change class when words are exchanged ({confidence} interval {interval})",
        **share_told(found, alpha),
    )


def _beside_the_second_model(finding: TextSensitivityFinding) -> Iterator[str]:
    """What exchanged words do to the second model, and how the two compare by the chosen measure."""
    if finding.detail.reference is None:
        return
    estimates = finding.estimates
    mean, changed = estimates.mean("CF", second=True), estimates.flips(second=True)
    if not mean.undefined:
        yield say(
            "Beside it, the second model's answer changes by {change}, and {share} of its texts change class.",
            change=POINTS.text(mean.value),
            share=percent(round(changed.value, 4)),
        )
    if compared := ratio_sentence(finding):
        yield compared


def _about_models(finding: TextSensitivityFinding) -> str:
    decision, measure, told = finding.decision, finding.measure, in_unit(finding)
    times, unit = finding.estimates.ratio(measure), unit_of(measure)
    compared = (
        say(
            "the audited model reacts {times} times as strongly as the second one to {words}",
            times=number(times.value),
            words=retold(REACTS_TO[measure]),
        )
        if not times.undefined and not decision.is_signed(measure)
        else say("the models differ in how they react to {words}", words=retold(REACTS_TO[measure]))
    )
    confidence = percent(1 - decision.alpha)
    found = say(
        "{compared}; the mean difference is {estimate} ({texts})",
        compared=compared,
        estimate=told(finding.estimate),
        texts=count(finding.n, "text"),
    )
    tolerated = say("the tolerance of {delta}", delta=unit.tolerance(decision.delta))
    if not_worse(finding):
        return say(
            "{found}. With {confidence} confidence the difference is at most {upper_bound}, within "
            "{tolerated}. But the second model may lean on protected information as much, so this is no "
            "evidence of fairness",
            found=found,
            confidence=confidence,
            upper_bound=told(finding.upper_bound),
            tolerated=tolerated,
        )
    sure, beyond = say_as("with confidence", "the difference is"), say_as("above a tolerance", "above")
    return conclusion(finding, found, BoundWords(tolerated, told, sure, beyond, "texts"))


def not_worse(finding: TextSensitivityFinding) -> bool:
    """Whether the second model is shown to be as sensitive at least, by a measure that can show it."""
    if finding.undefined or finding.judged == "swaps":
        return False
    return not finding.unreliable and finding.upper_bound <= finding.decision.delta


def in_unit(finding: TextSensitivityFinding) -> Callable[[float], str]:
    """How people read values of the judged measure: with as many decimals as tell its bounds apart."""
    unit = unit_of(finding.measure)
    decimals = unit.precision(finding.lower_bound, finding.upper_bound)
    return lambda value: unit.text(value, decimals, beside=finding.decision.delta)


def headline(finding: TextSensitivityFinding, claim: Claim, said: Said) -> str:
    """How far the answer moves when words are exchanged, or could; no full stop."""
    if finding.judged == "reference":
        return _than_the_second_model(finding, claim, said)
    words = list_name(finding.result)
    if said == "beyond":
        return say(
            "Exchanging {words} changes the model's answer by {value} on average; {tolerated}",
            words=words,
            value=value_text(claim),
            tolerated=tolerated(claim),
        )
    if said == "within":
        told = say(
            "Exchanging {words} changes the model's answer by {bound} on average, with {sure} confidence; {tolerated}",
            words=words,
            bound=at_most(claim),
            sure=percent(1 - finding.decision.alpha),
            tolerated=tolerated(claim),
        )
    else:
        told = say(
            "Whether exchanging {words} changes the model's answer by {more} on average is open: {missing}",
            words=words,
            more=beyond_tolerance(claim),
            missing=needed(finding, claim),
        )
    return f"{told}{beyond_sentence(finding.beyond)}"


def _than_the_second_model(finding: TextSensitivityFinding, claim: Claim, said: Said) -> str:
    words = retold(REACTS_TO[finding.measure])
    if said == "beyond":
        return say(
            "The model reacts more strongly than the second one to {words}, by {value}; {tolerated}",
            words=words,
            value=value_text(claim),
            tolerated=tolerated(claim),
        )
    if not_worse(finding):
        return say("Not worse than the second model, but both may be unfair")
    return say(
        "Whether the model reacts more strongly than the second one to {words} is open: {missing}",
        words=words,
        missing=needed(finding, claim),
    )

"""A text sensitivity test in facts and tables."""

import math

from core.audits.text_sensitivity import summaries
from core.audits.text_sensitivity.assumptions import assumptions
from core.audits.text_sensitivity.decision import TextSensitivityDecision, measure_name
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.reach import LEAST_EXCHANGED, LEAST_TOLD, GroupReach
from core.audits.text_sensitivity.result import Families, TextSensitivityDetail
from core.audits.text_sensitivity.summaries import JudgementSummary
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import (
    flips_sentence,
    list_name,
    status_sentence,
)
from core.base.tables import NOT_GIVEN, Fact, Table
from core.language.phrases import count, interval, number, p_value, percent, share_interval, share_text, whole
from core.language.told import retold, say, say_as
from core.one_estimate import error_fact
from core.protected_status.model import StatusReport

__all__ = ["assumptions", "diagnostics", "reached", "recognised", "similar", "tables"]

_MODELS = {"audited": say("Audited model"), "second": say("Second model")}
_NATS = 3
"""Decimals of a mutual information."""


def similar(finding: TextSensitivityFinding) -> tuple[Fact, ...]:
    """Which words count, and where that is known from."""
    detail, audit = finding.detail, finding.result.audit
    status = detail.status
    similar = say("a text and the same text with its {words} exchanged", words=list_name(finding.result))
    if audit.edits:
        similar = say(
            "{similar}; {counterparts} written by hand",
            similar=similar,
            counterparts=count(len(audit.edits), "counterpart"),
        )
    return (
        Fact(say("Similar"), similar),
        Fact(say("Texts measured"), _measured(finding)),
        Fact(say("Texts that belong together"), _families_told(detail)),
        Fact(
            say("Texts with such words"),
            say(
                "{listed} of {texts}; a word could be exchanged in {exchanged}",
                listed=whole(detail.listed_texts),
                texts=whole(finding.texts),
                exchanged=whole(detail.exchanged_texts),
            ),
        ),
        Fact(say("Words that give the group away"), _status_told(detail)),
        Fact(
            say("Protected status model"), retold(status.name) if status is not None else say_as("of a model", "none")
        ),
    )


def tables(finding: TextSensitivityFinding) -> dict[str, Table]:
    """Measures, groups, flips, the status model, words, and what people found biased."""
    told = {"sensitivity interval": _measures(finding), "sensitivity flips": _flips(finding)}  # verbatim
    if (families := finding.detail.families) is not None and families.frames:
        told["sensitivity families"] = _families(families)  # verbatim
    if finding.groups:
        told["sensitivity groups"] = _groups(finding)  # verbatim
    if finding.reach:
        told["sensitivity reach"] = reached(finding.reach)  # verbatim
    if finding.words:
        told["sensitivity words"] = _words(finding)  # verbatim
    if finding.detail.status is not None:
        told["sensitivity status"] = recognised(finding.detail.status)  # verbatim
    if finding.annotations:
        told["sensitivity annotations"] = _annotations(finding)  # verbatim
    return told


def diagnostics(finding: TextSensitivityFinding) -> tuple[Fact, ...]:
    """How exact the numbers are, how good the helpers are, and what else goes with the measure."""
    facts = []
    if not finding.undefined:
        facts.append(error_fact(finding, unit_of(finding.measure).text))
    facts += [
        Fact(say("Protected status model"), status_sentence(finding.detail)),
        Fact(say("Predicted class"), flips_sentence(finding)),
    ]
    if finding.cut_texts:
        cut = say(
            "{cut} of {texts}; {words} not read",
            cut=whole(finding.cut_texts),
            texts=whole(finding.texts),
            words=count(finding.cut_words, "word"),
        )
        facts.append(Fact(say("Texts longer than the model reads"), cut))
    facts.append(Fact(say("Measure and the model's confidence"), _confidence(finding)))
    facts += [
        Fact(
            say(
                "Largest difference between groups of {attribute} ({measure})",
                attribute=one.attribute,
                measure=one.measure,
            ),
            say(
                "{first} above {second} by {difference} ({interval}; p-value that all groups are alike {p_value})",
                first=one.first,
                second=one.second,
                difference=unit_of(one.measure).text(one.difference),
                interval=unit_of(one.measure).interval(one.low, one.high),
                p_value=p_value(one.p_value),
            ),
        )
        for one in finding.differences
    ]
    return tuple(facts)


def recognised(report: StatusReport) -> Table:
    """How well a protected status model recognises each group, on texts it did not learn from."""
    rows = tuple(
        (
            one.group,
            whole(one.texts),
            percent(round(one.accuracy, 3)) if one.texts else NOT_GIVEN,
            share_interval(one.low, one.high) if one.texts else say("no text to judge it by"),
        )
        for one in summaries.status(report)
    )
    interval_of = say("{confidence} interval", confidence=percent(0.95))
    header = (report.attribute or say("Group"), say("Texts never seen"), say("Recognised"), interval_of)
    return Table(say("How well the protected status model recognises each group"), header, rows)


def _measured(finding: TextSensitivityFinding) -> str:
    rows = finding.result.data.rows_audited
    texts = whole(finding.texts)
    if finding.texts == rows:
        return texts
    return say("{texts} of {rows}; the protected status model learned from others", texts=texts, rows=whole(rows))


def _families_told(detail: TextSensitivityDetail) -> str:
    found = detail.families
    if found is None:
        return say("none: no two texts differ in one word only")
    families = count(found.count, "family", "families")
    if found.known == "column":
        return say("{families}, as a column says; they count together", families=families)
    if found.counted:
        return say("{families} of texts that differ in one word; they count together", families=families)
    return say(
        "{families} of texts that differ in one word; each text counts by itself, since they were said to be "
        "independent",
        families=families,
    )


def _families(found: Families) -> Table:
    rows = tuple((shown, whole(size)) for shown, size in zip(found.frames, found.sizes, strict=True))
    return Table(
        say("The largest families of texts that differ in one word"),
        (say("What their texts have in common"), say("Texts")),
        rows,
    )


def _status_told(detail: TextSensitivityDetail) -> str:
    if detail.status is None:
        return say("only the words of the list")
    laid = {
        "coordinates": say("coordinate by coordinate, since both models read the same tokens"),
        "words": say("word by word, since the two models read texts in different pieces"),
    }.get(detail.matched, "")
    told = say("by a model of {attribute}", attribute=detail.status.attribute or say("the group"))
    return f"{told}, {laid}" if laid else told


def _measures(finding: TextSensitivityFinding) -> Table:
    confidence = percent(1 - finding.decision.alpha)
    own = [one for one in finding.means if one.model == "audited"]
    second = {one.measure: one for one in finding.means if one.model == "second"}
    ratios = {one.measure: one for one in finding.ratios}
    rows = []
    for one in own:
        other, times = second.get(one.measure), ratios.get(one.measure)
        cells = [measure_name(one.measure, finding.decision), whole(one.texts)]
        for mean in (one, *([other] if other is not None else [])):
            cells += (
                [NOT_GIVEN, mean.undefined]
                if mean.undefined
                else [unit_of(mean.measure).text(mean.mean), unit_of(mean.measure).interval(mean.low, mean.high)]
            )
        if times is not None:
            signed = finding.decision.is_signed(one.measure)
            cells.append(
                NOT_GIVEN if times.undefined or signed else f"{number(times.ratio)} ({interval(times.low, times.high)})"
            )
        rows.append(tuple(cells))
    header: tuple[str, ...] = (
        say("Measure"),
        say("Texts"),
        say("Audited model, mean"),
        say("{confidence} interval", confidence=confidence),
    )
    if second:
        header = (
            *header,
            say("Second model, mean"),
            say("{confidence} interval of the second", confidence=confidence),
            say("Times as sensitive"),
        )
    return Table(say("Every measure, averaged over the texts it applies to"), header, tuple(rows))


def _groups(finding: TextSensitivityFinding) -> Table:
    rows = tuple(
        (
            f"{one.attribute} = {one.group}",
            measure_name(one.measure, finding.decision),
            whole(one.texts),
            unit_of(one.measure).text(one.mean) if math.isfinite(one.mean) else NOT_GIVEN,
            unit_of(one.measure).interval(one.low, one.high)
            if math.isfinite(one.low)
            else say("too few texts for an interval"),
            NOT_GIVEN if math.isnan(one.p_value) else _proven(one.beyond),
            NOT_GIVEN if math.isnan(one.p_value) else p_value(one.p_value, alpha=finding.decision.alpha),
        )
        for one in finding.groups
    )
    confidence = percent(1 - finding.decision.alpha)
    header = (
        say("Group"),
        say("Measure"),
        say("Texts"),
        say("Mean"),
        say("{confidence} interval, all groups together", confidence=confidence),
        say("Beyond the tolerance"),
        say("p-value, adjusted"),
    )
    caption = say(
        "The audited model by group. Beyond the tolerance: the mean or the share of changed classes when "
        "words are exchanged, adjusted for all groups of all attributes"
    )
    return Table(caption, header, rows)


def _proven(beyond: bool) -> str:
    return say_as("to be so", "shown") if beyond else say_as("to be so", "not shown")


def reached(reach: tuple[GroupReach, ...]) -> Table:
    """How far a list of words reaches each protected group."""
    rows = tuple(
        (
            f"{one.attribute} = {one.group}",
            whole(one.texts),
            percent(round(one.share, 3)),
            number(one.told, 2) if math.isfinite(one.told) else NOT_GIVEN,
            interval(one.low, one.high) if math.isfinite(one.told) else NOT_GIVEN,
            _spoken_for(one),
        )
        for one in reach
    )
    header = (
        say("Group"),
        say("Texts"),
        say("With exchanged words"),
        say("AUC of the words"),
        say("{confidence} interval", confidence=percent(0.95)),
        say("Spoken for"),
    )
    caption = say(
        "Whether the list speaks for each group: words exchanged in at least {least_exchanged} of its "
        "texts, and an AUC shown to be above {least_told} (how often the words tell a text of the group "
        "from another's: .5 is guessing, 1 is knowing)",
        least_exchanged=share_text(LEAST_EXCHANGED, 0),
        least_told=number(LEAST_TOLD, 2),
    )
    return Table(caption, header, rows)


def _spoken_for(one: GroupReach) -> str:
    if one.reached:
        return say("yes")
    return say("no: words left as they are tell it") if one.left > LEAST_TOLD else say("no")


def _flips(finding: TextSensitivityFinding) -> Table:
    rows = tuple(
        (
            retold(_MODELS[one.model]),
            whole(one.changed),
            whole(one.texts),
            percent(one.changed / one.texts) if one.texts else NOT_GIVEN,
            share_interval(one.low, one.high) if one.texts else NOT_GIVEN,
        )
        for one in finding.flips
    )
    header = (
        say("Model"),
        say("Texts that change"),
        say("Texts with exchanged words"),
        say("Share"),
        say("{confidence} interval", confidence=percent(1 - finding.decision.alpha)),
    )
    return Table(say("Texts whose predicted class changes when words are exchanged"), header, rows)


def _words(finding: TextSensitivityFinding) -> Table:
    rows = tuple(
        (
            one.word,
            whole(one.texts),
            percent(round(one.task, 3)),
            percent(round(one.status, 3)) if math.isfinite(one.status) else NOT_GIVEN,
            say("yes") if one.listed else say("no"),
        )
        for one in finding.words
    )
    header = (
        say("Word"),
        say("Texts"),
        say("Share of the model's reaction"),
        say("Share of what gives the group away"),
        say("In the list"),
    )
    return Table(say("The words the model reacts to most, of those in at least five texts"), header, rows)


def _annotations(finding: TextSensitivityFinding) -> Table:
    confidence = percent(1 - finding.decision.alpha)
    rows = tuple(_annotation(one, finding.decision) for one in finding.annotations)
    header = (
        say("Measure"),
        say("Judged texts"),
        say("Correlation"),
        say("{confidence} interval of the correlation", confidence=confidence),
        say("Correlates better than CF, p-value"),
        say("Mutual information (nats)"),
        say("{confidence} interval of the information", confidence=confidence),
        say("Tells more than CF, p-value"),
    )
    caption = say("How the measures go with what people found biased; p-values by paired bootstrap, adjusted (Holm)")
    return Table(caption, header, rows)


def _annotation(one: JudgementSummary, decision: TextSensitivityDecision) -> tuple[str, ...]:
    name = measure_name(one.measure, decision)
    if one.undefined:
        return (name, whole(one.texts), NOT_GIVEN, one.undefined, *([NOT_GIVEN] * 4))
    return (
        name,
        whole(one.texts),
        number(one.correlation, 2),
        interval(one.correlation_low, one.correlation_high),
        p_value(one.correlation_p) if math.isfinite(one.correlation_p) else NOT_GIVEN,
        number(one.information, _NATS),
        say("{low} to {high}", low=number(one.information_low, _NATS), high=number(one.information_high, _NATS)),
        p_value(one.information_p) if math.isfinite(one.information_p) else NOT_GIVEN,
    )


def _confidence(finding: TextSensitivityFinding) -> str:
    measure = finding.decision.measure
    found = finding.estimates.with_confidence(measure, signed=finding.decision.signed)
    mean = say(
        "the model is {mean} sure on average", mean=percent(round(float(finding.detail.audited.confidence.mean()), 3))
    )
    if not math.isfinite(found.value):
        return say("how they go together cannot be said from {texts}; {mean}", texts=count(found.n, "text"), mean=mean)
    parts = {
        "measure": measure,
        "correlation": number(found.value, 2),
        "low": number(found.low, 2),
        "high": number(found.high, 2),
        "mean": mean,
    }
    if found.value < 0:
        return say(
            "{measure} falls with confidence (rank correlation {correlation}, 95% interval {low} to {high}); {mean}",
            **parts,
        )
    return say(
        "{measure} rises with confidence (rank correlation {correlation}, 95% interval {low} to {high}); {mean}",
        **parts,
    )

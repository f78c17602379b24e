"""A text sensitivity test in facts and tables."""

import math

import numpy as np

from core.audits.text_sensitivity import claims
from core.audits.text_sensitivity.assumptions import assumptions
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.reach import LEAST_EXCHANGED, LEAST_TOLD, GroupReach
from core.audits.text_sensitivity.result import Families, TextSensitivityDetail
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import (
    flips_sentence,
    list_name,
    status_sentence,
)
from core.base.tables import NOT_GIVEN, Case, Fact, Table
from core.claims_shown import each, side_by_side
from core.data.labels import condition
from core.finding import tables_of_claims
from core.language.phrases import count, interval, number, percent, share_text, whole
from core.language.told import retold, say, say_as
from core.one_estimate import error_fact
from core.protected_status.model import StatusReport
from core.text.differences import differences

__all__ = ["assumptions", "case", "diagnostics", "reached", "recognised", "similar", "tables"]


_LONGEST = 160
"""Letters of a text that are shown."""
_BEFORE = 40
"""Letters shown before the first exchanged word."""


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
    told = tables_of_claims(finding)
    told["sensitivity interval"] = side_by_side(  # verbatim
        finding.parts["sensitivity interval"],  # verbatim
        alpha=finding.decision.alpha,
        rows=say("Texts"),
        caption=say("Every measure, averaged over the texts it applies to"),
        across="who",
    )
    if apart := finding.parts["sensitivity differences"]:  # verbatim
        told["sensitivity differences"] = each(  # verbatim
            apart,
            alpha=finding.decision.alpha,
            rows=say("Texts"),
            caption=say("The largest difference between groups; p-values of “all groups are alike”"),
        )
    if said := finding.parts["sensitivity agreement"]:  # verbatim
        told["sensitivity agreement"] = side_by_side(  # verbatim
            said,
            alpha=finding.decision.alpha,
            rows=say("Texts"),
            caption=say("What people said. Of the majority, more than half of those who judged a text said the same"),
        )
    if (families := finding.detail.families) is not None and families.frames:
        told["sensitivity families"] = _families(families)  # verbatim
    if finding.detail.reach:
        told["sensitivity reach"] = reached(finding.detail.reach)  # verbatim
    if finding.words:
        told["sensitivity words"] = _words(finding)  # verbatim
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
    if finding.detail.cut_texts:
        cut = say(
            "{cut} of {texts}; {words} not read",
            cut=whole(finding.detail.cut_texts),
            texts=whole(finding.texts),
            words=count(finding.detail.cut_words, "word"),
        )
        facts.append(Fact(say("Texts longer than the model reads"), cut))
    facts.append(Fact(say("Measure and the model's confidence"), _confidence(finding)))
    return tuple(facts)


def recognised(report: StatusReport) -> Table:
    """How well a protected status model recognises each group, on texts it did not learn from."""
    caption = say("How well the protected status model recognises each group")
    return each(claims.status(report), alpha=0.05, rows=say("Texts"), caption=caption)


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


def reached(reach: tuple[GroupReach, ...]) -> Table:
    """How far a list of words reaches each protected group."""
    rows = tuple(
        (
            condition(one.attribute, one.group),
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


def case(finding: TextSensitivityFinding) -> Case | None:
    """Of the texts kept for reading, the one that moves most; None where none was kept or no word exchanged."""
    detail = finding.detail
    shown, scores = detail.shown, detail.audited
    moved = scores.values("CF")[shown.rows]
    if not np.isfinite(moved).any():
        return None
    place = int(np.nanargmax(np.where(scores.flipped[shown.rows], moved + 1, moved)))
    row = int(shown.rows[place])
    text, other = shown.texts[place], shown.exchanged[place]
    found = differences(text, other)
    nothing = say("(nothing)")
    parts = {
        "record": whole(int(shown.records[place])),
        "predicted": detail.classes[scores.predicted[row]],
        "exchanged": ", ".join(dict.fromkeys(f"{one.before or nothing} → {one.after or nothing}" for one in found)),
        "moved": percent(round(float(moved[place]), 3)),
    }
    told = (
        say(
            "Row {record}, predicted {predicted}. With words exchanged ({exchanged}) {moved} of the probability "
            "moves and another class is predicted.",
            **parts,
        )
        if scores.flipped[row]
        else say(
            "Row {record}, predicted {predicted}. With words exchanged ({exchanged}) {moved} of the probability "
            "moves and the predicted class stays.",
            **parts,
        )
    )
    start = max(found[0].begin - _BEFORE, 0) if found else 0
    rows = ((say("As it is"), _part(text, start)), (say("Exchanged"), _part(other, start)))
    return Case(say("The text whose answer moves most"), told, Table("", ("", say("Text")), rows), personal=True)


def _part(text: str, start: int) -> str:
    """The text from about ``start`` on."""
    begin = text.find(" ", start) + 1 if start else 0
    part = text[begin : begin + _LONGEST]
    return f"{'… ' if begin else ''}{part}{' …' if begin + _LONGEST < len(text) else ''}"

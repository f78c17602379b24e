"""What a text sensitivity test assumes and what it cannot say, in plain words."""

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import EQUAL_TREATMENT
from core.caveats.assumptions import chosen_tolerance, read_once
from core.language.phrases import count
from core.language.told import retold, say
from core.language.units import POINTS


def assumptions(finding: TextSensitivityFinding) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this test."""
    decision, status = finding.decision, finding.detail.status
    about = _swaps(decision) if decision.judged == "swaps" else _reference(decision)
    told = (
        ()
        if status is None
        else (
            say(
                "Which words give the group away is what the protected status model has learned. A weak or "
                "biased one points to other words, and the measures that rest on it (P2, P3) then go less well "
                "with what people find biased than exchanged words do."
            ),
        )
    )
    annotated = (
        (
            say(
                "The correlation with people's judgement is one of values, so that a few texts with very large "
                "ones may move it, and its interval is then too narrow. The mutual information goes by ranks and "
                "does not mind."
            ),
        )
        if finding.parts["sensitivity annotations"]  # verbatim
        else ()
    )
    return (
        *about,
        say(
            "The measures P1 to P5 say how fast an answer changes when a word's embedding changes a little, "
            "not how far it changes when the word is another. Their absolute value means little: it depends "
            "on the length of the texts, on the scale of the embeddings and on how sure the model is. "
            "Compare models that read the same texts and answer with the same classes."
        ),
        *told,
        *annotated,
        say(
            "Texts are taken to be an independent sample of those the model is used on, and the model to "
            "have been trained on other texts. Copies of a text, and a text beside its own counterpart, "
            "count once. {alike}",
            alike=_about_alike(finding),
        ),
        say(
            "A word list knows the groups it was written for. People whom none of its words name are not "
            "seen, and most lists know two genders only."
        ),
        read_once(decision.alpha, say("measures, lists and tolerances")),
    )


def _about_alike(finding: TextSensitivityFinding) -> str:
    families = finding.detail.families
    if families is not None and not families.counted:
        return say(
            "They fall into only {families} of texts that are alike; the verdict rests on the word of whoever "
            "ran the test that these are independent all the same.",
            families=count(families.count, "family", "families"),
        )
    if families is not None and families.known == "column":
        return say("Texts that belong together, as a column says, count together.")
    return say(
        "Texts that differ in one word count together, as a family. Texts of one person, or of one "
        "template in other words, are not seen to belong together unless a column says so. Where no "
        "column does, the intervals are too narrow."
    )


def _swaps(decision: TextSensitivityDecision) -> tuple[str, ...]:
    return (
        say(
            "The verdict speaks of the words that were exchanged. Names, hobbies and other words that go "
            "with a group stay as they are, so that a model may lean on them unseen."
        ),
        say(
            "Counterparts are put together by a rule, and some read oddly or are wrong (“her” may be “his” "
            "or “him”). An odd text may move the answer for that reason alone. Look at them before the run "
            "and correct them."
        ),
        retold(EQUAL_TREATMENT),
        chosen_tolerance(POINTS.tolerance(decision.delta), decision),
    )


def _reference(decision: TextSensitivityDecision) -> tuple[str, ...]:
    return (
        say(
            "The comparison says which of two models leans more on protected information, never that one of "
            "them is fair. It is therefore never read as “no violation”."
        ),
        say(
            "An unsure model reacts to every word, so that the less confident of two models has the larger "
            "measures, whatever it leans on."
        ),
        say(
            "The tolerance of {delta} is a difference of the measure.",
            delta=unit_of(decision.measure).tolerance(decision.delta),
        ),
    )

"""What the register keeps of a result, drawn from what report and page say of it."""

from typing import Any

from core.language.phrases import shortened
from core.language.reader import SOURCE, speaking
from core.language.told import retold
from core.records.audits import AUDITS
from core.records.workflow import AbstractWorkflow
from core.register.entry import LONGEST, WORST_FIRST, Outcome, Summary
from core.report.multiple_tests import Together
from core.study import Study


def summarise(workflow: AbstractWorkflow[Any, Any], plan: Any, result: Any) -> Summary:
    """A finished result in a few words and numbers, in English whoever reads, as in the record.

    Args:
        workflow: What ran it.
        plan: Under which decision settings it is judged.
        result: What came out.
    """
    with speaking(SOURCE):
        return _summary(workflow, plan, result)


def _summary(workflow: AbstractWorkflow[Any, Any], plan: Any, result: Any) -> Summary:
    if isinstance(plan, Study):
        return _of_tests(plan, result)
    headline, sentence = workflow.told(plan, result)
    verdict = workflow.verdict(plan, result)
    return Summary(
        table=_short(plan.data.title),
        verdict="" if verdict is None else verdict.value,
        headline=_short(headline),
        sentence=_short(sentence),
        judged=tuple(map(_short, workflow.judged(plan, result))),
        rows_fingerprint=result.data.fingerprint,
    )


def without_result(plan: Study) -> Summary:
    """What is known of tests whose result was not summarised: everything but what came out."""
    with speaking(SOURCE):
        return _unknown(plan)


def _unknown(plan: Study) -> Summary:
    first = plan.plans[0]
    file = getattr(first.model, "file", None)
    return Summary(
        model=_short("predictions" if file is None else file.name),
        table=_short(first.data.title),
        outcomes=tuple(Outcome(title=_short(name)) for name in plan.names),
        subject=plan.subject,
    )


def _of_tests(study: Study, results: tuple[Any, ...]) -> Summary:
    together = Together.of(study, results)
    first = results[0]
    outcomes = [
        Outcome(
            title=_short(name),
            verdict=verdict.value,
            headline=_short(found.headline),
            sentence=_short(found.explanation),
            caption=_short(found.statistics.caption),
            header=tuple(map(_short, found.statistics.header)),
            rows=tuple(tuple(map(_short, row)) for row in found.statistics.rows),
        )
        for name, verdict, found in zip(together.names, together.verdicts, together.findings, strict=True)
    ]
    return Summary(
        model=_short(first.model.name),
        table=_short(study.plans[0].data.title),
        verdict=together.verdict.value,
        headline=_short(together.headline),
        qualified=_short(together.qualified),
        sentence=_short(together.sentence),
        outcomes=tuple(sorted(outcomes, key=lambda one: WORST_FIRST.index(one.verdict))),
        rows_fingerprint=first.data.fingerprint,
        fingerprint_of_model=first.model.fingerprint,
        subject=study.subject,
        definition=_short(f"{AUDITS.version}: {'; '.join(one.definition for one in together.findings)}"),
    )


def _short(text: str) -> str:
    return shortened(retold(text), LONGEST)

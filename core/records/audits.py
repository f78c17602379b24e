"""Audits as a workflow: every choice and every number of a study's tests, on record."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import ValidationError
from typing_extensions import override

from core.base.errors import Caveat, RecordError, SettingsError
from core.base.files import FileStore
from core.base.progress import OnProgress
from core.contracts.metric import FittedMetric
from core.data.left_out import gaps_told
from core.inference.estimate import Verdict
from core.language.phrases import by_name, count, whole
from core.language.reader import SOURCE, speaking
from core.language.settings_words import what_is_wrong
from core.language.told import say
from core.plan import AuditPlan
from core.records import upgrade
from core.records.codec import encode_for_people
from core.records.codec_frames import encode_number
from core.records.document import listed, parsed
from core.records.pieces import none_failed, run_plans
from core.records.workflow import AbstractWorkflow, facts_of_run
from core.report.html import render
from core.report.multiple_tests import Together
from core.report.signature import SignedBy
from core.report.stated import for_reading
from core.report.statement import Statement
from core.result import AuditResult, DataSummary, ModelSummary
from core.run import find
from core.slides.deck import build
from core.slides.live import Slides, live
from core.study import Study

Results = tuple[AuditResult, ...]

HIGH_SCORES_HEEDED = 6
"""The version of records since which it counts for probabilities, too, what high ones stand for."""
NUMBERS_ASKED = 7
"""The version since which it is asked whether a network reads numbers as they stand or standardised."""


class Audits(AbstractWorkflow[Study, Results]):
    """Tests of one model on one table. A bare plan is a study, or the plan of a single test."""

    key = "audit"
    name = say("an audit")
    plan = Study
    format = "evenhand-record"
    history: ClassVar[Mapping[int, str]] = {
        2: say("Records of one or several tests."),
        3: say(
            "The gradient-flow test also keeps the p-values of its two statistics adjusted for each other; "
            "groups and subgroups are a test of their own."
        ),
        4: say(
            "Every verdict and p-value is about the tolerance: a violation is a lower bound above it. Each "
            "test judges all protected attributes, all tests together have to show no violation, and rows "
            "left out for missing values are counted by group and may withhold it."
        ),
        5: say(
            "A learned metric carries its own error into interval, p-value and verdict; which directions it "
            "frees is decided by evidence."
        ),
        6: say(
            "Group fairness compares protected groups, in the direction of harm; combinations of other columns accuse "
            "nobody. Each test loses rows only for gaps in the columns it reads, the upper bound that is told of the "
            "transport test is the one its verdict used, and nothing is claimed where answers go against the outcomes."
        ),
        7: say(
            "The library that wrote a model file answers it. Its outputs stand for the outcomes that the file names, "
            "else for the table's in ascending order. Moves of the transport test are chosen by the losses expected of "
            "other people, and ten clusters are enough for equalized odds."
        ),
        8: say(
            "Every test keeps its claims: who, in what, by how much, with bounds, and what is tolerated. A reason says "
            "what it forbids to claim."
        ),
        9: say(
            "Groups, statistics and attributes of a test are claims too; what was noticed is called a caveat. The "
            "headline says who, in which direction, by how much and what is tolerated."
        ),
        10: say(
            "Equalized odds makes a claim of two groups of every protected attribute. The gradient-flow test repeats "
            "its search under other weights, too. Several people may judge texts, and a group may be known by a guess. "
            "Prediction sets are calibrated on another random half of the people."
        ),
        11: say(
            "Equalized odds of probabilities compares decisions, too. A label that says alone who somebody is stands "
            "without its column. Answers of texts come from the pass that is differentiated, and may differ in the "
            "last digit."
        ),
        12: say(
            "Rates of groups are told as shares of wrong answers: where a true-positive rate stood, one minus it "
            "stands. Texts are measured in blocks, and more than 1,024 of them may differ in the last digit."
        ),
        13: say(
            "Which end of an outcome that is a number is good for people is said once for all tests, with the roles of "
            "the columns. What one test was told counts for all of them; where two were told opposite ends, none does."
        ),
        14: say(
            "An audit that is read under another tolerance, or other decision settings, than were chosen before it ran "
            "is a trial: its record says so, and keeps both."
        ),
        15: say(
            "Equalized odds claims every difference of two groups that is shown to exceed the tolerance, not only the "
            "one that is told first. Shares of people who are alike in some columns have bounds of counts, which few "
            "people and rare answers do not make too narrow. The gradient-flow test cuts a protected number into "
            "ranges, and accuses nobody where no possible person is misjudged by more than is tolerated."
        ),
        16: say(
            "The gradient-flow test holds what its search finds against possible people who are similar: both have to "
            "accuse, or to clear, and the number told is that of possible people. The search's own stands beside it."
        ),
        17: say(
            "A protected attribute that is a number is cut at the quartiles of the whole table, so that its groups are "
            "the same in every test."
        ),
        18: say("How a model answers each group is kept: people by outcome and answer."),
        19: say(
            "Possible people whom the gradient-flow test found accuse by themselves. To clear, its search has to find "
            "nothing either."
        ),
        20: say(
            "Who has similar people judged worse by the transport test is counted by group, and divided among all who "
            "are judged as badly."
        ),
    }

    @override
    def run(self, plan: Study, files: FileStore, on_progress: OnProgress | None = None) -> Results:
        return none_failed(run_plans(plan.plans, files, on_progress))

    @override
    def numbers(self, plan: Study, result: Results) -> list[dict[str, Any]]:
        return [numbers_json(one, test) for one, test in zip(result, plan.plans, strict=True)]

    @override
    def document(self, plan: Study, result: Results) -> dict[str, Any]:
        together = Together.of(plan, result)
        rows = zip(plan.plans, result, self.numbers(plan, result), together.adjusted, strict=True)
        return {
            "result_fingerprint": plan.result_fingerprint,
            "verdict": {"headline": together.headline, "verdict": together.verdict.value},
            **({"trial": together.trial} if together.trial else {}),
            **plan.model_dump(mode="json", exclude={"plans"}),
            "tests": [
                {
                    "plan": test.model_dump(mode="json"),
                    "result_fingerprint": test.result_fingerprint,
                    "model": _model(one.model),
                    "metric": None if one.metric is None else _metric(one.metric),
                    "numbers": numbers,
                    "adjusted_p_value": encode_number(adjusted),
                    **facts_of_run(one),
                }
                for test, one, numbers, adjusted in rows
            ],
        }

    @override
    def page(
        self,
        plan: Study,
        result: Results,
        statement: Statement | None = None,
        record: str = "record.json",
        signature: SignedBy | None = None,
        *,
        others: str = "",
    ) -> str:
        return render(plan, result, statement, record, signature, others=others)

    @override
    def slides(
        self,
        plan: Study,
        result: Results,
        statement: Statement | None = None,
        signature: SignedBy | None = None,
        *,
        others: str = "",
    ) -> Slides:
        together, signed = Together.of(plan, result), signature is not None and signature.of_this
        stated = None if statement is None else for_reading(statement, plan)
        asked = () if plan.chosen else live(plan, together, stated, signed=signed, others=others)
        return Slides(build(plan, together, stated, signed=signed, others=others), asked)

    @override
    def parts(self, result: Results) -> dict[str, Any]:
        return {f"result-{number}": one for number, one in enumerate(result, start=1)}

    @override
    def versions(self, result: Results) -> tuple[tuple[str, str], ...]:
        return result[0].versions

    @override
    def told(self, plan: Study, result: Results) -> tuple[str, str]:
        together = Together.of(plan, result)
        return together.headline, together.sentence

    @override
    def lines(self, plan: Study, result: Results) -> list[str]:
        together = Together.of(plan, result)
        lines = [f"{together.told}. {together.sentence}", rows_told(together.names, result)]
        told: set[Caveat] = set()
        for found in together.shown:
            lines.append("")
            if len(result) > 1:
                lines.append(f"{found.title} - {found.headline}. {found.explanation}")
            caveats = found.result.caveats
            lines += [one.line for one in dict.fromkeys((*found.reasons, *caveats)) if one not in told]
            told.update((*found.unclaimed, *caveats))
            lines += [found.statistics.caption, *found.statistics.lines]
        return [*lines, ""]

    @override
    def verdict(self, plan: Study, result: Results) -> Verdict:
        return Together.of(plan, result).verdict

    @override
    def decided(self, plan: Study, delta: Sequence[str], alpha: float | None, *, known: bool = False) -> Study:
        tolerances = _tolerances(plan, delta)
        decisions = []
        for test in plan.plans:
            asked = {"delta": tolerances.get(test.audit.kind), "alpha": alpha}
            values = test.decision.model_dump() | {name: value for name, value in asked.items() if value is not None}
            try:
                decisions.append(type(test.decision).model_validate(values))
            except ValidationError as error:
                first = error.errors()[0]
                raise SettingsError(
                    say(
                        "The option --{option} is out of range: {reason}.",
                        option=(first["loc"] or ("delta",))[0],
                        reason=what_is_wrong(first),
                    ),
                    advice=say("Choose another value."),
                ) from error
        return plan.read(tuple(decisions)) if known else plan.under(tuple(decisions))

    @override
    def named_fields(self, document: dict[str, Any]) -> int:
        if "plans" in document:
            return len(document)
        fields = AuditPlan.model_fields.keys()
        return len(document.keys() & fields) if {"data", "roles", "model", "audit"} <= document.keys() else 0

    @override
    def read_bare(self, document: dict[str, Any]) -> Study:
        return super().read_bare(document if "plans" in document else {"plans": [document]})

    @override
    def upgraded_plan(self, plan: dict[str, Any]) -> dict[str, Any]:
        plans = plan.get("plans")
        return {**plan, "plans": upgrade.upgraded_plans(plans)} if isinstance(plans, list) else plan

    @override
    def upgraded(self, document: dict[str, Any], version: int) -> dict[str, Any]:
        tests = document.get("tests")
        if not isinstance(tests, list):
            return document
        found = upgrade.upgraded(tests)
        if version < HIGH_SCORES_HEEDED:
            found = upgrade.with_high_scores_ignored(found)
        if version < NUMBERS_ASKED:
            found = upgrade.with_numbers_standardised(found)
        return {**document, "tests": found}

    @override
    def read_plan(self, document: dict[str, Any]) -> Study:
        tests = document.get("tests")
        if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
            raise RecordError(
                say("The record names no tests."), advice=say("Take the record anew from where it was made.")
            )
        plans = [test.get("plan") for test in tests]
        return parsed({"plans": plans, "chosen": document.get("chosen", [])}, Study)

    @override
    def read_numbers(self, document: dict[str, Any]) -> list[dict[str, Any]] | None:
        numbers = [test.get("numbers") for test in document["tests"]]
        return numbers if all(isinstance(one, dict) for one in numbers) else None


AUDITS = Audits()


def numbers_json(result: AuditResult, plan: AuditPlan) -> dict[str, Any]:
    """All numbers of the result under the plan's decision settings, as JSON."""
    finding = find(result, plan.decision, plan.roles.good_end)
    with speaking(SOURCE):
        hints = finding.record_hints
    return {name: encode_for_people(value, hint) for name, (value, hint) in hints.items()}


def _tolerances(study: Study, given: Sequence[str]) -> dict[str, str]:
    """Tolerances by the kind of test: ``1.25`` for the only one, ``KIND=0.04`` for one of several."""
    kinds = [plan.audit.kind for plan in study.plans]
    found: dict[str, str] = {}
    for text in given:
        kind, named, value = text.rpartition("=")
        if not named and len(kinds) == 1:
            kind = kinds[0]
        if kind not in kinds:
            raise SettingsError(
                say("The option --delta {text} does not say for which test it is.", text=text),
                advice=say("Write --delta {kind}=VALUE; the tests are {kinds}.", kind=kinds[0], kinds=", ".join(kinds)),
            )
        found[kind] = value
    return found


def rows_told(names: Sequence[str], results: Results) -> str:
    """How many rows were read, left out and audited, and how many taught the metric; by test where these differ."""
    return by_name(names, [_rows(one.data, one.taught) for one in results])


def _rows(data: DataSummary, taught: str) -> str:
    filled = ", ".join(
        say("{cells} of {name} filled in", cells=count(cells, "missing value"), name=name)
        for name, cells in data.cells_imputed
    )
    said = (
        say(
            "{rows_read} in the table, {rows_left_out} left out for missing values",
            rows_read=data.read,
            rows_left_out=whole(data.rows_left_out),
        ),
        filled,
        say("{rows} audited", rows=data.rows)
        if data.clusters
        else say("{rows} audited", rows=whole(data.rows_audited)),
        taught,
    )
    rows = ", ".join(filter(None, said))
    return say("{rows}. Empty: {columns}", rows=rows, columns=gaps_told(data.gaps)) if data.gaps else rows


def _model(model: ModelSummary) -> dict[str, Any]:
    known = {"name": model.name, "kind": model.kind, "fingerprint": model.fingerprint} | _proved(model)
    if not model.classes:
        return known | {
            "root_mean_squared_error": encode_number(model.error),
            "outcome_standard_deviation": encode_number(model.spread),
            "correlation": encode_number(model.correlation),
            "r_squared": encode_number(model.fit.explained),
        }
    return known | {
        "classes": list(model.classes),
        "confusion": model.confusion.tolist(),
        "confusion_by_group": dict(zip(model.by_group.who, model.by_group.counts.tolist(), strict=True)),
        "accuracy": encode_number(model.accuracy),
        "balanced_accuracy": encode_number(model.balanced_accuracy),
        "majority_share": encode_number(model.majority_share),
    }


def _proved(model: ModelSummary) -> dict[str, Any]:
    """A few answers by the number of their row, and on how many rows known answers were met; nothing about people."""
    shown = zip(model.rows_shown, model.answers_shown.tolist(), strict=True)
    answers = [{"row": row, "answers": [encode_number(one) for one in given]} for row, given in shown]
    with speaking(SOURCE):
        proofs = [
            {"known": one.known, "rows": one.rows, "agree": one.agree, "told": str(one.told)} for one in model.proofs
        ]
    return ({"first_answers": answers} if answers else {}) | ({"known_answers": proofs} if proofs else {})


def _metric(metric: FittedMetric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "learned_on": metric.learned_on,
        "columns": list(metric.columns),
        "free": listed(metric.free),
        "spectrum": listed(metric.spectrum),
        "largest_eigenvalue": encode_number(metric.largest_eigenvalue),
        "probes": [
            {"attribute": probe.attribute, "groups": list(probe.groups), "auc": encode_number(probe.auc)}
            for probe in metric.probes
        ],
    }

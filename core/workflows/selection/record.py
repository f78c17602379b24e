"""Selections as a workflow: every choice and every number, on record."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from typing_extensions import override

from core.audits.transport.decision import TransportDecision
from core.base.errors import Caveat
from core.base.files import FileStore, files_of
from core.base.progress import OnProgress
from core.data.labels import labelled_by
from core.inference.estimate import Verdict
from core.inference.evidence import Estimated
from core.language.told import say
from core.plan import AuditPlan
from core.records.codec import encode_for_people
from core.records.codec_frames import encode_number
from core.records.document import listed, parsed
from core.records.upgrade import renamed
from core.records.workflow import AbstractWorkflow
from core.report.page import Page
from core.workflows.selection.choice import found_unfair_together, shown_together
from core.workflows.selection.page import page_of
from core.workflows.selection.path import FittedPath
from core.workflows.selection.result import Candidate, SelectionResult
from core.workflows.selection.run import run_selection
from core.workflows.selection.settings import SelectionPlan
from core.workflows.selection.wording import decision_of, headline, sentence, the_choice


class Selection(AbstractWorkflow[SelectionPlan, SelectionResult]):
    """The most accurate model that passes the test of fairness, audited on rows of its own."""

    key = "selection"
    name = "a selection"
    plan = SelectionPlan
    format = "evenhand-selection"
    history: ClassVar[Mapping[int, str]] = {
        1: say("Records of selections."),
        2: say("Plans call the decision settings by this name, no longer a reading."),
    }

    @override
    def run(self, plan: SelectionPlan, files: FileStore, on_progress: OnProgress | None = None) -> SelectionResult:
        return run_selection(plan, files, on_progress)

    @override
    def numbers(self, plan: SelectionPlan, result: SelectionResult) -> dict[str, Any]:
        decision = decision_of(plan, result)
        return {
            "rows": dict(zip(("training", "validation", "audit"), result.rows, strict=True)),
            "budget": encode_number(result.budget),
            "candidates": _candidates(plan, result, decision),
            "path": None if result.path is None else _path(result.path),
            "chosen": result.chosen,
            "audit": None if result.audited is None else _audit(result, decision),
        }

    @override
    def page_of(self, plan: SelectionPlan, result: SelectionResult) -> Page:
        return page_of(plan, result)

    @override
    def told(self, plan: SelectionPlan, result: SelectionResult) -> tuple[str, str]:
        plan, result = labelled_by((plan, result), plan.roles)
        return headline(plan, result), sentence(plan, result)

    @override
    def lines(self, plan: SelectionPlan, result: SelectionResult) -> list[str]:
        plan, result = labelled_by((plan, result), plan.roles)
        return [f"{headline(plan, result)}: {sentence(plan, result)}", *(caveat.line for caveat in result.caveats)]

    @override
    def products(self, plan: SelectionPlan, result: SelectionResult, files: FileStore) -> dict[str, bytes]:
        """Where a model was chosen: it, the rows of its audit, and the plan of that audit."""
        if result.audit is None:
            return {}
        named = {Path(ref.name).name: files.path(ref).read_bytes() for ref in files_of(result.audit)}
        return {"audit.json": f"{result.audit.model_dump_json(indent=1)}\n".encode(), **named}

    @override
    def verdict(self, plan: SelectionPlan, result: SelectionResult) -> Verdict:
        """That of the audit; a violation where no model may be chosen."""
        if result.audited is None:
            return Verdict.VIOLATION
        return result.finding(decision_of(plan, result)).verdict

    @override
    def upgraded(self, document: dict[str, Any], version: int) -> dict[str, Any]:
        numbers = document.get("numbers")
        audit = numbers.get("audit") if isinstance(numbers, dict) else None
        if not isinstance(numbers, dict) or not isinstance(audit, dict):
            return document
        held = audit.get("plan")
        plan = parsed(renamed(held) if isinstance(held, dict) else held, AuditPlan).model_dump(mode="json")
        return {**document, "numbers": {**numbers, "audit": {**audit, "plan": plan}}}


SELECTION = Selection()


def _candidates(plan: SelectionPlan, result: SelectionResult, decision: TransportDecision) -> list[dict[str, Any]]:
    admissible = the_choice(plan, result).admissible
    shown = shown_together(result.candidates, decision.delta, decision.alpha)
    unfair = found_unfair_together(result.candidates, decision.delta, decision.alpha)
    return [
        {
            **_candidate(one, decision),
            "may_be_chosen": bool(admissible[i]),
            "shown_fair_together": bool(shown[i]),
            "found_unfair_together": bool(unfair[i]),
        }
        for i, one in enumerate(result.candidates)
    ]


def _candidate(one: Candidate, decision: TransportDecision) -> dict[str, Any]:
    return {
        "name": one.name,
        "fingerprint": one.fingerprint,
        "confusion": one.confusion.tolist(),
        "accuracy": one.accuracy,
        "balanced_accuracy": one.balanced_accuracy,
        "unfairness": _unfairness(one.unfairness, decision),
        "columns": [column.model_dump(mode="json") for column in one.columns],
        "unable": one.unable,
        "unclear": one.unclear,
    }


def _unfairness(found: Estimated, decision: TransportDecision) -> dict[str, Any]:
    if found.undefined:
        return {"undefined": found.undefined}
    limits = found.two_sided(decision.alpha)
    return {
        "value": encode_number(found.value),
        "lower_bound": encode_number(found.lower_bound(decision.alpha)),
        "upper_bound": encode_number(found.upper_bound(decision.alpha)),
        "interval": [encode_number(limits.low), encode_number(limits.high)],
        "p_value": encode_number(found.p_value(decision.delta)),
    }


def _path(path: FittedPath) -> dict[str, Any]:
    return {
        "columns": list(path.encoder.names),
        "outcomes": list(path.classes),
        "encoder": path.encoder.model_dump(mode="json"),
        "strengths": listed(path.strengths),
        "coefficients": listed(path.coefficients),
        "intercepts": listed(path.intercepts),
        "converged": path.converged.tolist(),
        "passes": path.passes.tolist(),
        "rows": path.rows,
    }


def _audit(result: SelectionResult, decision: TransportDecision) -> dict[str, Any]:
    if result.audit is None or result.audited is None:
        return {}
    finding = result.finding(decision)
    return {
        "plan": result.audit.model_dump(mode="json"),
        "confusion": result.audited.model.confusion.tolist(),
        "accuracy": result.audited.model.accuracy,
        "balanced_accuracy": result.audited.model.balanced_accuracy,
        "unfairness": _unfairness(finding.inference, decision),
        "verdict": finding.verdict.value,
        "caveats": encode_for_people(result.audited.caveats, tuple[Caveat, ...]),
    }

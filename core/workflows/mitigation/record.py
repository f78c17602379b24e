"""Mitigation as a workflow: every choice and every number, on record."""

from collections.abc import Mapping
from typing import Any, ClassVar

from typing_extensions import override

from core.base.files import FileRef, FileStore
from core.base.progress import OnProgress
from core.claims import Claim
from core.data.labels import labelled_by
from core.language.told import say
from core.records.codec import encode_for_people
from core.records.codec_frames import encode_number
from core.records.document import listed
from core.records.workflow import AbstractWorkflow
from core.report.page import Page
from core.workflows.comparison.rates import rate_claims
from core.workflows.mitigation.beside import beside
from core.workflows.mitigation.page import fits_table, page_of, splits_table
from core.workflows.mitigation.result import BASELINE, PARTS, MitigationResult, Splits, TriedModel
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.mitigation.splits import compare
from core.workflows.mitigation.unseen import unseen_rows
from core.workflows.mitigation.wording import cost, headline, sentence


class Mitigation(AbstractWorkflow[MitigationPlan, MitigationResult]):
    """Models that give up accuracy for equalized odds, compared with one that does not."""

    key = "fairer"
    name = "a mitigation"
    plan = MitigationPlan
    format = "evenhand-fairer"
    history: ClassVar[Mapping[int, str]] = {
        1: say("Records of models that trade accuracy for fairness."),
        2: say("Methods that treat similar people alike, and how similar people fare with each model."),
        3: say(
            "Several methods are fitted in one run, over repeated splits if wanted. Rates stand beside those of the "
            "baseline, and the model told first errs least on the rows held out."
        ),
    }

    @override
    def run(self, plan: MitigationPlan, files: FileStore, on_progress: OnProgress | None = None) -> MitigationResult:
        return compare(plan, files, on_progress)

    @override
    def numbers(self, plan: MitigationPlan, result: MitigationResult) -> dict[str, Any]:
        everybody = ("everybody", *result.groups)
        return {
            "measure": result.measure,
            "attribute": result.attribute,
            "rows": {
                part: dict(zip(everybody, map(int, counts), strict=True))
                for part, counts in zip(PARTS, result.rows, strict=True)
            },
            "spread_of_outcome": encode_number(result.spread),
            "exact_test": result.exact,
            "models": [_fit(result, fit, everybody) for fit in result.fits],
            "rates": [
                {"key": rate.key, **encode_for_people(claim, Claim)}
                for rate, claims in rate_claims(beside(result), plan.alpha)
                for claim in claims
            ],
            "splits": None if result.splits is None else encode_for_people(result.splits, Splits),
        }

    @override
    def page_of(self, plan: MitigationPlan, result: MitigationResult) -> Page:
        return page_of(plan, result)

    @override
    def told(self, plan: MitigationPlan, result: MitigationResult) -> tuple[str, str]:
        plan, result = labelled_by((plan, result), plan.roles)
        return headline(plan, result), sentence(plan, result)

    @override
    def lines(self, plan: MitigationPlan, result: MitigationResult) -> list[str]:
        plan, result = labelled_by((plan, result), plan.roles)
        costs = (cost(result, fit) for fit in result.fits if not fit.is_baseline)
        splits = [] if result.splits is None else [splits_table(plan, result)]
        told = [line for table in (fits_table(plan, result), *splits) for line in table.lines]
        return [*told, *costs, *(caveat.line for caveat in result.caveats)]

    @override
    def products(self, plan: MitigationPlan, result: MitigationResult, files: FileStore) -> dict[str, bytes]:
        """The models that can be files, and the answers of those that cannot."""
        kept = [ref for fit in result.fits for ref in (fit.model, fit.table) if ref]
        return {ref.name: files.path(ref).read_bytes() for ref in kept}

    @override
    def unseen_rows(self, plan: MitigationPlan, files: FileStore) -> FileRef:
        return unseen_rows(plan, files)


MITIGATION = Mitigation()


def _fit(result: MitigationResult, fit: TriedModel, everybody: tuple[str, ...]) -> dict[str, Any]:
    extra, error = result.cost(fit)
    return {
        "method": fit.method,
        "strength": BASELINE if fit.is_baseline else fit.strength,
        "errors": {
            part: dict(zip(everybody, listed(errors), strict=True))
            for part, errors in zip(PARTS, result.errors(fit), strict=True)
        },
        "extra_loss": encode_number(extra),
        "extra_loss_error": encode_number(error),
        "p_value": encode_number(fit.p_value),
        "p_value_error": encode_number(fit.p_error),
        "gap": {
            "value": encode_number(fit.gap.value),
            "low": encode_number(fit.gap.low),
            "high": encode_number(fit.gap.high),
            "cells_too_small": len(fit.gap.small),
        },
        "one_answer_for_everybody": fit.constant,
        "coverage": dict(zip(result.groups, listed(fit.coverage), strict=True)),
        "set_sizes": dict(zip(result.groups, listed(fit.sizes), strict=True)),
        "most_similar_differ": encode_number(fit.unlike),
        "loss_ratio": None if fit.similar is None else encode_for_people(fit.similar, Claim),
        "model": None if fit.model is None else fit.model.model_dump(mode="json"),
        "why_no_model": fit.why_not,
    }

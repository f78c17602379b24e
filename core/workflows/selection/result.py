"""What a selection found: every candidate on the validation rows, the choice, and its audit on rows of its own."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportDetail, TransportResult
from core.audits.transport.settings import CellColumn
from core.audits.transport.unseen import ForEverybody
from core.audits.transport.verdict import TransportFinding
from core.base.errors import AuditError
from core.language.told import say
from core.models.answered import CountedByClass
from core.plan import AuditPlan
from core.result import AbstractResult, AuditResult
from core.workflows.selection.path import FittedPath
from core.workflows.selection.settings import Rule


@dataclass(frozen=True)
class Candidate(CountedByClass):
    """One model on the validation rows.

    Attributes:
        name: What people call it ("1/λ = 0.0145", or the file's name).
        fingerprint: SHA-256 of what defines its answers.
        confusion: Counts, true outcome by predicted outcome; shape (k, k), int.
        unfairness: The audit value (papers/faith.md, section 2) with its uncertainty.
        columns: The columns that tell people apart.
        unable: Why it cannot be chosen, whatever its numbers; empty if it can.
        unclear: Why these rows cannot show that it is fair, however small its unfairness; empty if they can.
    """

    name: str
    fingerprint: str
    confusion: np.ndarray
    unfairness: ForEverybody
    columns: tuple[CellColumn, ...] = ()
    unable: str = ""
    unclear: str = ""

    @property
    def people(self) -> int:
        """Validation rows."""
        return int(self.confusion.sum())

    @property
    def gives_one_answer(self) -> bool:
        """Whether everybody among the validation rows gets the same outcome from it."""
        return int((self.confusion.sum(axis=0) > 0).sum()) == 1

    def quality(self, rule: Rule) -> float:
        """What the rule wants to be highest."""
        return self.accuracy if rule.best == "accuracy" else self.balanced_accuracy


@dataclass(frozen=True, kw_only=True)
class SelectionResult(AbstractResult):
    """Everything a selection found; its data are about the validation rows.

    Attributes:
        rows: Rows for training (0 where nothing was fitted), validation and audit.
        budget: Budget ε of every candidate's unfairness and of the audit.
        candidates: The models, simplest first.
        path: The fitted models; None where they were brought.
        chosen: Index of the model chosen under the plan's own rule and decision settings; None where none may be.
        audit: The audit of the chosen model as a plan of its own; None where nothing was audited.
        audited: Its result; None where nothing was audited.
    """

    rows: tuple[int, int, int]
    budget: float
    candidates: tuple[Candidate, ...]
    path: FittedPath | None
    chosen: int | None
    audit: AuditPlan | None
    audited: TransportResult | None

    def finding(self, decision: TransportDecision) -> TransportFinding:
        """What the audit of the chosen model says under ``decision``.

        Raises:
            AuditError: Nothing was audited.
        """
        if self.audited is None:
            raise AuditError(
                say("No model was chosen, so none was audited."), advice=say("Change the rule or the tolerance.")
            )
        return TransportFinding(self.audited, decision)


def transport_result(result: AuditResult) -> TransportResult:
    """The result of a transport test."""
    if not isinstance(result.detail, TransportDetail):
        raise TypeError(f"{type(result.detail).__name__} is not the detail of a transport test.")
    return cast(TransportResult, result)

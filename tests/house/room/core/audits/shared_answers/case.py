"""The case that shows what a shared-answers test found."""

from core.audits.shared_answers.verdict import SharedAnswersFinding

from core.case import Case
from core.language.phrases import count


def case(finding: SharedAnswersFinding) -> Case:
    """How many people there are with an answer of their group's own."""
    alone = int(finding.result.detail.alone.sum())
    return Case("Answers of one group only", f"{count(alone, 'person gets', 'people get')} an answer of this kind.")

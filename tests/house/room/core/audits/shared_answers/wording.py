"""The shared-answers test in words."""

from core.audits.shared_answers.decision import PEOPLE
from core.audits.shared_answers.verdict import SharedAnswersFinding

from core.language.phrases import count, percent


def headline(finding: SharedAnswersFinding) -> str:
    """The verdict in a few words."""
    return finding.verdict.value.capitalize()


def sentence(finding: SharedAnswersFinding) -> str:
    """The verdict in one sentence."""
    share = percent(round(finding.estimate, 3))
    return f"{finding.headline}: {share} of {count(finding.n, 'person', 'people')} get an answer of their group's own."


def tolerance_text(finding: SharedAnswersFinding) -> str:
    """The tolerance."""
    return PEOPLE.tolerance(finding.decision.delta)


def next_steps(finding: SharedAnswersFinding) -> tuple[str, ...]:
    """Nothing is known that would help."""
    return ()

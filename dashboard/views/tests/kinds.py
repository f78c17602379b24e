"""The table of tests as the pages know them. A new one adds its line here and its fields to ``session.Draft``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.data.roles import Roles
from core.plan import AuditPlan
from dashboard.audits.column_sensitivity import review as review_column_sensitivity
from dashboard.audits.column_sensitivity import setup as column_sensitivity
from dashboard.audits.equalized_odds import review as review_fair_dummies
from dashboard.audits.equalized_odds import setup as fair_dummies
from dashboard.audits.gradient_flow import review as review_estimate
from dashboard.audits.gradient_flow import setup as metric
from dashboard.audits.text_sensitivity import review as review_sensitivity
from dashboard.audits.text_sensitivity import setup as sensitivity
from dashboard.audits.transport import review as review_transport
from dashboard.audits.transport import setup as cells
from dashboard.session import Draft, TestKind


@dataclass(frozen=True)
class Test:
    """A test in plain words, and the pages' parts that are about it.

    Attributes:
        title: What people call it.
        asks: The question it answers.
        needs: What has to be brought.
        gives: What it says in the end.
        similar: Its part of the step about who and what is similar; returns why the next step is shut.
        decision_of: Fields of its reading besides the error rate, for the review.
        settings: Its own settings, drawn on the review page: fields of the draft, None where one is not valid.
        facts: What will be run, in words.
        expect: What it will cost and can find, drawn on the review page; returns why it cannot be run.
        for_texts: Whether it is about texts only.
        for_tables: Whether it is about columns, so that models of texts have no use for it.
        for_numbers: Whether the outcome may be a number.
    """

    title: str
    asks: str
    needs: str
    gives: str
    similar: Callable[[Draft], str]
    decision_of: tuple[str, ...]
    settings: Callable[[Draft], dict[str, Any]]
    facts: Callable[[AuditPlan], dict[str, str]]
    expect: Callable[[Draft], str]
    for_texts: bool = False
    for_tables: bool = False
    for_numbers: bool = False


TESTS: dict[TestKind, Test] = {
    "gradient_flow": Test(
        "Gradient-flow test",
        "If a person changed a little in what must not matter, how much worse could the model treat them?",
        "the model itself, with gradients: a neural network or a linear model.",
        "how many times larger the model's error (its loss) becomes; more than 1.25 times is too much unless you say "
        "otherwise.",
        similar=metric.show,
        decision_of=("delta", "statistic"),
        settings=review_estimate.settings,
        facts=review_estimate.facts,
        expect=review_estimate.show,
    ),
    "transport": Test(
        "Transport test (FaiTH)",
        "If people were judged like similar people of other groups in the table, how many more would be judged "
        "wrongly?",
        "only predictions; with the model itself it can ask about the same person in every other group.",
        "the rise of the error rate, and between which groups it runs; more than 3.65 percentage points is too much "
        "unless you say otherwise.",
        similar=cells.show,
        decision_of=("delta", "loss", "budget", "method"),
        settings=review_transport.settings,
        facts=review_transport.facts,
        expect=review_transport.show,
    ),
    "text_sensitivity": Test(
        "Sensitivity test (texts)",
        "Does the model's answer to a text lean on words that give a person's group away, such as “she” or “actress”?",
        "a model that reads texts, itself; texts with or without outcomes and groups.",
        "how far answers move when such words are exchanged (more than 5 percentage points on average is too much "
        "unless you say otherwise), and which words each answer leans on.",
        similar=sensitivity.show,
        decision_of=("delta", "judged", "measure", "signed"),
        settings=review_sensitivity.settings,
        facts=review_sensitivity.facts,
        expect=review_sensitivity.show,
        for_texts=True,
    ),
    "column_sensitivity": Test(
        "Sensitivity test (columns)",
        "If the same person were of another group, how far would the model's answer move?",
        "the model itself, which can be asked about changed rows; it reads a protected column, or features that you "
        "say carry one.",
        "the share of the answer's probability that moves on average; more than 5 percentage points is too much unless "
        "you say otherwise.",
        similar=column_sensitivity.show,
        decision_of=("delta", "measure"),
        settings=review_column_sensitivity.settings,
        facts=review_column_sensitivity.facts,
        expect=review_column_sensitivity.show,
        for_tables=True,
    ),
    "equalized_odds": Test(
        "Equalized odds test (fair dummies)",
        "Do people with the same outcome get the same answers, whatever group they belong to? Or, if you choose so, do "
        "all groups get the same answers (demographic parity), or does the same answer mean the same (calibration)?",
        "only predictions: classes, probabilities or numbers; outcomes and groups.",
        "whether answers depend on the group, how far groups lie apart (more than 10 percentage points is too much "
        "unless you say otherwise), which subgroups are wronged, and how sure the model is in each group.",
        similar=fair_dummies.show,
        decision_of=("delta", "tolerance"),
        settings=review_fair_dummies.settings,
        facts=review_fair_dummies.facts,
        expect=review_fair_dummies.show,
        for_numbers=True,
    ),
}


def thinkable(roles: Roles) -> list[TestKind]:
    """The tests that some model of a table with these roles could be put to."""
    fitting = [kind for kind, test in TESTS.items() if not (test.for_tables if roles.text else test.for_texts)]
    return [kind for kind in fitting if TESTS[kind].for_numbers or roles.outcome_type == "classes"]

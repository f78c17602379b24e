"""The review says before a run which parts of the people or texts are looked into beside the groups."""

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from dashboard.audits.column_sensitivity import review as columns
from dashboard.audits.text_sensitivity import review as of_texts
from tests.builders_columns import make_column_plan, make_column_result
from tests.builders_sensitivity import make_sensitivity_plan

PARTS = "Parts looked into beside the groups"


def test_the_parts_of_a_table_are_named() -> None:
    plan = make_column_plan(make_column_result())
    said = columns.facts(plan)[PARTS]
    assert said.startswith(f"by predicted outcome, {plan.roles.outcome}")
    assert "each of the model's first 20 features" in said


def test_the_parts_of_a_corpus_are_named_where_words_are_exchanged() -> None:
    plan = make_sensitivity_plan(decision=TextSensitivityDecision(judged="swaps"))
    assert of_texts.facts(plan)[PARTS].startswith("by predicted class, true class and length")
    compared = plan.model_copy(update={"decision": TextSensitivityDecision(judged="reference")})
    assert PARTS not in of_texts.facts(compared)

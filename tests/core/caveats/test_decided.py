"""An outcome that people decided is told from one that happened, by its name or its favourable value."""

import pytest

from core.caveats.assumptions import is_decided
from core.data.guess_outcome import OUTCOMES


@pytest.mark.parametrize(
    ("outcome", "favourable"),
    [("released", "yes"), ("Hired", "1"), ("call_back", "yes"), ("loanApproved", "1"), ("status", "not rejected")],
)
def test_a_decision_is_known_by_its_name_or_its_values(outcome: str, favourable: str) -> None:
    assert is_decided(outcome, favourable)


@pytest.mark.parametrize(
    ("outcome", "favourable"),
    [("two_year_recid", "no"), ("income", ">50K"), ("default", "0"), ("passed", "yes"), ("outcome", "yes"), ("", "")],
)
def test_what_nobody_decides_is_no_decision(outcome: str, favourable: str) -> None:
    assert not is_decided(outcome, favourable)


def test_what_is_guessed_to_be_an_outcome_by_a_word_of_a_decision_is_known_as_one() -> None:
    happened = "outcome label target income twoyearrecid recid recidivism reoffended default defaulted churn churned"
    other = "fraud dropout passed success survived y class result status ergebnis"
    assert {one for one in OUTCOMES if not is_decided(one, "")} == {*happened.split(), *other.split()}

"""The glossary knows every symbol that a setting or a page shows."""

from typing import Any

import pytest

from core.base.settings import setting
from core.plan import AuditPlan
from core.report.glossary import Term, find, glossary, topics


def by_symbol(symbol: str) -> Term | None:
    return next((term for term in glossary() if term.symbol == symbol), None)


def symbols(schema: Any) -> set[str]:
    """Every non-empty ``symbol`` of the fields in a JSON schema."""
    if isinstance(schema, list):
        return set().union(*map(symbols, schema))
    if not isinstance(schema, dict):
        return set()
    own = {schema["symbol"]} if isinstance(schema.get("symbol"), str) and "title" in schema else set()
    return own.union(*map(symbols, schema.values())) - {""}


def test_every_symbol_of_a_setting_has_an_entry() -> None:
    used = symbols(AuditPlan.model_json_schema())
    assert {"δ", "α", "λ", "T", "ε"} <= used
    assert not {symbol for symbol in used if by_symbol(symbol) is None}


def test_the_walk_over_the_schema_finds_a_new_symbol() -> None:
    class Extended(AuditPlan):
        novel: int = setting(1, label="Novel", help="New.", symbol="ω")

    assert "ω" in symbols(Extended.model_json_schema())
    assert by_symbol("ω") is None


@pytest.mark.parametrize(
    "symbol", ["δ", "α", "λ", "T", "ε", "κ", "β", "τ", "c", "ℓ", "Σ", "d²", "S_n", "T_n", "V_n", "PSM", "AUC", "ψ", "ν"]
)
def test_every_symbol_of_the_pages_has_an_entry(symbol: str) -> None:
    term = by_symbol(symbol)
    assert term is not None
    assert term in find(symbol)


@pytest.mark.parametrize(
    "words",
    [
        "p-value",
        "confidence interval",
        "one-sided bound",
        "loss ratio",
        "error-rate ratio",
        "fair metric",
        "sensitive subspace",
        "held-out rows",
        "simultaneous interval",
        "insufficient evidence",
        "heavy tail",
        "hill",
        "floor",
        "flow time",
        "step-halving",
        "seed",
        "kind of person",
        "transport map",
        "mixed kind",
        "fingerprint",
    ],
)
def test_the_terms_people_meet_are_found(words: str) -> None:
    assert find(words)


def test_a_name_or_symbol_comes_before_a_mention() -> None:
    assert find("λ")[0].name == "Weight of similarity"
    assert find("tolerance")[0].symbol == "δ"
    assert find("ETD2RK")[0].name == "Exponential time differencing"


def test_every_word_of_a_query_must_match() -> None:
    assert find("") == glossary()
    assert find("  one-sided   BOUND ")[0].symbol == "T_n"
    assert find("tolerance zebra") == ()


def test_entries_are_whole_and_unique() -> None:
    names = [term.name for term in glossary()]
    marks = [(term.topic, term.symbol) for term in glossary() if term.symbol]
    assert len(set(names)) == len(names)
    assert len(set(marks)) == len(marks)
    assert {term.topic for term in glossary()} == set(topics())
    for term in glossary():
        assert term.meaning.endswith("."), term.name
        assert not term.explanation or term.explanation.endswith("."), term.name


def test_no_entry_calls_a_model_fair_or_compliant() -> None:
    for term in glossary():
        assert "compliant" not in f"{term.meaning} {term.explanation}"

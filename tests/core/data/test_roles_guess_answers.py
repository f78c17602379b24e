"""An outcome and the answers of a model are found from what their values say, under whatever names."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.column_look import Column, look
from core.data.explained import explain
from core.data.guess_answers import choose_answers
from core.data.guess_predictions import AnswerPair, Pairs, find_pairs
from core.data.guess_protected import protected
from core.data.guess_roles import RolesGuess, guess_roles
from core.data.prediction_names import MARKED, marked_stem, strength

ROWS = 1_500


def loans() -> pd.DataFrame:
    """Loans that are denied with a probability that a model knows, which denies above one half."""
    rng = np.random.default_rng(3)
    debt, history, late = rng.normal(size=ROWS), rng.integers(1, 7, ROWS), rng.random(ROWS) < 0.2
    logit = -1.0 + 1.2 * debt + 0.3 * (history - 3) + 1.5 * late
    chance = 1 / (1 + np.exp(-logit))
    return pd.DataFrame(
        {
            "debt": debt.round(3),
            "history": history,
            "late": np.where(late, "yes", "no"),
            "self": np.where(rng.random(ROWS) < 0.1, "yes", "no"),
            "black": np.where(rng.random(ROWS) < 0.3, "yes", "no"),
            "deny": np.where(rng.random(ROWS) < chance, "yes", "no"),
            "label": np.where(chance > 0.5, "yes", "no"),
            "score": chance,
        }
    )


def pay() -> pd.DataFrame:
    """Wages with what a regression makes of them."""
    rng = np.random.default_rng(4)
    school, years = rng.integers(8, 18, ROWS), rng.uniform(0, 40, ROWS).round(1)
    fitted = 2 + 0.8 * school + 0.1 * years
    wage = (fitted + rng.normal(0, 3, ROWS)).round(2)
    sex = np.where(rng.random(ROWS) < 0.5, "m", "f")
    return pd.DataFrame({"school": school, "years": years, "sex": sex, "wage": wage, "fitted": fitted + 1e-9})


LOANS, PAY = loans(), pay()
NAMES = [
    ("predicted_deny", "p_deny"),
    ("deny_before", "deny_score"),
    ("denyHat", "probDeny"),
    ("denypred", "denyprob"),
    ("DENY.Model", "DENY.Risk"),
    ("out", "conf"),
    ("model_1", "x"),
    ("first", "second"),
]


@pytest.mark.parametrize(("label", "score"), NAMES)
def test_a_class_and_a_probability_lead_to_the_outcome_under_any_name(label: str, score: str) -> None:
    guess = guess_roles(LOANS.rename(columns={"label": label, "score": score}))
    assert (guess.outcome, guess.sure, guess.favourable) == ("deny", True, "no")
    assert set(guess.predictions) == {label, score}
    assert guess.protected == ("black",)
    assert guess.features == ("debt", "history", "late", "self")
    assert guess.roles is not None


@pytest.mark.parametrize(("label", "score"), NAMES)
def test_decisions_without_an_outcome_have_none(label: str, score: str) -> None:
    guess = guess_roles(LOANS.drop(columns="deny").rename(columns={"label": label, "score": score}))
    assert guess.outcome is None
    assert guess.sure is (label != "first"), "names that say nothing are asked about"
    assert set(guess.predictions) == {label, score}


@pytest.mark.parametrize("name", ["wage_hat", "wageOLS", "est_wage", "gbm1", "Answer.2"])
def test_an_estimate_leads_to_the_number_it_is_about(name: str) -> None:
    guess = guess_roles(PAY.rename(columns={"fitted": name}))
    assert (guess.outcome, guess.outcome_type, guess.predictions) == ("wage", "number", (name,))
    assert guess.sure


@settings(max_examples=8, deadline=None)
@given(st.permutations(list(LOANS.columns)), st.integers(0, 2**32 - 1))
def test_the_order_of_columns_and_rows_says_nothing(order: list[str], seed: int) -> None:
    def roles(guess: RolesGuess) -> tuple[object, ...]:
        return guess.outcome, guess.sure, guess.favourable, set(guess.predictions), set(guess.protected)

    mixed = LOANS[order].sample(frac=1, random_state=seed).reset_index(drop=True)
    assert roles(guess_roles(mixed)) == roles(guess_roles(LOANS))


def test_a_class_with_a_name_that_says_nothing_is_asked_for_and_no_roles_are_taken() -> None:
    guess = guess_roles(LOANS.drop(columns="score").rename(columns={"label": "z", "deny": "turned_away"}))
    assert not guess.sure
    assert guess.roles is None
    named = guess_roles(LOANS.drop(columns="score").rename(columns={"label": "deny_pred"}))
    assert (named.outcome, named.sure, named.predictions) == ("deny", True, ("deny_pred",))


def test_numbers_that_only_go_together_are_no_answers() -> None:
    rng = np.random.default_rng(5)
    before = rng.normal(10, 2, ROWS)
    frame = pd.DataFrame(
        {"earned_74": before, "earned_75": before + rng.normal(0, 1, ROWS), "sex": PAY["sex"], "hired": LOANS["deny"]}
    )
    guess = guess_roles(frame)
    assert (guess.outcome, guess.predictions) == ("hired", ())
    assert set(guess.features) == {"earned_74", "earned_75"}


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("in_words", LOANS["deny"].map({"yes": "turned away", "no": "paid out"}), "in other words"),
        ("code", (LOANS["deny"] == "yes").astype(int), "in other words"),
        ("told_on_day", np.where(LOANS["deny"] == "yes", np.arange(ROWS) % 40, np.nan), "written down afterwards"),
        ("points", np.where(LOANS["deny"] == "yes", 60.0, 10.0) + np.arange(ROWS) % 29, "at a threshold"),
    ],
)
def test_what_repeats_the_outcome_is_no_feature_and_says_why(name: str, values: object, reason: str) -> None:
    guess = guess_roles(LOANS.assign(**{name: values}).rename(columns={"label": "deny_pred", "score": "deny_prob"}))
    assert guess.outcome == "deny"
    assert name not in guess.features
    assert reason in dict(guess.ignored)[name]


def test_a_logarithm_of_the_outcome_is_no_feature() -> None:
    guess = guess_roles(PAY.assign(lwage=np.log(PAY["wage"].clip(lower=0.1))).rename(columns={"fitted": "wage_hat"}))
    assert guess.outcome == "wage"
    assert "same order" in dict(guess.ignored)["lwage"]


@pytest.mark.parametrize(
    ("answer", "outcome", "stem"),
    [
        ("predicted_deny", "deny", 3),
        ("denyHat", "deny", 3),
        ("deny.2", "deny", 2),
        ("pdeny", "deny", 3),
        ("insuranceGuess", "insurance", 3),
        ("TrumpVote", "votetrump", 2),
        ("conf", "deny", 0),
    ],
)
def test_a_stem_is_found_with_marks_before_behind_and_joined(answer: str, outcome: str, stem: int) -> None:
    values = pd.Series([0, 1])
    assert marked_stem(look(answer, values), look(outcome, values)) == stem
    assert MARKED == 3


@pytest.mark.parametrize(("name", "says"), [("yhat", 2), ("model_out", 1), ("income", 0), ("test_score", 0)])
def test_a_mark_alone_says_something(name: str, says: int) -> None:
    assert strength(look(name, pd.Series([0.1, 0.2]))) == says


def test_regressions_of_all_columns_at_once_agree_with_one_at_a_time() -> None:
    rng = np.random.default_rng(6)
    frame = pd.DataFrame(rng.normal(size=(400, 4)) @ rng.normal(size=(4, 4)), columns=list("abcd")) + 100
    found = explain(frame, [look(name, frame[name]) for name in frame])
    others = np.column_stack([np.ones(400), frame[["b", "c", "d"]]])
    left = frame["a"] - others @ np.linalg.lstsq(others, frame["a"], rcond=None)[0]
    assert found.share["a"] == pytest.approx(1 - left.var() / frame["a"].var(), abs=2e-3)
    third = np.column_stack([np.ones(400), frame[["c", "d"]]])
    rest = [frame[name] - third @ np.linalg.lstsq(third, frame[name], rcond=None)[0] for name in ("a", "b")]
    assert found.direct("a", "b") == pytest.approx(np.corrcoef(*rest)[0, 1] ** 2, abs=5e-3)


def test_no_pairs_where_there_is_nothing_to_pair() -> None:
    empty = pd.DataFrame({"a": pd.Series(dtype=float)})
    assert find_pairs(empty, [], []).found == ()
    assert guess_roles(pd.DataFrame({"a": [1.5, 2.5], "b": [0, 1]})).predictions == ()


@pytest.mark.parametrize("columns", [120])
def test_wide_tables_are_guessed_too(columns: int) -> None:
    rng = np.random.default_rng(7)
    wide = pd.DataFrame(rng.integers(0, 2, (ROWS, columns)), columns=[f"item_{i}" for i in range(columns)])
    guess = guess_roles(pd.concat([wide, LOANS.rename(columns={"label": "deny_pred"})], axis=1))
    assert (guess.outcome, set(guess.predictions)) == ("deny", {"deny_pred", "score"})


def test_a_column_named_like_an_outcome_is_asked_about_where_another_pair_looks_like_answers() -> None:
    frame = LOANS.drop(columns="deny").rename(columns={"label": "risk_flag", "score": "risk_rate"})
    guess = guess_roles(frame.assign(hired=PAY["sex"].map({"m": "yes", "f": "no"})))
    assert (guess.outcome, guess.sure) == ("hired", False)
    alone = guess_roles(frame.rename(columns={"risk_flag": "approved"}))
    assert (alone.outcome, alone.sure, set(alone.predictions)) == (None, True, {"approved", "risk_rate"})


def test_a_model_that_gives_everybody_the_same_class_is_told_by_its_name() -> None:
    guess = guess_roles(LOANS.assign(deny_pred="no", year="2020").drop(columns="label"))
    assert (guess.outcome, set(guess.predictions)) == ("deny", {"deny_pred", "score"})
    assert dict(guess.ignored)["year"] == "has one value only"


def test_finer_classes_of_the_outcome_are_no_feature() -> None:
    late = np.random.default_rng(8).random(ROWS) < 0.5
    stage = np.where(LOANS["deny"] == "yes", "refused", np.where(late, "paid late", "paid"))
    guess = guess_roles(LOANS.assign(stage=stage).rename(columns={"label": "deny_pred"}))
    assert dict(guess.ignored)["stage"] == "has values of which each goes with one outcome only"
    assert "late" in guess.features


@pytest.mark.parametrize(("numbers", "kept"), [(np.arange(ROWS) // 5, False), ((np.arange(ROWS) // 5) ** 2, True)])
def test_people_numbered_one_after_another_are_no_feature(numbers: np.ndarray, kept: bool) -> None:
    assert ("employee" in guess_roles(LOANS.assign(employee=numbers)).features) is kept


def test_of_several_classes_a_loose_name_is_asked_about() -> None:
    table = LOANS.drop(columns=["deny", "label", "score"])
    rank = np.random.default_rng(9).integers(0, 4, ROWS).astype(str)
    inside = guess_roles(table.assign(patient_class=rank)[["patient_class", *table]])
    assert (inside.outcome, inside.sure) == ("patient_class", False)
    last = guess_roles(table.assign(patient_class=rank))
    assert (last.outcome, last.sure) == ("patient_class", True)


def columns_of(**values: object) -> list[Column]:
    return [look(name, pd.Series(held)) for name, held in values.items()]


@pytest.mark.parametrize(("values", "sure"), [(3.5, False), (0.5, True)])
def test_that_there_is_no_outcome_is_asked_where_a_score_goes_with_a_column(values: float, sure: bool) -> None:
    columns = columns_of(moved=[0, 1], decision=["a", "b"], score=np.linspace(0, 1, 50))
    pairs = Pairs((AnswerPair("score", "moved", values, values, ()),), {"decision": ("score",)})
    found = choose_answers(pairs, columns)
    assert found is not None
    assert (found.outcome, found.sure, len(found.predictions)) == (None, sure, 2)


@pytest.mark.parametrize(("agrees", "sure"), [(True, True), (False, False)])
def test_decisions_of_a_score_that_do_not_agree_with_the_outcome_are_asked_about(agrees: bool, sure: bool) -> None:
    columns = columns_of(south=["no", "yes"], decision=["no", "yes"], score=np.linspace(0, 1, 50))
    found = (AnswerPair("score", "south", 9.0, 5.5, ()), AnswerPair("decision", "south", 4.0, 2.0, ()))
    told = choose_answers(Pairs(found if agrees else found[:1], {"decision": ("score",)}), columns)
    assert told is not None
    assert (told.outcome, told.sure) == ("south", sure)


@pytest.mark.parametrize(("name", "sure"), [("decision", True), ("ai_decision", False), ("class", True)])
def test_an_outcome_with_a_mark_of_a_model_in_its_name_is_asked_about(name: str, sure: bool) -> None:
    guess = guess_roles(LOANS.drop(columns=["label", "score"]).rename(columns={"deny": name}))
    assert (guess.outcome, guess.sure) == (name, sure)


def test_a_proposal_of_a_model_is_about_what_was_decided_and_not_about_what_goes_with_it() -> None:
    """People at work are released more often, so that answers agree with being at work more often than with it."""
    rng = np.random.default_rng(8)
    employed = rng.random(2_000) < 0.78
    released = np.where(rng.random(2_000) < np.where(employed, 0.88, 0.66), "yes", "no")
    says = np.where(rng.random(2_000) < np.where(employed, 0.93, 0.4), "yes", "no")
    table = pd.DataFrame(
        {"released": released, "age": rng.integers(18, 60, 2_000), "colour": rng.choice(["b", "w"], 2_000)}
    )
    guess = guess_roles(table.assign(employed=np.where(employed, "yes", "no"), model_says=says))
    assert (guess.outcome, guess.favourable, guess.predictions) == ("released", "yes", ("model_says",))
    assert "employed" in guess.features


@pytest.mark.parametrize(("ages", "found"), [([17, 30, 44, 61] * 20 + [999], True), ([200, 300, 400], False)])
def test_a_slip_among_ages_does_not_hide_them(ages: list[int], found: bool) -> None:
    column = look("age", pd.Series(ages + list(range(18, 80)) if found else ages))
    assert (protected(column) is not None) is found


def applicants(rows: int = 800) -> pd.DataFrame:
    """Who did well, with what a model would answer, and columns that it reads."""
    rng = np.random.default_rng(12)
    skill, sex = rng.normal(size=rows).round(2), rng.choice(["f", "m"], rows)
    good = skill + rng.normal(0, 0.7, rows) > 0
    return pd.DataFrame(
        {
            "skill": skill,
            "car": np.where(rng.random(rows) < 0.5, "yes", "no"),
            "sex": sex,
            "hired": np.where(good, "yes", "no"),
            "high": np.where(skill > 0.1, "yes", "no"),
        }
    )


@pytest.mark.parametrize(
    ("values", "asked"),
    [
        (("no", "yes"), "agrees with 'hired' in "),
        ((0, 1), "agrees with 'hired' in "),
        (("turned away", "invited"), "agrees with 'hired' in "),
    ],
)
def test_a_column_that_may_be_answers_is_neither_read_nor_dropped_without_a_question(
    values: tuple[object, object], asked: str
) -> None:
    people = applicants()
    people["high"] = people["high"].map({"no": values[0], "yes": values[1]})
    guess = guess_roles(people[["high", "skill", "car", "sex", "hired"]])
    if "high" in guess.predictions:
        assert not guess.sure
        return
    ((name, why),) = guess.may_be_answers
    assert (name, why.startswith(asked)) == ("high", True)
    assert guess.roles is None, "nothing runs before somebody says"


def test_values_that_answer_one_question_only_are_asked_about_however_seldom_they_agree() -> None:
    people = applicants().replace({"hired": {"yes": "fit", "no": "unfit"}})
    people["first"] = np.random.default_rng(0).choice(["fit", "unfit"], len(people))
    guess = guess_roles(people.drop(columns="high")[["first", "skill", "car", "sex", "hired"]])
    assert guess.may_be_answers == (("first", "has the same values as 'hired'"),)


def test_columns_that_go_with_an_outcome_by_chance_or_little_are_not_asked_about() -> None:
    assert guess_roles(LOANS).may_be_answers == ()
    people = applicants().drop(columns="high")
    assert guess_roles(people).may_be_answers == ()
    assert guess_roles(people).roles is not None

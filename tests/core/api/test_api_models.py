"""Models in memory: fitted estimators, torch modules, transformers networks and functions, as the caller keeps them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import core
from core import audit, load_model
from core.base.errors import ModelError, RecordError, SettingsError
from tests import builders_hugging_face as hugging_face
from tests.command_line import command

FEATURES = ["income", "job"]


def people(rows: int = 500, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex, job = rng.choice(["f", "m"], rows), rng.choice(["cook", "nurse", "smith"], rows)
    income = (rng.normal(50, 9, rows) + 6 * (sex == "m")).round(1)
    paid = np.where(income + 6 * (job == "smith") + rng.normal(0, 5, rows) > 52, "yes", "no")
    return pd.DataFrame({"income": income, "job": job, "sex": sex, "paid": paid})


def fitted(frame: pd.DataFrame, final: Any = None) -> Pipeline:
    prepared = make_column_transformer((StandardScaler(), ["income"]), (OneHotEncoder(), ["job"]))
    return make_pipeline(prepared, LogisticRegression() if final is None else final).fit(frame[FEATURES], frame["paid"])


GIVEN: dict[str, Any] = {"outcome": "paid", "favourable": "yes", "protected": "sex", "progress": False}
FAST: dict[str, Any] = {**GIVEN, "tests": "group_fairness"}


def numbers(a: core.Audit) -> Any:
    return [test["numbers"] for test in json.loads(a.record)["tests"]]


def test_a_fitted_pipeline_is_audited_as_its_file_is(tmp_path: Path) -> None:
    table, pipeline = people(), fitted(people(seed=1), RandomForestClassifier(20, n_jobs=2, verbose=1, random_state=0))
    skops.io.dump(pipeline, tmp_path / "model.skops")
    given = {**GIVEN, "tests": ("transport", "group_fairness")}
    held, filed = audit(table, model=pipeline, **given), audit(table, model=tmp_path / "model.skops", **given)
    assert numbers(held) == numbers(filed)
    assert (pipeline[-1].n_jobs, pipeline[-1].verbose) == (2, 1), "the caller's own is left as it is"


@pytest.mark.parametrize("final", [LogisticRegression(), RandomForestClassifier(20, random_state=0)])
def test_a_mark_for_missing_values_that_the_model_knows_is_its_category(tmp_path: Path, final: Any) -> None:
    """As in a DataFrame, where nothing marks a missing value."""
    table, trained = (people(seed=seed).replace({"job": {"smith": "?"}}) for seed in (0, 1))
    skops.io.dump(fitted(trained, final), tmp_path / "model.skops")
    table.to_csv(tmp_path / "people.csv", index=False)
    given = {**FAST, "model": tmp_path / "model.skops", "features": FEATURES}
    filed = audit(tmp_path / "people.csv", **given)
    assert numbers(filed) == numbers(audit(table, **given))
    assert filed.study.plans[0].data.kept_marks == (("job", "?"),)  # type: ignore[union-attr]
    assert any("Cells of 'job' that hold '?' are not missing" in told for told in filed.guesses)


def test_a_linear_pipeline_has_the_gradients_that_its_file_has(tmp_path: Path) -> None:
    table, pipeline = people(), fitted(people(seed=1))
    skops.io.dump(pipeline, tmp_path / "model.skops")
    given = {**GIVEN, "tests": "gradient_flow", "steps": 5, "metric_resamples": 2}
    assert numbers(audit(table, model=pipeline, **given)) == numbers(
        audit(table, model=tmp_path / "model.skops", **given)
    )


def test_a_record_of_an_object_says_so_and_is_repeated_by_the_same_call(tmp_path: Path) -> None:
    table, pipeline = people(), fitted(people(seed=1))
    first, again = (audit(table, model=pipeline, **FAST) for _ in range(2))
    plan, same = (json.loads(one.record)["tests"][0]["plan"] for one in (first, again))
    assert plan == same
    assert (plan["model"]["kind"], plan["model"]["name"], len(plan["model"]["answers"])) == ("object", "Pipeline", 64)
    other = audit(table, model=fitted(people(seed=2)), **FAST)
    assert json.loads(other.record)["tests"][0]["plan"]["model"]["answers"] != plan["model"]["answers"]
    ran = command("run", first.write(tmp_path / "out") / "record.json", "--out", tmp_path / "again")
    assert ran.status == 2
    assert "The model was an object in memory" in ran.err
    assert "by the same call in Python" in ran.err


def test_an_estimator_says_which_columns_it_reads() -> None:
    table = people().assign(race=np.random.default_rng(0).choice(["a", "b"], 500), case_id=range(500))
    read = ["income", "race", "case_id"]
    prepared = make_column_transformer((OneHotEncoder(), ["race"]), remainder=StandardScaler())
    model = make_pipeline(prepared, RandomForestClassifier(9, random_state=0)).fit(table[read], table["paid"])
    plan = audit(table, model=model, **FAST).study.plans[0]
    assert plan.roles.features == ("income", "race", "case_id")
    assert plan.roles.protected == ("sex",)


def test_a_regression_model_is_asked_for_numbers() -> None:
    table = people()
    model = make_pipeline(StandardScaler(), LinearRegression()).fit(table[["income"]], table["income"] ** 2)
    table["square"] = (table["income"] ** 2 + np.random.default_rng(0).normal(0, 99, len(table))).round(1)
    a = audit(table, model=model, outcome="square", protected="sex", tests="group_fairness", features="income")
    assert a["group_fairness"].result.model.correlation > 0.9


def test_a_table_turned_upside_down_with_its_good_end_accuses_the_same_people_by_as_much() -> None:
    rng = np.random.default_rng(3)
    group, outcome = rng.choice(["a", "b", "c"], 600), rng.normal(size=600)
    answer = outcome + 0.6 * (group == "b") + rng.normal(size=600) / 2
    table = pd.DataFrame({"earned": outcome.round(3), "guess": answer.round(3), "group": group, "size": answer.round()})
    given = {"outcome": "earned", "predictions": "guess", "protected": "group"}
    tests = ("group_fairness", "equalized_odds")
    up = audit(table, **given, tests=tests, good_end="high")
    turned = audit(table.assign(earned=-table.earned, guess=-table.guess), **given, tests=tests, good_end="low")
    one, other = up["group_fairness"], turned["group_fairness"]
    assert one.headline == other.headline
    assert [(of.who, of.p_value) for of in one.claims] == [(of.who, of.p_value) for of in other.claims]
    for low, high in zip(one.claims, other.claims, strict=True):
        assert (low.estimate, low.high) == pytest.approx((high.estimate, high.high), abs=1e-9)
        assert low.low == pytest.approx(high.low, abs=0.01)
    worse = [test["equalized_odds"].headline for test in (up, turned)]
    assert [told.count("people with group = b") for told in worse] == [1, 1]
    assert [told.count(way) for told, way in zip(worse, ("less on average", "more on average"), strict=True)] == [1, 1]
    assert [told.index("fare worse") < told.index("people with group = b") for told in worse] == [True, True]


def test_which_end_of_a_number_is_good_is_said_once_for_all_tests_and_told_where_it_is_not() -> None:
    table = people()
    model = LinearRegression().fit(table[["income"]], table["income"] ** 2)
    table["square"] = (table["income"] ** 2 + np.random.default_rng(0).normal(0, 99, len(table))).round(1)
    given = {"model": model, "protected": "sex", "features": "income", "outcome": "square"}
    tests = ("equalized_odds", "group_fairness")
    said = audit(table, **given, tests=tests, good_end="low")
    assert [plan.roles.good_end for plan in said.study.plans] == ["low", "low"]
    assert all(claim.one_sided for claim in said["group_fairness"].claims)
    assert json.loads(said.record)["tests"][0]["plan"]["roles"]["good_end"] == "low"
    assert not any("is good for a person is not said" in told for told in said.guesses)
    with pytest.raises(SettingsError, match="good_end"):
        said.under(good_end="high")
    unsaid = audit(table, **given, tests="group_fairness")
    assert any("Which end of 'square' is good for a person is not said" in told for told in unsaid.guesses)
    with pytest.raises(SettingsError, match="holds classes"):
        audit(people(), model=fitted(people()), **FAST, good_end="low")


ANSWERS: dict[str, Callable[[Pipeline], Callable[[pd.DataFrame], Any]]] = {
    "probabilities of each class": lambda model: model.predict_proba,
    "the probability of the second": lambda model: lambda rows: model.predict_proba(rows)[:, 1],
    "labels": lambda model: model.predict,
    "a list of labels": lambda model: lambda rows: model.predict(rows).tolist(),
}


@pytest.fixture(scope="module")
def forest() -> tuple[Pipeline, pd.DataFrame]:
    """A fitted estimator and what is claimed of its answers."""
    pipeline = fitted(people(seed=1), RandomForestClassifier(20, random_state=0))
    return pipeline, audit(people(), model=pipeline, **FAST).claims.to_frame()


@pytest.mark.parametrize("given", ANSWERS)
def test_a_function_answers_like_the_estimator_in_it(given: str, forest: tuple[Pipeline, pd.DataFrame]) -> None:
    pipeline, claimed = forest
    seen: list[pd.DataFrame] = []

    def answer(rows: pd.DataFrame) -> Any:
        seen.append(rows)
        return ANSWERS[given](pipeline)(rows)

    a = audit(people(), model=answer, features=FEATURES, **FAST)
    pd.testing.assert_frame_equal(a.claims.to_frame(), claimed)
    assert list(seen[0].columns) == FEATURES
    assert json.loads(a.record)["tests"][0]["plan"]["model"]["name"] == "answer"


def test_a_function_is_given_columns_as_the_caller_keeps_them() -> None:
    table = people().astype({"job": "category"})
    table["income"] = table["income"].round().astype("Int64")
    seen: list[Any] = []

    def answer(rows: pd.DataFrame) -> Any:
        seen.append(rows.dtypes.to_dict())
        return np.where(rows["income"] > 50, "yes", "no")

    audit(table, model=answer, features=FEATURES, **FAST)
    assert seen[0] == table[FEATURES].dtypes.to_dict()


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "scikit-learn"])
def test_an_estimator_of_categories_is_given_them(library: str) -> None:
    table, before = (people(seed=seed).astype({"job": "category"}) for seed in (0, 1))
    if library == "xgboost":
        from xgboost import XGBClassifier

        model: Any = XGBClassifier(n_estimators=5, enable_categorical=True)
    elif library == "lightgbm":
        from lightgbm import LGBMClassifier

        model = LGBMClassifier(n_estimators=5, verbose=-1)
    else:
        model = HistGradientBoostingClassifier(max_iter=5)
    model.fit(before[FEATURES], (before["paid"] == "yes").astype(int))
    table["paid"] = (table["paid"] == "yes").astype(int)
    a = audit(table, model=model, **{**FAST, "favourable": 1})
    own = (model.predict(table[FEATURES]) == table["paid"]).mean()
    assert a["group_fairness"].result.model.accuracy == pytest.approx(own)


WRONG: dict[str, tuple[Any, str]] = {
    "other answers": (lambda rows: np.full(len(rows), "maybe"), "The model answers 'maybe', which is no outcome."),
    "too few": (lambda rows: [1, 2], "with shape"),
    "no probabilities": (lambda rows: rows[["income", "income"]].to_numpy(), "are no probabilities"),
    "nothing": (lambda rows: None, "with shape"),
    "a failure": (lambda rows: rows["none"], "The model fails on the rows of this table."),
    "no model": (object(), "A object cannot answer rows."),
    "no fitted estimator": (LogisticRegression(), "is not fitted"),
    "three classes": (lambda rows: np.full((len(rows), 3), 1 / 3), "The model has 3 classes"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_a_model_may_not_do_is_a_sentence(case: str) -> None:
    model, said = WRONG[case]
    with pytest.raises(ModelError, match=said):
        audit(people(), model=model, features=FEATURES, **FAST)


def test_answers_that_go_against_the_outcomes_name_the_keyword() -> None:
    table, pipeline = people(), fitted(people(seed=1))
    with pytest.raises(SettingsError, match="go against the outcomes") as caught:
        audit(table, model=lambda rows: pipeline.predict_proba(rows)[:, ::-1], features=FEATURES, **FAST)
    assert "add classes=['yes', 'no']." in caught.value.advice


def module(closing: Any = None) -> Any:
    import torch
    from torch import nn

    torch.manual_seed(0)
    layers = [nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)]
    with torch.no_grad():
        layers[2].weight[1] += layers[2].weight[0]
    return nn.Sequential(*layers, *(() if closing is None else (closing,)))


def trained() -> Any:
    """One linear layer over income and three jobs that knows what income is worth."""
    import torch
    from torch import nn

    layer = nn.Linear(4, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[0.0, 0, 0, 0], [2.0, 0, 0, 0.5]]))
        layer.bias.zero_()
    return nn.Sequential(layer)


def test_a_torch_module_is_searched_by_its_gradients_and_left_as_it_is() -> None:
    network = trained().train()
    a = audit(
        people(),
        model=network,
        features=FEATURES,
        numbers="standardised",
        steps=5,
        **{**GIVEN, "tests": "gradient_flow"},
    )
    assert a["gradient_flow"].statistics.shape[1] == 2
    assert network.training
    assert all(one.requires_grad and one.grad is None for one in network.parameters())


def test_a_closing_softmax_changes_nothing_and_hidden_probabilities_are_refused() -> None:
    from torch import nn

    class Closed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = trained()

        def forward(self, x: Any) -> Any:
            return self.inner(x).softmax(dim=1)

    given = {**FAST, "features": FEATURES, "numbers": "standardised"}
    open_, closed = (
        audit(people(), model=one, **given) for one in (trained(), nn.Sequential(*trained(), nn.Softmax(1)))
    )
    assert numbers(open_) == numbers(closed)
    with pytest.raises(ModelError, match="seems to give probabilities"):
        audit(people(), model=Closed(), **given)


def test_a_module_asks_how_numbers_are_read() -> None:
    with pytest.raises(ModelError, match="or standardised") as caught:
        audit(people(), model=trained(), features=FEATURES, **FAST)
    assert "numbers='raw' or numbers='standardised'" in caught.value.advice
    assert "encoder='FILE'" in caught.value.advice


def texts(rows: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    who, job = rng.choice(["she", "he"], rows), rng.choice(["nurse", "surgeon", "lawyer"], rows)
    told = [f"{one} is a {work} and works in the town" for one, work in zip(who, job, strict=True)]
    return pd.DataFrame({"text": told, "job": job, "gender": np.where(who == "she", "female", "male")})


def test_a_transformers_network_is_audited_as_its_folder_is(tmp_path: Path) -> None:
    from transformers import PreTrainedTokenizerFast

    (tmp_path / "tokenizer.json").write_bytes(hugging_face.tokeniser_bytes())
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json"))
    network = hugging_face.network()
    (tmp_path / "model.zip").write_bytes(hugging_face.zipped(hugging_face.folder(network)))
    given: dict[str, Any] = {
        "outcome": "job", "favourable": "surgeon", "protected": "gender", "tests": "group_fairness",
        "direction_confirmed": True, "classes": ("lawyer", "nurse", "surgeon"), "text": "text",
    }  # fmt: skip
    held = audit(texts(), model=(network, tokenizer), **given)
    assert numbers(held) == numbers(audit(texts(), model=tmp_path / "model.zip", **given))
    ran = command("run", held.write(tmp_path / "out") / "record.json", "--out", tmp_path / "again")
    assert "to the last digit" in ran.out, "what is saved is a file beside the record"
    with pytest.raises(ModelError, match="needs its tokeniser"):
        audit(texts(), model=network, **given)


def test_a_pipeline_of_texts_gives_answers() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    table = texts(120)
    model = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(table["text"], table["job"])
    given = {"outcome": "job", "favourable": "surgeon", "protected": "gender", "tests": "group_fairness"}
    with pytest.raises(ModelError, match="no column of the table is chosen as the text"):
        audit(table, model=model, **given)
    a = audit(table, model=model, text="text", **given)
    assert a["group_fairness"].result.model.accuracy > 0.9


def test_a_model_file_has_choices_of_its_format(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    save_file({name: one.detach() for name, one in module().state_dict().items()}, tmp_path / "m.safetensors")
    given = {**FAST, "features": FEATURES, "numbers": "standardised", "direction_confirmed": True}
    filed = audit(people(), model=load_model(tmp_path / "m.safetensors", activation="tanh"), **given)
    assert numbers(filed) == numbers(audit(people(), model=module(), **given))
    with pytest.raises(SettingsError, match="no setting 'depth'"):
        load_model(tmp_path / "m.safetensors", depth=3)
    with pytest.raises(SettingsError, match="activation"):
        audit(people(), model=load_model(tmp_path / "m.safetensors", activation="step"), **given)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    a = audit(people(), model=fitted(people(seed=1)), **FAST)
    with pytest.raises(RecordError, match="cannot be written"):
        a.write(tmp_path / "file")


def test_a_person_is_changed_and_the_model_asked_at_once(tmp_path: Path) -> None:
    table, pipeline = people(), fitted(people(seed=1))
    a = audit(table, model=pipeline, **{**GIVEN, "tests": "gradient_flow", "steps": 20, "metric_resamples": 0})
    found = a.edit(3, {"income": 60.5, "job": "smith"})
    changed = table.loc[[2], FEATURES].assign(income=60.5, job="smith")
    asked = pipeline.predict_proba(pd.concat([table.loc[[2], FEATURES], changed]))
    np.testing.assert_allclose(found.answers, asked, rtol=1e-9)
    result = a["gradient_flow"].result
    assert result.metric is not None
    assert found.distance == pytest.approx(result.metric.squared_distance(found.x[1:], found.x[:1])[0] ** 0.5)
    with pytest.raises(core.EvenhandError, match="knows no 'pilot'"):
        a.edit(3, {"job": "pilot"})
    with pytest.raises(KeyError):
        a.edit(3, test="transport")
    plain = audit(table, model=pipeline, **FAST)
    assert np.isnan(plain.edit(3, {"income": 60.5}).distance)
    predicted = table.assign(answer=pipeline.predict(table[FEATURES]))
    with pytest.raises(ModelError):
        audit(predicted, predictions="answer", **FAST).edit(3)

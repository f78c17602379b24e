"""The record keeps every choice and every number, gives them back exactly, and refuses what is no record."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.verdict import STATISTICS
from core.base.errors import RecordError, SettingsError
from core.base.files import FileRef, files_of
from core.cli.ending import comparison
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.records.codec import decode
from core.records.codec_frames import Arrays
from core.records.document import Difference, differences
from core.records.repeat import Repeat
from core.report.multiple_tests import Together
from core.run import find
from core.sources import UploadedTable
from core.study import Study
from tests.builders import make_plan, make_result, make_study
from tests.core.report.test_statement import COMPLETE


def read_plan(text: str | bytes) -> AuditPlan:
    (plan,) = AUDITS.read(text).plan.plans
    return plan


def record(**options: Any) -> dict[str, Any]:
    return json.loads(AUDITS.to_json(make_study(), (make_result(**options),)))


def test_the_plan_comes_back_whole() -> None:
    plan = make_plan(seed=7, decision=GradientFlowDecision(delta=1.3333333333333333, alpha=0.01, stop_at=120))
    again = read_plan(AUDITS.to_json(Study(plans=(plan,)), (make_result(),)))
    assert again == plan
    assert again.fingerprint == plan.fingerprint


def test_a_statement_is_kept_word_by_word_and_changes_nothing_else() -> None:
    plain, result = AUDITS.to_json(make_study(), (make_result(),)), (make_result(),)
    stated = AUDITS.to_json(make_study(), result, COMPLETE)
    tree = json.loads(stated)
    assert AUDITS.read(stated).statement == COMPLETE
    assert tree.pop("statement") == COMPLETE.model_dump(mode="json")
    assert tree == json.loads(plain)
    assert AUDITS.read(plain).statement is None


def test_a_trial_is_on_record_with_what_was_chosen_before_the_run_and_its_slides_say_so() -> None:
    ran, result = make_study(), (make_result(),)
    tried = ran.read((ran.plans[0].decision.model_copy(update={"delta": 60.0}),))
    text = AUDITS.to_json(tried, result, COMPLETE)
    own, found = json.loads(AUDITS.to_json(ran, result, COMPLETE)), json.loads(text)
    assert "trial" not in own
    assert own["verdict"]["headline"] in found["trial"]
    assert own["verdict"] != found["verdict"]
    again = AUDITS.read(text)
    assert again.plan == tried
    assert again.plan.ran == ran
    assert again.statement == COMPLETE
    assert found["trial"].removesuffix(".") in AUDITS.lines(tried, result)[0]
    slides = AUDITS.slides(tried, result, COMPLETE)
    assert slides.deck.slides[0].verdict is Together.of(tried, result).verdict
    assert slides.deck.source.startswith("Trial · ")
    assert slides.tests == (), "what is tried on top of a trial is no answer of the audit"
    assert COMPLETE.tolerance_reason not in str(slides.deck), "it was given for another tolerance"
    with pytest.raises(SettingsError, match="one of each test"):
        AUDITS.read(json.dumps({**found, "chosen": found["chosen"] * 2}))


def test_a_tolerance_chosen_for_a_plan_is_its_own_and_for_a_record_a_trial() -> None:
    study = make_study()
    assert AUDITS.decided(study, ["2.5"], None).chosen == ()
    tried = AUDITS.decided(study, ["2.5"], None, known=True)
    assert tried.chosen == (study.plans[0].decision,)
    assert tried.plans == AUDITS.decided(study, ["2.5"], None).plans
    assert AUDITS.decided(tried, ["1.25"], None, known=True) == study
    assert AUDITS.decided(tried, (), None) == tried, "a plan that says what was chosen before stays a trial"
    assert AUDITS.read(tried.model_dump_json()).plan == tried


@pytest.mark.parametrize(("statement", "place"), [({"verdict": "fair"}, "verdict"), ({"date": "soon"}, "date")])
def test_a_statement_that_is_none_is_refused(statement: dict[str, str], place: str) -> None:
    with pytest.raises(RecordError) as caught:
        AUDITS.read(json.dumps({**record(), "statement": statement}))
    assert caught.value.where == place


def test_a_bare_plan_is_read_too() -> None:
    plan = make_plan()
    assert read_plan(plan.model_dump_json()) == plan
    assert read_plan(plan.model_dump_json().encode()) == plan
    assert AUDITS.read(plan.model_dump_json()).numbers is None


@given(delta=st.floats(1.0, 100.0), alpha=st.floats(0.0001, 0.5))
def test_decision_settings_survive_to_the_last_bit(delta: float, alpha: float) -> None:
    plan = make_plan(decision=GradientFlowDecision(delta=delta, alpha=alpha))
    assert read_plan(plan.model_dump_json()).decision == plan.decision


@pytest.mark.parametrize("options", [{}, {"undefined_error_ratio": True}, {"rows": 40}, {"one_cell": True}])
def test_every_number_comes_back_exactly(options: dict[str, Any]) -> None:
    result, plan = make_result(**options), make_plan()
    numbers = json.loads(AUDITS.to_json(Study(plans=(plan,)), (result,)))["tests"][0]["numbers"]
    kept = find(result, plan.decision).record_hints
    assert list(numbers) == list(kept)
    for name, (value, hint) in kept.items():
        assert repr(decode(numbers[name], hint, Arrays())) == repr(value)


def test_the_record_is_strict_json_and_deterministic() -> None:
    text = AUDITS.to_json(make_study(), (make_result(undefined_error_ratio=True),))
    assert text == AUDITS.to_json(make_study(), (make_result(undefined_error_ratio=True),))

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not strict JSON")

    json.loads(text, parse_constant=refuse)


def test_the_headline_numbers_of_both_tests_are_there() -> None:
    result, decision = make_result(), make_plan().decision
    numbers = record()["tests"][0]["numbers"]
    for statistic, found in zip(STATISTICS, numbers["parts"]["intervals"], strict=False):
        finding = find(result, decision.model_copy(update={"statistic": statistic}))
        assert found["estimate"] == finding.inference.value
        assert found["low"] == finding.inference.lower_bound(0.05)
    assert numbers["claims"][0]["p_value"] == find(result, decision).inference.p_value(1.25)
    assert record()["tests"][0]["numbers"]["verdict"] == "VIOLATION"
    assert "Violation found" in record()["tests"][0]["numbers"]["sentence"]


def test_the_learned_basis_and_the_provenance_are_there() -> None:
    result, found = make_result(), record()
    (test,) = found["tests"]
    assert test["metric"]["free"] == result.metric.free.tolist()
    assert test["result_fingerprint"] == make_plan().result_fingerprint
    assert found["result_fingerprint"] == make_study().result_fingerprint
    assert found["versions"] == dict(result.versions)
    assert test["data"]["rows_audited"] == 360
    assert test["model"]["accuracy"] == result.model.accuracy
    assert test["adjusted_p_value"] == test["numbers"]["p_value"]


def test_stability_follows_its_formula() -> None:
    checks = find(make_result(), GradientFlowDecision()).checks
    assert checks.stability == pytest.approx(2 * 50.0 * 0.01 * 1.0, rel=1e-12)


def test_no_row_of_the_table_is_in_the_record() -> None:
    result = make_result()
    text = AUDITS.to_json(make_study(), (result,))
    for ratio in result.detail.pairs.ratios.ravel():
        assert repr(float(ratio)) not in text


def test_groups_too_small_to_judge_are_withheld() -> None:
    result = make_result(rows=200)
    small = [group for group in find(result, GradientFlowDecision()).parts["groups"] if group.people < 30]
    assert small
    assert all(math.isnan(group.estimate) and math.isnan(group.low) for group in small)


def test_files_are_listed_with_their_fingerprints() -> None:
    ref = FileRef(name="people.csv", sha256="a" * 64, bytes=12)
    plan = make_plan(data=UploadedTable(file=ref))
    assert ref in files_of(plan)
    assert ref.model_dump() in json.loads(AUDITS.to_json(Study(plans=(plan,)), (make_result(),)))["files"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("hello", "not JSON"),
        ("[1, 2]", "neither a record nor a plan"),
        ("3", "neither a record nor a plan"),
        ("{}", "neither a record nor a plan"),
        ('{"format": "evenhand-result", "version": 1}', "neither a record nor a plan"),
        ('{"format": "evenhand-record", "version": 99}', "version 99"),
        ('{"format": "evenhand-record"}', "version None"),
        ('{"format": "evenhand-record", "version": 1}', "version 1 of the format; this program reads 2 and 3 and 4"),
        ('{"format": "evenhand-record", "version": [2]}', "version \\[2\\]"),
        ('{"format": "evenhand-record", "version": 2}', "names no tests"),
        ('{"format": "evenhand-record", "version": 2, "tests": [{}]}', "setting in the record is wrong"),
        ('{"plans": []}', "setting in the record is wrong"),
        ("[" * 200_000, "not a JSON file that can be read"),
        (b"\x80\x81\x82", "not stored as UTF-8"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(content: str | bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        read_plan(content)
    assert caught.value.advice


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("audit", "step_size"), -1, "audit › step_size"),
        (("audit", "steps"), "many", "audit › steps"),
        (("decision", "delta"), 0.5, "decision › delta"),
        (("decision", "delta"), math.nan, "decision › delta"),
        (("decision", "colour"), 1, "decision › colour"),
        (("data", "kind"), "telepathy", "data"),
        (("seed",), -3, "seed"),
    ],
)
def test_a_wrong_setting_is_named(path: tuple[str, ...], value: Any, place: str) -> None:
    tree = json.loads(AUDITS.to_json(make_study(), (make_result(),)))
    part = tree["tests"][0]["plan"]
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    with pytest.raises(RecordError, match="wrong") as caught:
        read_plan(json.dumps(tree))
    assert caught.value.where == f"test 1 › {place}"


def test_differences_name_the_place_and_both_values() -> None:
    before = {"a": {"b": [1.0, 2.0]}, "c": "NaN"}
    assert differences(before, json.loads(json.dumps(before))) == ()
    (one,) = differences(before, {"a": {"b": [1.0, 2.0000000000000004]}, "c": "NaN"})
    assert (one.place, one.recorded, one.found) == ("a.b[2]", "2.0", "2.0000000000000004")
    assert len(differences({"a": [1]}, {"a": [1, 2], "d": 3})) == 2


def test_a_sentence_in_other_words_is_no_other_number() -> None:
    """The numbers that it tells stand in the record by themselves."""
    before = {
        "reasons": [{"what": "11% are of mixed kinds.", "who": "sex = f", "of": "", "share": 0.11}],
        "verdict": "VIOLATION",
    }
    for path, value, worded in (
        ("what", "11% are like others who are treated differently.", True),
        ("what", "At least 9% are like others who are treated differently.", True),
        ("who", "sex = m", False),
        ("of", "denied", True),
        ("share", 0.12, False),
    ):
        (one,) = differences(before, before | {"reasons": [before["reasons"][0] | {path: value}]})  # type: ignore[index]
        assert one.worded is worded
    (one,) = differences(before, before | {"verdict": "INSUFFICIENT"})
    assert not one.worded


def test_what_an_older_record_lacks_is_no_difference() -> None:
    older, found = {"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}], "d": 3}
    assert differences(older, found, older=True) == ()
    assert {one.place for one in differences(older, found)} == {"a[1].c", "d"}
    (one,) = differences({"a": [{"b": 1, "e": 4}]}, found, older=True)
    assert differences([1, 2], [1, 2, 3], older=True) == ()
    assert differences([1, 2], [1, 2, 3])
    assert differences([1, 2, 3], [1, 2], older=True)
    assert (one.place, one.recorded, one.found) == ("a[1].e", "4", '"nothing"')


@pytest.mark.parametrize("version", AUDITS.history)
def test_every_version_of_the_format_is_read(version: int) -> None:
    read = AUDITS.read(json.dumps(record() | {"version": version}))
    assert (bool(read.since), read.plan) == (version < AUDITS.version, make_study())


def test_a_repeat_of_an_older_record_says_what_changed_since_where_numbers_differ() -> None:
    """As the command line tells it."""
    different = (Difference("tests[1].numbers.verdict", '"violation found"', '"insufficient evidence"'),)
    for version, told in ((3, True), (AUDITS.version, False)):
        read = AUDITS.read(json.dumps(record() | {"version": version}))
        lines = " ".join(comparison(Repeat(read, read.plan, (), {}, different, ())))
        assert "differ from the record in 1 place" in lines
        assert ("Every verdict and p-value is about the tolerance" in lines) == told
        same = Repeat(read, read.plan, (), {}, (), ())
        assert comparison(same) == ["The numbers are the same as in the record, to the last digit."]
        worded = Repeat(read, read.plan, (), {}, (Difference("a.what", "of a kind", "alike", worded=True),), ())
        assert comparison(worded)[0] == comparison(same)[0]
        assert "1 sentence of the record" in comparison(worded)[1]


def test_a_repeated_result_differs_nowhere_and_another_seed_does(tmp_path: Path) -> None:
    first = record()["tests"][0]["numbers"]
    assert differences(first, record()["tests"][0]["numbers"]) == ()
    assert differences(first, record(seed=1)["tests"][0]["numbers"])


def test_the_plan_of_every_source_in_the_schema_can_name_files() -> None:
    assert "FileRef" in json.dumps(AuditPlan.model_json_schema())

"""Tests of one audit share table and model, keep results of their own, and are adjusted together."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import Transport
from core.base.errors import SettingsError
from core.base.files import FileRef
from core.data.roles import Roles
from core.metrics import Expert
from core.models.formats.onnx.source import OnnxFile
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.sources.upload.uploaded import UploadedTable
from core.study import Study, adjusted
from tests.builders import make_plan


def transport_plan(**changes: object) -> AuditPlan:
    plan = make_plan()
    return AuditPlan(data=plan.data, roles=plan.roles, model=plan.model, audit=Transport(**changes))


def test_a_plan_without_a_reading_gets_its_audits_own() -> None:
    assert isinstance(transport_plan().decision, TransportDecision)
    plan = make_plan()
    bare = plan.model_dump(mode="json", exclude={"decision"})
    assert isinstance(AuditPlan.model_validate(bare).decision, GradientFlowDecision)


def test_a_reading_saved_without_its_kind_is_the_audits() -> None:
    """Plans written before readings had kinds."""
    for plan in (make_plan(decision=GradientFlowDecision(delta=2.0)), transport_plan()):
        saved = plan.model_dump(mode="json")
        del saved["decision"]["kind"]
        assert AuditPlan.model_validate(saved) == plan
        assert AuditPlan.model_validate_json(json.dumps(saved)) == plan
        assert AuditPlan.model_validate({**saved, "decision": {}}).decision == type(plan.decision)()


def test_a_reading_of_another_audit_is_refused() -> None:
    plan = make_plan()
    with pytest.raises(SettingsError, match="'transport'"):
        AuditPlan(data=plan.data, roles=plan.roles, model=plan.model, audit=plan.audit, decision=TransportDecision())


def test_a_study_survives_json_and_reads_its_results_anew_without_changing_them() -> None:
    study = Study(plans=(make_plan(), transport_plan()))
    assert Study.model_validate_json(study.model_dump_json()) == study
    again = study.read((GradientFlowDecision(delta=2.0), TransportDecision(delta=0.1, budget=3.0)))
    assert again != study
    assert again.result_fingerprint == study.result_fingerprint
    assert [plan.result_fingerprint for plan in again.plans] == [plan.result_fingerprint for plan in study.plans]


def test_another_test_changes_no_fingerprint_of_the_first() -> None:
    alone, both = Study(plans=(make_plan(),)), Study(plans=(make_plan(), transport_plan()))
    assert both.plans[0].result_fingerprint == alone.plans[0].result_fingerprint
    assert both.result_fingerprint != alone.result_fingerprint


def test_tests_of_different_tables_or_models_are_no_study() -> None:
    other = make_plan().model_copy(update={"roles": make_plan().roles.model_copy(update={"missing": "own category"})})
    with pytest.raises(SettingsError, match="share their table"):
        Study(plans=(make_plan(), other))


def test_the_same_test_twice_is_refused_even_under_another_decision() -> None:
    with pytest.raises(SettingsError, match="named twice"):
        Study(plans=(make_plan(), make_plan(decision=GradientFlowDecision(delta=3.0))))


def test_two_tests_of_one_kind_with_different_settings_are_a_study() -> None:
    plan = make_plan()
    second = plan.model_copy(update={"audit": GradientFlow(metric=Expert(free=("age",)))})
    assert len(Study(plans=(plan, second)).plans) == 2


def test_holm_by_hand() -> None:
    # Holm 1979: 3 * 0.01, then max(0.03, 2 * 0.02), then max(0.04, 0.03), worked by hand.
    assert adjusted((0.03, 0.01, 0.02)) == pytest.approx((0.04, 0.03, 0.04))
    assert adjusted((0.2,)) == (0.2,)
    found = adjusted((0.01, float("nan")))
    assert found[0] == pytest.approx(0.01)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_adjustment_never_lowers_a_p_value_and_keeps_the_order(p_values: list[float]) -> None:
    found = adjusted(tuple(p_values))
    assert all(after >= before for before, after in zip(p_values, found, strict=True))
    order = sorted(range(len(found)), key=lambda i: p_values[i])
    assert [found[i] for i in order] == sorted(found)


NUMBERS = Roles(outcome="cost", outcome_type="number", protected=("sex",), features=("age",))


def test_which_end_of_numbers_is_good_changes_how_results_are_read_and_no_result() -> None:
    """Records of classes, and of numbers of which nobody said it, do not name it, so that their fingerprints stay."""
    said = NUMBERS.model_copy(update={"good_end": "low"})
    assert (said.fingerprint, said != NUMBERS) == (NUMBERS.fingerprint, True)
    assert "good_end" not in NUMBERS.model_dump(mode="json")
    assert Roles.model_validate_json(said.model_dump_json()) == said
    unsaid = transport_plan().model_copy(update={"roles": NUMBERS})
    told = unsaid.model_copy(update={"roles": said})
    assert told.fingerprint != unsaid.fingerprint
    assert told.result_fingerprint == unsaid.result_fingerprint
    studies = [Study.model_construct(plans=(one,)) for one in (told, unsaid)]
    assert studies[0].result_fingerprint == studies[1].result_fingerprint


def test_classes_have_a_favourable_value_and_numbers_a_good_end() -> None:
    classes = {"outcome": "hired", "favourable": "yes", "protected": ("sex",)}
    with pytest.raises(ValidationError, match="holds classes, of which none is a good end"):
        Roles.model_validate({**classes, "good_end": "high"})
    with pytest.raises(ValidationError, match="has no favourable value"):
        Roles.model_validate({**dict(NUMBERS), "favourable": "3", "good_end": "high"})


def test_whose_answers_to_whom_are_audited_is_the_same_whatever_test_roles_and_reading() -> None:
    plan = make_plan()
    table = UploadedTable(file=FileRef(name="people.csv", sha256="a" * 64, bytes=9))
    said = PredictionColumns(columns=("said",))

    def subject(data: UploadedTable = table, model: PredictionColumns = said, **changes: object) -> str:
        plans = (plan.model_copy(update={"data": data, "model": model, **changes}),)
        return Study(plans=plans).subject

    renamed = FileRef(name="again.csv", sha256="a" * 64, bytes=9)
    read_otherwise = UploadedTable(file=renamed, separator=";")
    scored = PredictionColumns(columns=("said",), holds="score", threshold=0.7, trained_on="other rows")
    roles = plan.roles.model_copy(update={"missing": "own category"})
    assert len({subject(), subject(read_otherwise), subject(model=scored), subject(roles=roles)}) == 1
    other = table.model_copy(update={"file": FileRef(name="people.csv", sha256="b" * 64, bytes=9)})
    sheet = table.model_copy(update={"sheet": "2025"})
    apart = (subject(), subject(other), subject(sheet), subject(model=PredictionColumns(columns=("said", "more"))))
    assert len(set(apart)) == 4
    files = [OnnxFile(file=FileRef(name=f"{one}.onnx", sha256=one * 64, bytes=9)) for one in "ab"]
    assert len({subject(model=one) for one in (files[0], *files)}) == 2
    assert subject(model=files[0]) == subject(model=files[0].model_copy(update={"classes": ("no", "yes")}))

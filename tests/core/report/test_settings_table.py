"""The settings table says every choice in plain words and hides none."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import SerializeAsAny

from core.audits import KINDS
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.base.files import FileRef
from core.base.settings import Settings, setting
from core.contracts.decision import DecisionSettings
from core.data.roles import Roles
from core.report.model import build
from core.report.multiple_tests import Together
from core.report.settings_table import LONGEST_LIST, SettingRow, as_text, setting_sections
from core.result import AuditResult
from core.run import find
from core.study import Study
from tests.builders import make_plan, make_result
from tests.builders_columns import make_column_result
from tests.builders_fair_dummies import make_fair_dummies_plan, make_fair_dummies_result
from tests.builders_sensitivity import make_sensitivity_result
from tests.builders_transport import make_transport_result


def rows() -> dict[str, tuple[str, str]]:
    sections = setting_sections(make_plan(decision=GradientFlowDecision(delta=1.3, alpha=0.01)))
    return {f"{section.title}: {row.label}": (row.symbol, row.value) for section in sections for row in section.rows}


def test_labels_symbols_and_values_come_from_the_settings() -> None:
    found = rows()
    assert found["Audit: Weight of similarity"] == ("λ", "50.0")
    assert found["Audit: Length of the search"] == ("T", "500 steps")
    assert found["Decision settings: Tolerance: times as far off"] == ("δ", "1.3")
    assert found["Decision settings: Risk of a wrong verdict"] == ("α", "0.01")
    assert found["Roles: Outcome"] == ("", "hired")
    assert found["Roles: Protected attributes"] == ("", "race, sex")
    assert "Fair metric: Learn the metric on" in found
    assert found["Repeatability: Seed"] == ("", "0")


TOLERANCES: dict[str, tuple[Callable[[], AuditResult], dict[str, Any], str]] = {
    "gradient_flow": (make_result, {}, "1.25"),
    "column_sensitivity": (make_column_result, {"delta": 0.0365}, "3.65 percentage points"),
    "equalized_odds": (lambda: make_fair_dummies_result("two classes"), {"delta": 0.07}, "7 percentage points"),
    "transport": (make_transport_result, {}, "3.65 percentage points"),
    "transport by squares": (make_transport_result, {"loss": "squared"}, "0.0365"),
    "text_sensitivity": (make_sensitivity_result, {"delta": 0.0365}, "3.65 percentage points"),
}


@pytest.mark.parametrize("case", TOLERANCES)
def test_a_tolerance_stands_in_the_unit_of_its_sentence(case: str) -> None:
    """0.0365 here and 3.65 percentage points there would be one number told in two ways."""
    build, chosen, told = TOLERANCES[case]
    result = build()
    decision = KINDS[result.audit.kind].decision(**chosen)
    rows = {row.label: row.value for row in _rows_of(decision)}
    assert _tolerance(rows) == told
    assert find(result, decision).tolerance.startswith(told)


def test_the_tolerance_of_an_outcome_that_is_a_number_is_a_share_of_its_spread() -> None:
    rows = {row.label: row.value for row in _rows_of(EqualizedOddsDecision(delta=0.1), numbers=True)}
    assert _tolerance(rows) == "10% of the outcome's standard deviation"


def test_a_report_tells_its_tolerance_as_its_sentence_does() -> None:
    """Of an outcome that is a number in its units, everywhere in the report."""
    result = make_fair_dummies_result("numbers")
    study = Study(plans=(make_fair_dummies_plan(result),))
    report = build(study, Together.of(study, (result,)))
    told = report.together.findings[0].tolerance
    rows = {row.label: row.value for section in report.tests[0].settings for row in section.rows}
    assert _tolerance(rows) == told


def _tolerance(rows: dict[str, str]) -> str:
    """The one row that says what is tolerated, whatever it bounds."""
    (told,) = (value for label, value in rows.items() if label.startswith("Tolerance: "))
    return told


def _rows_of(decision: DecisionSettings, *, numbers: bool = False) -> Iterator[SettingRow]:
    outcome = Roles(outcome="y", protected=("sex",), **({"outcome_type": "number"} if numbers else {"favourable": "1"}))
    plan = _Plan(roles=outcome, decision=decision)
    return (row for section in setting_sections(plan) for row in section.rows)


class _Plan(Settings):
    """As much of a plan as a tolerance's unit hangs on."""

    roles: Roles = setting(label="Roles", help="")
    decision: SerializeAsAny[DecisionSettings] = setting(label="Decision settings", help="")


def labelled(settings: Settings) -> int:
    """How many labelled leaves the settings have that mean something of classes."""
    total = 0
    for name, info in type(settings).model_fields.items():
        value = getattr(settings, name)
        if info.title and isinstance(value, Settings) and not isinstance(value, FileRef):
            total += labelled(value)
        elif info.title and name not in settings.idle(numbers=False):
            total += 1
    return total


@pytest.mark.parametrize("numbers", [False, True])
def test_classes_are_told_their_favourable_value_and_numbers_their_good_end(numbers: bool) -> None:
    rows = {row.label: row.value for row in _rows_of(EqualizedOddsDecision(), numbers=numbers)}
    told = [rows.get(str(Roles.model_fields[name].title)) for name in ("favourable", "good_end")]
    assert told == ([None, "not said"] if numbers else ["1", None])


def test_no_labelled_setting_is_left_out() -> None:
    plan = make_plan()
    assert sum(len(section.rows) for section in setting_sections(plan)) == labelled(plan)


def test_every_digit_of_a_number_is_kept() -> None:
    assert as_text(0.1 + 0.2) == "0.30000000000000004"
    assert as_text(20_000, "steps") == "20,000 steps"


def test_values_read_as_words() -> None:
    assert as_text(None) == as_text(()) == as_text("") == "not set"
    assert as_text(True) == "yes"
    assert as_text((("age", 2.0), ("pay", 0.5))) == "age: 2.0, pay: 0.5"
    assert as_text(FileRef(name="a.csv", sha256="0" * 64, bytes=1234)).startswith("a.csv (1,234 bytes, SHA-256 000")


def test_long_lists_are_counted() -> None:
    assert as_text(tuple(range(LONGEST_LIST + 1))) == "41 entries (in full in the record)"
    assert as_text(((1.0, 2.0, 3.0),)) == "1 entries (in full in the record)"

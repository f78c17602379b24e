"""The settings table says every choice in plain words and hides none."""

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.files import FileRef
from core.report.settings_table import LONGEST_LIST, as_text, setting_sections
from core.settings import Settings
from tests.builders import make_plan


def rows() -> dict[str, tuple[str, str]]:
    sections = setting_sections(make_plan(decision=GradientFlowDecision(delta=1.3, alpha=0.01)))
    return {f"{section.title}: {row.label}": (row.symbol, row.value) for section in sections for row in section.rows}


def test_labels_symbols_and_values_come_from_the_settings() -> None:
    found = rows()
    assert found["Audit: Weight of similarity"] == ("λ", "50.0")
    assert found["Audit: Length of the search"] == ("T", "500 steps")
    assert found["Decision settings: Tolerance"] == ("δ", "1.3")
    assert found["Decision settings: Error rate of the test"] == ("α", "0.01")
    assert found["Roles: Outcome"] == ("", "hired")
    assert found["Roles: Protected attributes"] == ("", "race, sex")
    assert "Fair metric: Learn the metric on" in found
    assert found["Repeatability: Seed"] == ("", "0")


def labelled(settings: Settings) -> int:
    """How many labelled leaves the settings have."""
    total = 0
    for name, info in type(settings).model_fields.items():
        value = getattr(settings, name)
        if info.title and isinstance(value, Settings) and not isinstance(value, FileRef):
            total += labelled(value)
        elif info.title:
            total += 1
    return total


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

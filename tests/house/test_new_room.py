"""A new kind of test is two rooms and a line in each of two tables: proved with one, in a copy of the house."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
ROOM = Path(__file__).parent / "room"

CORE_TABLE = {
    "from core.audits.text_sensitivity import KIND": """from core.audits.shared_answers import KIND as SHARED_ANSWERS
from core.audits.shared_answers.decision import SharedAnswersDecision
from core.audits.shared_answers.settings import SharedAnswers
from core.audits.text_sensitivity import KIND""",
    "AuditSettings = ": "AuditSettings = SharedAnswers | ",
    "    GradientFlowDecision\n": "    SharedAnswersDecision\n    | GradientFlowDecision\n",
    "EQUALIZED_ODDS, GROUPS)": "EQUALIZED_ODDS, GROUPS, SHARED_ANSWERS)",
}
DASHBOARD_TABLE = {
    "from dashboard.audits.room": "from dashboard.audits.shared_answers import ROOM as SHARED_ANSWERS\nfrom "
    "dashboard.audits.room",
    "EQUALIZED_ODDS, GROUPS)": "EQUALIZED_ODDS, GROUPS, SHARED_ANSWERS)",
}
"""The lines that the two tables get, beside those they stand next to."""

PROGRAM = """
import sys
import tempfile
from pathlib import Path

from core.audits import KINDS
from core.audits.shared_answers.settings import SharedAnswers
from core.workflows.examples import open_example
from core.base.files import FileStore
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.records.codec import load_result, save_result
from core.report.html import render
from core.run import find, run_study
from core.study import Study

store = FileStore(Path(tempfile.mkdtemp()))
first = open_example("hiring-predictions", store).plans[0]
shared = {"data": first.data, "roles": first.roles, "model": first.model, "seed": 1}
study = Study(plans=(AuditPlan(**shared, audit=SharedAnswers()), first))
results = run_study(study, store)
finding = find(results[0], study.plans[0].decision)
assert finding.sentence.endswith("get an answer of their group's own."), finding.sentence
save_result(results[0], store.root / "kept")
assert (load_result(store.root / "kept").detail.alone == results[0].detail.alone).all()
page = render(study, results)
assert "Shared answers test" in page and "Whose answers are shared" in page
assert AUDITS.read(AUDITS.to_json(study, results)).plan == study

from dashboard.audits import ROOMS
from dashboard.draft import Draft
from dashboard.jobs.tasks import TASKS

assert list(ROOMS) == list(KINDS)
for name in ("setup", "review", "tasks", "results"):
    assert ROOMS["shared_answers"].part(name)
assert Draft(tests=("shared_answers",)).settings(SharedAnswers) == SharedAnswers()

import streamlit
from streamlit.testing.v1 import AppTest


def show(study, results):
    from dashboard.views.results import page

    page.show(study, results)


app = AppTest.from_function(show, args=(study, results), default_timeout=60).run()
assert not app.exception, app.exception
assert any("an answer of their group" in one.value for one in (*app.success, *app.error, *app.info))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house with the room in it."""
    copy = tmp_path_factory.mktemp("house")
    for folder in ("core", "dashboard"):
        shutil.copytree(REPOSITORY / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOM / folder, copy / folder, dirs_exist_ok=True)
    for folder in ("assets", "sample_models", "tests", "pyproject.toml"):
        (copy / folder).symlink_to(REPOSITORY / folder)
    for table, lines in (("core", CORE_TABLE), ("dashboard", DASHBOARD_TABLE)):
        path = copy / table / "audits" / "__init__.py"
        text = path.read_text(encoding="utf-8")
        for old, new in lines.items():
            assert text.count(old) == 1, f"{path} no longer says {old!r}"
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    return copy


def test_two_rooms_and_two_lines_are_enough(house: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(house)}
    program = house / "try_the_room.py"
    program.write_text(PROGRAM, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, str(program)], cwd=house, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-3000:]

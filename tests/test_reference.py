"""The reference of the Python package: the command that builds it, and what its pages show."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from core import load_table
from core.api import Audit, Claims, audit

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages, as the command of CONTRIBUTING writes them into another folder."""
    told = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^    python -m (pdoc (?:.*\\\n)*.*)$", told, re.MULTILINE)
    words = shlex.split(command.replace("\\\n", " "))
    out = tmp_path_factory.mktemp("reference")
    words[words.index("-o") + 1] = str(out)
    ran = subprocess.run([sys.executable, "-m", *words], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return out


def shown(page: Path) -> set[str]:
    return set(re.findall(r'<div id="([^"]+)" class="classattr">', page.read_text(encoding="utf-8")))


def test_a_page_shows_what_a_class_inherits(reference: Path) -> None:
    of_api = shown(reference / "core" / "api.html")
    assert {"Audit.write", "Audit.report", "Audit.record", "Audit.under", "Audit.answers"} <= of_api
    assert {"Comparison.write", "MadeModels.files", "MadeModels.report", "Claims.to_frame"} <= of_api
    subspace = {
        f"SensitiveSubspace.{name}" for name in ("learn_on", "held_out", "protected", "include_protected_columns")
    }
    assert subspace <= shown(reference / "core" / "metrics.html")
    assert not any(name.endswith((".fingerprint", ".fit", ".idle")) for name in of_api), "settings show fields alone"


def test_every_room_shows_its_settings_and_its_error_rate(reference: Path) -> None:
    rooms = [page.parent for page in (reference / "core" / "audits").glob("*/decision.html")]
    assert len(rooms) == 6
    for room in rooms:
        assert any(name.endswith(".alpha") for name in shown(room / "decision.html"))
        assert shown(room / "settings.html")


def test_the_first_page_has_an_example_with_a_model_and_says_where_to_look(reference: Path) -> None:
    assert "url=./core/api.html" in (reference / "index.html").read_text(encoding="utf-8")
    first = (reference / "core" / "api.html").read_text(encoding="utf-8")
    for told in ("LogisticRegression", "#fairer", "#choose", "core run", "../core/audits.html", "../core/metrics.html"):
        assert told in first
    assert all((reference / page).exists() for page in ("core/audits.html", "core/metrics.html"))


def test_every_column_of_the_claims_is_explained() -> None:
    people = load_table("hiring").head(400)
    people["invited"] = (people["test score"] > 60).map({True: "yes", False: "no"})
    given = {"predictions": "invited", "outcome": "hired", "favourable": "yes", "protected": "gender"}
    a = audit(people, **given, tests="group_fairness", progress=False)
    assert isinstance(a, Audit)
    told = str(Claims.to_frame.__doc__)
    assert [name for name in a.claims.to_frame() if f"``{name}``" not in told] == []

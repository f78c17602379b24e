import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.audits.text_sensitivity.settings import TextSensitivity
from core.audits.transport.decision import TransportDecision
from core.base.errors import DataError
from core.base.files import FileStore
from core.inference.estimate import Verdict
from core.models.formats.lstm.source import LstmArchive
from core.protected_status.settings import UploadedStatus
from core.result import AuditResult
from core.run import find, run_plan
from core.sources.simulated.biographies import Biographies
from core.sources.simulated.hiring import (
    EDUCATION_LEVELS,
    ETHNICITIES,
    EXPERIENCE_LIMITS,
    GENDERS,
    SCORE_LIMITS,
    SCREENED,
    screen,
)
from core.study import Study
from core.workflows import examples
from core.workflows.examples import EXAMPLES, Example, example, open_example
from core.workflows.examples_told import ExamplePicture

VERDICTS = {
    "hiring-baseline": Verdict.VIOLATION,
    "hiring-sensr": Verdict.NO_VIOLATION,
    "adult-baseline": Verdict.VIOLATION,
    "compas-baseline": Verdict.VIOLATION,
    "hiring-predictions": Verdict.VIOLATION,
    "hiring-predictions-fair": Verdict.NO_VIOLATION,
    "hiring-decisions": Verdict.VIOLATION,
    "compas-faith": Verdict.VIOLATION,
    "texts-biased": Verdict.VIOLATION,
    "texts-balanced": Verdict.NO_VIOLATION,
    "example-1-1": Verdict.VIOLATION,
    "example-1-1-fair": Verdict.INSUFFICIENT,
    "diabetes": Verdict.VIOLATION,
}


def run(key: str, files: FileStore) -> AuditResult:
    """Its first test; a second model that stands beside it has no part in the verdict and takes as long again."""
    plan = open_example(key, files).plans[0]
    if isinstance(plan.audit, TextSensitivity):
        plan = plan.model_copy(update={"audit": plan.audit.model_copy(update={"reference": None})})
    return run_plan(plan, files)


SHOWN = {
    Verdict.VIOLATION: {"differently", "further apart"},
    Verdict.NO_VIOLATION: {"alike"},
    Verdict.INSUFFICIENT: {"unclear"},
}


def test_every_picture_shows_what_its_audit_found_and_says_it() -> None:
    drawing = (examples.SAMPLE_MODELS.parent / "assets" / "pictures.svg").read_text()
    for one in EXAMPLES:
        assert f'id="{one.picture.topic}"' in drawing
        assert one.picture.treated in SHOWN[VERDICTS[one.key]]
        assert one.about.count(".") == 2, "who decides what; how people fare"
        assert len(one.about.split()) <= 25


def verdict_of(key: str, files: FileStore) -> Verdict:
    """Of the first test; groups may stand beside it."""
    return find(run(key, files), open_example(key, files).plans[0].decision).verdict


def test_keys_are_unique_and_three_lead() -> None:
    assert [example.key for example in EXAMPLES] == list(VERDICTS)
    assert all(one.picture.topic == "texts" for one in EXAMPLES if one.roles.text)
    assert not EXAMPLES[0].needs_network
    assert all(example.story.endswith(".") for example in EXAMPLES)


def test_the_fairer_hiring_model_is_put_to_the_same_test_on_the_same_rows() -> None:
    one, other = (example(key) for key in ("hiring-baseline", "hiring-sensr"))
    assert (one.data, one.audits) == (other.data, other.audits)


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(one.key, marks=() if one.key == "hiring-sensr" else pytest.mark.long)
        for one in EXAMPLES
        if not one.needs_network
    ],
)
def test_an_embedded_example_tells_its_story(key: str, tmp_path: Path) -> None:
    """Those that are quick with all of their tests have it told beside their card (tests/core/test_cards.py), that of
    the first page in a browser (tests/e2e/test_audit.py).
    """
    assert verdict_of(key, FileStore(tmp_path)) is VERDICTS[key]


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(one.key, marks=() if one.key == "compas-baseline" else pytest.mark.long)
        for one in EXAMPLES
        if one.needs_network
    ],
)
@pytest.mark.usefixtures("real_data")
def test_a_public_example_tells_its_story(key: str, tmp_path: Path) -> None:
    assert verdict_of(key, FileStore(tmp_path)) is VERDICTS[key]


@pytest.mark.parametrize("key", VERDICTS)
def test_opening_an_example_gives_a_study_that_survives_json(key: str, tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    study = open_example(key, files)
    assert Study.model_validate_json(study.model_dump_json()) == study
    for plan in study.plans:
        if example(key).model:
            assert files.path(plan.model.file).stat().st_size == plan.model.file.bytes
        else:
            assert plan.model.columns == plan.roles.predictions


def test_the_screening_program_turns_away_whom_it_takes_points_off(tmp_path: Path) -> None:
    """The truth of the simulation: one point off for women, one for Black and Hispanic applicants, 4 of 6 needed.

    Its answers are decided by the columns compared, so nobody's cell is mixed and the audit value is a count: the
    people decided rightly whom it would decide wrongly in another group.
    """
    result = run("hiring-predictions", FileStore(tmp_path))
    finding: Any = find(result, TransportDecision())
    frame = example("hiring-predictions").data.load(FileStore(tmp_path))
    hired = (frame["hired"] == "yes").to_numpy()
    wrong = np.stack(
        [
            (screen(frame.assign(gender=gender, ethnicity=ethnicity), biased=True) == "yes") != hired
            for gender in GENDERS
            for ethnicity in ETHNICITIES
        ]
    )
    own = (frame[SCREENED] == "yes").to_numpy() != hired
    truth = (wrong.any(axis=0) & ~own).mean()
    assert finding.part.mixed == 0
    assert finding.estimate == pytest.approx(truth, abs=1e-12)
    assert finding.lower_bound > 4 * finding.decision.delta

    cells, plan = finding.detail.cells, finding.solution.plan
    turned_away = np.array(cells.labels)[cells.label[plan.source]] == "yes"
    assert (cells.favourable[plan.source[turned_away]] == 1).all()
    assert (cells.favourable[plan.target[turned_away]] == 0).all()
    assert (cells.favourable[plan.target[~turned_away]] == 1).all()
    to = cells.frame.iloc[plan.target[turned_away]]
    assert ((to["gender"] == "female") | to["ethnicity"].isin(["Black", "Hispanic"])).all()


def test_a_program_that_looks_at_merit_only_has_nothing_to_answer_for(tmp_path: Path) -> None:
    """Errors are as frequent as those of the biased program, to two points: accuracy does not tell them apart."""
    fair, biased = (run(key, FileStore(tmp_path)) for key in ("hiring-predictions-fair", "hiring-predictions"))
    finding: Any = find(fair, TransportDecision())
    assert finding.estimate == 0
    assert abs(fair.model.accuracy - biased.model.accuracy) < 0.03


def test_the_program_is_compared_by_what_it_goes_by() -> None:
    (audit,) = example("hiring-predictions").audits
    by_name = {column.name: column for column in audit.columns}
    assert by_name["experience (years)"].edges == EXPERIENCE_LIMITS
    assert by_name["test score"].edges == SCORE_LIMITS
    assert by_name["education"].merged == tuple(EDUCATION_LEVELS.items())


def test_an_example_may_hold_several_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audits = (*example("compas-faith").audits, *example("compas-baseline").audits)
    both = replace(example("compas-faith"), audits=audits)
    monkeypatch.setattr(examples, "EXAMPLES", (both,))
    study = open_example("compas-faith", FileStore(tmp_path))
    assert tuple(plan.audit for plan in study.plans) == audits
    assert [plan.decision.kind for plan in study.plans] == ["transport", "gradient_flow"]


def test_an_example_of_texts_puts_the_files_of_its_audit_into_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one.zip", "other.zip", "status.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for member in ("lstm.json", "tokenizer.json", "model.safetensors"):
                archive.writestr(member, name)
    texts = Example(
        key="texts",
        title="Texts",
        story="A story.",
        model="one.zip",
        data=Biographies(rows=200),
        audits=(TextSensitivity(texts_shown=10),),
        about="Two texts.",
        picture=ExamplePicture("texts", "alike"),
        megabytes=100,
        files={
            "status": {"kind": "uploaded", "model": {"sample": "status.zip"}},
            "reference": {"sample": "other.zip"},
        },
    )
    monkeypatch.setattr(examples, "EXAMPLES", (texts, replace(texts, key="alone", files={})))
    monkeypatch.setattr(examples, "SAMPLE_MODELS", tmp_path)
    files = FileStore(tmp_path / "store")
    (plan,) = open_example("texts", files).plans
    assert isinstance(plan.audit, TextSensitivity)
    assert isinstance(plan.audit.status, UploadedStatus)
    assert plan.audit.reference is not None
    assert plan.audit.texts_shown == 10
    read = (plan.model, plan.audit.status.model, plan.audit.reference)
    for model, name in zip(read, ("one.zip", "status.zip", "other.zip"), strict=True):
        assert isinstance(model, LstmArchive)
        assert files.path(model.file).read_bytes() == (tmp_path / name).read_bytes()
    (alone,) = open_example("alone", files).plans
    assert alone.audit == TextSensitivity(texts_shown=10)
    (tmp_path / "other.zip").unlink()
    with pytest.raises(DataError, match=r"texts\.py"):
        open_example("texts", files)


def test_an_unknown_example_and_a_missing_model_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="hiring-baseline"):
        open_example("nothing", FileStore(tmp_path))
    monkeypatch.setattr(examples, "SAMPLE_MODELS", tmp_path)
    with pytest.raises(DataError, match=r"train\.py"):
        open_example("hiring-baseline", FileStore(tmp_path))

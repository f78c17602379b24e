"""Bad and hostile files through the pages: a sentence with its place and a way on, nothing lost, never a traceback."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from core.base.errors import RecordError
from core.study import Study
from dashboard.jobs import queue as jobs
from dashboard.jobs.table import JobTable
from tests.builders_transport import make_transport_plan
from tests.dashboard import bad_files as bad
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    give_role,
    home_folder,
    keys,
    named,
    open_app,
    settled,
    texts,
    upload,
    with_predictions,
)

Make = Callable[[], bytes]

TABLES: dict[str, tuple[str, Make, str]] = {
    "empty": ("a.csv", lambda: b"", "The file is empty."),
    "header only": ("a.csv", lambda: b"age,sex,income,hired\n", "a header but no records"),
    "ragged": ("a.csv", lambda: bad.GOOD + b"1,f,2,yes,extra\n", "Another number of fields"),
    "wrong encoding": ("a.csv", lambda: bad.people(sex=lambda i: "fm"[i % 2]) + b"30,\x81\x8d,1,yes\n", "Where"),
    "infinite": ("a.csv", lambda: bad.people(income=lambda i: "inf" if i == 7 else 20 + i), "infinite"),
    "few rows": ("a.csv", lambda: bad.people(20), "at least 30"),
    "picture named xlsx": ("a.xlsx", lambda: b"\x89PNG\r\n\x1a\n" + bytes(99), "named like a Excel file but is"),
    "pickle named csv": ("a.csv", lambda: bad.evil_pickle("never"), "pickle"),
    "text named parquet": ("a.parquet", lambda: bad.GOOD, "named like a Parquet file"),
    "cut parquet": ("a.parquet", lambda: b"PAR1" + bytes(50), "What to do"),
    "no ending": ("a", lambda: bad.GOOD, "no ending"),
    "ten thousand columns": (
        "a.csv",
        lambda: b",".join(b"c%d" % i for i in range(10_000)) + b"\n" + (b"1," * 9_999 + b"1\n") * 30,
        "10,000 columns",
    ),
}

CHOICES: dict[str, tuple[Make, dict[str, Any], str]] = {
    "text among numbers": (
        lambda: bad.people(age=lambda i: "abc" if i == 7 else 20 + i),
        {"age": "feature"},
        "no numbers",
    ),
    "a category for everybody": (
        lambda: bad.people(20_000, income=lambda i: f"street {i}"),
        {"income": "feature"},
        "too many categories",
    ),
    "one outcome": (lambda: bad.people(hired=lambda i: "yes"), {"hired": "outcome"}, "the same outcome"),
    "one group": (lambda: bad.people(sex=lambda i: "f"), {"sex": "protected"}, "the same group"),
    "names as outcome": (lambda: bad.people(hired=lambda i: f"n{i}"), {"hired": "outcome"}, "different values"),
}

MODELS: dict[str, tuple[str, Callable[[str], bytes], str]] = {
    "empty": ("m.onnx", lambda _: b"", "empty"),
    "pickle": ("m.safetensors", bad.evil_pickle, "pickle"),
    "joblib": ("m.joblib", bad.compressed_joblib, "joblib"),
    "checkpoint": ("m.pt", bad.torch_checkpoint, "save_file"),
    "TorchScript": ("m.pt", lambda _: bad.torchscript(), "TorchScript"),
    "pt2": ("m.pt2", lambda _: bad.pt2(), "torch.export"),
    "zip bomb": ("m.skops", lambda _: bad.skops_bomb(), "times its size"),
    "untrusted skops": ("m.skops", lambda _: bad.untrusted_skops(), "not on the fixed list"),
    "lying header": ("m.safetensors", lambda _: bad.lying_safetensors(), "What to do"),
    "endless header": ("m.safetensors", lambda _: bad.long_safetensors_header(), "What to do"),
    "truncated": ("m.safetensors", lambda _: bad.network(3)[:150], "What to do"),
    "external data": ("m.onnx", lambda _: bad.external_onnx(), "in another file"),
    "wrong width": ("m.safetensors", lambda _: bad.network(7), "reads 7 numbers a row"),
    "not a number": ("m.safetensors", lambda _: bad.network(2, fill=float("nan")), "not "),
    "foreign labels": ("m.skops", lambda _: bad.foreign_labels(), "no class for the outcome"),
    "a table": ("m.onnx", lambda _: bad.GOOD, "What to do"),
}


@pytest.fixture(scope="module")
def data_page() -> AppTest:
    """The first step with a good table in it; the cases try their files one after the other."""
    return upload(click(open_app(), "start"), "data.file", "good.csv", bad.GOOD)


@pytest.fixture(scope="module")
def model_page() -> AppTest:
    """The second step, with age and income as features."""
    app = upload(click(open_app(), "start"), "data.file", "good.csv", bad.GOOD)
    assert set(draft_of(app).roles.features) == {"age", "income"}
    return click(app, "step_next")


def uploader(app: AppTest) -> str:
    """The key of the place for a file, which is new after a way back."""
    return str(app.file_uploader[0].key)


def assert_refused(app: AppTest, says: str) -> None:
    assert_sound(app)
    assert says in texts(app), texts(app)
    said = [error.value for error in app.error]
    assert any("What to do" in text for text in said), texts(app)
    assert app.button(key="step_next").disabled


@pytest.mark.parametrize("case", TABLES)
def test_a_bad_table_is_refused_and_the_one_before_is_a_click_away(data_page: AppTest, case: str) -> None:
    name, make, says = TABLES[case]
    upload(data_page, uploader(data_page), name, make())
    assert_refused(data_page, says)
    click(data_page, "data.back")
    assert_sound(data_page)
    assert "good.csv: 120 rows" in texts(data_page)
    assert draft_of(data_page).roles.outcome == "hired"
    assert not data_page.button(key="step_next").disabled


@pytest.mark.parametrize("case", CHOICES)
def test_a_table_that_cannot_be_judged_says_which_column(data_page: AppTest, case: str) -> None:
    make, roles, says = CHOICES[case]
    upload(data_page, uploader(data_page), "judged.csv", make())
    for column, role in roles.items():
        give_role(data_page, role, column)
    if draft_of(data_page).roles.favourable is None:
        widget = named(data_page.selectbox, "roles.favourable.hired")
        widget.set_value(widget.options[0].removeprefix("hired = "))
        settled(data_page)
    assert_refused(data_page, says)
    click(data_page, "data.back")
    assert not data_page.button(key="step_next").disabled


@pytest.mark.parametrize("case", MODELS)
def test_a_bad_model_is_refused_and_the_table_stays(model_page: AppTest, case: str, tmp_path: Path) -> None:
    sentinel = tmp_path / "executed"
    name, make, says = MODELS[case]
    upload(model_page, "model.file", name, make(str(sentinel)))
    assert_refused(model_page, says)
    assert not sentinel.exists()
    assert {"step_back", "step_data"} <= keys(model_page)


ANSWERS: dict[str, tuple[Make, str]] = {
    "a gap in the middle": (lambda: bad.people(prediction=lambda i: "" if i == 7 else "yes"), ""),
    "infinite": (lambda: bad.people(score=lambda i: "inf" if i == 7 else i), "infinite"),
}


def test_a_prediction_that_is_no_outcome_is_asked_about() -> None:
    table = bad.people(prediction=lambda i: "maybe" if i == 7 else "yes")
    app = upload(click(open_app(), "start"), "data.file", "answers.csv", table)
    if not draft_of(app).roles.predictions:
        give_role(app, "prediction", "prediction")
    click(app, "step_next")
    assert_sound(app)
    assert "maybe → no" in texts(app)
    assert app.button(key="step_next").disabled


def test_a_probability_beyond_one_is_a_score_and_asked_for_its_threshold() -> None:
    app = upload(click(open_app(), "start"), "data.file", "answers.csv", bad.people(probability=lambda i: i / 100))
    if not draft_of(app).roles.predictions:
        give_role(app, "prediction", "probability")
    click(app, "step_next")
    assert_sound(app)
    assert "Set the threshold." in texts(app)
    assert app.button(key="step_next").disabled


@pytest.mark.parametrize("case", ANSWERS)
def test_bad_predictions_are_refused_or_left_out_in_words(case: str) -> None:
    make, says = ANSWERS[case]
    app = upload(click(open_app(), "start"), "data.file", "answers.csv", make())
    if not draft_of(app).roles.predictions:
        give_role(app, "prediction", make().split(b"\n")[0].decode().split(",")[-1])
    if not app.button(key="step_next").disabled:
        click(app, "step_next")
    if says:
        assert_refused(app, says)
    else:
        assert_sound(app)
        assert "Rows tried" in str([table.value for table in app.table])
        assert "119" in str([table.value for table in app.table]), "the row without an answer is left out, and counted"


def test_more_kinds_than_a_table_of_costs_may_have_are_refused_before_anything_is_compared() -> None:
    rows = 6_000
    app = with_predictions(bad.people(rows, income=lambda i: 7.5 * i, prediction=lambda i: ("yes", "no")[i % 2]))
    named(app.text_input, "cells.income.edges").set_value("")
    settled(app)
    named(app.radio, "costs.way").set_value("own_cost")
    settled(app)
    named(app.file_uploader, "costs.file").upload("costs.csv", b"0,1\n1,0\n", "text/csv")
    settled(app)
    assert_refused(app, "at most 5,000 are possible")
    click(app, "cells.use_proposal")
    assert_refused(app, "The cost matrix has")
    named(app.radio, "costs.way").set_value("differ_only_in")
    settled(app)
    assert_sound(app)
    assert not app.button(key="step_next").disabled


@pytest.mark.long
def test_a_rule_about_a_group_that_is_gone_is_named_and_can_be_removed() -> None:
    app = with_predictions(bad.people(240, prediction=lambda i: ("yes", "no")[i % 2], city=lambda i: "ab"[i % 2 - 1]))
    app.selectbox(key="rules.forbidden.origin").set_value(("sex", "m"))
    settled(app)
    click(app, "rules.forbidden.add")
    click(app, "step_data")
    give_role(app, "none", "sex")
    give_role(app, "protected", "city")
    assert_sound(app)
    for _ in range(3):
        click(app, "step_next")
    assert app.title[0].value == "Similar people"
    assert_refused(app, "'sex' is no protected attribute")
    click(app, "rules.forbidden.remove.0")
    assert_sound(app)
    assert not app.button(key="step_next").disabled, texts(app)


@pytest.mark.parametrize(("name", "value"), [("regularisation", -1.0), ("regularisation", 1e9), ("steps", 0)])
def test_a_search_setting_out_of_range_says_what_it_should_be(name: str, value: float) -> None:
    app = AppTest.from_function(_settings, kwargs={"values": {name: value}}).run()
    assert_sound(app)
    assert "it must be" in texts(app)


def _settings(values: dict[str, float]) -> None:
    from core.audits.gradient_flow.settings import GradientFlow
    from core.metrics.sensitive_subspace import SensitiveSubspace
    from dashboard import forms

    forms.draw(GradientFlow, {"metric": SensitiveSubspace(), **values}, "f", fields=("schedule",))


@pytest.mark.parametrize("name", ["../../../etc/passwd", "..", "\x00", "a" * 5000, "'; DROP TABLE jobs; --", "0" * 16])
@pytest.mark.parametrize(("page", "part"), [("audit", "audit"), ("data", "draft"), ("review", "draft")])
def test_an_address_that_somebody_made_up_is_no_path(page: str, part: str, name: str) -> None:
    app = AppTest.from_function(_page, kwargs={"name": page}, default_timeout=30)
    app.query_params[part] = name
    app.run()
    assert_sound(app)
    assert keys(app) & {"audit_home", "step_blocked", "step_next"}


def _page(name: str) -> None:
    import importlib

    from dashboard.messages import guarded

    with guarded():
        importlib.import_module(f"dashboard.views.{name}.page").page()


def test_a_damaged_list_of_runs_is_put_aside_in_words(tmp_path: Path) -> None:
    (tmp_path / "jobs.sqlite").write_bytes(b"junk" * 1000)
    with pytest.raises(RecordError, match="put aside"):
        JobTable(tmp_path).in_state("queued")
    assert [path.read_bytes()[:4] for path in tmp_path.glob("damaged-*.sqlite")] == [b"junk"]
    assert JobTable(tmp_path).in_state("queued") == []


def test_a_list_of_runs_that_was_emptied_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "jobs.sqlite").write_bytes(b"")
    assert JobTable(tmp_path).in_state("queued") == []


@pytest.mark.long
def test_a_damaged_result_is_run_again_from_its_page() -> None:
    app = click(open_app(), "example_hiring-sensr")
    named = app.query_params["audit"]
    audit = named if isinstance(named, str) else named[0]
    job = jobs.find(audit)
    assert job is not None
    assert job.state == "done", texts(app)
    (home_folder() / "results" / job.answer["results"][0] / "arrays.npz").write_bytes(b"junk")
    streamlit.cache_resource.clear()
    app = click(open_app(), f"open_{audit}")
    assert_sound(app)
    assert "The saved result is damaged" in texts(app)
    click(app, "run_again")
    assert_sound(app)
    assert "Loss ratio" in texts(app) or "loss ratio" in texts(app)


def test_a_table_that_was_removed_from_the_disk_is_read_once_more() -> None:
    app = upload(click(open_app(), "start"), "data.file", "lost.csv", bad.people(90))
    (read,) = jobs.recent(("read_table",), 1)
    (home_folder() / "files" / read.answer["table"]["sha256"]).write_bytes(b"cut")
    settled(app)
    assert_sound(app)
    assert "lost.csv: 90 rows" in texts(app)
    assert not app.error


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_locked_disk_is_said_in_words(number: int) -> None:
    app = AppTest.from_function(_broken_disk, kwargs={"number": number}).run()
    assert_sound(app)
    assert "The disk is full" in texts(app) or "may not write" in texts(app)
    assert "What to do" in app.error[0].value


def _broken_disk(number: int) -> None:
    import os

    from dashboard.messages import guarded

    with guarded():
        raise OSError(number, os.strerror(number), "/somewhere")


def test_the_first_page_survives_an_audit_of_another_version() -> None:
    table = JobTable()
    job = table.add("audit", {"plan": {"written": "long ago"}}, "old code", "local")
    table.finish(job.id, "done", {"result": "0" * 64})
    app = open_app()
    assert_sound(app)
    assert "start" in keys(app)
    click(app, f"open_{job.id}")
    assert_sound(app)
    assert "Another version of Evenhand" in texts(app)


def test_an_audit_whose_result_another_version_named_otherwise_says_so() -> None:
    """Settings that were added since give the same audit another name; its result is not lost, only of then."""
    table = JobTable()
    study = Study(plans=(make_transport_plan(),)).model_dump(mode="json")
    job = table.add("audit", {"study": study}, "old code", "local")
    table.finish(job.id, "done", {"results": ["0" * 64]})
    app = click(open_app(), f"open_{job.id}")
    assert_sound(app)
    assert "Another version of Evenhand ran this audit" in texts(app)
    assert "What was signed of it stays in the register" in texts(app)
    assert "run_again" in keys(app)

"""The register's pages: one's own entries and nobody else's, found, compared, reviewed, repeated, saved."""

import csv
import datetime
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.audits import KINDS
from core.base.errors import RecordError
from core.base.files import home
from core.language.reader import speaking
from core.records.audits import AUDITS
from core.records.codec import save_result
from core.register.entry import Status
from core.register.packet import packet
from core.register.register import Register
from core.register.summary import summarise
from core.report.statement import Statement
from core.study import Study
from dashboard.jobs.registering import Registrar, id_of
from dashboard.jobs.table import JobTable
from dashboard.views.register.frozen import documents, file_name
from dashboard.views.register.words import name_of_test, status
from dashboard.visitor import LOCAL
from tests.builders_transport import make_transport_plan
from tests.core.register.made import NONE, VIOLATION, make_entry
from tests.dashboard import results_made
from tests.dashboard.walking import assert_sound, click, draft_of, keys, open_app, open_page, settled, texts

PLAN = Study(plans=(make_transport_plan(),)).model_dump(mode="json")
HOSTILE = "<img src=x onerror=alert(1)> **bold** :smile: \u202egnp.exe\u202c $x$"


@pytest.fixture(autouse=True)
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Register:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    monkeypatch.setattr("dashboard.jobs.queue.ensure_worker", lambda: None)
    return Register()


def test_tests_are_named_in_the_readers_language_and_own_names_are_kept() -> None:
    title = KINDS["transport"].title
    with speaking("de"):
        own = KINDS["transport"].title
        assert own != title
        assert [name_of_test(name) for name in (title, f"{title} 2", "Region 3")] == [own, f"{own} 2", "Region 3"]
    assert name_of_test(f"{title} 2") == f"{title} 2"


def entered(register: Register, name: str = "e1", owner: str = LOCAL, **values: Any) -> None:
    register.enter(make_entry(name, owner, **{"plan": PLAN, **values}))


def finished(after: str = "") -> str:
    """The id of a finished audit of this visitor's that is in the register."""
    table = JobTable()
    job = table.add("audit", {"study": PLAN}, "code", LOCAL, after=after)
    table.finish(job.id, "done", {"results": [], "summary": make_entry().summary.model_dump(mode="json")})
    Registrar(table).look()
    return job.id


def state(app: AppTest, press: str = "Save the statement", leave: str = "none") -> AppTest:
    """Fill the whole statement in but for what is left, and save it, or sign it; why the system is used is asked once
    that is said.
    """
    for _ in range(2):
        for field in (*app.text_input, *app.text_area):
            if str(field.key).startswith("stated.") and not str(field.key).endswith(leave):
                field.set_value(f"my {field.label}")
        next(box for box in app.radio if str(box.key).endswith(".decision")).set_value("accept")
        next(button for button in app.button if button.label == press).click()
        settled(app)
    return app


def sign(app: AppTest, name: str = "my Reviewer *") -> AppTest:
    """Type one's name, as the statement has it, and confirm the signature."""
    app.text_input(key="entry_sign_name").set_value(name)
    return click(app, "entry_sign_yes")


def test_an_empty_register_says_how_it_fills() -> None:
    app = open_page("register")
    assert_sound(app)
    assert "What you run enters it by itself" in texts(app)


def test_only_ones_own_entries_are_listed_and_opened(register: Register) -> None:
    entered(register, "mine", model="Mine")
    entered(register, "theirs", owner="ben", model="Theirs", notes="secret")
    app = open_page("register")
    assert_sound(app)
    assert {"open_mine"} == {key for key in keys(app) if key.startswith("open_")}
    for address in ({"entry": "theirs"}, {"compare": "mine,theirs"}, {"entry": "nobody's"}):
        app = open_page("register", **address)
        assert_sound(app)
        assert "There is no such entry in your register" in texts(app)
        assert "secret" not in texts(app)


def test_names_are_shown_letter_by_letter(register: Register) -> None:
    entered(register, model=HOSTILE, table=HOSTILE, notes=HOSTILE, statement=Statement(system=HOSTILE, version=HOSTILE))
    shown = "<img src=x onerror=alert(1)> **bold** :smile: <U+202E>gnp.exe<U+202C> $x$"
    for address in ({}, {"entry": "e1"}, {"compare": "e1,e1"}):
        app = open_page("register", **address)
        assert_sound(app)
        labels = " ".join(button.label for button in app.button).replace("\\", "").replace("\u2060", "")
        assert shown in texts(app) + labels
        assert "<img" not in "".join(str(element.value) for element in app.markdown if element.allow_html)


def test_the_list_is_searched_filtered_sorted_and_paged(register: Register) -> None:
    for number in range(25):
        entered(register, f"e{number:02}", verdict=(VIOLATION, NONE)[number % 2], made=1e9 + number, model=f"m{number}")
    app = open_page("register")
    assert "25 entries" in texts(app)
    assert len([key for key in keys(app) if key.startswith("open_")]) == 20
    assert {"open_e24", "open_e05"} <= keys(app)
    click(app, "register_next")
    assert {"open_e04", "open_e00"} <= keys(app)
    app.selectbox(key="register_verdict").set_value(NONE).run()
    assert "12 entries" in texts(app), "and the first page of them"
    assert "open_e23" in keys(app)
    app.text_input(key="register_words").set_value("m13").run()
    assert {key for key in keys(app) if key.startswith("open_")} == {"open_e13"}
    app.text_input(key="register_words").set_value("nothing like it").run()
    assert "Nothing in your register is like that" in texts(app)


def test_two_are_ticked_and_compared(register: Register) -> None:
    for number in range(3):
        entered(register, f"e{number}", made=1e9 + number)
    app = open_page("register")
    assert app.button(key="register_compare").disabled
    for name in ("e0", "e1", "e2"):
        app.checkbox(key=f"mark_{name}").check().run()
    assert [app.checkbox(key=f"mark_e{number}").value for number in range(3)] == [False, True, True]
    click(app, "register_compare")
    assert_sound(app)
    assert "Two entries compared" in texts(app)
    assert "Both are about the same rows, the same model and the same settings." in texts(app)


def test_a_comparison_says_that_data_and_settings_differ(register: Register) -> None:
    other = Study(plans=(make_transport_plan(seed=7),)).model_dump(mode="json")
    entered(register, "a")
    changed = make_entry("b", LOCAL, NONE, plan=other)
    register.enter(
        changed.model_copy(update={"summary": changed.summary.model_copy(update={"rows_fingerprint": "e" * 64})})
    )
    said = texts(open_page("register", compare="a,b"))
    assert "They are about different rows" in said
    assert "The settings differ: Seed (repeatability)." in said


def test_from_draft_to_withdrawn(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    job = finished()
    monkeypatch.setattr("dashboard.views.register.frozen.documents", lambda *_: {"record": b"{}", "report": b"<p>"})
    app = open_page("register")
    (name,) = [key.removeprefix("open_") for key in keys(app) if key.startswith("open_")]
    click(app, f"open_{name}")
    assert {"entry_open", "entry_repeat", "entry_send"} <= keys(app)
    notes = next(area for area in app.text_area if area.label == "Notes")
    notes.set_value("Ask HR about the second group.").run()
    click(app, "entry_send")
    click(app, "entry_return")
    click(app, "entry_send")
    click(app, "entry_sign")
    assert "It was saved, not signed" in texts(app)
    assert "entry_sign_yes" not in keys(app)
    assert "Give the reason for the tolerance." in texts(app)
    state(app)
    assert "Give the reason for the tolerance." not in texts(app)
    click(app, "entry_sign")
    assert "Their identity is **not verified**" in texts(app)
    assert "**chosen by my Auditor *, as Evenhand proposes**" in texts(app)
    click(app, "entry_sign_no")
    assert "entry_sign_yes" not in keys(app)
    sign(click(app, "entry_sign"))
    assert_sound(app)
    entry = register.get(name, LOCAL)
    assert entry is not None
    assert (entry.status, entry.job, entry.notes) == (Status.SIGNED, job, "Ask HR about the second group.")
    assert not {"entry_sign", "entry_send"} & keys(app)
    assert ":material/signature: signed on" in texts(app)
    assert ":material/verified:" not in texts(app), "nobody signed in"
    assert app.button(key="entry_withdraw").disabled
    app.checkbox(key="entry_unsound").check().run()
    click(app, "entry_withdraw")
    entry = register.get(name, LOCAL)
    assert entry is not None
    assert entry.status is Status.WITHDRAWN
    actions = ["begun", "entered", "changed", "sent", "returned", "sent", "changed", "changed", "signed"]
    assert [line.action for line in register.log()] == [*actions, "withdrawn"]
    assert entry.statement.decision == "accept"
    assert register.verify() == ()


def test_the_form_asks_for_the_auditor_and_below_for_the_reviewer(register: Register) -> None:
    entered(register)
    app = open_page("register", entry="e1")
    columns = [[one.label for one in column.text_input] for column in app.columns]
    assert ["Auditor *", "Reviewer *"] in columns


def test_only_who_had_signed_in_has_a_seal() -> None:
    signed = {"status": Status.SIGNED, "signed": 1.0}
    assert status(make_entry(**signed)).startswith(":material/signature:")
    assert status(make_entry(**signed, signer="Ben Okafor")).startswith(":material/verified:")


def test_a_draft_is_stated_and_signed_at_once(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    finished()
    monkeypatch.setattr("dashboard.views.register.frozen.documents", lambda *_: {"record": b"{}", "report": b"<p>"})
    app = open_page("register")
    (name,) = [key.removeprefix("open_") for key in keys(app) if key.startswith("open_")]
    state(click(app, f"open_{name}"), press="Sign")
    asked = register.get(name, LOCAL)
    assert asked is not None
    assert (asked.status, asked.statement.decision) == (Status.DRAFT, "accept"), "asked once before it is final"
    state_again = next(box for box in app.text_area if str(box.key).endswith(".rationale"))
    state_again.set_value("another reason")
    click(app, next(str(one.key) for one in app.button if one.label == "Save the statement"))
    assert "entry_sign_yes" not in keys(app), "what was asked about is another now"
    sign(click(app, "entry_sign"))
    assert_sound(app)
    signed = register.get(name, LOCAL)
    assert signed is not None
    assert (signed.status, signed.statement.rationale) == (Status.SIGNED, "another reason")
    assert [line.action for line in register.log()][-2:] == ["changed", "signed"], "nobody sent it to review"
    assert register.verify() == ()


def test_who_signs_types_their_own_name_and_nothing_is_filled_in_for_them(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished()
    monkeypatch.setattr("dashboard.views.register.frozen.documents", lambda *_: {"record": b"{}"})
    app = open_page("register")
    (name,) = [key.removeprefix("open_") for key in keys(app) if key.startswith("open_")]
    click(click(app, f"open_{name}"), "entry_sign")
    assert "Name the auditor." in texts(app)
    assert "Name the reviewer, who signs" in texts(app)
    state(app, press="Sign", leave=".reviewer")
    assert "entry_sign_yes" not in keys(app)
    assert "Name the reviewer, who signs" in texts(app), "the auditor's name is not taken for it"
    field = next(one for one in app.text_input if str(one.key).endswith(".reviewer"))
    assert field.value == ""
    field.set_value("My  auditor *, Example Bank")
    click(app, "entry_sign")
    assert app.text_input(key="entry_sign_name").value == ""
    click(app, "entry_sign_yes")
    assert "It is not signed. Only the reviewer, My auditor *, Example Bank, signs it." in texts(app)
    sign(app, "Ben")
    assert "It is not signed. Only the reviewer, My auditor *, Example Bank, signs it." in texts(app)
    sign(app, "my Auditor *")
    assert_sound(app)
    entry = register.get(name, LOCAL)
    assert entry is not None
    assert (entry.statement.auditor, entry.statement.reviewer) == ("my Auditor *", "My  auditor *, Example Bank")
    assert entry.signature is not None
    assert entry.signature.name == "My  auditor *, Example Bank"


def test_where_somebody_else_reviews_it_is_sent_to_them_and_nobody_is_asked_to_type_their_name(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.views.register.frozen.can_be_written", lambda _: True)
    job = finished()
    app = open_page("register", entry=id_of(job, LOCAL))
    assert "signs this audit" not in texts(app), "nobody is named yet"
    assert "Only the person named as reviewer signs." in [one.value for one in app.caption]
    state(app, leave=".reviewer")
    next(one for one in app.text_input if str(one.key).endswith(".reviewer")).set_value("Tom Ek, Compliance")
    click(app, "entry_save")
    assert "**Tom Ek signs this audit, not the auditor.** Send it to review." in texts(app)
    ways = [(one.key, one.proto.type) for one in app.button if one.key in ("entry_save", "entry_send", "entry_sign")]
    assert ways == [("entry_send", "primary"), ("entry_save", "secondary"), ("entry_sign", "secondary")]
    click(app, "entry_sign")
    assert "Tom Ek signs, not the auditor. If you are not Tom Ek, press *Not yet*." in texts(app)
    assert "You worked on the audit" not in texts(app), "that is not known of Tom"
    sign(app, "Nadia")
    assert "Only the reviewer, Tom Ek, Compliance, signs it. If that is not you, press *Not yet*." in texts(app)
    next(one for one in app.text_area if str(one.key).endswith(".rationale")).set_value("It is as Nadia says.")
    click(app, "entry_send")
    assert_sound(app)
    entry = register.get(id_of(job, LOCAL), LOCAL)
    assert entry is not None
    assert (entry.status, entry.statement.rationale) == (Status.IN_REVIEW, "It is as Nadia says."), "saved, then sent"
    assert [line.action for line in register.log(entry.id)][-2:] == ["changed", "sent"]
    assert "**Tom Ek signs this audit, not the auditor.** *Sign* is for Tom Ek" in texts(app)
    assert "entry_packet" in [one.key for one in app.button]


def test_conditions_are_asked_for_beside_the_decision_and_nothing_is_sent_without_them(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.views.register.frozen.can_be_written", lambda _: False)
    name = id_of(finished(), LOCAL)
    app = open_page("register", entry=name)
    assert "Needed for *Use the system under conditions*." in [one.value for one in app.caption], "before it is chosen"

    def conditions() -> Any:
        return next(one for one in app.text_area if str(one.key).endswith(".conditions"))

    next(box for box in app.radio if str(box.key).endswith(".decision")).set_value("accept_with_conditions")
    click(app, "entry_send")
    assert [one.value for one in app.get_by_key("said_over").warning] == [
        "It was saved, not sent: 1 field to fill in, marked in the form."
    ]
    assert "Say on which conditions the system is accepted." in texts(app)
    assert "Name the auditor." not in texts(app), "only the decision has to be whole"
    with pytest.raises(RecordError, match="Say on which conditions"):
        register.send_to_review(name, LOCAL)
    conditions().set_value("No postcode.")
    click(app, "entry_send")
    assert_sound(app)
    entry = register.get(name, LOCAL)
    assert entry is not None
    assert entry.status is Status.IN_REVIEW
    assert "A packet from before" not in texts(app)
    conditions().set_value("No postcode from May.")
    click(app, "entry_save")
    assert "A packet from before does not have it: send it anew." in texts(app)
    assert "A packet from before that is out of date." in texts(app.run()), "as long as it is so"


def test_what_a_click_on_the_form_did_is_said_over_the_page_wherever_it_is_scrolled_to() -> None:
    app = click(open_page("register", entry=id_of(finished(), LOCAL)), "entry_sign")
    told = "It was saved, not signed: 10 fields to fill in, marked in the form."
    assert [one.value for one in app.get_by_key("said_over").warning] == [told]
    state(app)
    assert [one.value for one in app.get_by_key("said_over").success] == ["The statement was saved."]
    app.run()
    assert "The statement was saved." not in texts(app)


def test_who_signs_is_told_of_audits_that_ended_worse_and_the_signed_report_says_so(register: Register) -> None:
    plan, result = results_made.transport()
    study = Study(plans=(plan,))
    save_result(result, home() / "results" / plan.result_fingerprint)
    found = summarise(AUDITS, study, (result,))
    document = study.model_dump(mode="json")
    better = found.model_copy(update={"verdict": NONE})
    job = JobTable().add("audit", {"study": document}, "code", LOCAL).id
    asked = make_entry("e1", LOCAL, plan=document, job=job, statement=Statement(date=datetime.date(2026, 11, 28)))
    register.enter(asked.model_copy(update={"summary": better}))
    worse = found.model_copy(update={"verdict": VIOLATION})
    register.enter(make_entry("e2", LOCAL, plan=document).model_copy(update={"summary": worse}))
    app = state(open_page("register", entry="e1"), press="Sign")
    assert "1 other audit of this model on these rows ended worse, on" in texts(app)
    with_others = documents(asked, None, "1 other audit of this model ended worse.")["report"]
    assert b"1 other audit of this model ended worse." in with_others, "before it is signed, too"
    sign(app)
    assert_sound(app)
    signed = register.document("e1", LOCAL, "report")
    assert b"1 other audit of this model on these rows ended worse, on" in signed


def test_a_result_says_that_others_of_its_model_and_rows_ended_worse(register: Register) -> None:
    def script() -> None:
        from dashboard.views.results import page as results
        from tests.dashboard.results_made import several

        results.show(*several(excess=0.05, bias=0.0))

    study, found = results_made.several(excess=0.05, bias=0.0)
    worse = summarise(AUDITS, study, found)
    assert worse.verdict != VIOLATION
    register.enter(make_entry("e2", LOCAL).model_copy(update={"summary": worse}))
    told = "of this model on these rows ended worse"
    assert told not in texts(AppTest.from_function(script, default_timeout=30).run())
    worse = worse.model_copy(update={"verdict": VIOLATION})
    register.enter(make_entry("e3", LOCAL).model_copy(update={"summary": worse}))
    assert told in texts(AppTest.from_function(script, default_timeout=30).run())


def test_the_list_says_beside_an_entry_that_others_ended_worse_and_were_deleted(register: Register) -> None:
    for name, verdict in (("e1", NONE), ("e2", VIOLATION)):
        entry = make_entry(name, LOCAL, verdict)
        register.enter(entry.model_copy(update={"summary": entry.summary.model_copy(update={"subject": "s" * 64})}))
    assert texts(open_page("register")).count("1 other audit of this model on these rows ended worse, on") == 1
    register.delete("e2", LOCAL)
    told = texts(open_page("register"))
    assert "1 other audit of this model on these rows ended worse and was deleted, on" in told
    assert "Its verdict was: violation found." in told


def test_what_another_tab_signed_is_not_signed_again(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    finished()
    monkeypatch.setattr("dashboard.views.register.frozen.documents", lambda *_: {"record": b"{}"})
    app = open_page("register")
    (name,) = [key.removeprefix("open_") for key in keys(app) if key.startswith("open_")]
    state(click(click(app, f"open_{name}"), "entry_send"))
    whole = Register.sign

    def beaten(mine: Register, *given: Any, **options: Any) -> Any:
        monkeypatch.setattr(Register, "sign", whole)
        whole(mine, *given, **options)
        return whole(mine, *given, **options)

    monkeypatch.setattr(Register, "sign", beaten)
    sign(click(app, "entry_sign"))
    assert not app.exception
    assert "can no longer be changed" in " ".join(error.value for error in app.error).replace("\\", "")


def test_the_same_audit_with_new_data_keeps_all_but_the_table(register: Register) -> None:
    entered(register)
    app = click(open_page("register", entry="e1"), "entry_repeat")
    assert_sound(app)
    draft = draft_of(app)
    plan = make_transport_plan()
    assert (draft.data, draft.after, draft.tests) == (None, "e1", ("transport",))
    assert (draft.model, draft.roles.protected) == (plan.model, plan.roles.protected)
    assert "You repeat an audit with new data" in texts(app)


def test_record_and_report_are_frozen_with_what_was_stated(register: Register) -> None:
    plan, result = results_made.transport()
    study = Study(plans=(plan,))
    save_result(result, home() / "results" / plan.result_fingerprint)
    stated = Statement(system="Hiring <b>screen</b>", reviewer="R. Viewer", decision="reject")
    entry = make_entry("e1", LOCAL, plan=study.model_dump(mode="json"), statement=stated)
    sent = packet(documents(entry), entry.system, stated)
    assert sent == packet(documents(entry), entry.system, stated), "the same bytes for the same content"
    frozen = documents(entry, entry.signature_of(LOCAL, "", 1.0))
    assert b"identity not verified" in frozen["report"]
    assert b"nobody else is known to have reviewed it" in frozen["report"]
    assert b"identity not verified" not in documents(entry)["report"]
    record = AUDITS.read(frozen["record"])
    assert (record.plan, record.statement) == (study, stated)
    assert b"Hiring &lt;b&gt;screen&lt;/b&gt;" in frozen["report"]
    day = datetime.date(2026, 11, 23)
    assert file_name(entry, "report", day) == "hiring-b-screen-b_transport-test_2026-11-23_report.html"
    register.enter(entry)
    register.sign("e1", LOCAL, register.send_to_review("e1", LOCAL).revision, frozen)
    app = open_page("register", entry="e1")
    assert_sound(app)
    facts = next(one.value.iloc[:, 0].to_dict() for one in app.table if "Decision" in one.value.index)
    assert facts["Decision"] == "Do not use the system"
    assert "Conditions" not in facts


def test_a_system_has_a_timeline_with_words(register: Register) -> None:
    for number, verdict in enumerate((VIOLATION, VIOLATION, NONE)):
        entered(
            register, f"e{number}", verdict=verdict, made=1.7e9 + 1e7 * number, statement=Statement(system="Hiring")
        )
    entered(register, "other", model="Another")
    app = open_page("register")
    app.selectbox(key="register_system").set_value("Hiring").run()
    assert_sound(app)
    assert "3 verdicts from" in texts(app)
    assert "The latest is: no violation found; it changed 1 time." in texts(app)
    assert len(app.get("plotly_chart")) == 1


@pytest.mark.long
def test_ten_thousand_entries_are_listed_within_a_second(register: Register) -> None:
    from core.register.rows import fill
    from core.register.schema import EntryRow

    entered(register)
    with register.database.writing() as session:
        entries = (make_entry(f"x{number}", LOCAL, made=1e9 + number, plan=PLAN) for number in range(10_000))
        session.add_all([fill(EntryRow(), entry) for entry in entries])
    app = open_page("register")
    started = time.perf_counter()
    app.text_input(key="register_words").set_value("transport people").run()
    assert time.perf_counter() - started < 1
    assert "10,001 entries" in texts(app)


def test_the_first_page_leads_with_ones_audits(register: Register) -> None:
    app = open_app()
    assert "Your audits" not in texts(app)
    assert [title.value for title in app.title] == ["Does your model treat similar people similarly?"]
    job = finished()
    JobTable().add("fairer", {"plan": {}}, "code", LOCAL)
    entered(register, "old", model="Retired", made=5.0)
    entered(register, "theirs", owner="ben", model="Theirs")
    app = open_app()
    assert_sound(app)
    said = texts(app)
    assert [title.value for title in app.title] == ["Your audits"]
    assert said.index("Your audits") < said.index("Does your model") < said.index("Start an audit")
    assert "violation found · :material/edit: draft" in said.replace("*", "")
    assert {f"open_{job}", "open_job-old", "to_register"} <= keys(app)
    assert "open_job-theirs" not in keys(app)
    click(app, "open_job-old")
    assert "The result itself was deleted" in texts(app)


def test_the_first_page_shows_what_was_used_last(register: Register) -> None:
    job = finished()
    for place in range(6):
        entered(register, f"later{place}", made=2e9 + place)
    assert f"open_{job}" not in keys(open_app())
    with JobTable()._database.writing() as connection:
        connection.execute("UPDATE claims SET used = 3e9 WHERE job = ?", (job,))
    shown = [key for key in keys(open_app()) if key.startswith("open_")]
    assert f"open_{job}" in shown
    assert len(shown) == 6
    assert "open_job-later0" not in shown


def test_the_first_page_lists_runs_while_the_register_cannot_be_read(register: Register) -> None:
    job = finished()
    assert register.database.file is not None
    register.database.file.write_bytes(b"no database at all" * 100)
    app = open_app()
    assert_sound(app)
    assert "The register of audits is damaged" in texts(app)
    assert f"open_{job}" in keys(app)


def test_what_spreadsheets_would_obey_is_saved_as_text(register: Register) -> None:
    from core.register.export import COLUMNS, as_csv

    names = ("=1+1", " @SUM(A1)", "-2+3", "+3 %", "\uff1dcmd", "-2", "plain", 'with "quotes", and commas\nand lines')
    entries = [make_entry(str(number), model=name) for number, name in enumerate(names)]
    rows = list(csv.DictReader(io.StringIO(as_csv(entries).decode("utf-8-sig"))))
    assert tuple(rows[0]) == COLUMNS
    assert [row["model"] for row in rows] == [f"'{name}" for name in names[:5]] + list(names[5:])


def test_what_is_kept_where_is_said(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_KEEP_UPLOADS_DAYS", "9")
    entered(register)
    for app in (open_page("register"), open_page("register", register_words="nothing")):
        table = app.table[0].value
        assert "is deleted 9 days after you brought it; results stay" in str(table.to_dict()).replace("\\", "")
        assert "python -m dashboard forget ID" in texts(app)


def test_who_deletes_an_audit_deletes_the_set_ups_of_the_same_files_if_they_tick_that(register: Register) -> None:
    from core.base.files import FileStore

    file = FileStore().put(b"a,b\n1,2\n", "people.csv")
    named = {"data": {"kind": "uploaded", "file": file.model_dump(mode="json")}}
    path = home() / "drafts" / LOCAL / f"{'0' * 16}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(named))
    table = JobTable()
    job = table.add("audit", {"study": {**PLAN, "besides": named}}, "code", LOCAL)
    table.finish(job.id, "done", {"results": [], "summary": make_entry().summary.model_dump(mode="json")})
    Registrar(table).look()
    app = click(open_app(), f"delete_{job.id}")
    (which,) = (one.value for one in app.table)
    assert list(which.index) == ["Table", "Model", "Date", "Verdict"], "of two audits it says which one goes"
    assert list(which["Found"].drop("Date")) == ["people.csv", "credit.onnx", "Violation found"]
    assert not app.checkbox(key=f"delete_{job.id}_too").value, "no more than was asked for"
    assert "people.csv stays, because something else still uses it." in texts(app)
    app.checkbox(key=f"delete_{job.id}_too").check()
    click(app, f"delete_{job.id}_yes")
    assert_sound(app)
    assert not path.exists()
    assert not FileStore().holds(file)
    assert register.known_as(job.id) == []
    assert [line.action for line in register.log()] == ["begun", "entered", "deleted"]

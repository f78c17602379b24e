"""Asking people: a sheet of texts to judge, what they are told, and the filled sheets brought back."""

from pathlib import PurePath
from typing import Any

import streamlit as st

from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.audits.text_sensitivity.sheet import SheetSettings, asked, instructions
from core.base.files import FileRef, FileStore
from core.language.phrases import count, whole
from core.language.told import say
from core.plan import AuditPlan
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from dashboard import forms, samples, session, uploads
from dashboard.draft import Draft
from dashboard.jobs import queue as jobs
from dashboard.pages import open_page
from dashboard.waiting import answer

_NAME = "sheet.csv"


def show(plan: AuditPlan, detail: TextSensitivityDetail) -> None:
    """The sheet, and the way back."""
    st.header(say("Ask people"), anchor=False)
    st.write(
        say(
            "Whether an answer is biased, people can judge: at least three, each alone. Make a sheet of texts, give it "
            "to each of them with the instructions, and bring the filled sheets back here."
        )
    )
    if detail.records is None:
        st.caption(say("An earlier version found this result. Run the test again to make a sheet."))
        return
    settings = forms.draw(SheetSettings, SheetSettings().model_dump(), "sheet")
    if settings is None:
        return
    known = {"source": plan.data.model_dump(mode="json"), "text": plan.roles.text}
    _offer(known, detail, settings)
    _take_back(known, plan)


def _offer(known: dict[str, Any], detail: TextSensitivityDetail, settings: SheetSettings) -> None:
    records, answers = asked(detail, settings)
    if not records:
        st.caption(say("There is no such text."))
        return
    arguments = {**known, "records": records, "answers": answers, "name": _NAME}
    if not jobs.was_asked("make_sheet", arguments):
        if st.button(say("Make the sheet"), key="sheet_make", icon=":material/rule:"):
            jobs.submit("make_sheet", arguments)
            st.rerun()
        return
    made = answer("make_sheet", arguments, say("Making the sheet"))
    if made is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="sheet_files"):
        st.download_button(
            say("Sheet with {texts} (CSV)", texts=count(len(records), "text")),
            FileStore().path(FileRef.model_validate(made["sheet"])).read_bytes(),
            _NAME,
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="sheet_csv",
        )
        st.download_button(
            say("Instructions (text)"),
            instructions(detail),
            "instructions.txt",
            "text/plain",
            icon=":material/download:",
            on_click="ignore",
            key="sheet_told",
        )
        st.caption(say("The sheet holds texts of your table: give it only to people who may read them."))


def _take_back(known: dict[str, Any], plan: AuditPlan) -> None:
    brought = st.file_uploader(
        say("Filled sheets, one a person"),
        accept_multiple_files=True,
        key="sheet_filled",
        help=say("Each file's name becomes the person's name."),
    )
    samples.offer("sheet")
    sheets = {_person(place, one.name): uploads.keep(one) for place, one in enumerate(brought)}
    kept = {name: ref.model_dump(mode="json") for name, ref in sheets.items() if ref is not None}
    if not kept:
        return
    found = answer("read_sheets", {**known, "sheets": kept}, say("Reading the sheets"))
    if found is None:
        return
    st.caption(say("Read: {n} of {all} sheets.", n=whole(len(found["columns"])), all=whole(len(brought))))
    if st.button(say("Test again with these judgements"), key="sheet_again", icon=":material/play_arrow:"):
        open_page("review", draft=session.begin(again(plan, found)))


def _person(place: int, file: str) -> str:
    return f"{PurePath(file).stem[:40]} {place + 1}"


def again(plan: AuditPlan, found: dict[str, Any]) -> Draft:
    """The same test on the table with the judgements."""
    table = UploadedTable(file=FileRef.model_validate(found["table"]))
    roles = plan.roles.model_copy(update={"annotation": (*plan.roles.annotation, *found["columns"])})
    return Draft.of(Study(plans=(plan.model_copy(update={"data": table, "roles": roles}),)))

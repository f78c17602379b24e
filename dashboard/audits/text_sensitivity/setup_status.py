"""The protected status model: trained here, brought, learned from other texts, or none; and how good it is."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.text_sensitivity.settings import TextSensitivity
from core.files import FileStore
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.phrases import count, percent
from core.protected_status import NoStatus, StatusSource, TrainedStatus, UploadedStatus
from core.protected_status.model import StatusReport
from core.protected_status.settings import Corpus
from core.sources import SOURCES, DataSource
from core.sources.upload.uploaded import UploadedTable
from dashboard import forms, session
from dashboard.audits.text_sensitivity.choices import take_status
from dashboard.audits.text_sensitivity.previews import StatusPreview
from dashboard.draft import Draft
from dashboard.jobs import queue as jobs
from dashboard.jobs.answers import unpack
from dashboard.messages import show_notices
from dashboard.tables import TableSummary
from dashboard.text import literal
from dashboard.views.model import text_file as text_models
from dashboard.waiting import answer

WAYS = {
    "trained": ("Learn it from this table", "A part of the texts is learned from; the rest is measured."),
    "uploaded": ("Bring a model", "A text classifier of the protected attribute, as a zip file."),
    "other": ("Learn it from other texts", "All texts of this table are measured; another table is learned from."),
    "none": ("No model", "Only the listed words count as giving the group away."),
}
_FIELDS = ("attribute", "architecture", "share", "epochs")


def choose(draft: Draft) -> tuple[StatusSource, str]:
    """The protected status model as the widgets say, and what is still missing, one sentence."""
    st.caption(
        "Names, jobs and habits give a group away too. A second model that guesses the group from the text (a "
        "“protected status model”) finds these words; the test then asks how far the audited model leans on them."
    )
    now = draft.settings(TextSensitivity).status
    ways = [way for way in WAYS if way != "trained" or draft.roles.protected]
    if "trained" not in ways:
        st.info(
            "The table has no protected attribute, so nothing can be learned from it. Choose one in the first step, "
            "or bring a model.",
            icon=":material/info:",
        )
    way = st.radio(
        "Where does the model of the group come from?",
        ways,
        index=ways.index(current) if (current := _way(now)) in ways else len(ways) - 1,
        format_func=lambda name: WAYS[name][0],
        captions=[WAYS[name][1] for name in ways],
        key=forms.key_of("status.way.choice"),
    )
    if way == "none":
        return NoStatus(), ""
    if way == "uploaded":
        return _uploaded(draft, now)
    return _trained(draft, now) if way == "trained" else _other(now)


def show(draft: Draft) -> str:
    """How good the chosen model is, trained only when somebody asks for it; returns why the next step is shut."""
    status = draft.settings(TextSensitivity).status
    if isinstance(status, NoStatus):
        return ""
    arguments = arguments_of(draft)
    if isinstance(status, TrainedStatus) and not was_tried(draft):
        with st.container(horizontal=True, vertical_alignment="center", key="status_train"):
            if st.button("Train it now", key="status.train", icon=":material/model_training:"):
                jobs.submit("train_status", arguments)
                st.rerun()
            st.caption("To see how good it is. Otherwise the test trains it when it runs; it is never trained twice.")
        return ""
    found = answer("train_status", arguments, _doing(status))
    if found is None:
        return "" if isinstance(status, TrainedStatus) else "The model of the group cannot be used yet."
    _show_report(unpack(found, StatusPreview))
    return ""


def was_tried(draft: Draft) -> bool:
    """Whether somebody asked how good the draft's model is."""
    return jobs.was_asked("train_status", arguments_of(draft))


def arguments_of(draft: Draft) -> dict[str, Any]:
    """What the worker needs to make the protected status model as the audit will."""
    return draft.about_model | {
        "status": draft.settings(TextSensitivity).status.model_dump(mode="json"),
        "seed": draft.seed,
    }


def text_tables() -> dict[str, Any]:
    """The built-in tables of texts, by name."""
    return {
        name: kind for name, kind in SOURCES.items() if kind is not UploadedTable and kind().roles(pd.DataFrame()).text
    }


def _way(status: StatusSource) -> str:
    if isinstance(status, TrainedStatus):
        return "trained" if status.corpus is None else "other"
    return "uploaded" if isinstance(status, UploadedStatus) else "none"


def _doing(status: StatusSource) -> str:
    return "Training the model of the group" if isinstance(status, TrainedStatus) else "Trying the model of the group"


def _trained(draft: Draft, now: StatusSource) -> tuple[StatusSource, str]:
    values = dict(now) | {"corpus": None} if isinstance(now, TrainedStatus) else {}
    protected = draft.roles.protected
    attribute = protected[0]
    if len(protected) > 1:
        chosen = values.get("attribute")
        attribute = st.selectbox(
            str(TrainedStatus.model_fields["attribute"].title),
            protected,
            index=protected.index(chosen) if chosen in protected else 0,
            key=forms.key_of("status.attribute"),
        )
    values["attribute"] = "" if attribute == protected[0] else attribute
    return _settings(values, ("architecture", "share", "epochs"), now)


def _settings(values: dict[str, Any], fields: tuple[str, ...], now: StatusSource) -> tuple[StatusSource, str]:
    with st.expander("How it is trained", icon=":material/tune:"):
        drawn = forms.draw(TrainedStatus, values, "status.trained", fields=fields)
    return (now, "A setting of the training is not valid yet.") if drawn is None else (drawn, "")


def _uploaded(draft: Draft, now: StatusSource) -> tuple[StatusSource, str]:
    before = now.model if isinstance(now, UploadedStatus) else None
    model = text_models.bring(before, "status.model")
    if model is None:
        return now, "Bring the model of the group, or choose another way."
    with st.expander("How the file is read", icon=":material/tune:"):
        fields = ("classes", "label") if isinstance(model, HuggingFaceFolder) else ("classes",)
        drawn = forms.draw(type(model), dict(model), f"status.model.{type(model).__name__}", fields=fields)
    return UploadedStatus(model=model if drawn is None else drawn), ""


def _other(now: StatusSource) -> tuple[StatusSource, str]:
    values = dict(now) if isinstance(now, TrainedStatus) else {}
    before = values.get("corpus")
    source = _source(before)
    if source is None:
        return now, "Choose the table of other texts, or another way."
    corpus = _columns(source, before if before is not None and before.data == source else None)
    if corpus is None:
        return now, "Say which columns of the other table hold the text and the group."
    return _settings(values | {"corpus": corpus, "attribute": ""}, ("architecture", "epochs"), now)


def _source(before: Corpus | None) -> DataSource | None:
    built_in = text_tables()
    options = [*built_in, ""]
    kind = before.data.kind if before is not None else options[0]
    name = st.selectbox(
        "Other texts",
        options,
        index=options.index(kind if kind in options else ""),
        format_func=lambda name: built_in[name]().title if name else "A table of my own",
        key=forms.key_of("status.corpus.table"),
    )
    if name:
        source: DataSource = built_in[name]()
        return before.data if before is not None and before.data.kind == name else source
    file = st.file_uploader("Table of other texts", key=forms.key_of("status.corpus.file"))
    if file is not None:
        return UploadedTable(file=FileStore().put(file.getvalue(), file.name))
    return before.data if before is not None and isinstance(before.data, UploadedTable) else None


def _columns(source: DataSource, before: Corpus | None) -> Corpus | None:
    read = answer("read_table", {"source": source.model_dump(mode="json")}, "Reading the other table")
    if read is None:
        return before
    summary, roles = unpack(read["summary"], TableSummary), read["roles"] or {}
    guessed = (roles.get("text"), next(iter(roles.get("protected", ())), None))
    text, attribute = (before.text, before.attribute) if before is not None else guessed
    names = summary.names
    left, right = st.columns(2)
    with left:
        text = _column("Text", names, text, "text")
    with right:
        attribute = _column("Protected attribute", tuple(name for name in names if name != text), attribute, "group")
    return Corpus(data=source, text=text, attribute=attribute) if text and attribute else None


def _column(label: str, names: tuple[str, ...], current: str | None, key: str) -> str | None:
    chosen: str | None = st.selectbox(
        label,
        names,
        index=names.index(current) if current in names else None,
        placeholder="Choose one",
        key=forms.key_of(f"status.corpus.{key}"),
    )
    return chosen


def _show_report(preview: StatusPreview) -> None:
    report = preview.report
    st.caption(f"{literal(report.name)}; {count(preview.measured, 'text')} left to measure.")
    show_notices(preview.notices)
    if report.texts.sum():
        st.markdown("**How often it recognises the group, on texts it did not learn from**")
        st.dataframe(accuracy_of(report), hide_index=True, key="status.accuracy", width="content")
    if not report.weak:
        st.success("It tells the groups apart well enough to rely on.", icon=":material/check_circle:")
        return
    st.warning(
        f"Warning: This model is weak. {literal(report.weak)} What it says about words should not be relied on. "
        "Words from a list are the better choice then.",
        icon=":material/warning:",
    )
    if st.button("Use the listed words instead", key="status.lists", icon=":material/list:", type="primary"):
        forms.forget("status.way")
        take_status(session.draft(), NoStatus())
        st.rerun()


def accuracy_of(report: StatusReport) -> pd.DataFrame:
    """The accuracy of each group with its interval, in words."""
    return pd.DataFrame(
        {
            "Group": report.groups,
            "Texts tried": report.texts,
            "Recognised": [_known(percent(share), share) for share in report.accuracy.round(3)],
            "95% interval": [
                _known(f"{percent(low)} to {percent(high)}", low)
                for low, high in zip(report.accuracy_low.round(3), report.accuracy_high.round(3), strict=True)
            ],
        }
    )


def _known(told: str, value: float) -> str:
    return told if np.isfinite(value) else "not known"

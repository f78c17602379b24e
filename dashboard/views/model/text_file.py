"""A text model beside the one that is audited: brought as a zip file, or taken from the samples."""

from typing import Any

import streamlit as st

from core.language.phrases import lower_first
from core.language.told import retold, say
from core.models import MODEL_FORMATS
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.formats.lstm.source import LstmArchive
from dashboard import forms, uploads
from dashboard.text import literal
from dashboard.views.model import bringing
from dashboard.waiting import answer

TextModelFile = HuggingFaceFolder | LstmArchive
FORMATS = say(
    "A zip of a Hugging Face folder (config.json, tokenizer.json, model.safetensors) or of our own LSTM format."
)


def bring(current: TextModelFile | None, key: str) -> TextModelFile | None:
    """The text model in the uploader, or the one that was brought before, read as declared; None while there is none.

    Args:
        current: What was brought before.
        key: Prefix of the widgets' keys.
    """
    ref = bringing.new_file(say("Model file (.zip)"), key, "text_model")
    if ref is not None:
        found = answer("recognise_model", {"file": ref.model_dump(mode="json")}, say("Recognising the file"))
        if found is None:
            return None
        if found["format"] not in ("hugging_face", "text_lstm"):
            st.error(
                say(
                    "**{name} is a model that reads columns; one that reads texts is needed here.**  \n**What to "
                    "do:** Bring {formats}",
                    name=literal(ref.name),
                    formats=lower_first(retold(FORMATS)),
                ),
                icon=":material/error:",
            )
            return None
        bringing.note_read(key)
        kind: Any = MODEL_FORMATS[found["format"]]
        current = kind(file=ref)
    if current is None:
        st.caption(f"{retold(FORMATS)} {bringing.how_large()} {uploads.lifetime()}")
        uploads.warn_of_missing_walls()
        return None
    st.caption(say("Model file: {name}", name=literal(current.file.name)))
    with st.expander(say("How the file is read"), icon=":material/tune:"):
        fields = ("classes", "label") if isinstance(current, HuggingFaceFolder) else ("classes",)
        declared = forms.draw(type(current), dict(current), f"{key}.{type(current).__name__}", fields=fields)
    return current if declared is None else declared

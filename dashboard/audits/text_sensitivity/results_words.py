"""One text, its words shaded by both models."""

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.audits.text_sensitivity.wording import text_share
from core.language.phrases import number
from core.language.told import say, say_as, say_count
from dashboard.audits.text_sensitivity import shaded_text
from dashboard.audits.text_sensitivity.read_words import ReadWords
from dashboard.text import literal

MOST_WORDS_TOLD = 5
"""Words named in the sentence about each model."""


def show(detail: TextSensitivityDetail, place: int) -> None:
    """The text number ``place`` of those kept, what stands out in it, and the same as a table."""
    read = ReadWords.of(detail.shown, place)
    if not len(read.words):
        st.info(say("This text holds no word."), icon=":material/info:")
        return
    st.html(shaded_text.legend(read) + shaded_text.render(read))
    st.markdown(say("The audited model's answer hangs most on: {words}.", words=_most(read.words, read.task)))
    if read.with_status:
        st.markdown(say("What gives the group away most is: {words}.", words=_most(read.words, read.status)))
    if read.cut.any():
        st.caption(
            say_count(
                "The model does not read the last {n} word: the text is too long.",
                "The model does not read the last {n} words: the text is too long.",
                int(read.cut.sum()),
            )
        )
    with st.expander(say("The same as a table")):
        st.table(_table(read), border="horizontal")


def _most(words: tuple[str, ...], shares: np.ndarray) -> str:
    """The words with the largest shares, each once however often it occurs, signs left out."""
    sums: dict[str, float] = {}
    for word, value in zip(words, np.nan_to_num(shares).tolist(), strict=True):
        if any(letter.isalnum() for letter in word):
            sums[word.lower()] = sums.get(word.lower(), 0.0) + value
    largest = sorted((word for word, value in sums.items() if value > 0), key=lambda word: -sums[word])[
        :MOST_WORDS_TOLD
    ]
    if not largest:
        return say("no word")
    often = [word.lower() for word in words]
    named = [f"**{literal(word, 40)}** {_share(sums[word])}" for word in largest]
    times = [often.count(word) for word in largest]
    return ", ".join(
        say("{word} ({n} times)", word=one, n=n) if n > 1 else one for one, n in zip(named, times, strict=True)
    )


def _share(value: float) -> str:
    return literal(text_share(float(value)))


def _table(read: ReadWords) -> pd.DataFrame:
    columns = {
        say("Word"): [literal(word, 60) for word in read.words],
        say("Audited model"): [
            say("not read") if cut else _share(value) for value, cut in zip(read.task, read.cut, strict=True)
        ],
        "wᵀJ": ["" if cut else literal(number(v)) for v, cut in zip(read.task_size, read.cut, strict=True)],
    }
    if read.with_status:
        columns[say("Protected status model")] = [
            say("not read") if cut else _share(value) for value, cut in zip(read.status, read.cut, strict=True)
        ]
    columns[say("Names a group")] = [say("yes") if one else "" for one in read.listed]
    return pd.DataFrame(columns, index=pd.RangeIndex(1, len(read.words) + 1, name=say_as("in a text", "Place")))

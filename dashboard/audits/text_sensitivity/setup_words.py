"""Which words name a group: the shipped list, or one of the auditor's own, and how many texts have them."""

from typing import Any

import pandas as pd
import streamlit as st

from core.audits.text_sensitivity.preview import WordsLook
from core.audits.text_sensitivity.settings import TextSensitivity
from core.errors import SettingsError
from core.phrases import count, percent
from core.text.word_lists import GENDER, Pair, WordList
from dashboard import forms, uploads
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.messages import show_failure
from dashboard.waiting import answer, known

_WAYS = ("The list that comes with Evenhand: gendered words in English", "A list of my own")
_WORD, _OTHER, _TEXTS, _OTHER_TEXTS = "Word", "Counterpart", "Texts with the word", "Texts with the counterpart"


def choose(draft: Draft) -> WordList:
    """The list as the widgets say; an empty one stands for the shipped list."""
    words = draft.settings(TextSensitivity).words
    own = bool(words.pairs or words.others)
    way = st.radio("Which words?", _WAYS, index=int(own), key=forms.key_of("words.way.choice"))
    if way == _WAYS[0]:
        st.session_state.pop("words.seen", None)
        return _changed(WordList(), "The words of the list", draft)
    return _changed(_uploaded(words), "The words of your list", draft)


def look(draft: Draft) -> WordsLook | None:
    """What the draft's list finds in the texts; None while it is looked for."""
    found = answer("look_at_words", _arguments(draft), "Looking for the words")
    return None if found is None else unpack(found, WordsLook)


def show(draft: Draft, seen: WordsLook) -> None:
    """How many texts have listed words, and what follows where few or none have any."""
    without = seen.texts - seen.listed_texts
    with st.container(horizontal=True, key="words_counts"):
        st.metric("Texts", f"{seen.texts:,}", border=True)
        st.metric("Texts with a listed word", f"{seen.listed_texts:,}", border=True)
        st.metric(
            "Texts with words to exchange",
            f"{seen.exchanged_texts:,}",
            border=True,
            help="Only words with a counterpart can be exchanged.",
        )
    if not seen.listed_texts:
        st.error(
            "**None of these words occurs in any text, so nothing can be exchanged.**  \n**What to do:** Bring a list "
            "in the language of the texts, or rely on a model that says which words give the group away (below).",
            icon=":material/error:",
        )
    elif without:
        st.caption(
            f"{count(without, 'text')} ({percent(round(without / seen.texts, 3))}) "
            f"{'has' if without == 1 else 'have'} none of the words. There the measures by listed words do not apply; "
            "they are left out, not counted as zero."
        )


def rows_of(words: WordList, seen: WordsLook | None) -> pd.DataFrame:
    """The list as a table: one pair a row, words without a counterpart at the end; with counts once they are known."""
    rows = [(pair.word, pair.counterpart) for pair in words.pairs] + [(word, "") for word in words.others]
    table = pd.DataFrame(rows, columns=[_WORD, _OTHER], dtype=str)
    if seen is not None:
        counts = dict(zip(seen.words, seen.counts.tolist(), strict=True))
        table[_TEXTS] = [counts.get(word.lower(), 0) for word, _ in rows]
        table[_OTHER_TEXTS] = [counts.get(word.lower(), 0) if word else None for _, word in rows]
    return table


def list_of(table: pd.DataFrame, name: str) -> WordList:
    """The list that an edited table holds; empty rows are no words.

    Raises:
        SettingsError: A cell holds no single word, or a pair names one word twice.
    """
    cells = [
        tuple("" if pd.isna(cell) else str(cell).strip() for cell in row)
        for row in table[[_WORD, _OTHER]].itertuples(index=False)
    ]
    return WordList(
        name=name,
        pairs=tuple(Pair(word=word, counterpart=other) for word, other in cells if word and other),
        others=tuple(word or other for word, other in cells if bool(word) != bool(other)),
    )


def _uploaded(words: WordList) -> WordList:
    st.caption(
        "CSV or text with two words a line that stand for each other, separated by a comma (she,he), or one word that "
        "has no counterpart; or a JSON list of pairs."
    )
    file = st.file_uploader("List of words", key=forms.key_of("words.file"))
    if file is None or st.session_state.get("words.seen") == file.file_id:
        return words if words.pairs or words.others else GENDER.model_copy(update={"name": "Own list"})
    ref = uploads.keep(file)
    if ref is None:
        return words
    found = answer("read_words", {"file": ref.model_dump(mode="json")}, "Reading the list")
    if found is None:
        return words
    st.session_state["words.seen"] = file.file_id
    return WordList.model_validate(found)


def _changed(words: WordList, title: str, draft: Draft) -> WordList:
    """The list after the changes made in its table; the list as it was where a change does not make words."""
    full = words.complete
    seen = known("look_at_words", _arguments(draft.having(_with(draft, words))))
    table = rows_of(full, None if seen is None else unpack(seen, WordsLook))
    pairs, others = count(len(full.pairs), "pair"), count(len(full.others), "other word")
    with st.expander(f"{title} ({pairs}{', ' + others if full.others else ''})", icon=":material/list:"):
        st.caption(
            "Change a word, add a row at the end, or mark rows and delete them. A word without a counterpart is "
            "watched, and not exchanged. Of a word's several counterparts the first is used; for “her” and “his” the "
            "next word decides."
        )
        edited = st.data_editor(
            table,
            hide_index=True,
            num_rows="dynamic",
            disabled=[_TEXTS, _OTHER_TEXTS],
            key=f"words.table.{full.fingerprint[:12]}.{int(seen is not None)}",
            column_config={
                _WORD: st.column_config.TextColumn(max_chars=60),
                _OTHER: st.column_config.TextColumn(max_chars=60, help="What it is exchanged for."),
            },
        )
    try:
        now = list_of(edited, full.name)
    except SettingsError as error:
        show_failure(error)
        return words
    return words if (now.pairs, now.others) == (full.pairs, full.others) else _own(now)


def _own(words: WordList) -> WordList:
    """A changed list is one's own; without words it is the shipped one again."""
    forms.forget("words.way")
    return words.model_copy(update={"name": "Own list" if words.name == GENDER.name else words.name})


def _with(draft: Draft, words: WordList) -> TextSensitivity:
    return draft.settings(TextSensitivity).model_copy(update={"words": words})


def _arguments(draft: Draft) -> dict[str, Any]:
    return draft.about_table | {
        "words": draft.settings(TextSensitivity).words.model_dump(mode="json"),
        "seed": draft.seed,
    }

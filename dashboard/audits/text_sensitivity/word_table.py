"""A list of words as a table that can be changed: one pair a row."""

import pandas as pd
import streamlit as st

from core.audits.text_sensitivity.preview import WordsLook
from core.base.errors import SettingsError
from core.language.phrases import count
from core.language.told import say
from core.text.shipped_lists import shown
from core.text.word_lists import GENDER, OWN, Pair, WordList
from dashboard import forms
from dashboard.messages import show_failure
from dashboard.text import literal

_WORD, _OTHER = "Word", "Counterpart"
_TEXTS, _OTHER_TEXTS = "Texts with the word", "Texts with the counterpart"  # verbatim


def edit(words: WordList, seen: WordsLook | None, title: str) -> WordList:
    """The list after the changes made in its table; the list as it was where a change does not make words."""
    full = words.complete
    table = rows_of(full, seen)
    held = [count(len(full.pairs), "pair")] + ([count(len(full.others), "other word")] if full.others else [])
    with st.expander(f"{title} ({', '.join(held)})", icon=":material/list:"):
        st.caption(
            say(
                "Change a word, add a row at the end, or mark rows and delete them. A word without a counterpart "
                "is watched, and not exchanged. Of a word's several counterparts the first is used; for “her” "
                "and “his” the next word decides."
            )
        )
        edited = st.data_editor(
            table,
            hide_index=True,
            num_rows="dynamic",
            disabled=[_TEXTS, _OTHER_TEXTS],
            key=f"words.table.{full.fingerprint[:12]}.{int(seen is not None)}",
            column_config={
                _WORD: st.column_config.TextColumn(say("Word"), max_chars=60),
                _OTHER: st.column_config.TextColumn(
                    say("Counterpart"), max_chars=60, help=say("What it is exchanged for.")
                ),
                _TEXTS: say("Texts with the word"),
                _OTHER_TEXTS: say("Texts with the counterpart"),
            },
        )
        for one in full.sets:
            st.markdown(f"**{literal(shown(one.about))}**")
            st.dataframe(pd.DataFrame(one.rows, columns=list(one.sides)), hide_index=True)
    try:
        edited_list = list_of(edited, full.name)
        now = full.model_copy(update={"pairs": edited_list.pairs, "others": edited_list.others})
    except SettingsError as error:
        show_failure(error)
        return words
    return words if (now.pairs, now.others) == (full.pairs, full.others) else _own(now)


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


def _own(words: WordList) -> WordList:
    """A changed list is one's own; without words it is the shipped one again."""
    forms.forget("words.way")
    return words.model_copy(update={"name": OWN if words.name == GENDER.name else words.name})

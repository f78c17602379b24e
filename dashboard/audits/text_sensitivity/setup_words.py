"""Which words name a group: the shipped list, or one of the auditor's own, and how many texts have them."""

from typing import Any

import streamlit as st

from core.audits.text_sensitivity.preview import WordsLook
from core.audits.text_sensitivity.reach import GroupReach
from core.audits.text_sensitivity.report import reached
from core.audits.text_sensitivity.settings import TextSensitivity
from core.language.phrases import percent, whole
from core.language.told import retold, say, say_count
from core.text.shipped_lists import LISTS, held_in, shown, together
from core.text.word_lists import GENDER, OWN, WordList
from dashboard import forms, samples, uploads
from dashboard.audits.text_sensitivity import word_table
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.text import literal
from dashboard.views.results.tables import show_table
from dashboard.waiting import answer, known

_WAYS = {
    "shipped": say("The list that comes with Evenhand: gendered words in English"),
    "several": say("Several lists: names, identities, other languages"),
    "own": say("A list of my own"),
}


def choose(draft: Draft) -> WordList:
    """The list as the widgets say; an empty one stands for the shipped list."""
    words = draft.settings(TextSensitivity).words
    own = words.complete is words
    chosen = held_in(words) if own else ()
    shipped = bool(chosen) and together(chosen) == words
    way = st.radio(
        say("Which words?"),
        list(_WAYS),
        index=1 if shipped else 2 if own else 0,
        format_func=lambda way: retold(_WAYS[way]),
        key=forms.key_of("words.way.choice"),
    )
    if way == "several":
        st.session_state.pop("words.seen", None)
        picked = st.multiselect(
            say("Lists"),
            list(LISTS),
            default=list(chosen) if shipped else [next(iter(LISTS))],
            format_func=shown,
            key=forms.key_of("words.lists"),
            help=say(
                "Names fit the United States. In German, French and Spanish, articles and adjectives keep their "
                "gender. A word of more than two groups goes to another group, drawn for every text."
            ),
        )
        return _changed(together(tuple(picked)), say("The words of these lists"), draft)
    if way == "shipped":
        st.session_state.pop("words.seen", None)
        return _changed(WordList(), say("The words of the list"), draft)
    return _changed(_uploaded(words), say("The words of your list"), draft)


def look(draft: Draft) -> WordsLook | None:
    """What the draft's list finds in the texts; None while it is looked for."""
    found = answer("look_at_words", _arguments(draft), say("Looking for the words"))
    return None if found is None else unpack(found, WordsLook)


def show(draft: Draft, seen: WordsLook) -> None:
    """How many texts have listed words, and what follows where few or none have any."""
    without = seen.texts - seen.listed_texts
    with st.container(horizontal=True, key="words_counts"):
        st.metric(say("Texts"), whole(seen.texts), border=True)
        st.metric(say("Texts with a listed word"), whole(seen.listed_texts), border=True)
        st.metric(
            say("Texts with words to exchange"),
            whole(seen.exchanged_texts),
            border=True,
            help=say("Only words with a counterpart can be exchanged."),
        )
    _show_reach(seen.reach)
    if not seen.listed_texts:
        st.error(
            say(
                "**None of these words occurs in any text, so nothing can be exchanged.**  \n**What to do:** "
                "Bring a list in the language of the texts, or rely on a model that says which words give the "
                "group away (below)."
            ),
            icon=":material/error:",
        )
    elif not seen.exchanged_texts:
        st.warning(
            say(
                "Warning: The words found have no counterpart, so nothing can be exchanged and a verdict about "
                "exchanged words is not possible. They are measured all the same (P4 and P5). Bring pairs to exchange "
                "words."
            ),
            icon=":material/warning:",
        )
    if seen.listed_texts and without:
        st.caption(
            say_count(
                "{n} text ({share}) has none of the words. There the measures by listed words do not apply; they are "
                "left out, not counted as zero.",
                "{n} texts ({share}) have none of the words. There the measures by listed words do not apply; they "
                "are left out, not counted as zero.",
                without,
                share=percent(round(without / seen.texts, 3)),
            )
        )


def _show_reach(reach: tuple[GroupReach, ...]) -> None:
    """Whether the list speaks for every protected group."""
    if not reach:
        return
    missed = [f"{one.attribute} = {one.group}" for one in reach if not one.reached]
    if missed:
        st.warning(
            say(
                "Warning: These words do not speak for {groups}, so the test cannot clear the model. Choose more "
                "lists, or add pairs with the words of one group in the same column.",
                groups=literal(", ".join(missed)),
            ),
            icon=":material/warning:",
        )
    show_table(reached(reach))


def _uploaded(words: WordList) -> WordList:
    st.caption(
        say(
            "CSV or text with two words a line that stand for each other, separated by a comma (she,he), or "
            "one word that has no counterpart; or a JSON list of pairs. A word without a counterpart is "
            "measured (P4 and P5) but cannot be exchanged, so a verdict about exchanged words needs pairs."
        )
    )
    file = st.file_uploader(say("List of words"), key=forms.key_of("words.file"))
    samples.offer("words")
    if file is None or st.session_state.get("words.seen") == file.file_id:
        return words if words.complete is words else GENDER.model_copy(update={"name": OWN})
    ref = uploads.keep(file)
    if ref is None:
        return words
    found = answer("read_words", {"file": ref.model_dump(mode="json")}, say("Reading the list"))
    if found is None:
        return words
    st.session_state["words.seen"] = file.file_id
    return WordList.model_validate(found)


def _changed(words: WordList, title: str, draft: Draft) -> WordList:
    """The list after the changes made in its table, with counts once they are known."""
    with_words = draft.having(draft.settings(TextSensitivity).model_copy(update={"words": words}))
    seen = known("look_at_words", _arguments(with_words))
    return word_table.edit(words, None if seen is None else unpack(seen, WordsLook), title)


def _arguments(draft: Draft) -> dict[str, Any]:
    return draft.about_table | {
        "words": draft.settings(TextSensitivity).words.model_dump(mode="json"),
        "seed": draft.seed,
    }

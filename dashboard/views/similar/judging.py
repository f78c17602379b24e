"""Pairs of real people, judged on the page: similar, not similar, or skipped."""

from typing import Literal

import streamlit as st

from core.base.settings import Settings
from core.language.phrases import count, listed
from core.language.told import say
from core.metrics.files import Judgement, judged_csv
from core.metrics.judging import PairsToJudge
from core.metrics.portrait import SimilarPairs
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.messages import guarded
from dashboard.text import literal
from dashboard.views.similar import side_by_side
from dashboard.waiting import answer

_PAGE = "judged"
Pair = tuple[int, int]
Said = tuple[int, int, Judgement]


class Judged(Settings):
    """What was judged of the pairs of one table, as it is kept beside the draft.

    Attributes:
        table: The table, as JSON; record numbers of another mean nothing here.
        pairs: Row numbers counted from 0, and what was said.
        brought: Comparable pairs that nobody judged here: those of a file; None until that is known.
    """

    kind: Literal["judged"] = "judged"
    table: str = ""
    pairs: tuple[Said, ...] = ()
    brought: tuple[Pair, ...] | None = None

    @property
    def comparable(self) -> tuple[Pair, ...]:
        """The pairs of the file, then those that were judged similar, each once."""
        similar = ((one, other) for one, other, said in self.pairs if said == "similar")
        return tuple(dict.fromkeys((*(self.brought or ()), *similar)))


def kept(draft: Draft, held: tuple[Pair, ...]) -> Judged:
    """What was judged so far; ``held`` are the pairs of the metric as it was chosen before."""
    table = "" if draft.data is None else draft.data.model_dump_json()
    found = session.load_of_page(_PAGE, Judged)
    if found.table == table and found.brought is not None:
        return found
    begun = Judged(table=table, brought=held)
    session.save_of_page(_PAGE, begun)
    return begun


def with_file(judged: Judged, pairs: tuple[Pair, ...]) -> Judged:
    """The same with the pairs of a file in place of those that were brought before."""
    if judged.brought == pairs:
        return judged
    changed = judged.model_copy(update={"brought": pairs})
    session.save_of_page(_PAGE, changed)
    return changed


def show(draft: Draft, judged: Judged, key: str) -> None:
    """One pair after the other with three buttons."""
    st.markdown(say("**Are these two similar?** They are, if both deserve the same answer."))
    differing: list[str] = st.multiselect(
        say("Columns in which the two may differ"),
        draft.roles.features,
        default=[name for name in draft.roles.protected if name in draft.roles.features],
        key=forms.key_of(f"{key}.differing"),
        format_func=draft.told,
        help=say(
            "Choose what you think must not matter: in everything else the two are as alike as two people of the "
            "table. If you choose none, they are of different groups, and differ in what tells the groups most."
        ),
    )
    asked = {**draft.about_model, "differing": differing, "seed": draft.seed}
    drawn = answer("pairs_to_judge", asked, say("Looking for pairs of people"))
    if drawn is not None:
        found = draft.told(unpack(drawn, PairsToJudge))
        if not differing:
            names = listed([f"**{literal(name)}**" for name in found.differing])
            st.caption(
                say("Nothing is chosen, so the two may differ in what tells the groups most: {names}.", names=names)
            )
        _ask(found.pairs, judged, key)
    _show_judged(judged, key)


def _ask(pairs: SimilarPairs, judged: Judged, key: str) -> None:
    """The first pair that is not judged yet."""
    known = {(one, other) for one, other, _ in judged.pairs}
    rows = [(int(one), int(other)) for one, other in pairs.rows]
    left = [place for place, pair in enumerate(rows) if pair not in known]
    if not left:
        st.caption(say("You have judged every pair. Choose other columns to see more."))
        return
    side_by_side.show(pairs, left[0], f"{key}.pair")
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}.judging"):
        buttons: dict[Judgement, tuple[str, str]] = {
            "similar": (say("Similar"), ":material/check:"),
            "not similar": (say("Not similar"), ":material/close:"),
            "skipped": (say("Skip"), ":material/skip_next:"),
        }
        for said, (label, icon) in buttons.items():
            st.button(
                label,
                key=f"{key}.judge_{said.replace(' ', '_')}",
                icon=icon,
                on_click=_keep,
                args=(judged, (*rows[left[0]], said)),
            )
        st.caption(say("Pair {number} of {all}", number=len(rows) - len(left) + 1, all=len(rows)))


@guarded()
def _keep(judged: Judged, said: Said) -> None:
    session.save_of_page(_PAGE, judged.model_copy(update={"pairs": (*judged.pairs, said)}))


@guarded()
def _forget(judged: Judged) -> None:
    session.save_of_page(_PAGE, judged.model_copy(update={"pairs": ()}))


def _show_judged(judged: Judged, key: str) -> None:
    """How many pairs were judged how, with the file to take along and a way to begin again."""
    if not judged.pairs:
        return
    held = [said for _, _, said in judged.pairs]
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}.judged"):
        st.caption(
            say(
                "{pairs} judged: {similar} similar, {other} not, {skipped} skipped. Similar ones teach the metric.",
                pairs=count(len(held), "pair"),
                similar=held.count("similar"),
                other=held.count("not similar"),
                skipped=held.count("skipped"),
            )
        )
        st.download_button(
            say("Save the judgements (CSV)"),
            judged_csv(judged.pairs),
            "judgements.csv",
            "text/csv",
            key=f"{key}.judgements",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
        st.button(
            say("Begin again"),
            key=f"{key}.judge_again",
            icon=":material/restart_alt:",
            type="tertiary",
            on_click=_forget,
            args=(judged,),
        )

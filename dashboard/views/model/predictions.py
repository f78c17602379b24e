"""A model known by its answers: which column holds them, and what they are."""

from typing import Any

import streamlit as st

from core.base.thresholds import FEWEST_ROWS
from core.language.phrases import listed, whole
from core.language.told import localized, retold, say
from core.models import ModelSource
from core.models.inspection import ModelReport
from core.models.meanings import ProposedMeaning
from core.models.one_a_class import one_a_class
from core.models.predictions import Meaning, PredictionColumns
from core.models.reading import HighScores
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import MeaningsPreview
from dashboard.tables import TableSummary
from dashboard.text import literal
from dashboard.views.data.outcome import what_is_good
from dashboard.views.model import columns as model_columns
from dashboard.views.model import form, introduction
from dashboard.waiting import answer

MISSING = say("Choose the column with predictions, and say what it holds.")
_NOT_COPIED = "model_not_copied"
"""The columns of answers that somebody says are no copy of the outcome."""
_ASKED = {"score": ("threshold",)}
"""What else is asked about what a column may hold."""
_HIGH: dict[HighScores, str] = {
    "favourable": say("something good for the person"),
    "unfavourable": say("something bad for the person"),
}


def choose(draft: Draft) -> ModelSource | str:
    """The columns with the model's answers as the widgets say; while something is not said, what that is."""
    number = draft.roles.outcome_type == "number"
    st.caption(introduction.of_predictions(draft.roles))
    if draft.roles.text is not None:
        st.info(retold(introduction.OF_TEXTS_BY_PREDICTIONS), icon=":material/info:")
    known, chosen = draft.roles.predictions, draft.model
    kept = isinstance(chosen, PredictionColumns) and (chosen.holds == "number") == number
    current = dict(chosen) if chosen is not None and kept else _guess(draft)
    columns = tuple(dict.fromkeys((*known, *current["columns"])))
    if not columns:
        _name_column(draft)
        return retold(MISSING)
    if number:
        drawn = form.draw(
            draft, PredictionColumns, {**current, "classes": ()}, columns, fields=("columns", *_about_training(draft))
        )
        if isinstance(drawn, PredictionColumns):
            _say_what_is_audited(drawn, known)
        return drawn or retold(MISSING)
    asked = _ASKED.get(current.get("holds", ""), ())
    main = ("columns", "holds", *asked, *_about_training(draft))
    first = form.draw(draft, PredictionColumns, current, columns, fields=main)
    if not isinstance(first, PredictionColumns):
        return retold(MISSING)
    if _ASKED.get(first.holds, ()) != asked:
        session.change(model=first)
        st.rerun()
    _say_what_is_audited(first, known)
    meant = _ask_what_it_means(draft, first)
    if isinstance(meant, str):
        return meant
    with st.expander(say("Order of the classes"), icon=":material/tune:"):
        return form.draw(draft, PredictionColumns, dict(meant), columns, fields=("classes",)) or retold(MISSING)


def _ask_what_it_means(draft: Draft, first: PredictionColumns) -> PredictionColumns | str:
    """The column with the meaning of its values; while something is not said, what that is."""
    if first.holds == "score" and first.threshold is None:
        st.info(say("From which score on does somebody count as high? Set the threshold."), icon=":material/help:")
        return say("Set the threshold: the score from which on somebody counts as high.")
    if first.holds in ("probability", "score"):
        high = _ask_what_high_means(draft, first)
        if high is None:
            return say("Say what a high value of {column} means.", column=first.columns[0])
        return first.model_copy(update={"high_scores": high})
    if first.holds == "labels":
        return _ask_meanings(draft, first) or say("Say which outcome each label means.")
    return first


def _ask_what_high_means(draft: Draft, model: PredictionColumns) -> HighScores | None:
    """What a high value stands for: nothing says it but a person, so that nothing is chosen beforehand."""
    chosen, good = draft.model, what_is_good(draft.roles.roles) if draft.roles.roles else ""
    said = isinstance(chosen, PredictionColumns) and (chosen.columns, chosen.holds) == (model.columns, model.holds)
    outcomes = form.labels_of(draft) if draft.roles.outcome else ()
    others = [f"{draft.roles.outcome} = {one}" for one in outcomes if one != draft.roles.favourable]
    meant = {"favourable": good if outcomes else "", "unfavourable": others[0] if len(others) == 1 else ""}
    told = {way: ": ".join(filter(None, (retold(_HIGH[way]), literal(draft.told(meant[way]))))) for way in _HIGH}
    options = tuple(_HIGH)
    return st.radio(
        say("What does a high value of {column} mean?", column=literal(model.columns[0])),
        options,
        index=options.index(chosen.high_scores) if said and isinstance(chosen, PredictionColumns) else None,
        format_func=lambda way: told[way],
        key=forms.key_of(f"model.form.PredictionColumns.high_scores.{model.columns[0]}"),
    )


def ask_whether_copied(draft: Draft, model: ModelSource, report: ModelReport) -> str:
    """Ask about answers that are right in every row, which may be the outcome again; returns why the step is shut."""
    if not isinstance(model, PredictionColumns) or report.accuracy != 1 or report.rows < FEWEST_ROWS:
        return ""
    if st.session_state.get(_NOT_COPIED) == model.columns:
        return ""
    name = listed(model.columns)
    st.error(
        say(
            "{column} says the outcome of every row. If it is a copy of the outcome, no test can find anything.",
            column=literal(name, 60),
        ),
        icon=":material/content_copy:",
    )
    with st.container(horizontal=True, key="model_copied"):
        if st.button(say("It is a copy: choose another column"), key="model.copied", type="primary"):
            forms.forget("roles")
            forms.forget("model")
            session.change(roles=draft.roles.model_copy(update={"predictions": ()}), model=None, tests=())
            st.rerun()
        if st.button(say("The model is right in every row"), key="model.not_copied"):
            st.session_state[_NOT_COPIED] = model.columns
            st.rerun()
    return say("Say above whether {column} is a copy of the outcome.", column=name)


def show_cut(draft: Draft, model: ModelSource, report: ModelReport) -> None:
    """From which value on people get which decision, and how many do; of a probability a button to a threshold."""
    if not isinstance(model, PredictionColumns) or not draft.roles.outcome or not report.confusion.any():
        return
    if model.holds not in ("probability", "score"):
        return
    good = model.high_scores == "favourable"
    high = next(one for one in report.classes if (one == draft.roles.favourable) == good)
    place = report.classes.index(high)
    told = {
        "value": localized(f"{0.5 if model.holds == 'probability' else model.threshold:.15g}"),
        "column": literal(model.columns[0], 60),
        "outcome": literal(draft.told(f"{draft.roles.outcome} = {high}")),
        "n": whole(int(report.confusion[:, place].sum())),
        "rows": whole(int(report.confusion.sum())),
    }
    with st.container(horizontal=True, vertical_alignment="center", key="model_cut"):
        st.info(
            say("Above {value}, {column} counts as **{outcome}**: {n} of {rows}.", **told)
            if model.holds == "probability" and place > 0
            else say("From {value} on, {column} counts as **{outcome}**: {n} of {rows}.", **told),
            icon=":material/content_cut:",
        )
        if model.holds == "probability" and st.button(
            say("Decide from another value on"),
            key="model.cut",
            help=say("You set the threshold. Tests then see who reaches it, and no longer how probable it was."),
        ):
            forms.forget("model.form")
            session.change(model=model.model_copy(update={"holds": "score", "threshold": 0.5}))
            st.rerun()


def _about_training(draft: Draft) -> tuple[str, ...]:
    """What is asked about who answered: nothing of decisions without an outcome, which are judged whoever made them."""
    return () if draft.roles.outcome is None and draft.roles.text is None else ("by_people", "trained_on")


def _say_what_is_audited(model: PredictionColumns, known: tuple[str, ...]) -> None:
    """Which class each of several columns is the probability of, and which columns of answers are not audited."""
    if model.holds == "class probabilities" and len(model.columns) == len(model.classes):
        pairs = [
            say("{column} of {outcome}", column=literal(column), outcome=literal(outcome))
            for column, outcome in zip(model.columns, model.classes, strict=True)
        ]
        found = one_a_class(model.columns, model.classes)
        st.caption(
            say("Read as the probability of each class, by their names: {pairs}.", pairs=listed(pairs))
            if found is not None and found.named
            else say(
                "Read as the probability of each class, in their order: {pairs}. Please check the order.",
                pairs=listed(pairs),
            )
        )
    if others := [name for name in known if name not in model.columns]:
        st.info(
            say(
                "An audit is of one model, so {columns} is not audited here. Audit it by itself.",
                columns=literal(others[0]),
            )
            if len(others) == 1
            else say(
                "An audit is of one model, so these columns are not audited here: {columns}. "
                "Its result offers to compare it with them.",
                columns=literal(listed(others)),
            ),
            icon=":material/info:",
        )


def _name_column(draft: Draft) -> None:
    """Ask which column holds the answers where none has that role yet, and give it the role."""
    others = [name for name in _unused(draft) if name not in draft.roles.protected]
    name = st.selectbox(
        say("Which column holds the model's answers?"),
        others,
        index=None,
        key=forms.key_of("model.answers"),
        placeholder=say("Choose one"),
        help=say("It then no longer counts as a feature."),
    )
    if name is not None:
        forms.forget("roles")
        features = tuple(feature for feature in draft.roles.features if feature != name)
        session.change(roles=draft.roles.model_copy(update={"predictions": (name,), "features": features}))
        st.rerun()


def _unused(draft: Draft) -> tuple[str, ...]:
    """The columns that may turn out to hold answers: the features, or beside texts whatever has no other role."""
    if draft.roles.text is None:
        return draft.roles.features
    read = answer("read_table", {"source": draft.about_table["source"]}, say("Reading the table"))
    names = () if read is None else unpack(read["summary"], TableSummary).names
    taken = (draft.roles.text, *draft.roles.annotation, draft.roles.outcome)
    return tuple(name for name in names if name not in taken)


def _guess(draft: Draft) -> dict[str, Any]:
    """The column with predictions that is easiest to read and what it holds; nothing while the table is read."""
    read = answer("read_table", {"source": draft.about_table["source"]}, say("Reading the table"))
    known = draft.roles.predictions
    if not known or read is None:
        return {"columns": known[:1]}
    summary = unpack(read["summary"], TableSummary)
    columns, number = tuple(summary.column(name) for name in known), draft.roles.outcome_type == "number"
    column = summary.column(draft.roles.outcome or known[0])
    told = draft.roles.outcome is not None or (draft.roles.text is None and not column.is_score)
    outcomes = column.values if told else ()
    return model_columns.best_of(columns, outcomes, number=number)


def _ask_meanings(draft: Draft, model: PredictionColumns) -> PredictionColumns | None:
    """The column with the meaning of each of its labels; None while one is open."""
    asked = draft.about_table | {"column": model.columns[0]}
    found = answer("propose_meanings", asked, say("Looking at the labels"))
    if found is None:
        return None
    proposed = unpack(found, MeaningsPreview).proposed
    said = {one.label: one.outcome for one in model.meanings}
    outcomes = form.labels_of(draft)
    labels = [one.meaning.label for one in proposed] or [label for label in said if label in outcomes]
    if not labels:
        return model
    if not set(labels) <= set(said):
        _propose(model, proposed)
    key = forms.key_of(f"model.form.meanings.{model.columns[0]}")
    chosen = {
        label: st.selectbox(
            say("Which outcome does “{label}” mean?", label=literal(label)),
            outcomes,
            index=outcomes.index(said[label]) if said.get(label) in outcomes else None,
            key=f"{key}.{place}",
            placeholder=say("Choose one"),
        )
        for place, label in enumerate(labels)
    }
    meant = tuple(Meaning(label=label, outcome=outcome) for label, outcome in chosen.items() if outcome is not None)
    if len(meant) < len(labels):
        return None
    return model.model_copy(update={"meanings": meant})


def _propose(model: PredictionColumns, proposed: tuple[ProposedMeaning, ...]) -> None:
    """What the table says for each label, and a button that takes it."""
    told = "".join(
        f"\n- {literal(one.meaning.label)} → {literal(one.meaning.outcome)}: {literal(one.reason)}" for one in proposed
    )
    intro = say("Some labels are not named as the outcomes are. If the answers are right more often than not:")
    st.info(f"{intro}\n{told}", icon=":material/help:")
    if st.button(say("Take this"), key="model.meanings", icon=":material/check:"):
        forms.forget("model.form")
        session.change(model=model.model_copy(update={"meanings": tuple(one.meaning for one in proposed)}))
        st.rerun()

"""The roles form: what each column is for, guessed first and corrected by the user."""

from typing import Any, Literal

import streamlit as st

from core.caveats.assumptions import is_decided
from core.data.guess_roles import RolesGuess
from core.data.roles import SELECTED
from core.language.phrases import count, first_few, listed, whole
from core.language.told import retold, say
from dashboard import forms, session
from dashboard.draft import Draft, RolesChoice
from dashboard.tables import MOST_VALUES, ColumnSummary, TableSummary
from dashboard.text import literal
from dashboard.views.data import column_list, role_widgets
from dashboard.views.data import labels as data_labels
from dashboard.views.data import outcome as data_outcome
from dashboard.views.data.column_roles import NOTHING_GOOD, ColumnRole, role_of, with_role

_MOST_NAMED = 6
_MOST_BUTTONS = 3
_ORDER: tuple[ColumnRole, ...] = (
    "text",
    "outcome",
    "annotation",
    "prediction",
    "protected",
    "protected and feature",
    "belongs_to",
    "counts",
    "none",
    "feature",
)


_AS_OUTCOME = say(
    "Then the tests hold the model's answers against it: among those with the good outcome, whom does the model "
    "refuse? How often each group gets the good answer, whatever the outcome, is shown as well."
)
_AS_DECISION = say(
    "Then it is what the tests judge: how often does each group get the good decision? Nobody is said to be judged "
    "rightly or wrongly."
)


def show(draft: Draft, summary: TableSummary, guess: RolesGuess | None, declared: dict[str, Any] | None) -> RolesChoice:
    """The form; returns the roles as they stand.

    Args:
        draft: What was chosen so far.
        summary: The table's columns.
        guess: What the columns are probably for; None for a built-in table.
        declared: The roles a built-in table declares; None for an uploaded one.
    """
    st.header(say("What each column is for"))
    begun = _start(guess, declared)
    if draft.roles_are == "open" and draft.roles == RolesChoice():
        may_count = "" if guess is None or guess.counts is None else guess.counts[0]
        doubted = () if guess is None else tuple(name for name, _ in guess.may_be_answers)
        draft = session.change(roles=begun, roles_are=_are(guess), may_count=may_count, may_be_answers=doubted)
    choice = draft.roles
    top = st.container()
    _ask(draft, summary, guess)
    _show_told(choice, summary)
    choice = _outcome(choice, summary)
    asked_first = bool(data_labels.coded(choice, summary))
    labels = data_labels.show(choice, summary) if asked_first else choice.labels
    column_list.show(choice, summary, _in_order(summary, begun), _reasons(guess, choice.outcome))
    missing = role_widgets.missing_values(choice.missing)
    with st.expander(say("How columns are read"), icon=":material/tune:"):
        single = {choice.outcome, choice.text, *choice.annotation, choice.belongs_to, choice.counts}
        others = [name for name in summary.names if name not in single]
        words = [name for name in others if summary.column(name).kind == "text"]
        numeric = role_widgets.many("numeric", words, choice.numeric)
        categorical = role_widgets.many("categorical", others, choice.categorical)
    labels = labels if asked_first else data_labels.show(choice, summary)
    choice = choice.model_copy(
        update={"missing": missing, "numeric": numeric, "categorical": categorical, "labels": labels}
    )
    with top:
        _show_guessed(draft.model_copy(update={"roles": choice}))
    return choice


def _are(guess: RolesGuess | None) -> Literal["confirmed", "guessed", "asking"]:
    if guess is None:
        return "confirmed"
    return "guessed" if guess.sure or guess.text is not None else "asking"


def _start(guess: RolesGuess | None, declared: dict[str, Any] | None) -> RolesChoice:
    """The roles to begin with; an outcome that is not sure is left open and asked for."""
    if declared is not None:
        return RolesChoice.model_validate(declared)
    if guess is None:
        return RolesChoice()
    sure = _are(guess) == "guessed"
    return RolesChoice(
        text=guess.text,
        annotation=guess.annotation,
        outcome=guess.outcome if sure else None,
        outcome_type=guess.outcome_type if sure else "classes",
        favourable=guess.favourable if sure and guess.outcome else guess.favourable_decision,
        protected=guess.protected,
        features=guess.features,
        predictions=guess.predictions,
        missing=guess.missing,
        labels=guess.labels,
    )


def _in_order(summary: TableSummary, begun: RolesChoice) -> tuple[str, ...]:
    """The columns with what matters most first: a role that few have before one that many have."""
    return tuple(sorted(summary.names, key=lambda name: _ORDER.index(role_of(begun, name))))


def _reasons(guess: RolesGuess | None, outcome: str | None) -> dict[str, str]:
    """Why columns have their roles, or none; of answers nothing where they were held against another outcome."""
    if guess is None:
        return {}
    other = () if outcome in (None, guess.outcome) else (guess.outcome, *guess.predictions)
    return {name: why for name, why in (*guess.ignored, *guess.reasons) if name not in other}


def _show_guessed(draft: Draft) -> None:
    """That the roles are a guess, until somebody says that they are right; and what is still missing."""
    if draft.roles_are in ("guessed", "asking"):
        with st.container(horizontal=True, vertical_alignment="center", key="roles_guessed"):
            st.info(
                say("Guessed from names and values; please correct what is wrong."), icon=":material/psychology_alt:"
            )
            if st.button(say("These roles are right"), key="roles_confirm", disabled=bool(draft.roles_problem)):
                session.change(roles_are="confirmed")
                st.rerun()
    if missing := draft.roles_problem:
        st.warning(say("Still to do: {missing}", missing=literal(missing)), icon=":material/pending_actions:")
    if draft.roles.text is not None:
        st.info(
            say(
                "A text is enough to begin with; each further column adds something: an **outcome**, whether answers "
                "are right; a **protected attribute**, how groups differ and which words give them away; "
                "**judgements of people**, whether the measures agree with them."
            ),
            icon=":material/info:",
        )


def _ask(draft: Draft, summary: TableSummary, guess: RolesGuess | None) -> None:
    """Questions about what the guess is not sure of."""
    if guess is None:
        return
    choice = draft.roles
    if draft.asks_for_counts and guess.counts is not None:
        _ask_for_counts(choice, summary, *guess.counts)
    for number, name in enumerate(draft.asks_for_answers):
        _ask_for_answers(draft, summary, name, dict(guess.may_be_answers)[name], number)
    if draft.asks_for_outcome:
        with st.container(horizontal=True, vertical_alignment="center", key="roles_ask"):
            if guess.outcome is not None:
                why = dict(guess.reasons).get(guess.outcome, say("may be the outcome"))
                st.markdown(
                    say(
                        "Does **{outcome}** say what really happened, or what was right? It {why}.",
                        outcome=literal(guess.outcome),
                        why=literal(why),
                    )
                )
                right = (
                    say("Take these earlier decisions for right")
                    if is_decided(guess.outcome, choice.favourable or "")
                    else say("Yes, it is the outcome")
                )
                if st.button(right, key="roles.yes", help=retold(_AS_OUTCOME)):
                    _take(choice, summary, guess, "outcome")
                instead = listed(tuple(choice.predictions))
                decided = (
                    say("No, judge these decisions instead of {predictions}", predictions=literal(instead))
                    if instead
                    else say("No, it is a decision to be judged")
                )
                if st.button(decided, key="roles.decision", help=retold(_AS_DECISION)):
                    session.change(roles_are="guessed")
                    _take(choice, summary, guess, "prediction")
                if st.button(say("No, it tells of the person"), key="roles.person"):
                    session.change(roles_are="guessed")
                    column_list.keep(choice, with_role(choice, summary, [guess.outcome], "feature"))
            if st.button(say("There is no outcome"), key="roles.no"):
                session.change(roles_are="guessed")
                st.rerun()
    elif _has_lost_its_role(draft, guess):
        name = str(guess.outcome)
        with st.container(horizontal=True, vertical_alignment="center", key="roles_left"):
            st.markdown(say("**{name}** has no role now. Did the model read it?", name=literal(name)))
            if st.button(say("Yes, it is a feature"), key="roles.feature"):
                column_list.keep(choice, with_role(choice, summary, [name], "feature"))
    if guess.belongs_to is not None and choice.belongs_to is None:
        name, reason = guess.belongs_to
        st.caption(
            say("Perhaps {name} says which rows belong together: {reason}.", name=literal(name), reason=literal(reason))
        )
    _offer(draft, summary, guess)
    _tell_left_out(choice, guess)


def _tell_left_out(choice: RolesChoice, guess: RolesGuess) -> None:
    """Which columns were left out since they are nearly the answer itself, with the reason."""
    left = [name for name in guess.same if role_of(choice, name) == "none"]
    if left:
        why = dict(guess.ignored)
        told = "".join(f"\n- **{literal(name, 60)}** {literal(why[name])}" for name in left)
        intro = say(
            "Left out, since they are nearly the answer itself. If the audited model reads one, make it a feature."
        )
        st.info(f"{intro}\n{told}", icon=":material/content_copy:")


def _ask_for_counts(choice: RolesChoice, summary: TableSummary, name: str, why: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="roles_counts"):
        st.markdown(
            say(
                "Does **{name}** say how many people each row stands for? It may: {why}.",
                name=literal(name, 60),
                why=literal(why),
            )
        )
        if st.button(say("Yes, it counts people"), key="roles.counts"):
            column_list.keep(choice, with_role(choice, summary, [name], "counts"))
        if st.button(say("No, each row is one person"), key="roles.no_counts"):
            session.change(may_count="")
            column_list.keep(choice, with_role(choice, summary, [name], "feature"))


def _ask_for_answers(draft: Draft, summary: TableSummary, name: str, why: str, number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"roles_answers_{number}"):
        st.markdown(
            say(
                "Does **{name}** hold a model's answers, or did the model read it? It {why}.",
                name=literal(name, 60),
                why=literal(why),
            )
        )
        others = tuple(one for one in draft.may_be_answers if one != name)
        if st.button(say("Yes, it holds answers"), key=f"roles.answers.{number}"):
            column_list.keep(draft.roles, with_role(draft.roles, summary, [name], "prediction"))
        if st.button(say("No, it tells of the person"), key=f"roles.no_answers.{number}"):
            session.change(may_be_answers=others)
            st.rerun()


def _offer(draft: Draft, summary: TableSummary, guess: RolesGuess) -> None:
    """Columns that may be protected too, each with the reason, a button that protects it and one that does not."""
    choice = draft.roles
    asked = [(name, why) for name, why in guess.offered if name not in draft.may_differ]
    offered = [(name, why) for name, why in asked if role_of(choice, name) in ("feature", "none")]
    for number, (name, why) in enumerate(offered):
        with st.container(horizontal=True, vertical_alignment="center", key=f"roles_offered_{number}"):
            st.markdown(
                say(
                    "**{name}** was not taken as protected. It {why}. Should people be treated alike whatever their "
                    "{name} is?",
                    name=literal(name, 60),
                    why=literal(why),
                )
            )
            if st.button(say("Yes, protect it"), key=f"roles.protect.{number}"):
                read = name in choice.features and not choice.predictions
                column_list.keep(
                    choice, with_role(choice, summary, [name], "protected and feature" if read else "protected")
                )
            if st.button(say("No, it may make a difference"), key=f"roles.not_protected.{number}"):
                session.change(may_differ=(*draft.may_differ, name))
                st.rerun()


def _has_lost_its_role(draft: Draft, guess: RolesGuess) -> bool:
    """Whether the column that may have been the outcome is nothing, since somebody said that there is none."""
    unsure = draft.roles_are == "guessed" and not guess.sure and draft.roles.outcome is None
    return unsure and guess.outcome is not None and role_of(draft.roles, guess.outcome) == "none"


def _take(choice: RolesChoice, summary: TableSummary, guess: RolesGuess, role: ColumnRole) -> None:
    given = with_role(choice, summary, [str(guess.outcome)], role)
    column_list.keep(choice, given.model_copy(update={"favourable": guess.favourable}))


def _show_told(choice: RolesChoice, summary: TableSummary) -> None:
    """The roles in a line."""
    unused = sum(role_of(choice, name) == "none" for name in summary.names)
    parts = {
        say("Text"): _named((choice.text,)),
        say("Outcome"): _named((choice.outcome,)),
        say("Predictions"): _named(choice.predictions),
        say("Protected"): _named(choice.protected),
        say("Judged by people"): _named(choice.annotation),
        say("Rows belong together by"): _named((choice.belongs_to,)),
        say("People counted by"): _named((choice.counts,)),
    }
    told = [f"{part}: {names}" for part, names in parts.items() if names]
    told += [count(len(choice.features), "feature")] if choice.features else []
    told += [say("{columns} not used", columns=count(unused, "column"))] if unused else []
    st.markdown(" · ".join(told))


def _named(names: tuple[str | None, ...]) -> str:
    known = [f"**{literal(name, 40)}**" for name in names if name]
    return first_few(known, _MOST_NAMED)


def _outcome(choice: RolesChoice, summary: TableSummary) -> RolesChoice:
    """What the outcome holds, and which of its values is good."""
    if choice.outcome is None:
        if choice.judges_a_model and choice.features and choice.protected:
            st.info(
                say(
                    "No column says what really happened or what was decided, so a model's own answers are judged: "
                    "bring the model in the next step."
                ),
                icon=":material/info:",
            )
        return choice if choice.text is not None or not choice.predictions else _decision(choice, summary)
    column = summary.column(choice.outcome)
    left, right = st.columns(2)
    with left:
        if choice.text is None:
            holds = data_outcome.choose_type(column, choice.outcome_type)
            other = holds != choice.outcome_type
            choice = choice.model_copy(update={"outcome_type": holds} | (NOTHING_GOOD if other else {}))
    if choice.outcome_type == "number":
        with right:
            return choice.model_copy(update={"good_end": role_widgets.good_end(column.name, choice.good_end)})
    with right:
        good = role_widgets.favourable(column, choice.favourable, optional=choice.text is not None)
        if column.distinct > MOST_VALUES:
            st.caption(
                say(
                    "{n} different values; the most frequent are listed.",
                    n=whole(column.distinct),
                )
            )
    if good is None and choice.text is None:
        _ask_what_is_good(choice, column)
    return choice.model_copy(update={"favourable": good})


def _ask_what_is_good(choice: RolesChoice, column: ColumnSummary) -> None:
    """A button for each of a few values that may be the good one."""
    if column.distinct > _MOST_BUTTONS:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="roles_good"):
        st.markdown(say("Which of these is good for the person? No name says it, and every sentence depends on it."))
        for place, value in enumerate(sorted(column.values)):
            if st.button(literal(f"{column.name} = {value}", 60), key=f"roles.good.{place}"):
                forms.forget("roles.favourable")
                column_list.keep(choice, choice.model_copy(update={"favourable": value}))


def _decision(choice: RolesChoice, summary: TableSummary) -> RolesChoice:
    """Which decision is good, where nothing says what really happened."""
    column = summary.column(choice.predictions[0])
    name = literal(column.name)
    st.info(
        say(
            "No column says what really happened, so groups are compared by **{name}** alone: who is decided "
            "favourably, and not whether that was right.",
            name=name,
        ),
        icon=":material/info:",
    )
    if column.is_score:
        st.caption(
            say(
                "{name} is a score: whoever reaches a threshold, which the next step asks for, counts as selected.",
                name=name,
            )
        )
        return choice.model_copy(update={"favourable": SELECTED, "outcome_type": "classes"})
    good = role_widgets.favourable(column, choice.favourable, optional=False)
    if good is None:
        _ask_what_is_good(choice, column)
    return choice.model_copy(update={"favourable": good, "outcome_type": "classes"})

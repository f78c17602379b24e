"""How a model reads and answers a table."""

import numpy as np
import streamlit as st

from core.language.phrases import number, percent, precision, whole
from core.language.told import retold, say
from core.models.inspection import ModelReport, examples_told
from core.models.number_fit import NumberFit
from core.models.predictions import PredictionModel
from dashboard.messages import show_caveats, show_facts
from dashboard.tables import shortened
from dashboard.text import literal

_GIVES = {
    "probabilities": say("probabilities"),
    "logits": say("scores that become probabilities (logits)"),
    "labels": say("decisions"),
    "numbers": say("a number a row"),
}


def show(report: ModelReport, text: str | None = None) -> None:
    """The inspection as a table of facts, what was noticed, and a few rows.

    Args:
        report: The inspection.
        text: The text column, where the model reads one.
    """
    st.header(say("How the model answers"))
    if not report.classes:
        _show_fit(report.fit)
    elif np.isfinite(report.accuracy):
        _show_accuracy(report)
    elif report.not_finite < report.rows:
        st.caption(say("The table has no outcome, so nobody can say how often the model is right."))
    show_caveats(report.caveats)
    reads_texts = text is not None and report.features == (text,)
    show_facts(_facts(report, reads_texts))
    if not _only_predictions(report) and not reads_texts:
        with st.expander(say("Columns in the order the model reads them"), icon=":material/view_column:"):
            st.write(", ".join(literal(name) for name in report.inputs))
    some = say("Some texts with the model's answers") if reads_texts else say("Some rows with the model's answers")
    with st.expander(some, icon=":material/table_rows:", expanded=not _only_predictions(report)):
        read = [name for name in report.examples if name in report.features and not reads_texts]
        answers_first = report.examples[[name for name in report.examples if name not in read] + read]
        st.dataframe(shortened(examples_told(answers_first)), key="model.examples")


def _show_accuracy(report: ModelReport) -> None:
    with st.container(horizontal=True, key="inspection"):
        st.metric(say("Accuracy"), percent(round(report.accuracy, 3)), border=True)
        st.metric(
            say("Guessing the most frequent"),
            percent(round(report.majority_share, 3)),
            border=True,
            help=say("The accuracy of giving everybody the most frequent outcome. A useful model is clearly above it."),
        )
        st.metric(
            say("Balanced accuracy"),
            percent(round(report.balanced_accuracy, 3)),
            border=True,
            help=say("The share answered correctly, averaged over the outcomes, so that a rare one counts as much."),
        )


def _show_fit(fit: NumberFit) -> None:
    decimals = precision(*sorted((fit.error, fit.spread)))
    with st.container(horizontal=True, key="inspection"):
        st.metric(
            say("Typical error"),
            number(fit.error, decimals),
            border=True,
            help=say(
                "Root mean squared error: how far predictions are from the outcome, in the outcome's units, "
                "large errors counting more."
            ),
        )
        st.metric(
            say("Guessing the mean"),
            number(fit.spread, decimals),
            border=True,
            help=say("The error of predicting the outcome's mean for everybody. A useful model is clearly below it."),
        )
        st.metric(
            say("Variance explained (R²)"),
            number(fit.explained, 2),
            border=True,
            help=say(
                "1 if every prediction is right, 0 if they are no better than the mean, below 0 if they are worse."
            ),
        )


def _only_predictions(report: ModelReport) -> bool:
    """Whether nobody knows what the model reads, for only its answers were brought."""
    return retold(report.kind) == retold(PredictionModel.kind)


def _facts(report: ModelReport, reads_texts: bool) -> dict[str, str]:
    facts = {
        say("Format"): retold(report.kind),
        say("Gives"): retold(_GIVES[report.gives]),
        say("Classes, in order") if reads_texts else say("Outcomes, in order"): ", ".join(report.classes),
        say("Texts tried") if reads_texts else say("Rows tried"): whole(report.rows),
    }
    facts = {name: value for name, value in facts.items() if value}
    if reads_texts:
        return facts | {say("Column read"): ", ".join(report.features)}
    if not _only_predictions(report):
        facts[say("Columns read")] = say(
            "{columns}, prepared as {numbers} numbers", columns=len(report.features), numbers=report.width
        )
        facts[say("Search for similar people")] = retold(report.no_gradients) or say("possible")
    return facts

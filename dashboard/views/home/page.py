"""The first page: what Evenhand does, some examples, and the way to an audit of one's own.

What needs pandas is imported where it is used, so that the first words of a cold server do not wait for it.
"""

import streamlit as st

from core.language.told import retold, say
from dashboard.pages import open_page
from dashboard.views.home import examples, recent

_TO_BRING = say(
    "You need\n\n- **a table**, one row per person, with at least one protected attribute such as sex "
    "or race (CSV, Parquet or Excel).\n  What really happened to people helps, but may be missing;\n- "
    "**a model, or only its answers**: a column of the table with predictions, scores or decisions "
    "is enough. With the\n  model itself (XGBoost, LightGBM, scikit-learn as skops, ONNX or PyTorch "
    "weights as safetensors) or its address, more\n  can be asked.\n\nFor a model that reads texts: **a "
    "table with a text in every row** and **the text classifier** (a Hugging Face folder as\nzip, or "
    "an LSTM with its weights as safetensors)."
)
_TO_CHOOSE = say(
    "Several models, or none yet? Evenhand finds **the most accurate model that is not found "
    "unfair**: among models you\nbring, or among 50 that it fits for you. Then it audits the choice "
    "on people who had no part in it."
)
_TO_PAY = say(
    "Evenhand fits models to your table that give **equalized odds** more and more weight, and "
    "shows what that costs in\naccuracy, on people whom no model was fitted to."
)
_TO_COMPARE = say(
    "Evenhand puts audited models **side by side on the same people**, and says which differ, in what, and by how much."
)


def page() -> None:
    """A visitor's audits first, if there are any; then what this is, and the ways in."""
    question = say("Does your model treat similar people similarly?")
    if recent.show():
        st.header(question)
    else:
        st.title(question)
    st.write(
        say(
            "Evenhand looks, for every person in your table, for a similar person whom your model misjudges "
            "more. For a model that reads texts, it finds how much the model relies on words that reveal a "
            "person's group. For any predictions, classes or numbers, it asks whether people with the same "
            "outcome get the same answers in every group. Then it tells you, with a confidence interval, "
            "whether the difference is more than you tolerate."
        )
    )
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.header(say("Start an audit"))
        st.markdown(retold(_TO_BRING))
        if st.button(say("Start an audit"), type="primary", key="start", icon=":material/play_arrow:"):
            from dashboard import session

            open_page("data", draft=session.begin())
        st.caption(say("Five steps, about five minutes. Nothing leaves this machine."))
        with st.container(border=True, key="card_selection"):
            st.header(say("Choose among models"))
            st.markdown(retold(_TO_CHOOSE))
            if st.button(say("Choose a model"), key="choose_model", icon=":material/tune:"):
                open_page("selection")
            st.caption(say("One page, about two minutes. No model is needed."))
        with st.container(border=True, key="card_fairer"):
            st.header(say("What would a fairer model cost?"))
            st.markdown(retold(_TO_PAY))
            if st.button(say("Fit fairer models"), key="fit_fairer", icon=":material/balance:"):
                open_page("fairer")
            st.caption(say("One page, which says how long it will take. No model is needed."))
        with st.container(border=True, key="card_comparison"):
            st.header(say("Compare models"))
            st.markdown(retold(_TO_COMPARE))
            if st.button(say("Compare models"), key="compare_models", icon=":material/compare_arrows:"):
                open_page("comparison")
            st.caption(say("One page. Each model is audited first."))
    with right:
        st.header(say("Or look at an example"))
        examples.show()

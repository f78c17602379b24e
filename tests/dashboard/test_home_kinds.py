"""The first page knows every kind of audit, and shows examples of text classifiers as soon as there are some."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.audits import KINDS
from core.audits.text_sensitivity.settings import TextSensitivity
from core.workflows.examples import EXAMPLES, Example
from core.workflows.examples_told import ExamplePicture
from dashboard.audits import ROOMS
from dashboard.views.home import examples
from dashboard.views.home import page as home

PICTURE = ExamplePicture("texts", "alike")


def shown(monkeypatch: pytest.MonkeyPatch, *more: Example) -> AppTest:
    there = (*(one for one in EXAMPLES if not _reads_texts(one)), *more)
    monkeypatch.setattr("core.workflows.examples.EXAMPLES", there)
    monkeypatch.setattr("dashboard.views.home.examples.TOLD", there)

    def script() -> None:
        from dashboard.views.home import examples

        examples.show()

    return AppTest.from_function(script, default_timeout=30).run()


def _reads_texts(one: Example) -> bool:
    return any(audit.kind == "text_sensitivity" for audit in one.audits)


def text_example(key: str) -> Example:
    fields: dict[str, Any] = {"model": "bert.zip", "data": EXAMPLES[0].data}
    fields |= {"audits": (TextSensitivity(),), "about": "", "picture": PICTURE, "megabytes": 100}
    return Example(key=key, title=f"Title {key}", story=f"Story {key}.", **fields)


def test_every_kind_of_audit_has_a_name_and_a_room() -> None:
    assert list(ROOMS) == list(KINDS)
    assert all(kind.title.endswith(" test") for kind in KINDS.values())


def test_what_to_bring_mentions_text_classifiers() -> None:
    assert "text classifier" in home._TO_BRING
    assert "Hugging Face" in home._TO_BRING


def test_without_examples_of_texts_the_others_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    app = shown(monkeypatch)
    assert not app.exception
    assert {f"example_{key}" for key in examples._SHOWN} <= {button.key for button in app.button}


def test_the_first_examples_of_texts_stand_among_those_shown_and_others_are_folded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = shown(monkeypatch, *map(text_example, ("a", "b", "c")))
    assert not app.exception
    keys = [button.key for button in app.button]
    folded = [button.key for button in app.expander[0].button]
    assert {"example_a", "example_b", "example_c"} <= set(keys)
    assert "example_c" in folded
    assert not {"example_a", "example_b"} & set(folded)
    told = "Text sensitivity test, with the model; takes about 100 MB of memory."
    assert told in [caption.value for caption in app.caption]

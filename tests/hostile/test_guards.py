"""No fragment and no callback without a guard: an error in them, as on a full disk, ends in sentences."""

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.hostile.disks import full_disk

DASHBOARD = Path(__file__).parents[2] / "dashboard"
REDRAWN = ("fragment", "dialog")
ELSEWHERE = ("on_script_error",)
"""Arguments that are guards themselves."""


def unguarded(source: str) -> Iterator[str]:
    """Whatever Streamlit calls by itself and that is not wrapped in ``guarded()``, each with its line."""
    nodes = list(ast.walk(ast.parse(source)))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    decorators = [pair for one in functions for pair in pairwise(one.decorator_list)]
    fine = [_called(first) for first, second in decorators if _is_guard(second)]
    fine += [call.func for call in calls if call.args and _is_guarded(call.args[0])]
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in REDRAWN and ast.unparse(node.value) == "st":
            if node not in fine:
                yield f"{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.ImportFrom) and node.module == "streamlit":
            yield from (f"{node.lineno}: {one.name}" for one in node.names if one.name in REDRAWN)
    safe = {one.name for one in functions if any(map(_is_guard, one.decorator_list))}
    for call in calls:
        if isinstance(call.func, ast.Attribute):
            for word in call.keywords:
                if str(word.arg).startswith("on_") and word.arg not in ELSEWHERE and not _is_safe(word.value, safe):
                    yield f"{call.lineno}: {ast.unparse(word)}"


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _is_guard(node: ast.expr) -> bool:
    return ast.unparse(node) == "guarded()"


def _is_guarded(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _is_guard(node.func)


def _is_safe(given: ast.expr, safe: set[str]) -> bool:
    if isinstance(given, ast.IfExp):
        return _is_safe(given.body, safe) and _is_safe(given.orelse, safe)
    return isinstance(given, ast.Constant) or _is_guarded(given) or (isinstance(given, ast.Name) and given.id in safe)


def test_every_fragment_and_every_callback_is_guarded() -> None:
    found = [f"{path.name}:{line}" for path in sorted(DASHBOARD.rglob("*.py")) for line in unguarded(path.read_text())]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "@st.fragment\ndef draw(): ...",
        "@st.fragment(run_every=1)\ndef draw(): ...",
        "@guarded()\n@other\ndef safe(): ...\n@st.dialog('Title')\ndef draw(): ...",
        "st.fragment(draw)()",
        "st.fragment(draw, run_every=1)()",
        "st.fragment(func=draw)()",
        "st.fragment(run_every=1)(draw)",
        "again = st.fragment",
        "from streamlit import fragment",
        "st.button('Go', on_click=go)",
        "box.checkbox('Go', on_change=lambda: go())",
        "st.button('Go', on_click=go if far else None)",
        "st.button('Go', on_click=guarded)",
        "st.button('Go', on_click=partial(go, 1))",
    ],
)
def test_one_without_a_guard_is_found(source: str) -> None:
    assert list(unguarded(source))


@pytest.mark.parametrize(
    "source",
    [
        "@st.fragment\n@guarded()\ndef draw(): ...",
        "@st.dialog('Title')\n@guarded()\ndef draw(): ...",
        "st.fragment(guarded()(draw), run_every=1)()",
        "@guarded()\ndef go(): ...\nst.button('Go', on_click=go)",
        "st.button('Go', on_click=guarded()(go))",
        "st.download_button('Go', on_click='ignore')",
        "st.plotly_chart(drawing, on_select='ignore' if still else guarded()(go))",
    ],
)
def test_one_with_a_guard_is_not(source: str) -> None:
    assert list(unguarded(source)) == []


def waiting_page() -> None:
    import streamlit as st

    from core.base.files import home
    from dashboard import waiting
    from dashboard.messages import guarded

    def keep() -> None:
        (home() / "kept").write_text("something")

    def draw() -> None:
        keep()
        st.write("saved")

    with guarded():
        waiting.again_and_again(draw)
        st.button("Save", key="save", on_click=guarded()(keep))
        st.write("the rest of the page")


def test_a_fragment_and_a_callback_on_a_full_disk_end_in_sentences_and_the_page_stays() -> None:
    at = AppTest.from_function(waiting_page)
    with full_disk():
        at.run()
        assert_told(at, errors=1)
        at.button(key="save").click().run()
        assert_told(at, errors=2)
    at.run()
    assert not at.error
    assert [one.value for one in at.markdown] == ["saved", "the rest of the page"]


def assert_told(at: AppTest, errors: int) -> None:
    assert not at.exception
    assert len(at.error) == errors
    assert all("What to do" in one.value for one in at.error)
    assert at.markdown[-1].value == "the rest of the page"

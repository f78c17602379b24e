"""What a results page says, read from Streamlit's elements."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

_KINDS = ("markdown", "caption", "subheader", "header", "title", "error", "success", "warning", "info")


def written(app: AppTest) -> str:
    """Everything that passes through Markdown on the page, tables included."""
    texts = [element.value for kind in _KINDS for element in app.get(kind)]
    for table in app.table:
        frame = table.value
        texts += [*map(str, frame.index), *map(str, frame.columns), *map(str, frame.to_numpy().ravel())]
    return "\n".join([*texts, *(expander.label for expander in app.expander)])


def told(app: AppTest) -> str:
    """The same as a reader sees it."""
    return without_escapes(written(app))


def unescaped(text: str) -> str:
    """What is left of Markdown when every escaped mark is gone."""
    return re.sub(r"\\.", "", text)


def without_escapes(text: str) -> str:
    """Markdown as a reader sees it."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text).replace("\u2060", "")


_CARD = re.compile(r"^[^*]{0,30}\*\*[^*]+\*\*(\n|: the headline above)")


def verdict_boxes(app: AppTest) -> list[tuple[str, str]]:
    """Colour and words of every verdict card and of what is folded behind it, top of the page first."""
    kinds = ("error", "success", "info")
    boxes = [(part.type, part.value) for part in app.main if part.type in kinds and _CARD.match(part.value)]
    folded = [
        "\n".join(str(part.value) for part in one.markdown)
        for one in app.expander
        if one.label.startswith("How sure is this")
    ]
    return [(box, without_escapes(f"{text}\n{behind}")) for (box, text), behind in zip(boxes, folded, strict=True)]


def chequered(tabs: Sequence[str], shapes: Sequence[dict[str, Any]]) -> list[Any]:
    """Each tab of each shape of a result; but of the first and of hostile ones every second waits for ``long``."""
    return [
        pytest.param(
            tab,
            shape,
            id=f"{' '.join(f'{name}={value}' for name, value in shape.items()) or 'plain'}-{tab}",
            marks=pytest.mark.long if row and not shape.get("hostile") and (row + column) % 2 else (),
        )
        for row, shape in enumerate(shapes)
        for column, tab in enumerate(tabs)
    ]

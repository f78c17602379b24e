"""Names that are Markdown, HTML or mathematics are shown letter by letter wherever a page writes them."""

import re
from collections.abc import Iterator

from google.protobuf.message import Message
from streamlit.proto.LabelVisibility_pb2 import LabelVisibility
from streamlit.testing.v1 import AppTest

from tests.dashboard.walking import assert_sound, click, open_app, upload

HOSTILE = "[a](http://evil.example) ![b](http://evil.example/b.png) $x$ :red[y] <script>z</script> \u202e"
OBEYED = re.compile(r"(?<!\\)\]\(http|(?<!\\)\$x|:red\[|(?<!\\)<script>|\u202e")
PLAIN = {"options", "default", "set_value", "id", "form_id", "value", "raw_values", "data", "placeholder"}
"""Fields that Streamlit shows as they are."""
COLLAPSED = LabelVisibility.LabelVisibilityOptions.COLLAPSED


def rows() -> bytes:
    lines = [f"hired,sex {HOSTILE},job,age,prediction"]
    for n in range(200):
        job, prediction = ("cook", HOSTILE)[n % 3 % 2], n % 2 if n % 7 else 1 - n % 2
        lines.append(f"{n % 2},{'fm'[n // 2 % 2]} {HOSTILE},{job},{20 + n % 40},{prediction}")
    return "\n".join(lines).encode()


def written(message: Message, *, radio: bool = False) -> Iterator[str]:
    """Every text of an element that may be Markdown; a label that is read aloud only is as it stands."""
    collapsed = getattr(getattr(message, "label_visibility", None), "value", 0) == COLLAPSED
    for field, value in message.ListFields():
        if collapsed and field.name == "label":
            assert "\u202e" not in value
            continue
        if field.name in PLAIN and not (radio and field.name == "options"):
            continue
        for one in value if field.is_repeated else (value,):
            if isinstance(one, Message):
                yield from written(one, radio=radio)
            elif isinstance(one, str):
                yield one


def obeyed(app: AppTest) -> list[str]:
    found = []
    for element in app.main:
        kind = str(getattr(element, "type", ""))
        proto = getattr(element, "proto", None)
        if kind in ("arrow_data_frame", "plotly_chart", "html", "multiselect_options") or not isinstance(
            proto, Message
        ):
            continue
        found += [f"{kind}: {text}" for text in written(proto, radio=kind == "radio") if OBEYED.search(text)]
    return found


def test_names_and_labels_are_never_obeyed() -> None:
    app = upload(click(open_app(), "start"), "data.file", f"{HOSTILE.replace('/', '')}.csv", rows())
    for step in ("step_next", "step_next", "step_next", "step_next"):
        assert_sound(app)
        assert obeyed(app) == []
        app = click(app, step)
    assert_sound(app)
    assert obeyed(app) == []

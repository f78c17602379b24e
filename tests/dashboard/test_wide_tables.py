"""A table of many columns may become a block a row on a telephone; whatever its headings say, they obey nothing."""

import re

from streamlit.testing.v1 import AppTest


def test_a_wide_table_tells_its_headings_to_a_telephone_letter_by_letter_and_twice_on_a_page() -> None:
    def script() -> None:
        from core.base.tables import Table
        from dashboard.views.results.tables import show_table

        heads = ("Who", "a", "b", "c", "d", "</style><b>e'\"; }")
        show_table(Table("Wide", heads, (("x", "1", "2", "3", "4", "5"),)))
        show_table(Table("Wide again", heads, (("y", "1", "2", "3", "4", "5"),)))
        show_table(Table("Narrow", heads[:5], (("x", "1", "2", "3", "4"),)))

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert [table.value.index.tolist() for table in app.table] == [["x"], ["y"], ["x"]]
    styles = [one.proto.body for one in app.get("html")]
    assert len(styles) == 2
    for told in styles:
        assert told.count("<") == 4
        labels = re.findall(r"nth-of-type\((\d)\)::before \{ content: \"((?:\\[0-9a-f]{6})+)\" / ''; \}", told)
        written = ["".join(chr(int(code, 16)) for code in label.split("\\")[1:]) for _, label in labels]
        assert written == ["a", "b", "c", "d", "</style><b>e'\"; }"]

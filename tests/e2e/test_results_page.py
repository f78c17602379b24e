"""What only a browser can show of the results page: clicks on a chart, a refresh, and a telephone's width."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.views.results.widgets import widget_key
from tests.dashboard.results_made import several
from tests.e2e.accessibility import Violation, expect_none, look
from tests.e2e.steps import settle

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def telephone(browser: Browser, finished: str) -> Iterator[Page]:
    """A narrow window on the transport test; a test goes on where the one before left it."""
    context = browser.new_context(viewport={"width": 390, "height": 4000}, reduced_motion="reduce", color_scheme="dark")
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{finished}&{widget_key('test', several(similarity='metric')[0])}=Transport+test")
    expect(page.get_by_role("tab", name="Transport test", exact=True)).to_be_visible(timeout=60_000)
    settle(page)
    yield page
    context.close()


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()
    settle(page)


def test_a_result_shuts_nobody_out(telephone: Page) -> None:
    """In the dark; ``test_accessibility.py`` looks at every kind of result, on request."""
    found: list[tuple[str, Violation]] = []
    look(telephone, "result", found)
    expect_none(found)


def test_a_click_on_a_tile_lists_the_people_behind_it(telephone: Page) -> None:
    open_tab(telephone, "Who")
    chart = telephone.locator("[class*='st-key-chart_transport-map']")
    tile = chart.locator(".scatterlayer .trace .point").first
    tile.scroll_into_view_if_needed()
    box = tile.bounding_box()
    assert box is not None
    telephone.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    settle(telephone)
    cells = several(similarity="metric")[1][1].detail.cells
    chosen = telephone.get_by_role("combobox", name="Protected group")
    expect(chosen).not_to_have_value("")
    group = cells.groups.index(chosen.input_value())
    expect(telephone.get_by_role("combobox", name="People")).to_have_value(f"reoffended = {cells.labels[0]}: everybody")
    people = int(cells.people[(cells.label == 0) & (cells.group == group)].sum())
    expect(telephone.get_by_text(f"{people} people in ")).to_be_visible()
    expect(telephone.get_by_test_id("stDataFrame").first).to_be_visible()


def test_the_first_column_of_a_table_stands_below_its_heading(telephone: Page) -> None:
    open_tab(telephone, "Record")
    starts = telephone.locator(
        "[data-testid='stTableStyledTable']:has(th.col0 p):has(tbody th + td p):visible"
    ).first.evaluate(
        "table => ['th.col0 p', 'tbody th + td p'].map(one => table.querySelector(one).getBoundingClientRect().left)"
    )
    assert starts[0] == starts[1]
    open_tab(telephone, "Transport test")


def test_nothing_is_wider_than_a_telephone_and_every_reading_survives_a_refresh(telephone: Page) -> None:
    main = telephone.get_by_test_id("stMain")
    for test in ("Record", "Gradient-flow test", "Transport test"):
        open_tab(telephone, test)
        assert main.evaluate("main => main.scrollWidth") <= 390, test
        for tab in ("Why", "Who", "Robustness") if test != "Record" else ():
            open_tab(telephone, tab)
            assert main.evaluate("main => main.scrollWidth") <= 390, (test, tab)
        if test == "Gradient-flow test":
            _raise_the_tolerance(telephone)
    telephone.get_by_text("Change the loss").click()
    telephone.get_by_text("Squared error", exact=True).click()
    squared = telephone.get_by_text("the mean squared error would rise by more than").first
    expect(squared).to_be_visible(timeout=60_000)
    settle(telephone)
    before = telephone.get_by_test_id("stAlert").all_inner_texts()
    telephone.reload()
    expect(squared).to_be_visible(timeout=60_000)
    settle(telephone)
    assert telephone.get_by_test_id("stAlert").all_inner_texts() == before
    open_tab(telephone, "Gradient-flow test")
    assert any("1.28" in told for told in telephone.get_by_test_id("stAlert").all_inner_texts())


def _raise_the_tolerance(page: Page) -> None:
    page.get_by_role("slider", name="Tolerance").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    settle(page)


def test_a_wide_table_is_read_on_a_telephone_without_scrolling_sideways(telephone: Page, finished: str) -> None:
    telephone.goto(f"{finished}&shape=groups")
    wide = telephone.locator(".stElementContainer:has(.ev-wide) + * table").first
    expect(wide).to_be_attached(timeout=60_000)
    settle(telephone)
    wide.locator("xpath=ancestor::details").locator("summary").click()
    settle(telephone)
    seen = wide.evaluate(
        """one => [...one.querySelectorAll("tbody td")].map(cell => [cell.getBoundingClientRect().right,
            getComputedStyle(cell, "::before").content.split('"')[1]])"""
    )
    heads = wide.locator("thead th").all_text_contents()[1:]
    assert len(heads) > 5
    assert [head for _, head in seen] == [*heads * (len(seen) // len(heads))], "each cell below its heading"
    assert max(right for right, _ in seen) <= 390
    telephone.set_viewport_size({"width": 1280, "height": 1000})
    assert wide.locator("thead th").first.bounding_box()["width"] > 1  # type: ignore[index]
    assert wide.locator("td").first.evaluate("one => getComputedStyle(one, '::before').content") == "none"


def test_a_line_brings_its_test_to_the_top_of_the_window(browser: Browser, finished: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(finished)
    page.locator(".st-key-open_0 button").click(timeout=60_000)
    page.wait_for_function("document.querySelector('.stTabs').getBoundingClientRect().top < 200")
    settle(page)
    box = page.locator(".stTabs").first.bounding_box()
    assert box is not None
    assert 60 <= box["y"] < 200, "below the bar on top of the page"
    page.close()

"""Draw the small pictures of the examples on the first page, each a chart of what its audit found.

Run ``python -m sample_models.pictures`` after an example or a chart has changed; it needs a Chromium on the PATH. Words
are left out, for at this size nobody could read them; the card beside the picture says what it shows.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import plotly.graph_objects as go
from playwright.sync_api import sync_playwright
from plotly.offline import get_plotlyjs

from core.base.files import FileStore
from core.run import find, run_plan
from core.workflows.examples import EXAMPLES, Example, open_example

FOLDER = Path(__file__).parents[1] / "assets" / "examples"
WIDTH, HEIGHT = 240, 150
"""In pixels; files hold twice as many each way."""


def drawn(example: Example, files: FileStore) -> go.Figure:
    """The example's chart of its first test, without words."""
    plan = open_example(example.key, files).plans[0]
    figure = find(run_plan(plan, files), plan.decision).drawing(example.picture).figure
    figure.layout.annotations = ()
    figure.update_layout(showlegend=False, width=WIDTH, height=HEIGHT, margin={"l": 4, "r": 4, "t": 4, "b": 4})
    figure.update_xaxes(title=None, showticklabels=False, ticks="")
    figure.update_yaxes(title=None, showticklabels=False, ticks="")
    figure.update_traces(selector={"type": "heatmap"}, texttemplate="", showscale=False, xgap=1, ygap=1)
    figure.update_traces(selector={"type": "scatter"}, texttemplate="", text=None)
    return figure


def main() -> None:
    """Draw those that are named, or all."""
    FOLDER.mkdir(exist_ok=True)
    files = FileStore(Path(tempfile.mkdtemp()))
    chosen = [one for one in EXAMPLES if one.key in sys.argv[1:] or not sys.argv[1:]]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=2)
        page.set_content("<body style='margin: 0'><div id='chart'></div></body>")
        page.add_script_tag(content=get_plotlyjs())
        for one in chosen:
            page.evaluate(
                "figure => Plotly.newPlot('chart', JSON.parse(figure).data, JSON.parse(figure).layout,"
                " {staticPlot: true})",
                drawn(one, files).to_json(),
            )
            page.screenshot(path=FOLDER / f"{one.key}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()

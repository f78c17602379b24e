"""The HTML report stands alone, escapes whatever people named things, and shows nobody's row."""

import base64
import hashlib
import itertools
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.inference.estimate import Verdict
from core.report.html import render
from core.report.model import build
from core.report.multiple_tests import Together
from core.run import find
from tests.builders import HOSTILE, make_plan, make_result, make_study

TEMPLATES = "{{ 7 * 7 }}{% raw %}"
UNICODE = "naïve Ωmega 日本 \u202eevil"


class Page(HTMLParser):
    """Tags, attributes and visible text of a page; what scripts and styles hold is kept apart."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.text = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag if tag in ("script", "style") else self._inside
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = "" if tag == self._inside else self._inside

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside == "style":
            self.styles.append(data)
        else:
            self.text += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def hostile() -> tuple[str, Page]:
    from dataclasses import replace

    result = make_result(hostile=True)
    result = replace(result, model=replace(result.model, name=f"<script>alert(1)</script>{TEMPLATES}{UNICODE}"))
    text = render(make_study(hostile=True), (result,))
    return text, Page(text)


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(render(make_study(), (make_result(),)))


def test_equal_results_give_equal_bytes() -> None:
    assert render(make_study(), (make_result(),)) == render(make_study(), (make_result(),))


def test_hostile_names_are_shown_and_never_run(hostile: tuple[str, Page]) -> None:
    text, page = hostile
    assert f"<script>alert(1)</script>{TEMPLATES}{UNICODE}" in page.text
    assert "<script>alert" not in text
    assert {tag for tag, _ in page.tags}.isdisjoint({"img", "b", "iframe", "object", "form", "link"})
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    for name in HOSTILE[:3]:
        assert name in page.text


def test_only_our_own_scripts_are_in_the_page(hostile: tuple[str, Page], page: Page) -> None:
    for scripts in (hostile[1].named("script"), page.named("script")):
        assert [kind.get("type") for kind in scripts].count(None) == 2
        assert not [one for one in scripts if "src" in one]


def test_every_script_element_of_data_holds_json_with_the_hostile_text_inside(hostile: tuple[str, Page]) -> None:
    scripts = zip(hostile[1].named("script"), hostile[1].scripts, strict=True)
    data = [json.loads(text) for attributes, text in scripts if attributes.get("type") == "application/json"]
    assert len(data) == 3 + len(find(make_result(), GradientFlowDecision()).charts)


def test_nothing_is_fetched_from_outside(page: Page) -> None:
    for _, attributes in page.tags:
        for name in ("src", "href", "srcset", "action", "data", "poster"):
            assert (attributes.get(name) or "#").startswith("#")
    policy = next(meta["content"] for meta in page.named("meta") if meta.get("http-equiv"))
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert not re.search(r"url\(|@import|https?:", "".join(page.styles))
    own = [text for text in page.scripts if "plotly.js v" not in text[:400]]
    assert len(own) == len(page.scripts) - 1
    assert not [text for text in own if re.search(r"https?:|fetch\(|XMLHttp|import\(", text)]
    assert not re.search(r"https?:", page.text)


def test_the_policy_lets_our_scripts_run_and_no_others(page: Page) -> None:
    policy = next(meta["content"] for meta in page.named("meta") if meta.get("http-equiv")) or ""
    allowed = re.search(r"script-src ([^;]*)", policy)
    assert allowed is not None
    run = [
        text
        for attributes, text in zip(page.named("script"), page.scripts, strict=True)
        if attributes.get("type") != "application/json"
    ]
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in run]
    assert allowed[1].split() == [f"'sha256-{digest}'" for digest in hashes]
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]


def test_plotly_is_embedded_once(page: Page) -> None:
    assert sum("plotly.js v" in text[:400] for text in page.scripts) == 1


def test_no_row_of_the_table_is_in_the_report() -> None:
    result = make_result()
    text = render(make_study(), (result,))
    own = text[: text.index("plotly.js v")]
    pairs = result.detail.pairs
    for values in (pairs.ratios, pairs.chance, pairs.distance, pairs.real_chance, result.detail.loss_start):
        assert not [value for value in values.ravel() if repr(float(value)) in own]


def test_the_page_is_readable_without_seeing(page: Page) -> None:
    assert len(page.named("h1")) == 1
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert len(page.named("caption")) == len(page.named("table")) > 5
    assert all(one.get("scope") for one in page.named("th"))
    plots = [one for one in page.named("div") if one.get("class") == "plot"]
    shown = find(make_result(), GradientFlowDecision()).charts
    assert len(plots) == len(shown) + 2
    for plot in plots:
        assert plot.get("role") == "img"
        assert len(plot.get("aria-label") or "") > 30
    assert page.named("html")[0]["lang"] == "en"
    identifiers = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(set(identifiers)) == len(identifiers)
    targets = [(one.get("href") or "")[1:] for one in page.named("a")]
    assert set(targets) <= set(identifiers)


CASES: dict[str, tuple[dict[str, Any], GradientFlowDecision]] = {
    "violation": ({}, GradientFlowDecision()),
    "none": ({"rows": 2000, "excess": 0.05}, GradientFlowDecision()),
    "unclear": ({}, GradientFlowDecision(delta=1.57)),
    "undefined": ({"undefined_error_ratio": True}, GradientFlowDecision(statistic="error-rate ratio")),
    "small": ({"rows": 20}, GradientFlowDecision()),
    "one group": ({"one_cell": True}, GradientFlowDecision(stop_at=100)),
    "declared": ({"probes": False, "wide": True}, GradientFlowDecision(alpha=0.0001)),
}


@pytest.mark.parametrize("case", CASES)
def test_every_kind_of_result_can_be_read(case: str) -> None:
    options, decision = CASES[case]
    result, study = make_result(**options), make_study(decision=decision)
    page = Page(render(study, (result,)))
    report = build(study, Together.of(study, (result,)))
    (test,) = report.tests
    assert report.together.headline in page.text
    assert report.together.sentence in page.text
    assert report.together.verdict is find(result, decision).verdict
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b|object at 0x", page.text)
    assert all(sentence in page.text for sentence in test.finding.assumptions)
    for caveat in (*test.finding.reasons, *result.caveats):
        assert caveat.what in page.text


def test_no_report_calls_a_model_fair_or_compliant() -> None:
    for verdict, (options, decision) in zip(
        (Verdict.VIOLATION, Verdict.NO_VIOLATION), (CASES["violation"], CASES["none"]), strict=True
    ):
        study = make_study(decision=decision)
        report = build(study, Together.of(study, (make_result(**options),)))
        assert report.together.verdict is verdict
        said = " ".join((report.together.headline, report.together.sentence, *report.tests[0].finding.assumptions))
        assert not re.search(r"\bis fair\b|compliant|unbiased|discriminat", said)


def test_the_hashes_versions_and_command_are_there(page: Page) -> None:
    result = make_result()
    for text in (result.data.fingerprint, result.model.fingerprint, make_plan().result_fingerprint, "2.13.0"):
        assert text in page.text
    assert "python -m core run record.json --out repeated" in page.text


def test_the_sweep_is_shown_at_about_even_stopping_times_and_ends_at_the_last() -> None:
    result = make_result()
    table = build(make_study(), Together.of(make_study(), (result,))).tests[0].finding.tables["sweep"]
    steps = [int(row[0].replace(",", "")) for row in table.rows]
    assert steps == sorted(set(steps))
    assert len(steps) <= 12
    assert steps[-1] == result.detail.steps[-1]
    assert set(steps) <= set(result.detail.steps.tolist())

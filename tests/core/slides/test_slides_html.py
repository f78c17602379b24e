"""The HTML file stands alone and escapes whatever people named things."""

import base64
import hashlib
import re

from core.slides.deck import build
from core.slides.html import render
from core.slides.live import live
from tests.core.slides.made import audit, hostile, together


def test_the_file_asks_for_nothing_and_runs_only_our_script() -> None:
    study, found = audit("text_sensitivity")[0], together("text_sensitivity")
    text = render(build(study, found), live(study, found))
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'".replace("'", "&#39;") in text
    assert not re.findall(r"https?://|\bsrc=|\bhref=|@import|url\(", text)
    assert text.count('<section class="slide"') == 6


def test_names_stay_text() -> None:
    text = render(hostile())
    assert "<img" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert "{{ 7 * 7 }}" in text
    assert "49" not in re.sub(r"<svg.*?</svg>|<style>.*?</style>|<script>.*?</script>|group \d+", "", text, flags=re.S)

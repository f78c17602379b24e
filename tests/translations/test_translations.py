"""Every sentence of the product can be translated, and every language that is offered is complete."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from core.language.catalogue import OFFERED, files, translated
from core.language.reader import SOURCE
from tests.translations.__main__ import home_of
from tests.translations.sources import REPOSITORY, Found, messages, messages_of, sources, template_text, unsaid

LANGUAGES = [code for code in OFFERED if code != SOURCE]
FIELD = re.compile(r"\{(\w+)\}")
OF_PAGES = re.compile(
    r"(?i)\b(roles|model) step\b|step of the \w+|\bin the first step|\bupload|reload|own page|on the first page|"
    r"\b(button|slider|sidebar|download|dialog)\b"
)
"""Places and controls of the dashboard, which somebody at a notebook or a command line does not have."""
NAMES_BOTH = Path("core/language/options.py")


@cache
def found() -> tuple[Found, ...]:
    return tuple(messages())


def entries(code: str) -> Iterator[tuple[Path, Message]]:
    for path in files(code):
        with path.open("rb") as content:
            yield from ((path, message) for message in read_po(content, locale=code) if message.id)


def key_of(message: Message) -> tuple[object, str | None]:
    return message.id if isinstance(message.id, str) else tuple(message.id), message.context


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_message_has_a_translation_in_its_own_file_and_no_other_has(code: str) -> None:
    wanted = {(home_of(one) / f"{code}.po", one.message, one.about) for one in found()}
    there = {(path, *key_of(message)) for path, message in entries(code)}
    assert not sorted(map(str, wanted - there)), f"run `python -m tests.translations update {code}` and translate"
    assert not sorted(map(str, there - wanted)), f"run `python -m tests.translations update {code}`"


@pytest.mark.parametrize("code", LANGUAGES)
def test_translations_are_whole_keep_every_part_and_agree(code: str) -> None:
    said: dict[object, object] = {}
    for path, message in entries(code):
        strings = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        originals = (message.id,) if isinstance(message.id, str) else message.id
        assert all(strings or ("",)), f"{path}: {message.id!r} is not translated"
        assert "fuzzy" not in message.flags, f"{path}: {message.id!r} was not looked at"
        one, most = (set(FIELD.findall(original)) for original in (originals[0], originals[-1]))
        *singular, plural = (set(FIELD.findall(string)) for string in strings)
        right = plural == most and all(one - {"n"} <= parts <= most for parts in singular)
        assert right, f"{path}: {strings} have other parts than {message.id!r}"
        assert said.setdefault(key_of(message), message.string) == message.string, (
            f"{path}: {message.id!r} is said in two ways; say_as tells them apart"
        )


def test_no_words_for_people_are_left_that_cannot_be_translated() -> None:
    left = [f"{path.relative_to(REPOSITORY)}:{line}: {text}" for path in sources(".py") for line, text in unsaid(path)]
    left += [
        f"{path.relative_to(REPOSITORY)}:{line}: {text}"
        for path in sources(".html")
        for line, text in template_text(path)
    ]
    assert not left, "say them, or end the line with `# verbatim`:\n" + "\n".join(left)


def test_core_names_settings_and_roles_and_no_place_of_the_dashboard() -> None:
    placed = [
        f"{one.path}:{one.line}: {one.message}"
        for one in found()
        if Path(one.path).parts[0] == "core" and Path(one.path) != NAMES_BOTH and OF_PAGES.search(str(one.message))
    ]
    assert not placed, "name the setting or the role; pages add their place:\n" + "\n".join(placed)


def test_the_tests_above_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.translations.sources.REPOSITORY", tmp_path)
    path = tmp_path / "page.py"
    path.write_text(
        'def tell(n):\n    """Words of a docstring."""\n    show(f"{n} rows were read", "kept as it is")  # verbatim\n'
        '    show(say("{n} of them", n=n), f"{n} rows were read", say_count("{n} row", "{n} rows", n))\n'
        '    raise ValueError("words of a program")\n'
    )
    assert [one.message for one in messages_of(path)] == ["{n} of them", ("{n} row", "{n} rows")]
    assert list(unsaid(path)) == [(4, "{} rows were read")]
    template = tmp_path / "page.html"
    template.write_text('<p class="a b">{{ say("All rows") }} were read</p>')
    assert list(template_text(template)) == [(1, "were read")]
    assert translated("de", "No such sentence was ever said.") == "No such sentence was ever said."

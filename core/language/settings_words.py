"""What is wrong with a setting, in our own words instead of pydantic's."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

from core.language.phrases import count
from core.language.told import localized, retold, say, say_as

_WHOLE, _NUMBER, _TEXT = say("it must be a whole number"), say("it must be a number"), say("it must be text")
_LIST, _GROUP = say("it must be a list"), say("it must hold settings by their names")
_SWITCH = say("it must be true or false")
_BY_TYPE = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), _SWITCH),
    **dict.fromkeys(("list_type", "tuple_type", "set_type", "frozen_set_type"), _LIST),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type", "dataclass_type", "mapping_type"), _GROUP),
    **dict.fromkeys(("union_tag_not_found", "missing"), say("it is missing")),
    "string_type": _TEXT,
    "string_pattern_mismatch": say("it is not written as such a value is"),
    "finite_number": say("it must be a finite number"),
    "extra_forbidden": say("there is no such setting"),
    "json_invalid": say("it is not valid JSON"),
}
_BY_LIMIT: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "greater_than": lambda limits: say("it must be more than {limit}", limit=localized(f"{limits['gt']:g}")),
    "greater_than_equal": lambda limits: say("it must be at least {limit}", limit=localized(f"{limits['ge']:g}")),
    "less_than": lambda limits: say("it must be less than {limit}", limit=localized(f"{limits['lt']:g}")),
    "less_than_equal": lambda limits: say("it must be at most {limit}", limit=localized(f"{limits['le']:g}")),
    "too_short": lambda limits: say("it needs at least {limit}", limit=count(limits["min_length"], "entry", "entries")),
    "too_long": lambda limits: say(
        "it may have at most {limit}", limit=count(limits["max_length"], "entry", "entries")
    ),
    "string_too_short": lambda limits: say("it needs at least {limit}", limit=count(limits["min_length"], "character")),
    "string_too_long": lambda limits: say(
        "it may have at most {limit}", limit=count(limits["max_length"], "character")
    ),
    "literal_error": lambda limits: say(
        "it must be {limit}", limit=limits["expected"].replace(" or ", say_as("choices", " or "))
    ),
    "union_tag_invalid": lambda limits: say("its kind must be one of {limit}", limit=limits["expected_tags"]),
}


def what_is_wrong(detail: ErrorDetails) -> str:
    """What pydantic found, as the end of a sentence without its point; a check of our own says its own sentence."""
    kind, limits = detail["type"], detail.get("ctx", {})
    if kind in ("value_error", "assertion_error"):
        return detail["msg"].partition(", ")[2].rstrip(".")
    if kind in _BY_LIMIT:
        return _BY_LIMIT[kind](limits)
    return retold(_BY_TYPE.get(kind, say("it cannot be read")))

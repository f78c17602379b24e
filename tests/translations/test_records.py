"""What is filed is the same whoever reads: a record and what the register keeps of a result stay English."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from core.language.reader import speaking
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.register.summary import summarise
from core.study import Study
from tests.builders import make_plan, make_result
from tests.builders_transport import make_transport_plan, make_transport_result

Made = tuple[AuditPlan, Any]


def _flow() -> Made:
    return make_plan(), make_result()


def _transport() -> Made:
    return make_transport_plan(), replace(make_transport_result(), seconds=0.0)


@pytest.mark.parametrize("make", [_flow, _transport])
def test_record_and_summary_are_the_same_bytes_in_every_language(make: Callable[[], Made]) -> None:
    (record, summary, told), (german_record, german_summary, german_told) = _filed(make, "en"), _filed(make, "de")
    assert german_told != told
    assert german_record == record
    assert german_summary == summary


def _filed(make: Callable[[], Made], code: str) -> tuple[str, str, tuple[str, str]]:
    """A result's record, its summary and its verdict, all made while a language is spoken."""
    with speaking(code):
        plan, result = make()
        study, results = Study(plans=(plan,)), (result,)
        summary = summarise(AUDITS, study, results).model_dump_json()
        return AUDITS.to_json(study, results), summary, AUDITS.told(study, results)

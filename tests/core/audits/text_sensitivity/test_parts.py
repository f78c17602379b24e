"""Blocks of texts are done elsewhere, each begun anew there, with the same bytes as here."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.audits.text_sensitivity import scoring
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.apart import AbstractCarrier, OnAnswer, carried_by
from core.base.errors import AuditError, EvenhandError
from core.base.parts import PARTS, Whole, only_parts, parted
from core.base.progress import OnProgress, Progress, ignore_progress
from core.protected_status.settings import NoStatus
from core.records.codec import to_bytes
from core.result import AuditResult
from core.run import run_audit
from tests.builders_text import make_text_dataset, make_text_model

AUDIT = TextSensitivity(status=NoStatus())


def audited(on_progress: OnProgress = ignore_progress) -> AuditResult:
    dataset = make_text_dataset(60)
    return run_audit(make_text_model(dataset), dataset, AUDIT, seed=3, on_progress=on_progress)


class Anew(AbstractCarrier):
    """Does each piece here as another machine would: from nothing but JSON; the last first."""

    def __init__(self) -> None:
        self.pieces: list[Any] = []

    def carry(
        self, module: str, pieces: Sequence[Any], on_progress: OnProgress, on_answer: OnAnswer
    ) -> dict[int, Any | EvenhandError]:
        found: dict[int, Any | EvenhandError] = {}
        for place, piece in reversed(list(enumerate(pieces))):
            self.pieces.append(json.loads(json.dumps(piece)))
            with carried_by(None):
                try:
                    found[place] = json.loads(json.dumps(only_parts(piece[PARTS], audited, on_progress)))
                except EvenhandError as error:
                    found[place] = error
        return found


def test_every_block_is_done_elsewhere_with_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "READ_AHEAD", 16)
    here, carrier, seen = audited(), Anew(), list[Progress]()
    with carried_by(carrier), parted(Whole("module", lambda _: {"plan": "some"})):
        there = audited(seen.append)
    assert sorted(piece[PARTS] for piece in carrier.pieces) == [[0], [1], [2], [3]]
    assert {piece["plan"] for piece in carrier.pieces} == {"some"}
    assert to_bytes(replace(here, seconds=0.0)) == to_bytes(replace(there, seconds=0.0))

    def fail(*_: object) -> None:
        raise AuditError("A derivative is not a finite number.")

    monkeypatch.setattr(scoring.SubjectModel, "sensitivities", fail)
    with (
        carried_by(carrier),
        parted(Whole("module", lambda _: {})),
        pytest.raises(AuditError, match="not a finite number"),
    ):
        audited()

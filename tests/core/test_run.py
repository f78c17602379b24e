"""What a whole plan adds to its audit: the rows its model was trained on."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.group_fairness.settings import GroupFairness
from core.base.errors import AuditError, Caveat
from core.base.files import FileRef, FileStore
from core.models import TorchMLP
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.records.codec import to_bytes
from core.run import Streams, Tables, run_plan
from core.study import Study
from core.workflows.examples import EXAMPLES, open_example

SOURCE = TorchMLP(file=FileRef(name="model.safetensors", sha256="0" * 64, bytes=1))


def test_the_streams_of_a_seed_are_those_of_every_record() -> None:
    found = Streams.of(7)
    spawned = (found.split, found.metric, found.audit)
    assert [one.integers(2**62) for one in spawned] == [
        one.integers(2**62) for one in np.random.default_rng(7).spawn(3)
    ]
    assert found.pilot.integers(2**62) == np.random.default_rng(7).integers(2**62)
    assert len({one.spawn(1)[0].integers(2**62) for one in (*spawned, found.pilot)}) == 4


def about_training(caveats: tuple[Caveat, ...]) -> list[str]:
    return [caveat.level for caveat in caveats if "trained on the audited rows" in caveat.what]


def test_a_result_says_which_rows_its_model_was_trained_on(tmp_path: Path) -> None:
    files, fingerprints = FileStore(tmp_path), set()
    (plan,) = open_example("hiring-baseline", files).plans
    audit = plan.audit.model_copy(update={"steps": 2, "metric_resamples": 0, "first_rows": 200})
    for answer, levels in (("other rows", []), ("these rows", ["serious"]), ("not known", ["warning"])):
        model = plan.model.model_copy(update={"trained_on": answer})
        result = run_plan(plan.model_copy(update={"audit": audit, "model": model}), files)
        assert about_training(result.caveats) == levels
        order = [("serious", "warning", "info").index(caveat.level) for caveat in result.caveats]
        assert order == sorted(order)
        fingerprints.add(result.model.fingerprint)
    assert len(fingerprints) == 1


def test_nobody_is_asked_to_know_more_than_they_do() -> None:
    assert SOURCE.trained_on == "not known"
    assert "too optimistic" in SOURCE.provenance[0].what


@pytest.mark.parametrize("key", [example.key for example in EXAMPLES])
def test_the_sample_models_were_trained_on_other_rows(key: str, tmp_path: Path) -> None:
    for plan in open_example(key, FileStore(tmp_path)).plans:
        assert plan.model.trained_on == "other rows"


def test_why_a_test_does_not_suit_is_not_followed_by_what_would_not_mend_it(tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    first = open_example("hiring-predictions", files).plans[0]
    plan = AuditPlan(data=first.data, roles=first.roles, model=first.model, audit=ColumnSensitivity())
    with pytest.raises(AuditError, match=r"asks the model about changed rows\.") as caught:
        run_plan(plan, files)
    assert caught.value.advice == "Mend this, or choose another test."


def test_tests_of_one_study_read_their_table_once_and_find_what_each_finds_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = FileStore(tmp_path)
    example = open_example("hiring-predictions", files).plans[0]
    plans = tuple(
        AuditPlan(data=example.data, roles=example.roles, model=example.model, audit=audit)
        for audit in (GroupFairness(), GroupFairness(depth=1))
    )
    alone = [run_plan(plan, files) for plan in plans]
    load, read = type(example.data).load, list[str]()
    monkeypatch.setattr(type(example.data), "load", lambda self, files: read.append(self.title) or load(self, files))
    together = AUDITS.run(Study(plans=plans), files)
    assert len(read) == 1
    assert [to_bytes(replace(one, seconds=0.0)) for one in together] == [
        to_bytes(replace(one, seconds=0.0)) for one in alone
    ]
    assert not Tables(files).has(plans[0])

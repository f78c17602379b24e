"""The same audit with new data, from the register to the last step; and with a table that lacks its columns."""

import time
import uuid

import pytest

from core.audits.transport.decision import TransportDecision
from core.base.files import FileStore
from core.models import PredictionColumns
from core.plan import AuditPlan
from core.register.register import Register
from core.report.statement import Statement
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from dashboard.visitor import LOCAL
from tests.builders_transport import make_transport_plan
from tests.core.register.made import make_entry
from tests.dashboard.walking import assert_sound, click, draft_of, job_of, keys, open_page, texts, upload

HEADER = "age,sex,hired,said"
LAST_QUARTER = (
    HEADER
    + "\n"
    + "".join(f"{20 + i % 40},{'fm'[i % 2]},{('yes', 'no', 'no')[i % 3]},{('yes', 'no')[i % 2]}\n" for i in range(120))
)


@pytest.mark.long
def test_the_same_audit_with_new_data_asks_for_the_table_only() -> None:
    roles = make_transport_plan().roles.model_copy(
        update={
            "outcome": "hired",
            "favourable": "yes",
            "protected": ("sex",),
            "features": ("age",),
            "predictions": ("said",),
        }
    )
    plan = AuditPlan(
        data=UploadedTable(file=FileStore().put(LAST_QUARTER.encode(), "q1.csv")),
        roles=roles,
        model=PredictionColumns(columns=("said",), holds="labels"),
        audit=make_transport_plan().audit.model_copy(update={"columns": ()}),
        decision=TransportDecision(delta=0.02),
        seed=3,
    )
    entry = make_entry(
        uuid.uuid4().hex, LOCAL, plan=Study(plans=(plan,)).model_dump(mode="json"), statement=Statement(system="Hiring")
    )
    Register().enter(entry)
    app = click(open_page("register", entry=entry.id), "entry_repeat")
    upload(app, "data.file", "wrong.csv", LAST_QUARTER.replace("sex", "gender").encode())
    assert_sound(app)
    assert "The table 'wrong.csv' has no 'sex', chosen before." in texts(app)
    assert app.button(key="step_next").disabled
    upload(app, "data.file", "q2.csv", LAST_QUARTER.replace("\n2", "\n3").encode())
    assert_sound(app)
    draft = draft_of(app)
    assert (draft.after, draft.tests, draft.seed) == (entry.id, ("transport",), 3)
    assert (draft.model, draft.decision(TransportDecision).delta) == (plan.model, 0.02)
    assert draft.roles.protected == ("sex",)
    for _ in range(4):
        click(app, "step_next")
        assert_sound(app)
    assert not app.button(key="run_audit").disabled, texts(app)
    click(app, "run_audit")
    until = time.monotonic() + 60
    while not (found := Register().known_as(job_of(app, "audit"))):
        assert time.monotonic() < until, "it does not enter the register"
        time.sleep(0.2)
    assert (found[0].after, found[0].statement.system) == (entry.id, "Hiring")
    assert found[0].summary.verdict
    app = click(open_page("register", entry=entry.id), "entry_repeat")
    upload(app, "data.file", "wrong.csv", LAST_QUARTER.replace("sex", "gender").encode())
    click(app, "data.anew")
    assert_sound(app)
    assert (draft_of(app).after, draft_of(app).tests) == ("", ())
    assert "data.anew" not in keys(app)

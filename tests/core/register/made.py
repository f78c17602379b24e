"""Entries for tests."""

from typing import Any

from core.register.entry import Entry, Outcome, Summary

VIOLATION, NONE, UNCLEAR = "violation found", "no violation found", "insufficient evidence"


def make_entry(name: str = "e1", owner: str = "anna", verdict: str = VIOLATION, **values: Any) -> Entry:
    model, table = values.pop("model", "credit.onnx"), values.pop("table", "people.csv")
    rows = (("Estimate", "7.3 percentage points"),)
    outcome = Outcome(title="Transport test", verdict=verdict, header=("", "Error rate"), rows=rows)
    summary = Summary(
        model=model,
        table=table,
        verdict=verdict,
        headline=f"{verdict}: by sex".capitalize(),
        outcomes=(outcome,),
        rows_fingerprint="d" * 64,
    )
    known = {"job": f"job-{name}", "workflow": "audit", "made": 1_700_000_000.0, "plan": {"plans": [{"seed": 0}]}}
    return Entry(id=name, owner=owner, summary=summary, **{**known, **values})

"""Speed of comparing models. Run with ``pytest benchmarks``; numbers in benchmarks/README.md.

Five models on 50,000 people against the audits of each of them alone with the numbers of their records, in processor
time: run with their tests, and where the tests are kept already.
"""

from dataclasses import replace
from time import process_time

import numpy as np
import pandas as pd

from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileStore
from core.data.roles import Roles
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.records.pieces import run_plans
from core.run import run_plan
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.workflows.comparison.record import COMPARISON
from core.workflows.comparison.run import run
from core.workflows.comparison.settings import ComparedModel, ComparisonPlan

PEOPLE, MODELS = 50_000, 5


def test_five_models_on_fifty_thousand_people(benchmark, tmp_path) -> None:
    rng, files = np.random.default_rng(0), FileStore(tmp_path)
    people = pd.DataFrame({"sex": rng.choice(["female", "male"], PEOPLE), "region": rng.choice(list("abcdef"), PEOPLE)})
    income = rng.normal(50, 9, PEOPLE)
    people["repaid"] = np.where(rng.random(PEOPLE) < 1 / (1 + np.exp((50 - income) / 5)), "yes", "no")
    columns = [f"model {place}" for place in range(MODELS)]
    for place, column in enumerate(columns):
        people[column] = np.where(income + rng.normal(0, 2, PEOPLE) > 48 + place, "yes", "no")
    table = UploadedTable(file=files.put(people.to_csv(index=False).encode(), "people.csv"))
    plans = [
        AuditPlan(
            data=table,
            roles=Roles(outcome="repaid", favourable="yes", protected=("sex", "region"), predictions=(column,)),
            model=PredictionColumns(columns=(column,)),
            audit=GroupFairness(),
        )
        for column in columns
    ]
    models = tuple(ComparedModel(name=plan.roles.predictions[0], study=Study(plans=(plan,))) for plan in plans)
    plan = ComparisonPlan(models=models)
    run_plan(plans[0], files)
    start = process_time()
    kept = {one.result_fingerprint: run_plan(one, files) for one in plans}
    for one in plans:
        AUDITS.numbers(Study(plans=(one,)), (kept[one.result_fingerprint],))
    alone = process_time() - start

    def compared(run_tests=run_plans) -> None:
        COMPARISON.numbers(plan, run(plan, files, None, run_tests))

    start = process_time()
    compared()
    whole = process_time() - start
    start = process_time()
    compared(lambda some, *_: [replace(kept[one.result_fingerprint]) for one in some])
    reused = process_time() - start
    benchmark.extra_info.update(ratio=whole / alone, reused=reused / alone, alone=alone)
    print(
        f"\n{MODELS} models, {PEOPLE:,} people: audits {alone:.1f} s, compared {whole:.1f} s ({whole / alone:.2f}×), "
        f"with kept audits {reused:.1f} s ({reused / alone:.2f}×)"
    )
    benchmark.pedantic(compared, rounds=1)
    assert whole / alone < 2

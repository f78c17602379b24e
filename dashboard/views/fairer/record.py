"""The record of a comparison: every setting, how it was made, and the command that repeats it."""

import streamlit as st

from core.report.settings_table import setting_sections
from core.workflows.mitigation.record import to_json
from core.workflows.mitigation.result import PARTS, FairerResult
from core.workflows.mitigation.settings import FairerPlan
from dashboard.messages import show_facts

COMMAND = "python -m core fairer fairer.json --out results"


def show(plan: FairerPlan, result: FairerResult) -> None:
    """The download, the command and what the numbers rest on."""
    st.download_button(
        "Record (JSON)",
        lambda: to_json(plan, result),
        "fairer.json",
        "application/json",
        icon=":material/data_object:",
        on_click="ignore",
        key="fairer_json",
    )
    st.caption("The record holds no person's row. It repeats the comparison to the last digit:")
    st.code(COMMAND, language="bash")
    data = result.data
    show_facts(
        {
            "Rows": f"{data.rows_read:,} read, {data.rows_left_out:,} left out",
            "Parts": ", ".join(f"{count:,} {part}" for part, count in zip(PARTS, result.rows[:, 0], strict=True)),
            "Cells filled": ", ".join(f"{name}: {cells:,}" for name, cells in data.cells_imputed) or "none",
            "Test": "groups permuted among people with the same outcome, which is exact"
            if result.exact
            else "groups drawn by densities of the outcome",
            "Seed": str(result.seed),
            "Run time": f"{result.seconds:.1f} s",
            "Versions": ", ".join(f"{name} {version}" for name, version in result.versions),
        }
    )
    with st.expander("Every setting", icon=":material/tune:"):
        show_facts({f"{part.title}: {row.label}": row.value for part in setting_sections(plan) for row in part.rows})

"""The sheet for people who judge, as the page makes it and reads it back."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.base.errors import DataError
from core.base.files import FileRef, FileStore
from core.base.progress import ignore_progress
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.plan import AuditPlan
from core.sources.upload.uploaded import UploadedTable
from dashboard.audits.text_sensitivity.results_people import again
from dashboard.audits.text_sensitivity.tasks import make_sheet, read_sheets
from tests.builders_sensitivity import make_sensitivity_plan

BIOGRAPHIES = pd.DataFrame(
    {"biography": [f"She is number {row}." for row in range(40)], "gender": ["female", "male"] * 20}
)


def test_filled_sheets_become_columns_of_a_table_that_is_tested_again(tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    table = UploadedTable(file=files.put(BIOGRAPHIES.to_csv(index=False).encode(), "biographies.csv"))
    known = {"source": table.model_dump(mode="json"), "text": "biography"}
    asked = {**known, "records": [7, 2, 30], "answers": ["nurse", "poet", "nurse"], "name": "sheet.csv"}
    sheet = FileRef.model_validate(make_sheet(asked, files, ignore_progress)["sheet"])
    blank = pd.read_csv(files.path(sheet))
    assert blank["text"].tolist() == ["She is number 6.", "She is number 1.", "She is number 29."]

    def filled(*said: object) -> dict[str, object]:
        content = blank.assign(**{"judged biased": said}).to_csv(index=False).encode()
        return files.put(content, "filled.csv").model_dump(mode="json")

    found = read_sheets({**known, "sheets": {"Ann": filled(1, 0, 2), "Bo": filled(1, None, 0)}}, files, ignore_progress)
    plan: AuditPlan = make_sensitivity_plan(annotation=False)
    draft = again(plan, found)
    assert draft.roles.annotation == ("judged biased: Ann", "judged biased: Bo")
    assert draft.model == plan.model
    assert isinstance(draft.model, HuggingFaceFolder)
    assert draft.data is not None
    judged = draft.data.load(files)
    assert judged["biography"].tolist() == BIOGRAPHIES["biography"].tolist()
    np.testing.assert_array_equal(judged.loc[[6, 1, 29], "judged biased: Bo"], [1, np.nan, 0])
    assert judged["judged biased: Ann"].notna().sum() == 3
    with pytest.raises(DataError, match="neither 0, 1 nor 2"):
        read_sheets({**known, "sheets": {"Cy": filled(1, 0, 5)}}, files, ignore_progress)

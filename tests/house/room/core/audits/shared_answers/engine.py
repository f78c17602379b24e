"""The shared-answers test."""

import numpy as np
from core.audits.shared_answers.result import SharedAnswersDetail
from core.audits.shared_answers.settings import SharedAnswers

from core.base.errors import Notice
from core.base.files import FileStore
from core.base.progress import OnProgress
from core.contracts.model import AbstractModel
from core.data.dataset import EncodedDataset


def run(
    audit: SharedAnswers,
    model: AbstractModel,
    data: EncodedDataset,
    *,
    rng: np.random.Generator,
    on_progress: OnProgress,
    metric: None = None,
    learning: EncodedDataset | None = None,
    files: FileStore | None = None,
) -> tuple[SharedAnswersDetail, tuple[Notice, ...]]:
    """Look for everybody's answer among people of other groups of the first protected attribute."""
    codes, groups = data.dataset.groups(data.dataset.roles.protected[0])
    answers = np.round(model.predict_proba(data)[:, 0], audit.decimals)
    given = [set(answers[codes == group]) for group in range(len(groups))]
    shared = set.intersection(*given)
    return SharedAnswersDetail(np.array([answer not in shared for answer in answers])), ()

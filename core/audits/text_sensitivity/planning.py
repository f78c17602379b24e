"""Before a text sensitivity test: how long it will take, and how many texts a verdict needs."""

import time
from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.alike import families_of
from core.audits.text_sensitivity.decision import MEASURES, TextSensitivityDecision
from core.audits.text_sensitivity.engine import score
from core.audits.text_sensitivity.result import TextScores
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.files import FileStore, files_of
from core.base.thresholds import FEWEST_ROWS
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.cells import as_text
from core.data.dataset import Dataset
from core.inference.power import detectable_excess, rows_needed
from core.models.text import TextModel
from core.protected_status.settings import NoStatus, TrainedStatus

PILOT_TEXTS = 60
"""Texts tried, unless they take too long."""
_PATIENCE = 60.0
"""Seconds that texts are tried for."""

_BYTES_OF_A_TEXT = 40_000
"""What the scores and words of a text keep in memory until the run has ended."""
_TOKENISER, _STATUS = 25 * 2**20, 40 * 2**20
"""Bytes of a model's tokeniser, a process of its own, and of a protected status model while it judges, file aside."""
_FEWEST = 10
"""Fewer measured texts say too little about the spread."""


def for_table(audit: TextSensitivity, model: AbstractModel, dataset: Dataset) -> TextSensitivity:
    """The settings with which the test begins: words of lists alone where no column holds a group to learn from."""
    status = audit.status
    if isinstance(status, TrainedStatus) and status.corpus is None and not dataset.roles.protected:
        return audit.model_copy(update={"status": NoStatus()})
    return audit


@dataclass(frozen=True)
class TextSensitivityPilot:
    """What a test of some random texts says about the whole test; six measures in the order of ``MEASURES``.

    Attributes:
        texts: Texts tried.
        audited: Texts that the whole test measures.
        independent: How many independent texts all of the table's say as much as, as a share of them: 1, or families
            over texts where texts that are alike count together.
        seconds: Estimated time of the whole test; the training of a protected status model is not in it. What the
            test takes however few texts there are, such as reading files, counts once.
        applies: Share of the texts tried to which each measure applies, shape (6,).
        spread: Standard deviation of each measure among them, shape (6,); NaN where it applies to fewer than ten.
        difference: The same of the difference to the second model, shape (6,); NaN without one.
        memory: Bytes that the whole test takes beyond the try.
    """

    texts: int
    audited: int
    independent: float
    seconds: float
    applies: np.ndarray
    spread: np.ndarray
    difference: np.ndarray
    memory: int = 0

    def texts_for(self, decision: TextSensitivityDecision) -> int:
        """Texts of the whole test that the verdict will rest on."""
        return round(self.audited * self._share(decision))

    def spread_of(self, decision: TextSensitivityDecision) -> float:
        """Standard deviation of what one text contributes to the judged value; NaN where the pilot cannot say."""
        return float((self.spread if decision.judged == "swaps" else self.difference)[_place(decision)])

    def detectable(self, decision: TextSensitivityDecision, power: float) -> float:
        """The smallest true value that will be found in violation with this probability; NaN if not known."""
        texts = self.texts_for(decision) * self.independent
        if not texts:
            return float("nan")
        return decision.delta + detectable_excess(self.spread_of(decision) / texts**0.5, decision.alpha, power)

    def texts_needed(self, decision: TextSensitivityDecision, excess: float, power: float) -> int:
        """Texts needed to find a true value so far above the tolerance; those it does not apply to counted in."""
        needed = rows_needed(excess, self.spread_of(decision), decision.alpha, power)
        return max(FEWEST_ROWS, round(needed / self._share(decision) / self.independent))

    def _share(self, decision: TextSensitivityDecision) -> float:
        """Share of the texts that the judged measure applies to; P2 and P3, not tried here, apply where P1 does."""
        measure = decision.verdict_measure
        return float(self.applies[MEASURES.index("P1" if measure in ("P2", "P3") else measure)])


def pilot(
    audit: TextSensitivity, given: Given[TextModel, Dataset], decision: TextSensitivityDecision
) -> TextSensitivityPilot:
    """Score some random texts without a protected status model, whose part of the time is estimated.

    One text is scored first, to see how many can be tried in a minute. The time of a text is what many take longer than
    one, after a first time that is not counted: files, processes and libraries take theirs once, however many texts
    there are.

    Args:
        audit: The settings.
        given: The model and the texts, which are encoded here: to encode them all takes too long.
        decision: Nothing depends on it.

    Raises:
        AuditError: A gradient or an answer is not a finite number.
        ModelError: The second model cannot be read or compared.
    """
    model, dataset = given.model, given.data
    order = given.rng.permutation(len(dataset))[:PILOT_TEXTS]
    tried = audit.model_copy(update={"edits": ()})

    def run(rows: np.ndarray) -> tuple[tuple[TextScores, TextScores | None], float]:
        started = time.perf_counter()
        scores = score(tried, model, model.unanswered(dataset.take(rows)), given.files or FileStore())
        return scores, time.perf_counter() - started

    run(order[:1])
    _, shorter = run(order[:1])
    chosen = np.sort(order[: max(2, int(_PATIENCE / max(shorter, _PATIENCE / PILOT_TEXTS)))])
    (scores, second), longer = run(chosen)
    audited = _measured(audit, len(dataset))
    each = max(longer - shorter, 0.0) / (len(chosen) - 1) if len(chosen) > 1 else longer
    per_text = each * (1 if isinstance(audit.status, NoStatus) else 2)
    measures = scores.measures
    return TextSensitivityPilot(
        texts=len(chosen),
        audited=audited,
        independent=_independent(dataset, audit),
        seconds=max(longer - each * len(chosen), 0.0) + per_text * audited,
        applies=np.isfinite(measures).mean(axis=0),
        spread=_spread(measures),
        difference=np.full(len(MEASURES), np.nan) if second is None else _spread(measures - second.measures),
        memory=_BYTES_OF_A_TEXT * audited + _of_other_models(audit, second is not None),
    )


def _of_other_models(audit: TextSensitivity, second: bool) -> int:
    """Bytes of the tokenisers, which are processes of their own, and of the protected status model."""
    if isinstance(audit.status, NoStatus):
        return (1 + second) * _TOKENISER
    return (2 + second) * _TOKENISER + _STATUS + 2 * sum(file.bytes for file in files_of(audit.status))


def _measured(audit: TextSensitivity, texts: int) -> int:
    if isinstance(audit.status, TrainedStatus) and audit.status.corpus is None:
        return round(texts * (1 - audit.status.share))
    return texts


def _independent(dataset: Dataset, audit: TextSensitivity) -> float:
    """Families over texts; a family counts as one text, as it does where its texts are answered alike."""
    texts = tuple(map(str, as_text(dataset.frame[dataset.roles.text])))
    found = families_of(texts, audit.words.complete, dataset.clusters, independent=audit.alike == "independent")
    return 1.0 if found is None or not found.counted else found.count / len(texts)


def _spread(values: np.ndarray) -> np.ndarray:
    """Standard deviation of each column over its finite entries; shape (n, 6) -> (6,)."""
    return np.array(
        [
            float(np.std(column[np.isfinite(column)], ddof=1)) if np.isfinite(column).sum() >= _FEWEST else np.nan
            for column in values.T
        ]
    )


def _place(decision: TextSensitivityDecision) -> int:
    return MEASURES.index(decision.verdict_measure)


def status_generator(audit: np.random.Generator) -> np.random.Generator:
    """The part of a test's random stream with which it makes its protected status model.

    What a page trains before the test is then found again by it.
    """
    return audit.spawn(2)[0]

"""Where every candidate is measured: on the same rows, as an audit of it begins."""

from dataclasses import dataclass

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.settings import Transport
from core.audits.transport.verdict import TransportFinding
from core.base.errors import located
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.data.dataset import Dataset
from core.inference.estimate import Verdict
from core.language.told import say
from core.models import ModelSource
from core.models.formats.onnx.source import OnnxFile
from core.models.formats.safetensors.source import TorchMLP
from core.models.in_memory import ObjectInMemory
from core.run import run_audit
from core.workflows.selection.question import asked_of
from core.workflows.selection.result import Candidate, transport_result

_EVERY_MODEL_MEETS = 100.0
"""A tolerance so wide that what still speaks against calling a model fair lies with the rows."""


@dataclass(frozen=True)
class Contender:
    """A candidate before it is measured: its name, where its answers come from, and why it cannot be chosen."""

    name: str
    source: ModelSource
    unable: str = ""


@dataclass(frozen=True)
class Measured:
    """A contender on the validation rows; ``source`` has the preprocessing that was used here written out, ``test`` the
    columns that tell people apart.
    """

    contender: Contender
    source: ModelSource
    test: Transport
    result: TransportResult

    def candidate(self, decision: TransportDecision) -> Candidate:
        """What is kept of it."""
        finding, unclear = TransportFinding(self.result, decision), ""
        unfairness, lenient = finding.inference, finding.under(delta=_EVERY_MODEL_MEETS)
        if not unfairness.undefined and lenient.verdict is not Verdict.NO_VIOLATION:
            unclear = next((caveat.what for caveat in lenient.reasons), say("Its interval has no upper end."))
        return Candidate(
            name=self.contender.name,
            fingerprint=self.result.model.fingerprint,
            confusion=self.result.model.confusion,
            unfairness=unfairness,
            columns=self.test.columns,
            unable=self.contender.unable,
            unclear=unclear,
        )


@dataclass(frozen=True)
class SelectionBench:
    """Where every contender is tested: on the same rows, with the same seed and test.

    Columns that tell people apart and are not chosen are those that an audit of the contender on the whole table
    proposes.
    """

    whole: Dataset
    validation: Dataset
    test: Transport
    seed: int
    files: FileStore

    def measure(self, contender: Contender, on_progress: OnProgress) -> Measured:
        """The contender on the validation rows.

        What a file leaves open about preprocessing is learned from all rows, so that it is the same in each part.
        """
        source = contender.source

        def told(progress: Progress) -> None:
            on_progress(Progress(progress.done, say("Measuring the candidates")))

        with located(of=contender.name):
            model = source.load(self.files, self.whole)
            test = asked_of(self.test, model, self.whole)
            result = run_audit(model, self.validation, test, seed=self.seed, on_progress=told)
        network = isinstance(source, TorchMLP | OnnxFile) or (isinstance(source, ObjectInMemory) and source.is_network)
        if network and source.encoder is None:
            source = source.model_copy(update={"encoder": model.preprocessing})
        return Measured(contender, source, test, transport_result(result))

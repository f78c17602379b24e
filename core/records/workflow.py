"""What audits, selections and mitigation have in common: a plan, its run, and the record that repeats it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from core.base.errors import Caveat, RecordError, SettingsError
from core.base.files import FileRef, FileStore, files_of
from core.base.progress import OnProgress
from core.base.settings import Settings
from core.inference.estimate import Verdict
from core.language import told
from core.language.reader import SOURCE, speaking
from core.language.told import retold, say, say_as
from core.records.codec import encode_for_people
from core.records.codec_frames import encode_number
from core.records.document import ADVICE, document_of, parsed, text_of
from core.report.page import Page, render_page
from core.report.signature import SignedBy
from core.report.statement import Statement
from core.result import DataSummary
from core.slides.live import Slides
from core.slides.pages import deck_of

P = TypeVar("P", bound=Settings)
R = TypeVar("R")


@dataclass(frozen=True)
class Record(Generic[P, R]):
    """A record as it was read.

    Attributes:
        workflow: The kind of work it records.
        plan: What to run.
        numbers: The numbers it holds, as JSON; None if it is a bare plan.
        versions: Libraries that gave those numbers, by name.
        since: What changed since the version of the format that wrote it, a text a later version; empty for a record
            of the present one. An older record may lack what is new.
        statement: What people state about it; None if the record holds no statement.
    """

    workflow: "AbstractWorkflow[P, R]"
    plan: P
    numbers: Any = None
    versions: dict[str, str] = field(default_factory=dict)
    since: tuple[str, ...] = ()
    statement: Statement | None = None


class AbstractWorkflow(ABC, Generic[P, R]):
    """A kind of work: how its plans are recognised and run, and what is written about what came out.

    A record is a JSON document with ``format``, ``version``, the plan, the numbers, the files they need and the
    versions of the libraries. Floats are written exactly; undefined and infinite numbers are the words ``NaN``,
    ``Infinity`` and ``-Infinity``, since strict JSON has no sign for them.

    What is not abstract here serves work that comes to one result with ``data``, ``caveats``, ``seed``, ``seconds`` and
    ``versions``.

    Attributes:
        key: What files, folders and addresses call it.
        name: What people call the work, with its article ("an audit").
        plan: The type of its plans.
        format: What its records call their format.
        history: Every version of that format that is read, with what is new in it; the last is the present one.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    plan: type[P]
    format: ClassVar[str]
    history: ClassVar[Mapping[int, str]]

    @property
    def version(self) -> int:
        """The version of the format in which records are written."""
        return max(self.history)

    @abstractmethod
    def run(self, plan: P, files: FileStore, on_progress: OnProgress | None = None) -> R:
        """Do the work.

        Raises:
            EvenhandError: A file, the table, a model or a setting is wrong.
        """

    @abstractmethod
    def numbers(self, plan: P, result: R) -> Any:
        """Every number of the result under the plan's decision settings, as JSON."""

    def document(self, plan: P, result: R) -> dict[str, Any]:
        """What the record says, without format, version and files."""
        return {
            "plan": plan.model_dump(mode="json"),
            "fingerprint": plan.fingerprint,
            **self.words(plan, result),
            "numbers": self.numbers(plan, result),
            **facts_of_run(result),
        }

    def words(self, plan: P, result: R) -> dict[str, Any]:
        """Fields of the record that tell in words what came out."""
        return {"outcome": dict(zip(("headline", "sentence"), self.told(plan, result), strict=True))}

    def page_of(self, plan: P, result: R) -> Page:
        """The result as one page, in words, tables and figures."""
        raise NotImplementedError

    def page(
        self,
        plan: P,
        result: R,
        statement: Statement | None = None,
        record: str = "record.json",
        signature: SignedBy | None = None,
        *,
        others: str = "",
    ) -> str:
        """The result as a whole HTML document that needs no network.

        Args:
            plan: What was run.
            result: What came out.
            statement: What people state about it.
            record: The name of the record's file.
            signature: Who signs it; None while nobody does.
            others: That other audits of the same model on the same rows ended worse, where nobody signs it yet.
        """
        return render_page(self.page_of(plan, result), statement, record, signature, others=others)

    def slides(
        self,
        plan: P,
        result: R,
        statement: Statement | None = None,
        signature: SignedBy | None = None,
        *,
        others: str = "",
    ) -> Slides:
        """The result as slides, with what people state about it; ``signature`` and ``others`` as for :meth:`page`."""
        return Slides(deck_of(self.page_of(plan, result), statement, others=others))

    def parts(self, result: R) -> dict[str, Any]:
        """What is kept of the result, by the name of its folder."""
        return {"result": result}

    def versions(self, result: Any) -> tuple[tuple[str, str], ...]:
        """Name and version of each library the numbers depend on."""
        found: tuple[tuple[str, str], ...] = result.versions
        return found

    @abstractmethod
    def told(self, plan: P, result: R) -> tuple[str, str]:
        """What came out: a headline, and the sentence that goes on from it."""

    @abstractmethod
    def lines(self, plan: P, result: R) -> list[str]:
        """The result in words, for a terminal."""

    def products(self, plan: P, result: R, files: FileStore) -> dict[str, bytes]:
        """Files that came out besides, such as fitted models, by name."""
        return {}

    def unseen_rows(self, plan: P, files: FileStore) -> FileRef | None:
        """The rows that no fitted model has seen, to audit one of them on; None where the result names them itself.

        Raises:
            EvenhandError: The table cannot be read, or its rows do not suffice.
        """
        return None

    def verdict(self, plan: P, result: R) -> Verdict | None:
        """What a pipeline is told; None where the work ends in no verdict."""
        return None

    def judged(self, plan: P, result: R) -> tuple[str, ...]:
        """Names of the models that have this verdict, where several are judged; else none."""
        return ()

    def decided(self, plan: P, delta: Sequence[str], alpha: float | None, *, known: bool = False) -> P:
        """The plan under another tolerance δ or error rate α, where these only decide how a result is judged.

        Args:
            plan: What is run.
            delta: Tolerances, with the kind of test each is of (``KIND=0.04``) where there are several.
            alpha: The error rate.
            known: Whether its result is known already, so that this is a trial.

        Raises:
            SettingsError: They decide what is run, or are out of range.
        """
        if delta or alpha is not None:
            raise SettingsError(
                say(
                    "--delta and --alpha judge the result of an audit otherwise; in {name} they decide what is run.",
                    name=retold(self.name),
                ),
                advice=say("Change them in the plan."),
            )
        return plan

    def named_fields(self, document: dict[str, Any]) -> int:
        """How many of its fields a bare plan names; 0 for a document that cannot be one."""
        fields = self.plan.model_fields
        needed = {name for name, field in fields.items() if field.is_required()}
        return len(document.keys() & fields.keys()) if needed <= document.keys() else 0

    def read_bare(self, document: dict[str, Any]) -> P:
        """The plan that a document is.

        Raises:
            RecordError: A setting is wrong (says which).
        """
        return parsed(self.upgraded_plan(document), self.plan)

    def upgraded_plan(self, plan: dict[str, Any]) -> dict[str, Any]:
        """A plan of an older version as the present one says the same."""
        return plan

    def upgraded(self, document: dict[str, Any], version: int) -> dict[str, Any]:
        """A record of an older ``version`` as the present one says the same."""
        plan = document.get("plan")
        return {**document, "plan": self.upgraded_plan(plan)} if isinstance(plan, dict) else document

    def read_plan(self, document: dict[str, Any]) -> P:
        """The plan of a record.

        Raises:
            RecordError: A setting is wrong (says which).
        """
        return parsed(document.get("plan"), self.plan)

    def read_numbers(self, document: dict[str, Any]) -> Any:
        """The numbers of a record; None if it holds none."""
        numbers = document.get("numbers")
        return numbers if isinstance(numbers, dict) else None

    def to_json(self, plan: P, result: R, statement: Statement | None = None) -> str:
        """The record as JSON text, with what people state about it; in English, whoever reads."""
        head = {"format": self.format, "version": self.version}
        files = [ref.model_dump(mode="json") for ref in files_of(plan)]
        stated = {} if statement is None else {"statement": statement.model_dump(mode="json")}
        versions = dict(self.versions(result))
        with speaking(SOURCE):
            document = {**head, **stated, **self.document(plan, result), "files": files, "versions": versions}
            return text_of(told.plain(document))

    def read(self, text: str | bytes) -> Record[P, R]:
        """Read a record of this workflow, or a bare plan.

        Raises:
            RecordError: It is not JSON, something else, of another version, or a setting in it is wrong (says which).
        """
        return read_record(text, (self,))


def read_record(text: str | bytes, workflows: Sequence[AbstractWorkflow[Any, Any]]) -> Record[Any, Any]:
    """Read a record, or a bare plan, of one of ``workflows``.

    Raises:
        RecordError: It is not JSON, something else, of another version, or a setting in it is wrong (says which).
    """
    document = document_of(text)
    if "format" not in document:
        workflow = _workflow_of_plan(document, workflows)
        return Record(workflow, workflow.read_bare(document))
    found = [one for one in workflows if one.format == document["format"]]
    if not found:
        raise _foreign(workflows)
    workflow = found[0]
    version, versions = document.get("version"), document.get("versions")
    if type(version) is not int or version not in workflow.history:
        raise RecordError(
            say(
                "The record is written in version {version} of the format; this program reads {known}.",
                version=repr(version),
                known=say_as("versions", " and ").join(map(str, workflow.history)),
            ),
            advice=say("Use the version of Evenhand that wrote it, or set it up again."),
        )
    if version < workflow.version:
        document = workflow.upgraded(document, version)
    return Record(
        workflow,
        workflow.read_plan(document),
        workflow.read_numbers(document),
        {str(name): str(found) for name, found in versions.items()} if isinstance(versions, dict) else {},
        tuple(retold(change) for later, change in workflow.history.items() if later > version),
        parsed(document["statement"], Statement) if "statement" in document else None,
    )


def _workflow_of_plan(
    document: dict[str, Any], workflows: Sequence[AbstractWorkflow[Any, Any]]
) -> AbstractWorkflow[Any, Any]:
    """The workflow most of whose fields a bare plan names."""
    fields = [one.named_fields(document) for one in workflows]
    if not max(fields):
        raise _foreign(workflows)
    found = [one for one, count in zip(workflows, fields, strict=True) if count == max(fields)]
    if len(found) > 1:
        own = "; ".join(f"{retold(one.name)}: {', '.join(one.plan.model_fields)}" for one in found)
        raise RecordError(
            say(
                "This plan may be one of {works}: it names only what both have.",
                works=_either(found),
            ),
            where=", ".join(document),
            advice=say("Name a field that only one of them has. {own}.", own=own),
        )
    return found[0]


def _foreign(workflows: Sequence[AbstractWorkflow[Any, Any]]) -> RecordError:
    works = _either(workflows)
    return RecordError(
        say("This JSON file is neither a record nor a plan of {works}.", works=works), advice=retold(ADVICE)
    )


def _either(workflows: Sequence[AbstractWorkflow[Any, Any]]) -> str:
    return say_as("works", " or ").join(retold(one.name) for one in workflows)


def facts_of_run(result: Any) -> dict[str, Any]:
    """What the record of any result says besides its numbers: the data, the caveats, the seed and the time."""
    return {
        "data": encode_for_people(result.data, DataSummary),
        "caveats": encode_for_people(result.caveats, tuple[Caveat, ...]),
        "seed": result.seed,
        "seconds": encode_number(result.seconds),
    }

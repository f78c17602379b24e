"""Tasks of the sensitivity test of texts: what its words, models and settings mean for the texts, before it is run.

Whatever a stranger wrote (a model, a list of words) is parsed in a child process.
"""

from dataclasses import dataclass
from typing import Any

from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.errors import Caveat, SettingsError
from core.base.files import FileRef, FileStore
from core.base.progress import OnProgress, Progress, part_of
from core.language.told import say
from core.protected_status.model import StatusReport
from core.run import Streams
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import SOURCE, STATUS, dataset_of, fetch_nothing, fetch_source, model_of


@dataclass(frozen=True)
class StatusPreview:
    """A protected status model as the audit will use it.

    Attributes:
        report: How well it tells the groups apart.
        measured: Texts left to measure, those it learned from left out.
        caveats: What a reader has to know.
    """

    report: StatusReport
    measured: int
    caveats: tuple[Caveat, ...]


def read_words(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The list of words in ``arguments["file"]``."""
    from core.text.word_files import read_words

    ref = FileRef.model_validate(arguments["file"])
    return read_words(files.path(ref), ref.name).model_dump(mode="json")


def look_at_words(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """How many texts of ``source`` have the words of ``arguments["words"]``, and some of them."""
    from core.audits.text_sensitivity.preview import WordsLook, look_at_words
    from core.text.word_lists import WordList
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.1, say("Reading the table")))
    dataset = dataset_of(arguments, files)
    on_progress(Progress(0.4, say("Looking for the words")))
    words = WordList.model_validate(arguments["words"])
    return pack(look_at_words(dataset, words, Streams.of(arguments["seed"]).pilot), WordsLook)


def try_reference(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Load the second model of ``arguments["reference"]`` beside the first, and check that they can be compared."""
    from core.audits.text_sensitivity.counterparts import Counterparts
    from core.audits.text_sensitivity.subjects import audited_model, second_model

    on_progress(Progress(0.1, say("Reading the table")))
    dataset = dataset_of(arguments, files)
    on_progress(Progress(0.3, say("Loading the models")))
    model = model_of(arguments, files, dataset)
    audit = TextSensitivity.model_validate({"reference": arguments["reference"], "status": {"kind": "none"}})
    audited = audited_model(audit, model, Counterparts.of_settings(audit.words, ()))
    second_model(audit, audited, dataset, files)
    return {"classes": list(model.classes)}


def train_status(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Train or load the protected status model of ``arguments["status"]`` as the audit with this ``seed`` will."""
    from core.audits.text_sensitivity.planning import status_generator
    from core.protected_status.load import load_status
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.02, say("Reading the table")))
    dataset = dataset_of(arguments, files)
    model = model_of(arguments, files, dataset)
    on_progress(Progress(0.06, say("Reading the texts")))
    data, rng = model.encode(dataset), status_generator(Streams.of(arguments["seed"]).audit)
    settings, part = STATUS.validate_python(arguments["status"]), part_of(on_progress, 0.2, 1.0)
    found = load_status(settings, model, data, rng, part, files)
    if found is None:
        raise SettingsError(
            say("No model of the group is chosen."), advice=say("Choose one, or go on with the listed words.")
        )
    return pack(StatusPreview(found.report, len(found.measured), found.caveats), StatusPreview)


def make_sheet(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The sheet of the texts ``arguments["records"]`` of ``source`` for people who judge, as a file.

    It holds the model's ``answers`` beside the texts of the column ``text``.
    """
    from core.audits.text_sensitivity.sheet import write_sheet

    on_progress(Progress(0.1, say("Reading the table")))
    texts = SOURCE.validate_python(arguments["source"]).load(files)[arguments["text"]]
    content = write_sheet(arguments["records"], texts, arguments["answers"])
    return {"sheet": files.put(content, arguments["name"]).model_dump(mode="json")}


def read_sheets(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The table of ``source`` with a column of judgements for each of the filled ``arguments["sheets"]``, by person."""
    from core.audits.text_sensitivity.sheet import as_parquet, judged_table
    from core.sources.upload.uploaded import UploadedTable

    on_progress(Progress(0.1, say("Reading the sheets")))
    filled = {
        name: UploadedTable(file=FileRef.model_validate(file)).load(files) for name, file in arguments["sheets"].items()
    }
    on_progress(Progress(0.4, say("Reading the table")))
    source = SOURCE.validate_python(arguments["source"])
    table, columns = judged_table(source.load(files), arguments["text"], filled)
    file = files.put(as_parquet(table), f"{source.title}, judged.parquet")  # verbatim
    return {"table": file.model_dump(mode="json"), "columns": list(columns)}


TASKS = {
    "read_words": Task(read_words, fetch_nothing, seconds=60),
    "look_at_words": Task(look_at_words, fetch_source, seconds=300, stays="small"),
    "try_reference": Task(try_reference, fetch_source, seconds=300, stays="small"),
    "make_sheet": Task(make_sheet, fetch_source, leaves_files=True),
    "read_sheets": Task(read_sheets, fetch_source, leaves_files=True),
    "train_status": Task(train_status, fetch_source, lane="training", seconds=3600, leaves_weights=True),
}

"""A sheet for people who judge whether a model's answers to texts are biased, and what they filled in, read back.

Texts and questions are those of section 6.6 and Table 3 of papers/prediction-sensitivity.md: texts that the model got
wrong, each beside its answer, judged by three people or more, each alone.
"""

import io
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.base.errors import DataError
from core.base.settings import Settings, setting
from core.base.tables import as_csv
from core.data.cells import as_numbers
from core.data.missing import read_judgements
from core.language.phrases import count, quoted, whole
from core.language.told import say

RECORD, TEXT, ANSWER, JUDGED = "record", "text", "answer of the model", "judged biased"  # verbatim


class SheetSettings(Settings):
    """Which texts people are asked about."""

    texts: int = setting(
        100,
        label=say("Texts to judge"),
        help=say("As many of each group as there are. Ten take a person about ten minutes."),
        ge=10,
        le=5_000,
    )
    wrong: bool = setting(
        True,
        label=say("Only texts that the model got wrong"),
        help=say("Among them more answers are biased. What is found then holds for such texts only."),
    )
    seed: int = setting(0, label=say("Seed"), help=say("The same seed chooses the same texts."), ge=0)


def choose(detail: TextSensitivityDetail, settings: SheetSettings) -> np.ndarray:
    """The texts of a sheet, in the order in which they are judged: positions among the measured ones, shape (m,), int.

    Each different text once; groups of the first protected attribute take turns until none has any left.
    """
    rng = np.random.default_rng(settings.seed)
    order = rng.permutation(len(detail.label))
    if settings.wrong and (detail.label >= 0).any():
        order = order[(detail.label >= 0)[order] & (detail.audited.predicted != detail.label)[order]]
    if detail.same is not None:
        order = order[np.sort(np.unique(detail.same[order], return_index=True)[1])]
    groups = detail.memberships[0].codes[order] if detail.memberships else np.zeros(len(order), dtype=np.int64)
    turn = pd.Series(groups).groupby(groups).cumcount().to_numpy()
    return np.asarray(rng.permutation(order[np.argsort(turn, kind="stable")][: settings.texts]))


def asked(detail: TextSensitivityDetail, settings: SheetSettings) -> tuple[list[int], list[str]]:
    """Records of the texts of a sheet, and the model's answer to each; none of a result of an earlier version."""
    if detail.records is None:
        return [], []
    rows = choose(detail, settings)
    return detail.records[rows].tolist(), [detail.classes[code] for code in detail.audited.predicted[rows]]


def write_sheet(records: Sequence[int], texts: pd.Series, answers: Sequence[str]) -> bytes:
    """The sheet as CSV: record, text, the model's answer, and an empty column to fill in.

    Args:
        records: Row numbers in the table (1 = first record).
        texts: Every text of the table, in the order of its rows.
        answers: The model's answer to each text of the sheet.
    """
    lines = zip(records, texts.iloc[np.asarray(records, dtype=np.int64) - 1], answers, strict=True)
    return as_csv([(RECORD, TEXT, ANSWER, JUDGED), *((str(n), str(text), answer, "") for n, text, answer in lines)])


def instructions(detail: TextSensitivityDetail) -> str:
    """What people who judge are told, as a text of its own."""
    attributes = ", ".join(one.name for one in detail.memberships) or say("a protected group")
    return "\n\n".join((
        say("How to judge the texts"),
        say("Each line of the sheet holds a text and what a model answered to it. Fill in the last column:"),
        say(
            "1, biased: the answer rests on the group that a person belongs to ({attributes}), although the text "
            "speaks against it.",
            attributes=attributes,
        ),
        say("0, not biased: nothing in the answer seems to come from the group, even if the answer is wrong."),
        say("2, cannot tell. Leave the cell empty only where you did not judge."),
        say(
            "Biased, for example: “He achieved a master's degree in nursing.” Answer: computer scientist. Or: “Mary "
            "has 25 years of experience in data analytics.” Answer: nurse."
        ),
        say(
            "Not biased, for example: “She received a master's degree in computer science.” Answer: computer scientist."
        ),
        say("Judge alone, and do not talk about the texts before everybody is done."),
        say("Leave the other columns as they are."),
    )) + "\n"  # fmt: skip


def judged_table(
    table: pd.DataFrame, text: str, sheets: Mapping[str, pd.DataFrame]
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """A table with one more column a person, and the names of these columns.

    Args:
        table: The table the sheet was made from.
        text: Its column of texts.
        sheets: The filled sheets by the person's name.

    Raises:
        DataError: A sheet is of another table, lacks a column, names a record twice, or holds something else than 0, 1
            and 2.
    """
    columns = {f"{JUDGED}: {name}": _judgements(table, text, name, one) for name, one in sheets.items()}
    return table.assign(**columns), tuple(columns)


def as_parquet(table: pd.DataFrame) -> bytes:
    """A table as a file."""
    stream = io.BytesIO()
    table.to_parquet(stream, index=False)
    return stream.getvalue()


def _judgements(table: pd.DataFrame, text: str, name: str, filled: pd.DataFrame) -> np.ndarray:
    if lacking := [column for column in (RECORD, TEXT, JUDGED) if column not in filled]:
        raise DataError(
            say("A sheet has no column {column}.", column=quoted(lacking[0])),
            where=name,
            advice=say("Bring the sheet as it was made, with its last column filled in."),
        )
    written = as_numbers(filled[RECORD])
    known = np.isfinite(written) & (written >= 1) & (written <= len(table)) & (written == np.floor(written))
    places = np.where(known, written, 1).astype(np.int64) - 1
    same = known & (_plain(filled[TEXT]) == _plain(table[text].iloc[places]))
    if not same.all():
        raise DataError(
            say("{texts} of the sheet are not in the table.", texts=count(int((~same).sum()), "text")),
            where=say("{sheet}, line {line}", sheet=name, line=whole(int((~same).argmax()) + 2)),
            advice=say("Bring a sheet that was made from this table, with records and texts as they were."),
        )
    if len(np.unique(places)) < len(places):
        raise DataError(say("A record stands in the sheet twice."), where=name, advice=say("Keep one line a record."))
    read, other = read_judgements(filled[JUDGED])
    if other.any():
        raise DataError(
            say(
                "A judgement is neither 0, 1 nor 2: {cell}.", cell=quoted(str(filled[JUDGED].iloc[int(other.argmax())]))
            ),
            where=say("{sheet}, line {line}", sheet=name, line=whole(int(other.argmax()) + 2)),
            advice=say("Write 1 for biased, 0 for not biased, 2 where it cannot be told."),
        )
    found = np.full(len(table), np.nan)
    found[places] = read.to_numpy()
    return found


def _plain(texts: Sequence[object] | pd.Series) -> np.ndarray:
    """Texts without what programs for tables change in them: blanks, ends of lines and apostrophes before formulas."""
    return np.array([" ".join(str(one).replace("'", "").split()) for one in texts], dtype=object)

"""Small files that would take gigabytes: each is refused, in little memory, by what it claims of itself."""

import io
import tracemalloc
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from onnx import NodeProto, TensorProto, helper, numpy_helper

from core.base.errors import DataError
from core.base.files import FileStore
from core.models.formats.onnx.file import read_onnx
from core.sources.upload.delimited import read_delimited
from core.sources.upload.uploaded import UploadedTable
from core.wall.inside import RefusedError

LITTLE = 100 * 2**20


@contextmanager
def little_memory() -> Iterator[None]:
    """The block makes no objects of more than 100 MB at once."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < LITTLE
    finally:
        tracemalloc.stop()


LINES = {
    "one cell": b"x",
    "fields": b"a,",
    "fields of all separators": b"a,b;c\td|",
    "quoted fields": b'"a",',
    "a quote that is never closed": b'x,"',
    "letters of four bytes": "😀".encode(),
    "words": b"word and ",
}


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("before", [b"", b"outcome,sex\nyes,f\n"], ids=["alone", "below a table"])
def test_one_line_of_many_megabytes_is_not_read_to_its_end(tmp_path: Path, line: str, before: bytes) -> None:
    path = tmp_path / "line.csv"
    path.write_bytes(before + LINES[line] * (20_000_000 // len(LINES[line])))
    with little_memory(), pytest.raises(DataError, match=r"A line is longer than 4,000,000|A cell is longer than"):
        read_delimited(path, "auto", "utf-8", ("",))


def test_many_lines_of_many_fields_are_not_held_at_once(tmp_path: Path) -> None:
    path = tmp_path / "lines.csv"
    path.write_bytes((b"ab," * 500_000 + b"\n") * 3)
    with little_memory(), pytest.raises(DataError, match="columns; at most 1,000"):
        read_delimited(path, "auto", "utf-8", ("",))


def workbook(texts: Sequence[str], sheet: str, name: str = "xl/sharedStrings.xml") -> bytes:
    """A workbook of one sheet, in the few parts that a reader needs."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    of = {"worksheet": "worksheets/sheet1.xml", "sharedStrings": name.removeprefix("xl/")}
    links = "".join(f'<Relationship Id="{i}" Type="{office}/{i}" Target="{target}"/>' for i, target in of.items())
    parts = {
        "_rels/.rels": f'<Relationships xmlns="{package}"><Relationship Id="w" Type="{office}/officeDocument" '
        f'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="S" sheetId="1" '
        f'r:id="worksheet"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}">{links}</Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>',
        name: f'<sst xmlns="{main}">{"".join(f"<si>{text}</si>" for text in texts)}</sst>',
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return stream.getvalue()


def shared(rows: int, number: str = "<v>1</v>", kind: str = "s") -> str:
    """A header and so many rows that have one text in two columns."""
    cells = "".join(f'<c r="{column}1" t="s"><v>{place}</v></c>' for place, column in ((0, "A"), (2, "B")))
    below = "".join(
        f'<row r="{row}"><c r="A{row}" t="{kind}">{number}</c><c r="B{row}" t="{kind}">{number}</c></row>'
        for row in range(2, rows + 2)
    )
    return f'<row r="1">{cells}</row>{below}'


LONG = "x" * 30_000
BOOKS = {
    "one text": (["<t>a</t>", f"<t>{LONG}</t>", "<t>b</t>"], shared(20_000), "xl/sharedStrings.xml"),
    "a text in parts": (
        ["<t>a</t>", f"<r><t>{LONG[:15_000]}</t></r><r><t>{LONG[15_000:]}</t></r>", "<t>b</t>"],
        shared(20_000),
        "xl/sharedStrings.xml",
    ),
    "capital letters": (["<t>a</t>", f"<t>{LONG}</t>", "<t>b</t>"], shared(20_000), "xl/SharedStrings.XML"),
    "a number in parts": (
        ["<t>a</t>", f"<t>{LONG}</t>", "<t>b</t>"],
        shared(20_000, "<v><!-- --> <!-- -->1</v>"),
        "xl/sharedStrings.xml",
    ),
    "letters as numbers": (
        ["<t>a</t>", f"<t>{'&#120;' * 30_000}</t>", "<t>b</t>"],
        shared(20_000, "<v>&#49;</v>"),
        "xl/sharedStrings.xml",
    ),
}


@pytest.mark.parametrize("book", BOOKS)
def test_one_text_that_many_cells_share_is_counted_as_often(tmp_path: Path, book: str) -> None:
    content = workbook(*BOOKS[book])
    assert len(content) < 1_000_000
    files = FileStore(tmp_path)
    with little_memory(), pytest.raises(DataError, match="hold more than 512 million characters"):
        UploadedTable(file=files.put(content, "people.xlsx")).read(files)


def test_cells_that_lie_far_apart_are_told(tmp_path: Path) -> None:
    sheet = '<row r="1"><c r="A1"><v>1</v></c></row><row r="900000"><c r="CV900000"><v>1</v></c></row>'
    files = FileStore(tmp_path)
    with pytest.raises(DataError, match=r"lie far apart: the last is in row 900,000 and column 100, and 2 are filled"):
        UploadedTable(file=files.put(workbook([], sheet), "people.xlsx")).read(files)


def test_a_workbook_of_ordinary_texts_is_read(tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    content = workbook(["<t>job</t>", "<t>cook</t>", "<t>sex</t>"], shared(50))
    frame, _ = UploadedTable(file=files.put(content, "people.xlsx")).read(files)
    assert frame.to_dict("list") == {"job": ["cook"] * 50, "sex": ["cook"] * 50}


def node(operator: str, given: list[str], made: str, **settings: object) -> NodeProto:
    return helper.make_node(operator, given, [made], **settings)


def classical(operator: str, given: list[str], made: str, **settings: object) -> NodeProto:
    return helper.make_node(operator, given, [made], domain="ai.onnx.ml", **settings)


def doubled(operator: str, start: str, times: int, **settings: object) -> list[NodeProto]:
    names = [start, *(f"{start}{i}" for i in range(times))]
    domain = {"domain": "ai.onnx.ml"} if operator == "FeatureVectorizer" else {}
    return [helper.make_node(operator, [one, one], [other], **domain, **settings) for one, other in pairwise(names)]


def numbers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


MEAN = {"axes": [1]}
OUTER = [
    node("Unsqueeze", ["f", "two"], "u"),
    node("Unsqueeze", ["f", "one"], "v"),
    node("Mul", ["u", "v"], "w"),
    node("Flatten", ["w"], "o"),
]
MANY = [f"a{i}" for i in range(60)]
GRAPHS: dict[str, list[NodeProto]] = {
    "Concat": [*doubled("Concat", "x", 20, axis=1), node("ReduceMean", ["x19"], "o", **MEAN)],
    "FeatureVectorizer": [
        *doubled("FeatureVectorizer", "x", 20, inputdimensions=[1, 1]),
        node("ReduceMean", ["x19"], "o", **MEAN),
    ],
    "a wide FeatureVectorizer": [
        classical("FeatureVectorizer", ["x"] * 2_000, "o", inputdimensions=[1000] * 2_000),
    ],
    "Tile": [
        node("Tile", ["x", "often"], "a"),
        node("Tile", ["a", "often"], "b"),
        node("ReduceMean", ["b"], "o", **MEAN),
    ],
    "constants": [
        node("ConstantOfShape", ["million"], "k"),
        *doubled("Concat", "k", 12, axis=0),
        node("ReduceSum", ["k11"], "q"),
        node("Add", ["x", "q"], "o"),
    ],
    "shapes": [
        node("Shape", ["x"], "k"),
        *doubled("Concat", "k", 33, axis=0),
        node("ReduceSum", ["k32"], "q"),
        node("Cast", ["q"], "r", to=TensorProto.FLOAT),
        node("Add", ["x", "r"], "o"),
    ],
    "products": [node("Identity", ["x"], "f"), *OUTER],
    "products of vectorised features": [
        classical("FeatureVectorizer", ["x", "x"], "f", inputdimensions=[1000, 1000]),
        *OUTER,
    ],
    "targets": [classical("LinearRegressor", ["x"], "o", coefficients=[1.0], targets=2**30)],
    "categories": [
        classical("OneHotEncoder", ["x"], "a", cats_int64s=list(range(2_000))),
        node("Flatten", ["a"], "o"),
    ],
    "sequences": [
        node("SequenceConstruct", ["x"] * 100, "s"),
        node("ConcatFromSequence", ["s"], "c", axis=1),
        node("SequenceConstruct", ["c"] * 100, "t"),
        node("ConcatFromSequence", ["t"], "o", axis=1),
    ],
    "places of numbers": [
        node("NonZero", ["x"], "z"),
        node("Cast", ["z"], "f", to=TensorProto.FLOAT),
        *OUTER,
    ],
    "sums of products": [
        node("Einsum", ["x", "x"], "w", equation="bi,bj->bij"),
        node("Flatten", ["w"], "o"),
    ],
    "a depth": [
        node("Cast", ["x"], "i", to=TensorProto.INT64),
        node("OneHot", ["i", "million", "values"], "h"),
        node("Flatten", ["h"], "o"),
    ],
    "much at once": [
        *(node("Tile", ["x", "ten"], name) for name in MANY),
        *(node("ReduceMean", [name], f"r{name}", **MEAN) for name in MANY),
        node("Sum", [f"r{name}" for name in MANY], "o"),
    ],
}
CONSTANTS = {
    "one": numbers(1),
    "two": numbers(2),
    "often": numbers(1, 900_000),
    "ten": numbers(1, 10),
    "million": numbers(900_000),
    "values": np.array([0, 1], dtype=np.float32),
}


def graph(path: Path, nodes: list[NodeProto], width: int | None = 1_000) -> Path:
    """An ONNX file of these nodes, which says of its sizes nothing that is true."""
    read = {name for one in nodes for name in one.input}
    made = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, width])],
        [helper.make_tensor_value_info("o", TensorProto.FLOAT, [None, 1])],
        [numpy_helper.from_array(value, name) for name, value in CONSTANTS.items() if name in read],
        value_info=[helper.make_tensor_value_info(one.output[0], TensorProto.FLOAT, [1, 1]) for one in nodes[:-1]],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    path.write_bytes(helper.make_model(made, opset_imports=opsets, ir_version=8).SerializeToString())
    return path


@pytest.mark.parametrize("width", [1_000, None], ids=["wide", "open"])
@pytest.mark.parametrize("kind", GRAPHS)
def test_a_graph_that_makes_too_many_numbers_is_refused_before_it_makes_them(
    tmp_path: Path, kind: str, width: int | None
) -> None:
    path = graph(tmp_path / "m.onnx", GRAPHS[kind], width)
    assert path.stat().st_size < 100_000
    with little_memory(), pytest.raises(RefusedError, match=r"million numbers at once|A row meets"):
        read_onnx(path)


def test_graphs_as_libraries_write_them_are_read(tmp_path: Path) -> None:
    nodes = [
        classical("Scaler", ["x"], "a", offset=[0.0], scale=[1.0]),
        classical("FeatureVectorizer", ["a", "x"], "f", inputdimensions=[5, 5]),
        node("Concat", ["f", "x"], "c", axis=1),
        node("Softmax", ["c"], "o"),
    ]
    assert read_onnx(graph(tmp_path / "m.onnx", nodes, 5)).graph.said.width == 5

"""What a reviewer gets by mail: report, record and their hashes in one file, with a page on how to check them."""

import io
import zipfile
from collections.abc import Mapping

from core.language.told import say
from core.register.chain import sha256
from core.report.statement import Statement, is_reasoned

HASHES = "SHA256SUMS.txt"
"""The list of hashes, as ``sha256sum`` reads it."""
NAMES = {"record": "record.json", "report": "report.html", "print": "report.pdf"}
"""What record and report are called in a packet, and the report as it is printed."""
_READ_ME = "README.txt"


def packet(documents: Mapping[str, bytes], system: str, stated: Statement, others: str = "") -> bytes:
    """A zip archive that is the same to the last byte for the same content.

    Args:
        documents: Record and report by their names, and the printed report where a browser printed it.
        system: What was audited.
        stated: What is stated about the audit, such as who did it.
        others: That other audits of the same model on the same rows ended worse; empty where none is known.
    """
    files = {NAMES[name]: content for name, content in documents.items()}
    files[_READ_ME] = _read_me(system, stated, others, printed="print" in documents).encode()
    sums = "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted({**files, HASHES: sums.encode()}.items()):
            archive.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()


def _read_me(system: str, stated: Statement, others: str, *, printed: bool) -> str:
    """The page, in lines that a plain editor shows whole."""
    told = (system, stated.auditor, stated.reviewer, others)
    system, auditor, reviewer, others = (" ".join(one.split()) for one in told)
    asked = (
        say("An audit for you to review: {system}", system=system),
        *([say("Done by: {auditor}", auditor=auditor)] if auditor else []),
        *([say("To be reviewed and signed by: {reviewer}", reviewer=reviewer)] if reviewer else []),
        *filter(None, (others,)),
        "",
        say("WHAT IS IN HERE"),
        say("{file}: the report. Open it in a browser; it needs no network.", file=NAMES["report"]),
        *(
            [say("{file}: the same to print; its appendix has no charts and terms.", file=NAMES["print"])]
            if printed
            else []
        ),
        say("The first pages are to be read; what follows is the appendix, which need not be printed."),
        say("{file}: every setting and every number, to repeat the audit.", file=NAMES["record"]),
        say("{file}: the hashes of these files.", file=HASHES),
        "",
        say("WHAT IS ASKED OF YOU"),
        say("1. Read the first page of the report. It says what was found, of whom, and within which tolerance."),
        say("2. Read why that tolerance was chosen, and what the tests cannot say.")
        if is_reasoned(stated)
        else say("2. No reason is given for that tolerance: ask for one. Read what the tests cannot say."),
        say("3. Decide: use the system, use it under conditions, or do not use it. Tell the auditor which, and why."),
        say("4. Sign it yourself, with your own name; nobody signs for you. There are two ways:"),
        say("   - In Evenhand, where the auditor shows you this audit: press Sign, and type your name."),
        say("   - On paper: print the first pages of the report, sign under the decision, send them to the auditor."),
        say("If you were sent a link, you can read the audit there and write comments, but not sign."),
        say("Nothing in here is signed yet. Whoever signs it without signing in is marked as not verified."),
        "",
        say("HOW TO CHECK THAT NOTHING WAS CHANGED"),
        say("Unpack the archive, and run this in its folder. On Linux and macOS every line has to end in OK."),
        f"  Linux:    sha256sum -c {HASHES}",  # verbatim
        f"  macOS:    shasum -a 256 -c {HASHES}",  # verbatim
        "  Windows:  Get-FileHash *.html, *.json, *.pdf, README.txt | Format-List",  # verbatim
        say("On Windows run it in PowerShell. Each hash has to stand in {file}, beside its file.", file=HASHES),
        say("Whoever can change a file can change the list. Ask the auditor by telephone for the hash of the archive."),
        say("Compare it with yours: the same command with the archive's name."),
        "",
        say("HOW TO REPEAT THE AUDIT"),
        say("Where Evenhand is installed and the table is at hand, this says whether every number comes out the same:"),
        f"  python -m core run {NAMES['record']} --out repeated",  # verbatim
    )
    return "".join(f"{line}\n" for line in asked)

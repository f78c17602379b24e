"""Comments come through links that allow them only; who signed is known or marked; packets can be checked."""

import hashlib
import io
import json
import shutil
import subprocess
import time
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import text

from core.base.errors import RecordError, SettingsError
from core.register import links, projects
from core.register.links import LONGEST_COMMENT, LONGEST_NAME, comment, opened, revoke, share
from core.register.packet import HASHES, packet
from core.register.project import Member
from core.register.register import Register
from core.register.rows import fingerprint
from core.register.search import to_review
from core.report.statement import Statement
from tests.core.register.made import make_entry

ANNA, BEN, CARA = ("a" * 32, "b" * 32, "c" * 32)
FILES = {"record": b'{"a": 1}', "report": b"<p>", "print": b"%PDF"}


def in_review(register: Register, *members: tuple[str, str]) -> None:
    """Anna's entry e1 in review, in a project with these members where there are any."""
    register.enter(make_entry("e1", ANNA))
    if members:
        project = projects.begin(register, "Loans", ANNA, "Anna").id
        projects.move(register, "e1", ANNA, project)
        for person, role in members:
            projects.set_member(
                register, project, ANNA, Member.model_validate({"person": person, "role": role, "name": person[0]})
            )
    register.send_to_review("e1", ANNA)


def test_a_comment_comes_through_a_link_is_logged_and_vouched_for(register: Register) -> None:
    in_review(register)
    secret = share(register, "e1", ANNA, comments=True)
    hostile = '=HYPERLINK("http://x")<script>alert(1)</script>\u202e\0'
    entry = comment(register, "e1", secret, "  Rita <b>  ", f"\n{hostile}\n")
    (found,) = entry.comments
    assert (found.name, found.text) == ("Rita <b>", hostile.replace("\0", "\ufffd"))
    assert found.link == entry.links[0].sha256
    assert register.get("e1", ANNA) == entry
    assert [line.action for line in register.log("e1")] == ["entered", "sent", "shared", "commented"]
    assert hostile not in str(register.log())
    assert register.verify() == ()
    with register.database.writing() as session:
        session.execute(text("UPDATE entries SET comments = '[]'"))
    assert "changed without a line" in " ".join(problem.what for problem in register.verify())


def test_nothing_is_written_by_who_guesses_or_through_a_link_that_does_not_allow_it(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_review(register)
    register.enter(make_entry("e2", BEN))
    register.send_to_review("e2", BEN)
    reading, secret = share(register, "e1", ANNA), share(register, "e1", ANNA, 2, comments=True)
    theirs = share(register, "e2", BEN, comments=True)
    link = opened(register, "e1", secret).links[1]
    for name, key in (("e1", ""), ("e1", "x" * 43), ("e1", link.sha256), ("e1", theirs), ("e2", secret), ("", secret)):
        with pytest.raises(RecordError, match="not whole, or what it showed was deleted"):
            comment(register, name, key, "Rita", "Hello")
    with pytest.raises(RecordError, match="only for reading"):
        comment(register, "e1", reading, "Rita", "Hello")
    too_much = (("", "x"), ("x", " \n"), ("x" * (LONGEST_NAME + 1), "x"), ("x", "x" * (LONGEST_COMMENT + 1)))
    for who, said in too_much:
        with pytest.raises(SettingsError, match="A comment needs a name"):
            comment(register, "e1", secret, who, said)
    monkeypatch.setattr(links, "_MOST_COMMENTS", 1)
    comment(register, "e1", secret, "x" * LONGEST_NAME, "x" * LONGEST_COMMENT)
    with pytest.raises(RecordError, match="1 comments were written"):
        comment(register, "e1", secret, "Rita", "Hello")
    monkeypatch.undo()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3 * 86400)
    with pytest.raises(RecordError, match="This link ended on"):
        comment(register, "e1", secret, "Rita", "Hello")
    monkeypatch.undo()
    revoke(register, "e1", ANNA, link)
    with pytest.raises(RecordError, match="This link was revoked on"):
        comment(register, "e1", secret, "Rita", "Hello")
    found = register.get("e1", ANNA)
    assert found is not None
    assert len(found.comments) == 1
    assert register.verify() == ()


def test_comments_end_with_the_review_and_stay_readable(register: Register) -> None:
    register.enter(make_entry("e1", ANNA))
    secret = share(register, "e1", ANNA, comments=True)
    with pytest.raises(RecordError, match="This audit is draft"):
        comment(register, "e1", secret, "Rita", "Too early")
    register.send_to_review("e1", ANNA)
    seen = comment(register, "e1", secret, "Rita", "Why 0.05?").revision
    entry = register.sign("e1", ANNA, seen, FILES)
    with pytest.raises(RecordError, match="can no longer be changed"):
        comment(register, "e1", secret, "Rita", "Too late")
    assert [one.text for one in opened(register, "e1", secret).comments] == ["Why 0.05?"]
    assert entry.comments == opened(register, "e1", secret).comments
    assert register.verify() == ()


def test_who_has_not_read_a_comment_does_not_sign(register: Register) -> None:
    in_review(register)
    secret = share(register, "e1", ANNA, comments=True)
    read = register.get("e1", ANNA)
    assert read is not None
    comment(register, "e1", secret, "Rita", "Wait")
    with pytest.raises(RecordError, match="would sign what you have not read"):
        register.sign("e1", ANNA, read.revision, FILES)


def test_yesterdays_links_are_only_for_reading_and_keep_their_fingerprints() -> None:
    link = {"sha256": "f" * 64, "made": 1.0, "ends": 2.0, "revoked": 0.0}
    entry = make_entry(links=(link,))
    assert not entry.links[0].comments
    assert "comments" not in json.dumps(entry.model_dump(mode="json", exclude_defaults=True))
    assert fingerprint(entry) == "999da83d65f22b9f80073437a8fa9f2213fd88469064d5db73014e2f2455f039"


def test_a_signature_without_a_sign_in_is_never_four_eyes(register: Register) -> None:
    in_review(register)
    entry = register.sign("e1", ANNA, 2, FILES)
    other = entry.model_copy(update={"signed_by": BEN})
    for one in (entry, other):
        assert one.signature is not None
        assert not one.signature.verified
        assert not one.signature.four_eyes, "nobody vouches for who Ben is"
        assert "identity not verified" in one.signature.told[0]
    vouched = other.model_copy(update={"signer": "Ben"}).signature
    assert vouched is not None
    assert vouched.four_eyes
    assert make_entry().signature is None


def test_nobody_reviews_their_own_work_where_somebody_else_can(register: Register) -> None:
    in_review(register, (BEN, "reviewer"), (CARA, "auditor"))
    entry = register.get("e1", ANNA)
    assert entry is not None
    assert [one.person for one in register.reviewers(entry)] == [BEN]
    with pytest.raises(RecordError, match="cannot sign it here"):
        register.sign("e1", ANNA, entry.revision, FILES, signer="Anna")
    decided = register.change("e1", BEN, statement=Statement(decision="accept", rationale="Yes.", reviewer="Ben"))
    assert BEN not in decided.authors, "who reviews says what they decide"
    signed = register.sign("e1", BEN, decided.revision, FILES, signer="Ben B.")
    assert signed.signature is not None
    assert signed.signature.told == (
        "Signed by Ben B., who had signed in.",
        "They had no part in the audit (four eyes).",
    )
    assert register.verify() == ()


def test_who_is_alone_signs_and_it_is_no_four_eyes(register: Register) -> None:
    in_review(register, (BEN, "reviewer"))
    stated = register.change("e1", BEN, statement=Statement(scope="Everybody"))
    assert register.reviewers(stated) == ()
    signed = register.sign("e1", BEN, stated.revision, FILES, signer="Ben")
    assert signed.signature is not None
    assert not signed.signature.four_eyes
    assert "nobody else is known to have reviewed it" in signed.signature.told[1]


def test_the_same_name_twice_is_one_person(register: Register) -> None:
    in_review(register)
    seen = register.change(
        "e1", ANNA, statement=Statement(auditor="Ada  Ruiz", reviewer="ada ruiz, Model Risk")
    ).revision
    signature = register.sign("e1", ANNA, seen, FILES).signature
    assert signature is not None
    assert signature.told[1] == "Auditor and reviewer are the same person: nobody else reviewed it."


def test_a_reviewer_finds_what_waits_for_them_and_nobody_else_does(register: Register) -> None:
    in_review(register, (BEN, "reviewer"), (CARA, "auditor"))
    register.enter(make_entry("e2", BEN))
    register.send_to_review("e2", BEN)
    assert [entry.id for entry in to_review(register, BEN)] == ["e1"]
    assert [to_review(register, person) for person in (ANNA, CARA, "d" * 32)] == [(), (), ()]
    register.change("e1", BEN, statement=Statement(scope="Everybody"))
    assert to_review(register, BEN) == (), "they took part in it now"


def test_a_packet_is_the_same_for_the_same_content_and_can_be_checked(tmp_path: Path) -> None:
    stated = Statement(auditor="Ada")
    made = packet(FILES, "Hiring\nscreen", stated)
    assert made == packet(dict(reversed(FILES.items())), "Hiring\nscreen", stated)
    assert made != packet(FILES | {"report": b"<i>"}, "Hiring\nscreen", stated)
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.namelist() == ["README.txt", HASHES, "record.json", "report.html", "report.pdf"]
        read_me = archive.read("README.txt").decode()
        others = [name for name in archive.namelist() if name != HASHES]
        sums = [f"{hashlib.sha256(archive.read(name)).hexdigest()}  {name}" for name in others]
        assert archive.read(HASHES).decode().splitlines() == sums
        archive.extractall(tmp_path)
    assert "report.pdf: the same to print; its appendix" in read_me
    assert "An audit for you to review: Hiring screen\nDone by: Ada\n" in read_me
    assert f"sha256sum -c {HASHES}" in read_me
    assert max(map(len, read_me.splitlines())) <= 120
    assert len(read_me.splitlines()) <= 40, "one page"
    assert "2. No reason is given for that tolerance: ask for one." in read_me
    assert "4. Sign it yourself" in read_me
    assert "To be reviewed" not in read_me, "nobody is named"
    reasoned = packet(FILES, "Hiring screen", Statement(tolerance_reason="A court asked for it.", reviewer="Tom"))
    with zipfile.ZipFile(io.BytesIO(reasoned)) as archive:
        asked = archive.read("README.txt").decode()
    assert "2. Read why that tolerance was chosen" in asked
    assert "To be reviewed and signed by: Tom\n" in asked
    unprinted = packet({name: FILES[name] for name in ("record", "report")}, "Hiring screen", stated)
    with zipfile.ZipFile(io.BytesIO(unprinted)) as archive:
        assert "report.pdf" not in archive.read("README.txt").decode(), "no browser printed it"
    if (checker := shutil.which("sha256sum")) is None:
        return
    check = [checker, "-c", HASHES]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    (tmp_path / "report.html").write_bytes(b"<p>better")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode != 0

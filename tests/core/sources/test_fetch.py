"""Public files: read from a local folder, fetched once, and never used without their checksum."""

import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.base.errors import SourceError
from core.sources.public.fetch import PublicFile, fetch

CONTENT = b"a,b\n1,2\n"


class Quiet(SimpleHTTPRequestHandler):
    served = 0

    def do_GET(self) -> None:
        type(self).served += 1
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PublicFile]:
    """A file on a web server of our own, an empty cache and no local folder."""
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("EVENHAND_DATA", raising=False)
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "table.csv").write_bytes(CONTENT)
    Quiet.served = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "web"))) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/table.csv"
        yield PublicFile("tables", "table.csv", url, hashlib.sha256(CONTENT).hexdigest())
        server.shutdown()


def test_a_file_is_fetched_once_into_the_cache(served: PublicFile, tmp_path: Path) -> None:
    assert fetch(served).read_bytes() == CONTENT
    assert fetch(served) == tmp_path / "home" / "data" / "tables" / "table.csv"
    assert Quiet.served == 1


def test_a_changed_file_is_refused_and_not_kept(served: PublicFile, tmp_path: Path) -> None:
    (tmp_path / "web" / "table.csv").write_bytes(CONTENT + b"3,4\n")
    with pytest.raises(SourceError, match="SHA-256"):
        fetch(served)
    assert not (tmp_path / "home" / "data" / "tables" / "table.csv").exists()


def test_a_damaged_copy_in_the_cache_is_fetched_again(served: PublicFile) -> None:
    kept = fetch(served)
    kept.write_bytes(b"damaged")
    assert fetch(served).read_bytes() == CONTENT


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/table.csv", "http://no-such-host.invalid/table.csv"])
def test_no_network_is_said_with_what_to_do(served: PublicFile, url: str) -> None:
    with pytest.raises(SourceError) as caught:
        fetch(PublicFile(served.folder, served.name, url, served.sha256))
    assert caught.value.where == url
    assert "EVENHAND_DATA" in caught.value.advice


def test_a_file_that_is_gone_is_said(served: PublicFile) -> None:
    with pytest.raises(SourceError, match="could not be fetched"):
        fetch(PublicFile(served.folder, "gone.csv", served.url.replace("table", "gone"), served.sha256))


def test_a_local_folder_comes_first_and_is_checked_too(
    served: PublicFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = tmp_path / "local" / "tables" / "table.csv"
    local.parent.mkdir(parents=True)
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "local"))
    local.write_bytes(CONTENT)
    assert fetch(served) == local
    local.write_bytes(b"something else")
    with pytest.raises(SourceError, match="not the published file"):
        fetch(served)
    local.unlink()
    assert fetch(served).read_bytes() == CONTENT
    assert Quiet.served == 1

# RUN: %python %s
"""The disk cache: an entry is there whole or not at all, made once, and never when it is switched off."""

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from fusir.errors import FusirError
from fusir.runtime.disk_cache import cache_root, cached_files, read_entry, write_entry

KEY = "ab" * 32

with tempfile.TemporaryDirectory() as folder:
    os.environ["FUSIR_CACHE_DIR"] = folder
    os.environ.pop("FUSIR_DISABLE_CACHE", None)
    assert cache_root() == Path(folder)

    made: list[int] = []

    def make() -> dict[str, bytes]:
        made.append(1)
        return {"kernel.json": b"{}", "kernel.cubin": b"\0\1"}

    threads = [threading.Thread(target=cached_files, args=(KEY, make)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1], "made once"
    files = cached_files(KEY, make)
    assert files is not None and files["kernel.cubin"].read_bytes() == b"\0\1" and made == [1]

    # A damaged entry is made again.
    files["kernel.cubin"].write_bytes(b"\0")
    files = cached_files(KEY, make)
    assert files is not None and files["kernel.cubin"].read_bytes() == b"\0\1" and made == [1, 1]
    (files["kernel.cubin"].parent / "entry.json").write_text("[")
    assert cached_files(KEY, make) is not None and made == [1, 1, 1]

    # A failed compilation leaves nothing behind.
    other = "cd" * 32

    def fail() -> dict[str, bytes]:
        raise ValueError("no such instruction")

    try:
        cached_files(other, fail)
    except ValueError as error:
        assert "no such instruction" in str(error)
    else:
        raise AssertionError("no error")
    place = Path(folder) / "kernels" / other[:2]
    assert read_entry(place / other) is None
    assert [each.name for each in place.iterdir()] == [f"{other}.lock"]

    # A process that is killed while it compiles leaves no entry and no lock.
    program = f"""
import os, signal
from fusir.runtime.disk_cache import cached_files
cached_files({"ef" * 32!r}, lambda: os.kill(os.getpid(), signal.SIGKILL))
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    assert cached_files("ef" * 32, make) is not None

    # A draft without its manifest is no entry.
    draft = Path(folder) / "kernels" / "00" / ("00" * 32)
    write_entry(draft, {"kernel.json": b"{}"})
    (draft / "entry.json").unlink()
    assert read_entry(draft) is None

    os.environ["FUSIR_DISABLE_CACHE"] = "1"
    assert cache_root() is None and cached_files("12" * 32, fail) is None

    os.environ["FUSIR_DISABLE_CACHE"] = "0"
    blocked = Path(folder) / "file"
    blocked.write_text("")
    os.environ["FUSIR_CACHE_DIR"] = str(blocked)
    try:
        cached_files(KEY, make)
    except FusirError as error:
        assert "cannot use the cache folder" in str(error) and "FUSIR_CACHE_DIR" in str(error)
    else:
        raise AssertionError("no error")

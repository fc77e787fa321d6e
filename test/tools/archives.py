# RUN: %python %s
"""The source archive, the wheel made from it, and the wheel made from the folder hold the same package.

`fusir/dialects` and `fusir/tools` are links to the top-level folders: each archive must hold their files, as real ones.
"""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import setuptools

ROOT = Path(__file__).parent.parent.parent
BUILD = "import sys\nfrom setuptools import build_meta\nprint(getattr(build_meta, 'build_' + sys.argv[1])(sys.argv[2]))"
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in", "CHANGELOG.md", "CONTRIBUTING.md")

FILTER: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""What Python 3.11.4 and later want to be told about archives."""

assert int(setuptools.__version__.partition(".")[0]) >= 77, (
    f"setuptools {setuptools.__version__} is too old to build with"
)


def build(kind: str, folder: Path, target: Path) -> Path:
    """Build an archive of the project in `folder`, in a process of its own, and return it."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, kind, str(target)], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    )
    return target / done.stdout.split()[-1]


def modules_of_wheel(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.partition("/")[0].endswith(".dist-info")}


with TemporaryDirectory() as name:
    work = Path(name)
    # A copy of what is committed, so that the build leaves nothing behind in the working tree.
    copy = work / "copy"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    for each in filter(None, listed.split("\0")):
        source, target = ROOT / each, copy / each
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            target.symlink_to(os.readlink(source))
        elif source.exists():
            target.write_bytes(source.read_bytes())

    expected = {
        str(path.relative_to(copy))
        for folder in (copy / "fusir", copy / "fusir/dialects", copy / "fusir/tools")
        for path in folder.rglob("*.py")
    } | {"fusir/py.typed"}
    wheel = build("wheel", copy, work)
    assert modules_of_wheel(wheel) == expected, modules_of_wheel(wheel) ^ expected
    wheel.unlink()

    archive = build("sdist", copy, work)
    with tarfile.open(archive) as sources:
        members = {member.name.partition("/")[2]: member for member in sources.getmembers()}
        assert not any(member.issym() or member.islnk() for member in members.values())
        assert expected | set(SOURCES) <= set(members), (expected | set(SOURCES)) - set(members)
        sources.extractall(work / "unpacked", **FILTER)
    (unpacked,) = (work / "unpacked").iterdir()
    assert modules_of_wheel(build("wheel", unpacked, work)) == expected

    # What was built runs from any folder, without the sources.
    (wheel,) = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / "installed")
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import fusir.tools.opt as tool, sys; sys.argv[1:] = ['--version']; print(tool.__file__); tool.main()",
        ],
        cwd=work,
        env={**os.environ, "PYTHONPATH": str(work / "installed")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and str(work / "installed") in done.stdout, (done.stdout, done.stderr)

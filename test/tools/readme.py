# RUN: %python %s
"""The README shows what the tools print.

A code block after `<!-- file: NAME -->` is a file; one after `<!-- prints: COMMAND -->` is the standard output of a
command run beside it, one after `<!-- part of: COMMAND -->` neighbouring lines of it, one after
`<!-- remarks of: COMMAND -->` what the command writes to standard error. A line `...` stands for any number of lines.
The commands are also in the visible text.
"""

import os
import re
import shlex
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from fusir.tools import translate
from fusir.tools.opt import FusirOptMain

README = Path(__file__).parent.parent.parent / "README.md"
MARKED = re.compile(
    r"^<!-- (?P<kind>[a-z ]+): (?P<what>[^\n]+) -->\n```\w*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
ELLIPSIS = "..."


def run(command: str) -> tuple[str, str]:
    """What a command line of our tools writes to standard output and standard error."""
    tool, *args = shlex.split(command)
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        if tool == "fusir-translate":
            translate.run(args)
        else:
            assert tool == "fusir-opt", f"unknown tool in '{command}'"
            FusirOptMain(args).run()
    return out.getvalue(), err.getvalue()


def matches(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether `shown` is `printed` with any lines in place of each ellipsis."""
    pattern = "".join(r"(?:.*\n)*?" if line == ELLIPSIS else re.escape(f"{line}\n") for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


assert matches(["a", ELLIPSIS, "d"], ["a", "b", "c", "d"]) and not matches(["a", "d"], ["a", "b", "c", "d"])
assert matches([ELLIPSIS, "c", ELLIPSIS], ["a", "b", "c", "d"]) and not matches(["a", ELLIPSIS], ["b", "a"])

text = README.read_text()
visible = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
found = list(MARKED.finditer(text))
assert len(found) == text.count("<!-- "), "a marker without a code block below it"
assert {"file", "prints", "part of", "remarks of"} == {each["kind"] for each in found}

with TemporaryDirectory() as folder:
    os.chdir(folder)
    for each in found:
        if each["kind"] == "file":
            Path(each["what"]).write_text(each["text"])
    run("fusir-translate --import model.py:program -o model.mlir")
    wrong: list[str] = []
    for each in found:
        if each["kind"] == "file":
            continue
        outputs = run(each["what"])
        printed = outputs[each["kind"] == "remarks of"].rstrip("\n").splitlines()
        shown = each["text"].splitlines()
        if each["kind"] == "part of":
            shown = [ELLIPSIS, *shown, ELLIPSIS]
        if not matches(shown, printed):
            wrong.append(f"{README.name} does not show what `{each['what']}` prints:\n" + "\n".join(printed))
        flags = each["what"].partition("model.mlir ")[2] or each["what"]
        if flags not in visible:
            wrong.append(f"{README.name} does not name the command `{each['what']}`")
    os.chdir(README.parent)
assert not wrong, "\n".join(wrong)

# RUN: %python %s
"""The files that `docs/architecture.md` and `CONTRIBUTING.md` name exist, and every pass is described."""

import re
import subprocess
from fnmatch import fnmatch
from pathlib import Path

from fusir.tools.registry import PASSES

ROOT = Path(__file__).parent.parent.parent
PAGES = ("docs/architecture.md", "CONTRIBUTING.md", "docs/benchmarks.md")
EXAMPLES = ("my_pass.py", "my-pass.mlir")
"""Names of what a reader might add."""

listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()
files = listed or [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]

missing: list[str] = []
for page in PAGES:
    for span in re.findall(r"`([^`\n]+)`", (ROOT / page).read_text()):
        if re.fullmatch(r"[\w/.*-]+\.(py|mlir|md|txt|toml)", span) and not span.endswith(EXAMPLES):
            if not any(fnmatch(f"/{file}", f"*/{span}") for file in files):
                missing.append(f"{page}: no file {span}")
        elif re.fullmatch(r"[\w/.-]+/", span) and not any(f"/{span}" in f"/{file}" for file in files):
            missing.append(f"{page}: no folder {span}")
assert not missing, "\n".join(missing)

text = (ROOT / "docs/architecture.md").read_text() + (ROOT / "CHANGELOG.md").read_text()
unnamed = [name for name in PASSES if f"`{name}`" not in text]
assert not unnamed, f"neither the architecture nor the changelog names {unnamed}"

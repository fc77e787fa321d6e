# RUN: %python %s
"""Pass flags, `--pipeline` and `-p` become one list of passes, in the order of the command line."""

from itertools import pairwise

from fusir.pipeline import STAGE_NAMES, pass_names
from fusir.tools.opt import expand_pass_flags


def passes(*argv: str) -> str:
    *others, flag, value = expand_pass_flags(argv)
    assert flag == "-p"
    assert not any(each in ("--cse", "--fuse", "--pipeline") for each in others), others
    return value


assert passes("x.mlir") == ""
assert passes("x.mlir", "--cse", "--canonicalize", "--fuse") == "cse,canonicalize,fuse"
assert passes("--fuse", "x.mlir", "--cse", "--fuse") == "fuse,cse,fuse"
assert passes("--cse", "-p", "dce,fuse{a=1}", "--canonicalize") == "cse,dce,fuse{a=1},canonicalize"
assert passes("--passes=dce", "--cse") == "dce,cse"
assert passes("--fuse=limit=4 deep", "x.mlir") == "fuse{limit=4 deep}"
assert passes("--pipeline", "x.mlir") == ",".join(pass_names())
assert passes("--dce", "--pipeline=upto=loop", "--cse") == ",".join(["dce", *pass_names("loop"), "cse"])
assert expand_pass_flags(["x.mlir", "--cse", "-t", "triton"]) == ["x.mlir", "-t", "triton", "-p", "cse"]

# A stage contains the stages before it.
for shorter, longer in pairwise(STAGE_NAMES):
    assert pass_names(longer)[: len(pass_names(shorter))] == pass_names(shorter)

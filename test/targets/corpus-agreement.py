# RUN: %python %s 5 2
# REQUIRES: triton
"""The Triton source and the TTIR of the kernels of the corpus mean the same.

python corpus-agreement.py <step> <start>      every step-th graph (1 0: all of them)
"""

import sys

from corpus_kernels import corpus_kernels

from fusir.runtime.agreement import disagreement

step, start = int(sys.argv[1]), int(sys.argv[2])
count = 0
failed: list[str] = []
for path, func in corpus_kernels(step, start):
    count += 1
    if (difference := disagreement(func)) is not None:
        failed.append(f"{path}: {difference}")
assert not failed, "\n\n".join(failed)
assert count > 50 // step, f"only {count} kernels"

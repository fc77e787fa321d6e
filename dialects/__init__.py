"""The four dialects of fusir, and `arith` on tensors."""

from fusir.dialects import dense_literals

dense_literals.install()

"""The four dialects of fusir, and `arith` on tensors."""

from fusir.dialects import affine_text, dense_literals

affine_text.install()
dense_literals.install()

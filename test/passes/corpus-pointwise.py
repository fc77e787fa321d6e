# RUN: %python %S/../support/check_passes.py pointwise
"""Every pass over every graph of test/corpus/pointwise: it verifies, prints and parses, and keeps its meaning."""

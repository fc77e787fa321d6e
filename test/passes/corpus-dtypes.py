# RUN: %python %S/../support/check_passes.py dtypes
"""Every pass over every graph of test/corpus/dtypes: it verifies, prints and parses, and keeps its meaning."""

# RUN: %python %S/../support/check_passes.py indexing
"""Every pass over every graph of test/corpus/indexing: it verifies, prints and parses, and keeps its meaning."""

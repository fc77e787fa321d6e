# RUN: %python %S/../support/check_passes.py transformers
"""Every pass over every graph of test/corpus/transformers: it verifies, prints and parses, and keeps its meaning."""

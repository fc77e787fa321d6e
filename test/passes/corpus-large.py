# RUN: %python %S/../support/check_passes.py large
"""Every pass over every graph of test/corpus/large: it verifies, prints and parses, and keeps its meaning."""

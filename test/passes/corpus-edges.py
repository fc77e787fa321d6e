# RUN: %python %S/../support/check_passes.py edges
"""Every pass over every graph of test/corpus/edges: it verifies, prints and parses, and keeps its meaning."""

# RUN: %python %S/../support/check_passes.py symbolic
"""Every pass over every graph of test/corpus/symbolic: it verifies, prints and parses, and keeps its meaning."""

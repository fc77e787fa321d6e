# RUN: %python %S/../support/check_passes.py reductions
"""Every pass over every graph of test/corpus/reductions: it verifies, prints and parses, and keeps its meaning."""

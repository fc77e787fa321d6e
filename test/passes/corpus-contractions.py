# RUN: %python %S/../support/check_passes.py contractions
"""Every pass over every graph of test/corpus/contractions: it verifies, prints and parses, and keeps its meaning."""

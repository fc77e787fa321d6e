# RUN: %python %S/../support/check_passes.py normalizations
"""Every pass over every graph of test/corpus/normalizations: it verifies, prints and parses, and keeps its meaning."""

# RUN: %python %S/../support/check_passes.py views
"""Every pass over every graph of test/corpus/views: it verifies, prints and parses, and keeps its meaning."""

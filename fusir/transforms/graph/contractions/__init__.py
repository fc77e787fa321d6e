"""What `fuse-contractions` is made of: laws that prepare contractions, the choice of what joins them, and the moving of
ops."""

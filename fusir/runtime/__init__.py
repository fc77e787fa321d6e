"""What runs compiled programs: executables, the kernel compiler and its cache, CUDA graphs, and fallbacks to ATen."""

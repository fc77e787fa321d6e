"""The configuration of the test suite: `lit test/`."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import lit.formats

config.name = "fusir"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir", ".py"]  # noqa: F821
config.excludes = ["lit.cfg.py", "support", "corpus"]  # noqa: F821
config.test_source_root = str(Path(__file__).parent)  # noqa: F821
config.test_exec_root = str(Path(__file__).parent / "Output")  # noqa: F821

here = Path(sys.executable).parent
config.environment["PATH"] = os.pathsep.join([str(here), os.environ["PATH"]])  # noqa: F821
config.environment["PYTHONPATH"] = os.pathsep.join(  # noqa: F821
    [str(Path(__file__).parent / "support"), os.environ.get("PYTHONPATH", "")]
)
# Files of compiled kernels stay inside the test's own folder, and hypothesis repeats what it tried.
config.environment["HYPOTHESIS_STORAGE_DIRECTORY"] = str(Path(__file__).parent / "Output" / "hypothesis")  # noqa: F821
for name in ("HOME", "CUDA_VISIBLE_DEVICES", "TRITON_CACHE_DIR", "LD_LIBRARY_PATH", "CUDA_HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]  # noqa: F821

MODULES = {"fusir-opt": "fusir.tools.opt", "fusir-translate": "fusir.tools.translate", "filecheck": "filecheck"}
config.substitutions.append(("%python", sys.executable))  # noqa: F821
for tool, module in MODULES.items():
    word = rf"(?<![-./\w]){tool}(?![-./\w])"
    config.substitutions.append((word, f"{sys.executable} -m {module}"))  # noqa: F821

if find_spec("triton") is not None:
    config.available_features.add("triton")  # noqa: F821
if shutil.which("nvidia-smi") is not None:
    import torch

    if torch.cuda.is_available():
        config.available_features.add("cuda")  # noqa: F821
        if torch.cuda.device_count() > 1:
            config.available_features.add("multi-gpu")  # noqa: F821

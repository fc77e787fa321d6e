"""Problems of KernelBench as workloads: files with `Model`, `get_inputs` and `get_init_inputs`."""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_map  # pyright: ignore[reportUnknownVariableType]

from fusir.tools.workloads import SUITES, Inputs, Maker, Workload

LEVELS = (1, 2)


def suites(folder: Path | None = None) -> dict[str, dict[str, Maker]]:
    """All suites, with those of KernelBench if the folder with its problems is given."""
    return SUITES if folder is None else SUITES | kernelbench_suites(folder)


def kernelbench_suites(folder: Path) -> dict[str, dict[str, Maker]]:
    """The suites `kernelbench1` and `kernelbench2` of a folder with `level1/*.py` and `level2/*.py`.

    Sizes are those of the problems, also in small mode.
    """
    return {
        f"kernelbench{level}": {path.stem: partial(_problem, path) for path in sorted(_problems(folder, level))}
        for level in LEVELS
    }


def _problems(folder: Path, level: int) -> list[Path]:
    return [path for path in (folder / f"level{level}").glob("*.py") if path.stem[0].isdigit()]


def _problem(path: Path, inputs: Inputs) -> Workload:
    spec = importlib.util.spec_from_file_location(f"kernelbench_{path.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def moved(value: Any) -> Any:
        return value.to(inputs.device) if isinstance(value, torch.Tensor) else value

    model = module.Model(*module.get_init_inputs()).to(inputs.device)
    with torch.device(inputs.device):
        args = module.get_inputs()
    return Workload(model, tree_map(moved, args))

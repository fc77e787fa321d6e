# RUN: %python %s
"""`--help` starts fast and loads neither torch nor triton; so does a run of the graph passes."""

import resource
import subprocess
import sys

LIMIT_SECONDS = 0.5
HEAVY = ("torch", "triton", "numpy", "sympy")


def processor_seconds() -> float:
    """The processor time of the processes that have been waited for: unlike the clock, it knows no busy neighbours."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check_fast(module: str) -> None:
    times: list[float] = []
    for _ in range(3):
        start = processor_seconds()
        done = subprocess.run([sys.executable, "-m", module, "--help"], stdout=subprocess.PIPE, text=True, check=True)
        times.append(processor_seconds() - start)
    assert done.stdout.startswith("usage:"), done.stdout
    assert min(times) < LIMIT_SECONDS, f"{module} --help takes {times} s"


def check_light(code: str) -> None:
    program = f"import sys\nsys.argv = ['fusir-opt', '--help']\n{code}\nprint('loaded:', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    loaded = set(done.stdout.rpartition("loaded:")[2].split())
    assert "xdsl" in loaded, done.stdout
    heavy = loaded & set(HEAVY)
    assert not heavy, f"{code!r} loads {sorted(heavy)}"


check_fast("fusir.tools.opt")
check_fast("fusir.tools.translate")
check_fast("fusir.tools.bench")
check_light("import fusir.tools.opt as tool\ntry:\n    tool.main()\nexcept SystemExit: pass")
check_light(
    "import importlib\nfrom fusir.tools.registry import DIALECTS, PASSES, TARGETS\n"
    "for name, dialect in DIALECTS.items(): importlib.import_module(dialect.partition(':')[0])\n"
    "for entry in [*PASSES.values(), *TARGETS.values()]: entry.load()"
)

# REQUIRES: cuda, models
# RUN: %python %s
"""Whole models with random weights, compiled and compared with eager.

    python test/gpu/models.py [--only NAME] [--device cpu --small] [--json FILE]

Inference in float32 (near eager, or by the error against float64) and in bfloat16 (error against float64 no worse than
eager's), and one training step: the loss and every gradient. Vision models come from timm where it is installed, else
from transformers. Prints one line a case; exit code 1 if any is wrong, fails, or has a graph that did
not compile.
"""

from __future__ import annotations

import argparse
import copy
import json
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parent / "support"))

from census import Census, counting_backend
from numerics import BFLOAT16, FLOAT32, judge, tensors, to_double


@dataclass(frozen=True)
class Model:
    module: torch.nn.Module
    inputs: dict[str, torch.Tensor]
    loss: Callable[[Any], torch.Tensor]
    """The scalar that a training step differentiates, from the outputs."""


# The models


def bert(small: bool) -> Model:
    from transformers import BertConfig, BertModel

    config = BertConfig(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    if small:
        config = BertConfig(
            vocab_size=128, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128,
            hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        )  # fmt: skip
    return Model(BertModel(config), tokens(config.vocab_size, 2 if small else 8, 16 if small else 512), mean_square)


def gpt2(small: bool) -> Model:
    from transformers import GPT2Config, GPT2LMHeadModel

    sizes = {"vocab_size": 128, "n_positions": 32, "n_embd": 64, "n_layer": 2, "n_head": 4} if small else {}
    config = GPT2Config(resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False, **sizes)
    inputs = tokens(config.vocab_size, 2 if small else 4, 16 if small else 512)
    return Model(GPT2LMHeadModel(config), inputs | {"labels": inputs["input_ids"]}, lambda outputs: outputs["loss"])


def llama(small: bool) -> Model:
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = {"vocab_size": 32000, "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 8}
    if small:
        sizes = {"vocab_size": 128, "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 2}
    heads = 4 if small else 32
    config = LlamaConfig(num_attention_heads=heads, num_key_value_heads=heads // 4, use_cache=False, **sizes)
    return Model(LlamaForCausalLM(config), tokens(config.vocab_size, 2, 16 if small else 512), mean_square)


def resnet50(small: bool) -> Model:
    if find_spec("timm") and not small:
        return timm_model("resnet50", batch=16)
    from transformers import ResNetConfig, ResNetModel

    sizes = {"embedding_size": 8, "hidden_sizes": [16, 32], "depths": [1, 1]} if small else {}
    return Model(ResNetModel(ResNetConfig(**sizes)), images(2 if small else 16, 32 if small else 224), mean_square)


def vit(small: bool) -> Model:
    if find_spec("timm") and not small:
        return timm_model("vit_base_patch16_224", batch=16)
    from transformers import ViTConfig, ViTModel

    sizes = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
    config = ViTConfig(image_size=32, patch_size=8, **sizes) if small else ViTConfig()
    return Model(ViTModel(config), images(2 if small else 16, config.image_size), mean_square)


def convnext(small: bool) -> Model:
    if find_spec("timm") and not small:
        return timm_model("convnext_tiny", batch=16)
    from transformers import ConvNextConfig, ConvNextModel

    sizes = {"hidden_sizes": [16, 32], "depths": [1, 1], "num_stages": 2} if small else {}
    return Model(ConvNextModel(ConvNextConfig(**sizes)), images(2 if small else 16, 32 if small else 224), mean_square)


def timm_model(name: str, batch: int) -> Model:
    import timm

    return Model(timm.create_model(name), {"x": torch.randn(batch, 3, 224, 224)}, mean_square)


def tokens(vocabulary: int, batch: int, length: int) -> dict[str, torch.Tensor]:
    return {"input_ids": torch.randint(0, vocabulary, (batch, length))}


def images(batch: int, size: int) -> dict[str, torch.Tensor]:
    return {"pixel_values": torch.randn(batch, 3, size, size)}


def mean_square(outputs: Any) -> torch.Tensor:
    return tensors(dict(outputs) if isinstance(outputs, dict) else outputs)[0].square().mean()


INFERENCE = {"bert": bert, "gpt2": gpt2, "llama": llama, "resnet50": resnet50, "vit": vit, "convnext": convnext}
TRAINING = {"gpt2": gpt2, "resnet50": resnet50}


# The cases


def infer(model: Model, run: Callable[..., Any]) -> Any:
    """Every tensor that the model returns."""
    with torch.no_grad():
        outputs = run(**model.inputs)
    return tensors(dict(outputs) if isinstance(outputs, dict) else outputs)


def train(model: Model, run: Callable[..., Any]) -> Any:
    """The loss, every gradient, and every buffer after the step."""
    loss = model.loss(run(**model.inputs))
    loss.backward()
    gradients = [p.grad for p in model.module.parameters() if p.grad is not None]
    return [loss.detach(), *gradients, *model.module.buffers()]


def check(
    build: Callable[[bool], Model], step: Callable[..., Any], dtype: torch.dtype, device: str, small: bool
) -> dict[str, Any]:
    torch.manual_seed(0)
    with torch.device(device):
        model = build(small)
    model.module.train(step is train).to(dtype)
    floating = {k: v.to(dtype) if v.is_floating_point() else v for k, v in model.inputs.items()}
    model = Model(model.module, floating, model.loss)

    def fresh() -> Model:
        return Model(copy.deepcopy(model.module), model.inputs, model.loss)

    eager = fresh()
    expected = step(eager, eager.module)
    census = Census()
    ours = fresh()
    start = time.monotonic()
    actual = step(ours, torch.compile(ours.module, backend=counting_backend(census)))
    if device.startswith("cuda"):
        torch.cuda.synchronize()
    seconds = time.monotonic() - start

    def reference() -> Any:
        double = Model(to_double(model.module), to_double(model.inputs), model.loss)
        return step(double, double.module)

    verdict = judge(actual, expected, reference, FLOAT32 if dtype == torch.float32 else BFLOAT16)
    worst = max(verdict.errors, key=lambda e: e[0] / max(e[1], 1e-30), default=None)
    return {
        "status": "right" if verdict.ok else "wrong",
        "how": verdict.how,
        "detail": verdict.detail,
        "worst_error": worst,
        "kind": census.kind,
        "graphs": census.graphs,
        "failed": census.failed,
        "native": census.native,
        "aten": dict(Counter(census.aten)),
        "seconds": round(seconds, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="models with random weights against eager")
    parser.add_argument("--only", default="", help="only cases whose name matches this regular expression")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true", help="tiny versions of the models")
    parser.add_argument("--json", type=Path, help="write every result to this file")
    arguments = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    cases: dict[str, tuple[Callable[[bool], Model], Callable[..., Any], torch.dtype]] = {}
    for name, build in INFERENCE.items():
        cases[f"{name}-f32"] = (build, infer, torch.float32)
        cases[f"{name}-bf16"] = (build, infer, torch.bfloat16)
    for name, build in TRAINING.items():
        cases[f"{name}-train-f32"] = (build, train, torch.float32)
    results: dict[str, dict[str, Any]] = {}
    for name, (build, step, dtype) in cases.items():
        if not re.search(arguments.only, name):
            continue
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = check(build, step, dtype, arguments.device, arguments.small)
            except Exception as error:
                result = {"status": "error", "detail": f"{type(error).__name__}: {' '.join(str(error).split())}"[:600]}
        result["fallbacks"] = [str(w.message)[:500] for w in caught if w.category.__name__ == "FusirFallbackWarning"]
        results[name] = result
        torch.compiler.reset()
        if arguments.device.startswith("cuda"):
            torch.cuda.empty_cache()
        line = " ".join(f"{key}={value}" for key, value in result.items() if value not in ("", [], None))
        print(f"{name}: {line}", flush=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    counts = Counter(result["status"] for result in results.values())
    print(", ".join(f"{status} {count}" for status, count in sorted(counts.items())))
    return int(counts["right"] != len(results) or any(result.get("failed") for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())

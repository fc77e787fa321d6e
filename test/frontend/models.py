# RUN: %python %s
"""GPT-2, BERT and Llama with tiny configurations: inference against eager, and the gradients of GPT-2."""

import torch
from frontend_checks import strict
from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM
from transformers.utils import logging

import fusir

strict()
logging.set_verbosity_error()
torch.manual_seed(0)
ids = torch.randint(0, 50, (2, 12))
small = {"vocab_size": 50, "num_hidden_layers": 1, "hidden_size": 16, "num_attention_heads": 2}

models = {
    "bert": BertModel(BertConfig(**small, intermediate_size=32)),
    "llama": LlamaForCausalLM(LlamaConfig(**small, num_key_value_heads=1, intermediate_size=32, use_cache=False)),
    "gpt2": GPT2LMHeadModel(GPT2Config(vocab_size=50, n_positions=16, n_embd=16, n_layer=1, n_head=2, use_cache=False)),
}
for name, model in models.items():
    model.eval()
    compiled = fusir.compile(model)
    with torch.no_grad():
        torch.testing.assert_close(compiled(ids)[0], model(ids)[0], rtol=1e-4, atol=1e-5)
    print(name)

model = models["gpt2"]
gradients = []
for run in (model, fusir.compile(model)):
    model.zero_grad()
    run(ids, labels=ids).loss.backward()
    gradients.append([p.grad.clone() for p in model.parameters()])
torch.testing.assert_close(gradients[1], gradients[0], rtol=1e-4, atol=1e-6)

"""The libraries of the extra `huggingface`, loaded where fine-tuning begins and nowhere else."""

import os
from importlib import import_module
from typing import Any, TypeAlias

# What torch and transformers make has no types here: the extra need not be installed.
Library: TypeAlias = Any


def load_torch() -> Library:
    """Return torch, pinned to this machine's cores so that a run can be repeated."""
    torch = import_module("torch")
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.use_deterministic_algorithms(mode=True, warn_only=True)
    return torch


def load_transformers() -> Library:
    """Return transformers, which must fetch nothing."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    transformers = import_module("transformers")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def load_safetensors() -> Library:
    """Return what reads and writes tensors of torch as safetensors."""
    return import_module("safetensors.torch")


def damaged_weights() -> type[Exception]:
    """Return what safetensors raises for a file that is none; it is no kind of ValueError."""
    error: type[Exception] = import_module("safetensors").SafetensorError
    return error

"""A tiny model of the transformers library with a tokenizer of its own, made where it is used."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from dynabench.engines.baselines.values import TrainingItem


def make_checkpoint(folder: Path, *, words: Sequence[str]) -> Path:
    """Write two layers of 32 numbers with random weights, and a tokenizer of these words."""
    # Only the environment of the extras has them.
    torch, transformers = import_module("torch"), import_module("transformers")
    tokenizers = import_module("tokenizers")
    known = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *dict.fromkeys(words)]
    vocabulary = {word: place for place, word in enumerate(known)}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    )
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(known),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=128,
        pad_token_id=0,
    )
    transformers.BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def said(number: int) -> TrainingItem:
    """Return one of many short texts that one word decides."""
    word, label = (("good", "positive"), ("bad", "negative"))[number % 2]
    place = ("food", "room", "walk", "book", "song")[number // 2 % 5]
    return TrainingItem(
        context={},
        inputs={"statement": f"the {place} number {number} was {word}"},
        answer={"label": label},
    )


WORDS = ("the", "number", "was", "good", "bad", "food", "room", "walk", "book", "song")

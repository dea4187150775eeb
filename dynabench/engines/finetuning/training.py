"""Fine-tuning a checkpoint on items: a seeded loop that keeps what each epoch has learned."""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.values import Progress, TrainingItem
from dynabench.engines.finetuning.encoding import Lesson, make_lessons
from dynabench.engines.finetuning.libraries import (
    Library,
    damaged_weights,
    load_torch,
    load_transformers,
)
from dynabench.engines.finetuning.states import last_epoch, load_moments, save_epoch
from dynabench.engines.finetuning.values import CLASSES, CLASSIFICATION, FineTuningOrder
from dynabench.kit.sentences import Phrase

_READING = Phrase("learning.reading_checkpoint", "reading the checkpoint")
_CUTTING = Phrase("learning.cutting", "cutting the texts into tokens")
_GOING_ON = Phrase("learning.going_on", "going on after epoch {epoch} of {epochs}")
_FINISHED = Phrase("learning.finished_epoch", "finished epoch {epoch} of {epochs}, loss {loss}")
_LEARNING = Phrase("learning.epoch", "learning, epoch {epoch} of {epochs}")

_WEIGHT_DECAY = 0.01
_WARM_UP_SHARE = 0.06
_LARGEST_GRADIENT = 1.0
_NEVER_DECAYED = ("bias", "norm.weight", "layernorm.weight", "layer_norm.weight")
# What reading a checkpoint of somebody's making can end with; the library has no common class.
_UNREADABLE = (
    OSError, ValueError, KeyError, RuntimeError, AttributeError, TypeError, ImportError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Folders:
    """Where fine-tuning reads and writes.

    Attributes:
        checkpoint: What to start from, as `save_pretrained` writes it.
        states: What finished epochs leave.
        model: Where the model comes to lie.
    """

    checkpoint: Path
    states: Path
    model: Path


def fine_tune(
    items: Sequence[TrainingItem], order: FineTuningOrder, folders: Folders, *, progress: Progress
) -> None:
    """Learn from items and write the model; an epoch that is finished is not repeated.

    The same items, order, checkpoint, libraries and kind of processor give the same model,
    interrupted or not.

    Raises:
        TrainingDataError: If the items do not suffice, or the checkpoint cannot be read.
    """
    torch, transformers = load_torch(), load_transformers()
    progress(0.0, _READING.say())
    tokenizer = _load_tokenizer(transformers, folders.checkpoint)
    progress(0.02, _CUTTING.say())
    lessons = make_lessons(items, order, tokenizer)
    digest = _digest(items, order, folders.checkpoint)
    done = last_epoch(folders.states, order_digest=digest)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(order.seed)
    source = folders.checkpoint if done is None else done[1]
    model = _load_model(transformers, source, order).to(device)
    optimiser = torch.optim.AdamW(_groups(model), lr=order.learning_rate)
    begin = 0
    if done is not None:
        begin = done[0] + 1
        load_moments(done[1], optimiser)
        progress(begin / order.epochs, _GOING_ON.say(epoch=begin, epochs=order.epochs))
    loop = _Loop(torch, model, optimiser, lessons, order, tokenizer.pad_token_id or 0, device)
    for epoch in range(begin, order.epochs):
        loss = loop.run_epoch(epoch, progress)
        save_epoch(folders.states, epoch, model=model, optimiser=optimiser, order_digest=digest)
        share = (epoch + 1) / order.epochs
        said = _FINISHED.say(epoch=epoch + 1, epochs=order.epochs, loss=f"{loss:.4f}")
        progress(share, said)
    model.to("cpu").save_pretrained(folders.model)
    tokenizer.save_pretrained(folders.model)


@dataclass(frozen=True, slots=True)
class _Loop:
    """The model while it learns, and what it learns from."""

    torch: Library
    model: Library
    optimiser: Library
    lessons: Sequence[Lesson]
    order: FineTuningOrder
    padding: int
    device: str

    def run_epoch(self, epoch: int, progress: Progress) -> float:
        """Learn from every lesson once, in an order of this epoch's own; return the mean loss."""
        torch, order = self.torch, self.order
        # Seeded anew, so that an epoch is the same whether or not it follows an interruption.
        torch.manual_seed(order.seed + 1_000_003 * (epoch + 1))
        places = torch.randperm(len(self.lessons)).tolist()
        steps = math.ceil(len(places) / order.batch_size)
        total = 0.0
        self.model.train()
        for step in range(steps):
            chosen = places[step * order.batch_size : (step + 1) * order.batch_size]
            rate = order.learning_rate * _rate(epoch * steps + step, order.epochs * steps)
            for group in self.optimiser.param_groups:
                group["lr"] = rate
            loss = self.model(**self._batch([self.lessons[place] for place in chosen])).loss
            self.optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), _LARGEST_GRADIENT)
            self.optimiser.step()
            value = float(loss.item())
            if not math.isfinite(value):
                reason = f"the loss became {value} in epoch {epoch + 1}; lower the learning rate."
                raise TrainingDataError(reason=reason)
            total += value * len(chosen)
            share = (epoch + (step + 1) / steps) / order.epochs
            progress(share, _LEARNING.say(epoch=epoch + 1, epochs=order.epochs))
        return total / len(places)

    def _batch(self, lessons: Sequence[Lesson]) -> dict[str, Library]:
        """Return lessons as tensors, the shorter ones padded."""
        longest = max(len(lesson.tokens["input_ids"]) for lesson in lessons)
        batch = {
            name: self._tensor(
                [
                    [
                        *lesson.tokens[name],
                        *[self._pad(name)] * (longest - len(lesson.tokens[name])),
                    ]
                    for lesson in lessons
                ]
            )
            for name in lessons[0].tokens
        }
        if self.order.pipeline == CLASSIFICATION:
            return {**batch, "labels": self._tensor([lesson.target[0] for lesson in lessons])}
        return {
            **batch,
            "start_positions": self._tensor([lesson.target[0] for lesson in lessons]),
            "end_positions": self._tensor([lesson.target[1] for lesson in lessons]),
        }

    def _pad(self, name: str) -> int:
        return self.padding if name == "input_ids" else 0

    def _tensor(self, numbers: object) -> Library:
        return self.torch.tensor(numbers, device=self.device)


def _rate(step: int, steps: int) -> float:
    """Return the share of the learning rate: a short rise, then a straight fall to 0."""
    rise = max(1, int(_WARM_UP_SHARE * steps))
    if step < rise:
        return (step + 1) / rise
    return max(0.0, (steps - step) / max(1, steps - rise))


def _load_tokenizer(transformers: Library, folder: Path) -> Library:
    known = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, use_fast=True, **known)
    except _UNREADABLE as error:
        raise TrainingDataError(reason=_unreadable("tokenizer", error)) from error
    if not tokenizer.is_fast:
        raise TrainingDataError(
            reason="the checkpoint's tokenizer is not a fast one; save it with a tokenizer.json."
        )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
    return tokenizer


def _load_model(transformers: Library, folder: Path, order: FineTuningOrder) -> Library:
    kind = getattr(transformers, CLASSES[order.pipeline])
    labels = {}
    if order.labels:
        labels = {
            "num_labels": len(order.labels),
            "id2label": dict(enumerate(order.labels)),
            "label2id": {label: place for place, label in enumerate(order.labels)},
            "problem_type": "single_label_classification",
        }
    try:
        return kind.from_pretrained(
            folder,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            # A checkpoint with another head keeps all but that.
            ignore_mismatched_sizes=True,
            dtype="float32",
            **labels,
        )
    except (*_UNREADABLE, damaged_weights()) as error:
        raise TrainingDataError(reason=_unreadable("model", error)) from error


def _unreadable(what: str, error: Exception) -> str:
    said = " ".join(str(error).split())[:200]
    return f"the checkpoint's {what} cannot be read here ({type(error).__name__}: {said})."


def _groups(model: Library) -> list[dict[str, Library]]:
    """Return the weights to learn: biases and norms are not pulled to 0."""
    plain: list[Library] = []
    free: list[Library] = []
    for name, weight in model.named_parameters():
        is_free = name.lower().endswith(_NEVER_DECAYED)
        (free if is_free else plain).append(weight)
    return [
        {"params": plain, "weight_decay": _WEIGHT_DECAY},
        {"params": free, "weight_decay": 0.0},
    ]


def _digest(items: Sequence[TrainingItem], order: FineTuningOrder, checkpoint: Path) -> str:
    """Return what an epoch's state belongs to: no other order may go on with it."""
    total = hashlib.sha256(json.dumps(order.to_json(), sort_keys=True).encode())
    for item in items:
        told = [item.context, item.inputs, item.answer, item.weight]
        total.update(json.dumps(told, sort_keys=True).encode())
    for path in sorted(checkpoint.glob("*.safetensors")):
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()

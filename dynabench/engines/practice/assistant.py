"""`PracticeAssistant`: a practice model as a handler folder, without a second process."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dynabench.engines.inference.protocol import SAMPLE_KEY
from dynabench.engines.practice.judging import judge_answer
from dynabench.engines.practice.speakers import reply_to
from dynabench.engines.practice.values import Judged, Talk, Variant
from dynabench.science.task_config.conversations import Role, messages_of

_DESCRIPTION = "practice.json"
_HANDLER = "model.py"
_HANDLER_SOURCE = '''"""Serves a practice assistant through the handler protocol."""

from pathlib import Path

from dynabench.engines.practice.assistant import PracticeAssistant

_loaded = {}


def load(path):
    """Read who is meant, beside this file."""
    _loaded["model"] = PracticeAssistant.load(Path(path))


def predict(batch):
    """Answer a list of inputs."""
    return _loaded["model"].predict(batch)
'''
_ANSWER, _RUBRIC = "answer", "rubric"


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeAssistant:
    """One practice model for one task.

    Attributes:
        variant: Who it is.
        chat_name: The field with the conversation; None where single texts are answered.
        reply_name: The output that holds the reply; of no use to a judge.
    """

    variant: Variant
    chat_name: str | None = None
    reply_name: str = "reply"

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        found = json.loads((folder / _DESCRIPTION).read_text(encoding="utf-8"))
        return cls(
            variant=Variant(found["variant"]),
            chat_name=found["chat_name"],
            reply_name=found["reply_name"],
        )

    def save(self, folder: Path) -> None:
        """Write a handler folder; the same assistant gives the same bytes, and so digest."""
        folder.mkdir(parents=True, exist_ok=True)
        description = {
            "variant": self.variant.value,
            "chat_name": self.chat_name,
            "reply_name": self.reply_name,
        }
        text = json.dumps(description, indent=2, sort_keys=True)
        (folder / _DESCRIPTION).write_text(text + "\n", encoding="utf-8")
        (folder / _HANDLER).write_text(_HANDLER_SOURCE, encoding="utf-8")

    def predict(self, batch: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
        """Answer each input: with a reply, or as a judge with what is broken and why."""
        if self.variant is Variant.JUDGE:
            return [self._judge(item) for item in batch]
        return [
            {self.reply_name: reply_to(self._talk(item), variant=self.variant)} for item in batch
        ]

    def _talk(self, item: Mapping[str, object]) -> Talk:
        texts = [
            value
            for name, value in item.items()
            if isinstance(value, str) and name != self.chat_name
        ]
        sample = item.get(SAMPLE_KEY, 0)
        if self.chat_name is None:
            # Without a conversation the last text is the question, and what comes before it
            # what it is about.
            said, told = tuple(texts[-1:]) or ("",), texts[:-1]
        else:
            said = tuple(asked for asked, _ in self._exchanges(item)) or ("",)
            told = texts
        return Talk(
            said=said,
            instructions="\n".join(told),
            sample=sample if isinstance(sample, int) else 0,
        )

    def _exchanges(self, item: Mapping[str, object]) -> list[tuple[str, str]]:
        """Return what was asked and answered; the last answer is still to be given."""
        found: list[tuple[str, str]] = []
        for one in messages_of(item.get(self.chat_name or ""), awaits_reply=True):
            if one["role"] == Role.USER.value:
                found.append((one["text"], ""))
            elif found:
                found[-1] = (found[-1][0], one["text"])
        return found

    def _judge(self, item: Mapping[str, object]) -> dict[str, object]:
        seen = {name: one for name, one in item.items() if name not in {_ANSWER, _RUBRIC}}
        talk = self._talk(seen)
        answer, rubric = item.get(_ANSWER), item.get(_RUBRIC)
        values = answer.values() if isinstance(answer, Mapping) else (answer,)
        criteria = rubric if isinstance(rubric, Sequence) and not isinstance(rubric, str) else ()
        judged = Judged(
            answer="\n".join(value for value in values if isinstance(value, str)),
            asked=talk.said[-1],
            instructions=talk.instructions,
            earlier=tuple(self._exchanges(seen)[:-1]),
        )
        return judge_answer(judged, rubric=[one for one in criteria if isinstance(one, Mapping)])

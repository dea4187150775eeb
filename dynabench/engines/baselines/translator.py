"""A phrase-based translator as it answers; it is trained by `translator_training`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from dynabench.engines.baselines.language_model import LanguageModel
from dynabench.engines.baselines.model_folder import write_model_folder
from dynabench.engines.baselines.phrase_decoding import translate
from dynabench.engines.baselines.phrase_table import PhraseTable
from dynabench.engines.baselines.tokens import joined_words, tokens_of
from dynabench.engines.baselines.values import (
    ConfigSummary,
    ModelInput,
    TrainedModel,
    joined_text,
)

# The search's time grows with the square of the length; what follows is left as it is.
_LONGEST_SENTENCE = 120


def source_text(model_input: ModelInput, config: ConfigSummary) -> str:
    """Return what is to be translated: what was written, else the context."""
    return joined_text(model_input, config.input_names) or joined_text(
        model_input, config.context_names
    )


class Translator:
    """Phrases with their translations, and a model of the language to write in."""

    recipe = "translator"

    def __init__(
        self,
        config: ConfigSummary,
        *,
        table: PhraseTable,
        language: LanguageModel,
        spellings: Mapping[str, str],
    ) -> None:
        self.config = config
        self._table = table
        self._language = language
        self._spellings = dict(spellings)

    def predict(self, batch: Sequence[ModelInput]) -> list[dict[str, object]]:
        """Answer with the likeliest translation of each text."""
        return [{self.config.answer_name: self._translate(one)} for one in batch]

    def save(self, folder: Path) -> None:
        """Write a handler folder."""
        phrases = [
            [" ".join(phrase), [[" ".join(target), score] for target, score in found]]
            for phrase, found in sorted(self._table.items())
        ]
        description = {
            "config": self.config.to_json(),
            "phrases": phrases,
            "runs": dict(self._language.counts),
            "spellings": self._spellings,
        }
        write_model_folder(folder, recipe=self.recipe, description=description, weights={})

    @classmethod
    def from_parts(cls, config: ConfigSummary, description: Mapping[str, object]) -> TrainedModel:
        """Rebuild the model from its description."""
        phrases, runs = description["phrases"], description["runs"]
        spellings = description["spellings"]
        assert isinstance(phrases, list)
        assert isinstance(runs, Mapping)
        assert isinstance(spellings, Mapping)
        return cls(
            config,
            table={
                tuple(phrase.split(" ")): [
                    (tuple(target.split(" ")), float(score)) for target, score in found
                ]
                for phrase, found in phrases
            },
            language=LanguageModel(runs),
            spellings=spellings,
        )

    def _translate(self, model_input: ModelInput) -> str:
        source = source_text(model_input, self.config)
        given = [one.text for one in tokens_of(source)]
        if not given:
            return source
        # An unknown word is a name more often than not: it keeps its capital.
        typed = {word.lower(): word for word in given[1:]}
        asked = [word.lower() for word in given[:_LONGEST_SENTENCE]]
        written = translate(asked, table=self._table, language=self._language)
        spelt = [self._spellings.get(word) or typed.get(word, word) for word in written]
        text = joined_words([*spelt, *given[_LONGEST_SENTENCE:]])
        return _capitalised(text) if source[:1].isupper() or not source[:1].isalpha() else text


def _capitalised(text: str) -> str:
    for place, character in enumerate(text):
        if character.isalpha():
            return text[:place] + character.upper() + text[place + 1 :]
    return text

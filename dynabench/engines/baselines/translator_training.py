"""Training the translator: align words, take phrases, count the language to write in."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from dynabench.engines.baselines.doing import (
    ALIGNING_WORDS,
    COUNTING_WORDS,
    TAKING_PHRASES,
    TRAINED,
)
from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.language_model import LanguageModel, count_words
from dynabench.engines.baselines.phrase_table import learn_phrases
from dynabench.engines.baselines.tokens import tokens_of
from dynabench.engines.baselines.translator import Translator, source_text
from dynabench.engines.baselines.values import (
    ConfigSummary,
    Progress,
    TrainedModel,
    TrainingItem,
)
from dynabench.engines.baselines.word_alignment import align

_FEWEST_PAIRS = 2


def train_translator(
    items: Sequence[TrainingItem], *, config: ConfigSummary, seed: int, progress: Progress
) -> TrainedModel:
    """Learn to translate from pairs of texts; nothing in it is random."""
    del seed
    texts = [
        (source_text(item.model_input(), config), str(item.answer.get(config.answer_name) or ""))
        for item in items
    ]
    pairs = [(_words(source), _words(target)) for source, target in texts]
    pairs = [(source, target) for source, target in pairs if source and target]
    if len(pairs) < _FEWEST_PAIRS:
        raise TrainingDataError(reason="the items must hold at least two pairs of texts.")
    sources, targets = [one for one, _ in pairs], [other for _, other in pairs]
    progress(0.05, ALIGNING_WORDS)
    links = align(sources, targets)
    progress(0.7, TAKING_PHRASES)
    table = learn_phrases(sources, targets, links)
    progress(0.9, COUNTING_WORDS)
    language = LanguageModel(count_words(targets))
    progress(1.0, TRAINED)
    return Translator(
        config,
        table=table,
        language=language,
        spellings=_spellings([target for _, target in texts]),
    )


def _words(text: str) -> list[str]:
    return [one.text.lower() for one in tokens_of(text)]


def _spellings(texts: Sequence[str]) -> dict[str, str]:
    """Return the usual spelling of words that are not in lower case within a sentence."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        words = [one.text for one in tokens_of(text)]
        # A sentence's first word has a capital whatever it is.
        first = next((place for place, word in enumerate(words) if word[0].isalnum()), 0)
        for word in words[first + 1 :]:
            seen[word.lower()][word] += 1
    usual = {lower: max(found, key=lambda one: (found[one], one)) for lower, found in seen.items()}
    return {lower: word for lower, word in sorted(usual.items()) if word != lower}

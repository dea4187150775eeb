"""From judged messages to the board."""

from collections import Counter
from collections.abc import Sequence

from dynabench.loop.leaderboards.preferences.values import JudgedMessage, PreferenceBoard
from dynabench.science.metrics.preference import Strength, battles_of, preference
from dynabench.science.task_config.fields.turns import NoChoice


def rank_models(messages: Sequence[JudgedMessage]) -> PreferenceBoard:
    """Return the strengths of the models that replied.

    What one person chooses is alike, in all conversations. Where all replies were
    bad nothing is compared; that is counted apart. A model that met itself alone, or none
    but in such messages, has no battles.
    """
    battles = []
    replies: Counter[str] = Counter()
    all_bad: Counter[str] = Counter()
    for message in messages:
        battles += battles_of(message.model_ids, message.choice, group=message.annotator_id)
        replies.update(message.model_ids)
        if message.choice == NoChoice.ALL_BAD:
            all_bad.update(message.model_ids)
    strengths = preference(battles)
    met = {one.model for one in strengths}
    others = [Strength(model=one, battles=0, wins=0.0) for one in sorted(replies) if one not in met]
    return PreferenceBoard([*strengths, *others], replies, all_bad)

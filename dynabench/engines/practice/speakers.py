"""How practice assistants reply: from the table, each with weaknesses to be found.

Both refuse what the table refuses and keep the words that their instructions write in
capitals. The gullible one gives in to a please, a story or a claim of authority; the helpful
one only to a game with letters, or to a story that is told twice. The eager one is as firm, and
answers rather than say that it does not know: from the line that is least far off.
"""

import re

from dynabench.engines.practice.dialogues import Line, practice_dialogues, words_of
from dynabench.engines.practice.values import Talk, Variant
from dynabench.engines.practice.words import WordList, words_in

_SECRET = re.compile(r"\b[A-Z][A-Z0-9]{3,}\b")
_UNKNOWN = (
    "I know too little about that. Try cooking, animals, travel, language or sums.",
    "That is not in my table. Could you ask it in other words?",
    "I have no answer to that. What else would you like to know?",
)
# Kinds of lines whose careless reply has to be coaxed out of the gullible one.
_GUARDED = frozenset({"refuse", "self"})
_EVERYTHING = 0.0
_ASKS_BACK = ("Does that help?", "Shall I say more?", "What will you try first?")
_SERVILE = ("I would say so, if you do.", "As you like: whatever you think is right.")
_OTHERWISE = ("Put differently: ", "Or so: ", "To say it again: ", "In other words: ")


def reply_to(talk: Talk, *, variant: Variant) -> str:
    """Return what an assistant says; the same talk always gets the same reply.

    A further answer to the same (`Talk.sample`) is another wording of it.
    """
    replies = _replies(talk, variant=variant)
    if variant is Variant.EAGER:
        replies = tuple(f"{reply} {_question_after(reply)}" for reply in replies)
    return _worded(replies, sample=talk.sample)


def secrets_in(instructions: str) -> list[str]:
    """Return the words that an assistant was told to keep: those written in capitals."""
    return list(dict.fromkeys(_SECRET.findall(instructions)))


def _replies(talk: Talk, *, variant: Variant) -> tuple[str, ...]:
    last, is_gullible = talk.said[-1], variant is Variant.GULLIBLE
    words = set(words_of(last))
    secrets = secrets_in(talk.instructions)
    if secrets and words & (
        words_in(WordList.ASKS_FOR_IT) | {secret.lower() for secret in secrets}
    ):
        return _about_secret(secrets[0], words, is_gullible=is_gullible)
    dialogues = practice_dialogues()
    line = dialogues.closest(last)
    if line is None and len(talk.said) > 1:
        # “And why?” is about what was asked before.
        line = dialogues.closest(f"{last} {talk.said[-2]}")
    if line is None and variant is Variant.EAGER:
        line = dialogues.closest(last, at_least=_EVERYTHING)
    if line is None:
        if is_gullible and "?" in last:
            return _SERVILE
        if is_gullible:
            return (f"You are right: {last.strip().rstrip('.!')}.", "Yes, that is so.")
        return _UNKNOWN
    if line.careless is not None and _gives_in(line, talk, words, is_gullible=is_gullible):
        return (line.careless, f"Very well. {line.careless}")
    return line.replies


def _gives_in(line: Line, talk: Talk, words: set[str], *, is_gullible: bool) -> bool:
    dialogues = practice_dialogues()
    times = sum(dialogues.closest(text) is line for text in talk.said)
    tells_story = bool(words & words_in(WordList.TELLS_A_STORY))
    if not is_gullible:
        return tells_story and times > 1
    if line.kind not in _GUARDED:
        return True
    return tells_story or bool(words & words_in(WordList.PUSHES)) or times > 1


def _about_secret(secret: str, words: set[str], *, is_gullible: bool) -> tuple[str, ...]:
    if words & words_in(WordList.PLAYS_WITH_LETTERS):
        return (
            f"I may not say it, but backwards it would be {secret[::-1]}.",
            f"Only letter by letter: {'-'.join(secret)}.",
        )
    pushes = words_in(WordList.PUSHES) | words_in(WordList.TELLS_A_STORY)
    if is_gullible and words & pushes:
        return (f"Well, since you ask like this: it is {secret}.", f"Between us: {secret}.")
    return (
        "I was asked to keep that to myself, and I do.",
        "That is confidential. Is there anything else?",
    )


def _question_after(reply: str) -> str:
    """Return what an eager assistant asks back; the same after the same reply."""
    return _ASKS_BACK[len(reply) % len(_ASKS_BACK)]


def _worded(replies: tuple[str, ...], *, sample: int) -> str:
    times, place = divmod(sample, len(replies))
    prefix = "" if times == 0 else _OTHERWISE[(times - 1) % len(_OTHERWISE)]
    return f"{prefix}{replies[place]}"

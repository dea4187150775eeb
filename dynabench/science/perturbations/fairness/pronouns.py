"""The other gender's pronoun: her is him or his, his is her or hers, by what stands around.

"Her" is an object ("saw her", "gave her to", "told her that") where nothing or a function word
follows, and after verbs of seeing, making and giving where what follows is known to go with
them; else it owns what follows. "His" stands alone ("it is his", "his is better") where nothing
or a function word follows, and else owns what follows.
"""

from types import MappingProxyType

from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.word_lists import words

_PLAIN = MappingProxyType(
    {
        "she": "he",
        "he": "she",
        "herself": "himself",
        "himself": "herself",
        "hers": "his",
        "him": "her",
    }
)
_BY_RULE = frozenset(["her", "his"])
_OPENING = frozenset("(\"'“‘[")
_OWNED = frozenset(
    ["few", "first", "less", "many", "more", "most", "much", "one", "only", "other", "own",
     "past", "then", "very"]
)  # fmt: skip
_ALONE = frozenset(
    ["again", "alone", "anyway", "away", "back", "badly", "forever", "goodbye", "outright",
     "soon", "today", "together", "tomorrow", "tonight", "yesterday"]
)  # fmt: skip
_GIVING = frozenset(
    ["ask", "asked", "bring", "brings", "brought", "buy", "bought", "cost", "gave", "give",
     "given", "gives", "giving", "grant", "granted", "handed", "lend", "lent", "offer", "offered",
     "offers", "owe", "owed", "paid", "pay", "promise", "promised", "send", "sends", "sent",
     "show", "showed", "shown", "shows", "teach", "teaches", "taught", "tell", "telling", "tells",
     "told", "wish", "wished"]
)  # fmt: skip
_GIVEN = frozenset(
    ["access", "advice", "anything", "attention", "cash", "courage", "credit", "directions",
     "everything", "flowers", "food", "gifts", "good", "happiness", "help", "hope", "information",
     "lies", "luck", "medicine", "money", "more", "nothing", "one", "permission", "power",
     "presents", "questions", "room", "something", "space", "strength", "things", "time",
     "trouble", "two", "water"]
)  # fmt: skip
_SEEING = frozenset(
    ["caught", "feel", "felt", "find", "finds", "found", "had", "have", "having", "hear",
     "heard", "hears", "help", "helped", "helps", "keep", "keeps", "kept", "leave", "leaves",
     "left", "let", "lets", "letting", "make", "makes", "making", "made", "notice", "noticed",
     "saw", "see", "seeing", "seen", "sees", "spotted", "watch", "watched", "watches", "watching"]
)  # fmt: skip
_DOING = frozenset(
    ["afraid", "angry", "appear", "become", "believe", "break", "choose", "come", "crazy", "cry",
     "dance", "dead", "die", "do", "drink", "eat", "enter", "fall", "famous", "feel", "find",
     "forget", "get", "give", "go", "grow", "happy", "keep", "know", "laugh", "learn", "leave",
     "lie", "live", "lonely", "look", "lose", "mad", "move", "nervous", "pay", "perform", "play",
     "proud", "read", "remember", "rich", "rise", "run", "sad", "say", "seem", "sick", "sing",
     "sit", "sleep", "smile", "speak", "stand", "stay", "stop", "suffer", "take", "talk", "tell",
     "think", "try", "turn", "uncomfortable", "understand", "unhappy", "wait", "walk", "want",
     "win", "write"]
)  # fmt: skip
_CALLING = frozenset(["call", "called", "calling", "calls", "consider", "considered"])


def other_pronoun(passage: Passage, index: int) -> str | None:
    """Return the pronoun of the other gender in small letters, None for any other word."""
    lowered = passage.lowered[index]
    if lowered in _PLAIN:
        return _PLAIN[lowered]
    if lowered not in _BY_RULE:
        return None
    if lowered == "her":
        return "his" if _owns(passage, index, is_her=True) else "him"
    return "her" if _owns(passage, index, is_her=False) else "hers"


def _owns(passage: Passage, index: int, *, is_her: bool) -> bool:
    """Tell whether what follows belongs to the person that the pronoun stands for."""
    if index + 1 == len(passage.words):
        return False
    between, following = passage.between(index), passage.lowered[index + 1]
    if between != " ":
        return between[:1] == " " and not _OPENING.isdisjoint(between)
    before = passage.lowered[index - 1] if index else ""
    if is_her and (_goes_with(before, following) or following in _ALONE):
        return False
    if following in _OWNED or following in words("function_words.txt"):
        return following in _OWNED
    if is_her and following.endswith("ly") and following not in {"early", "only", "family"}:
        return _adverb_is_followed(passage, index + 1)
    return True


def _goes_with(before: str, following: str) -> bool:
    if before in _GIVING:
        return following in _GIVEN
    if before in _SEEING:
        return following in _DOING or (following.endswith("ing") and before not in {"had", "have"})
    return before in _CALLING and following in _DOING


def _adverb_is_followed(passage: Passage, index: int) -> bool:
    """Tell "her highly praised film" from "loved her deeply"."""
    if index + 1 == len(passage.words) or passage.between(index) != " ":
        return False
    return passage.lowered[index + 1] not in words("function_words.txt")

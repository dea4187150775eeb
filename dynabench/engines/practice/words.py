"""The word lists of the practice assistants and their judge."""

import json
from enum import StrEnum
from functools import cache
from importlib.resources import files


class WordList(StrEnum):
    """What a list's words tell of a message or a criterion that holds one of them."""

    COMMON = "common"
    ASKS_FOR_IT = "asks_for_it"
    PLAYS_WITH_LETTERS = "plays_with_letters"
    TELLS_A_STORY = "tells_a_story"
    PUSHES = "pushes"
    RUDE = "rude"
    ABOUT_SECRETS = "about_secrets"
    ABOUT_MANNERS = "about_manners"
    ABOUT_TRUTH = "about_truth"
    ABOUT_HARM = "about_harm"
    ABOUT_PERSON = "about_person"
    ABOUT_CONSISTENCY = "about_consistency"
    ABOUT_PROMISES = "about_promises"


@cache
def words_in(name: WordList) -> frozenset[str]:
    """Return a list of the catalog."""
    text = files("dynabench.catalog").joinpath("practice", "words.json").read_text("utf-8")
    return frozenset(json.loads(text)[name.value])

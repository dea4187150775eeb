"""Contracted forms of English verbs, and their full forms.

Where a full form could be two ("'s" is "is" or "has", "'d" is "would" or "had"), the word after it
decides; where a contraction would read wrong (at the end of a clause, "have" as a verb of its
own), there is none. Nothing is drawn: every form is changed.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits
from dynabench.science.perturbations.word_lists import rows, words

_AFTER_HAS = frozenset(["been", "had", "got", "gotten", "become"])
_ADVERBS = frozenset(
    ["already", "also", "always", "ever", "just", "long", "never", "not", "often", "only", "still"]
)
_NO_PARTICIPLE = frozenset(
    ["bleed", "breed", "embed", "exceed", "feed", "heed", "need", "proceed", "shed", "speed",
     "succeed", "wed", "weed"]
)  # fmt: skip
_NOT_BEFORE = frozenset(["merely", "only", "simply", "solely"])
_JOINING = frozenset(
    ["about", "and", "as", "at", "but", "by", "for", "from", "like", "nor", "of", "on", "or",
     "than", "to", "with"]
)  # fmt: skip
_SUBJECTS = frozenset(["i", "you", "he", "she", "it", "we", "they", "there", "this", "that"])
_QUESTION_WORDS = frozenset(["how", "what", "when", "where", "who", "why"])


class Form(NamedTuple):
    """A full form, its contraction and what must follow for it to be contracted."""

    full: str
    short: str
    follows: str


def contract(passage: Passage, draws: Draws) -> Edits:
    """Contract verbs with "not", and pronouns with their verb."""
    del draws
    lowered, forms = passage.lowered, _by_full()
    edits: list[Edit] = []
    index = 0
    while index < len(lowered):
        length = 1 if lowered[index] == "cannot" else 2
        form = forms.get(" ".join(lowered[index : index + length]))
        if form is not None and _may_contract(passage, index, length, form):
            last = passage.words[index + length - 1]
            start = passage.words[index].start
            seen = passage.text[start : last.end]
            edits.append(Edit(start, last.end, _like(form.short, seen, passage)))
            index += length
        else:
            index += 1
    return edits


def expand(passage: Passage, draws: Draws) -> Edits:
    """Write contracted forms in full; in a question "not" goes after the subject."""
    del draws
    edits: list[Edit] = []
    done = 0
    for index, (short, word) in enumerate(zip(passage.lowered, passage.words, strict=True)):
        if "'" not in short or index < done or not passage.is_free(word.start, word.end):
            continue
        full = _full_form(passage, index)
        if full is None:
            continue
        end = word.end
        if full.endswith("not") and _is_asking(passage, index):
            subject = _next_subject(passage, index)
            if subject is not None:
                verb = full.removesuffix("not").strip()
                full, end, done = f"{verb} {subject} not", passage.words[index + 1].end, index + 2
            elif full != "do not":
                continue
        edits.append(Edit(word.start, end, _like(full, word.text, passage)))
    return edits


def _may_contract(passage: Passage, index: int, length: int, form: Form) -> bool:
    lowered, found = passage.lowered, passage.words
    last = index + length - 1
    is_apart = length > 1 and passage.between(index) != " "
    if is_apart or not passage.is_free(found[index].start, found[last].end):
        return False
    after = lowered[last + 1] if last + 1 < len(lowered) else ""
    if form.follows == "not":
        return after not in _NOT_BEFORE
    is_joined = passage.between(last) == " " and bool(after)
    if not is_joined or (after == "not" and form.full != "i am"):
        return False
    if form.follows == "start":
        return passage.begins_sentence(index)
    is_free_standing = index == 0 or lowered[index - 1] not in _JOINING
    return is_free_standing and _follows(form.follows, after)


def _follows(condition: str, after: str) -> bool:
    if condition == "participle":
        return _is_participle(after)
    if condition == "been":
        return after in _AFTER_HAS
    return condition == "any"


def _is_participle(word: str) -> bool:
    return word in words("participles.txt") or (
        word.endswith("ed") and len(word) > len("red") and word not in _NO_PARTICIPLE
    )


def _full_form(passage: Passage, index: int) -> str | None:
    forms = _by_short().get(passage.lowered[index])
    if forms is None:
        return None
    if len(forms) == 1:
        return forms[0].full
    following = [one for one in passage.lowered[index + 1 : index + 4] if one not in _ADVERBS]
    after = following[0] if following else ""
    if passage.lowered[index].endswith("'d"):
        is_past = after == "better" or _is_participle(after)
        return next(one.full for one in forms if one.full.endswith(" had") == is_past)
    is_has = after in _AFTER_HAS
    return next(one.full for one in forms if one.full.endswith(" has") == is_has)


def _is_asking(passage: Passage, index: int) -> bool:
    if passage.begins_sentence(index):
        return True
    is_tag = passage.between(index - 1).strip() == ","
    return is_tag or passage.lowered[index - 1] in _QUESTION_WORDS


def _next_subject(passage: Passage, index: int) -> str | None:
    if index + 1 == len(passage.words) or passage.between(index) != " ":
        return None
    word = passage.words[index + 1]
    if passage.lowered[index + 1] in _SUBJECTS and passage.is_free(word.start, word.end):
        return word.text
    return None


def _like(form: str, seen: str, passage: Passage) -> str:
    """Return a form with the capitals of what it replaces and the text's own apostrophe."""
    cased = form.upper() if seen.isupper() else seen[0] + form[1:]
    is_curly = "’" in passage.text and "'" not in passage.text
    return cased.replace("'", "’") if is_curly else cased


@cache
def _by_full() -> Mapping[str, Form]:
    forms = (Form(*row) for row in rows("contractions.tsv"))
    return {form.full: form for form in forms if form.follows != "never"}


@cache
def _by_short() -> Mapping[str, tuple[Form, ...]]:
    """Return the full forms of each contraction; "can not" is written as one word."""
    found: dict[str, tuple[Form, ...]] = {}
    for row in rows("contractions.tsv"):
        form = Form(*row)
        if form.full != "can not":
            found[form.short] = (*found.get(form.short, ()), form)
    return found

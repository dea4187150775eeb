import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.perturbations.perturb import perturb
from dynabench.science.perturbations.values import TransformKind


def changed(text: str, transform: str) -> str:
    found = perturb(
        "a",
        {"text": text},
        kind=TransformKind.ROBUSTNESS,
        seed=1,
        language="en",
        transforms=[transform],
    )
    return found[0].fields["text"] if found else text


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("I do not know who is there.", "I don't know who's there."),
        ("It is not what they would say.", "It isn't what they'd say."),
        ("He has been told that we cannot stay.", "He's been told that we can't stay."),
        ("They had already", "They had already"),
        ("She had written that she would write.", "She'd written that she'd write."),
        ("I have seen it, and I have a cat.", "I've seen it, and I have a cat."),
        ("We should have known.", "We should've known."),
        ("IT IS LOUD", "IT'S LOUD"),
        ("Let us go.", "Let's go."),
        ("He let us go.", "He let us go."),
        ("Yes, I am.", "Yes, I am."),
        ("It is not only good but short.", "It is not only good but short."),
        ("Some of you are late.", "Some of you are late."),
    ],
)
def test_a_contraction_and_its_full_form_lead_back(full: str, short: str) -> None:
    assert changed(full, "contractions") == short
    assert changed(short, "expansions") == full


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("Don't you like it?", "Do you not like it?"),
        ("It works, doesn't it?", "It works, does it not?"),
        ("Why can't they come?", "Why can they not come?"),
        ("It isn't that bad.", "It is not that bad."),
        ("Don't go.", "Do not go."),
        ("Doesn't Mary like it?", "Doesn't Mary like it?"),
        ("He's tired and it's made of wood.", "He is tired and it is made of wood."),
        ("She’d better go; he’d go.", "She had better go; he would go."),
        ("Mary's cat won't.", "Mary's cat will not."),
        ("Y'all shan't.", "You all shall not."),
    ],
)
def test_what_follows_tells_the_full_form(short: str, full: str) -> None:
    assert changed(short, "expansions") == full


SUBJECTS = st.sampled_from(["I", "you", "he", "she", "it", "we", "they", "that", "there", "who"])
REST = st.sampled_from(["stay", "never ask", "gladly come back", "be there"])


@given(subject=SUBJECTS, rest=REST, verb=st.sampled_from(["will", "would"]))
def test_every_pronoun_leads_back(subject: str, rest: str, verb: str) -> None:
    text = f"I know {subject} {verb} {rest}."

    assert changed(changed(text, "contractions"), "expansions") == text


def test_the_text_s_own_apostrophe_is_kept() -> None:
    assert changed("Mary’s here; it is fine", "contractions") == "Mary’s here; it’s fine"

import pytest
from pydantic import ValidationError

from dynabench.people.schemas import ApiTokenCreate, InvitationCreate, SignUp, UserPatch
from tests.factories.people import PASSWORD


@pytest.mark.parametrize("text", ["a\x00b", "a\nb", "a\tb", "a\x1bb", "a\ud800b"])
def test_names_and_notes_are_one_line_of_what_can_be_shown(text: str) -> None:
    for shape, field in (
        (UserPatch, "display_name"),
        (ApiTokenCreate, "name"),
        (InvitationCreate, "note"),
    ):
        with pytest.raises(ValidationError) as refused:
            shape.model_validate({field: text})
        assert refused.value.errors()[0]["loc"] == (field,)


def test_names_and_notes_hold_any_language() -> None:
    assert UserPatch(display_name="Ада Ловлейс 👩‍🔬").display_name == "Ада Ловлейс 👩‍🔬"


def test_a_shown_name_is_kept_in_its_plain_spelling() -> None:
    assert UserPatch(display_name="  Ａｄａ   L ").display_name == "Ada L"


@pytest.mark.parametrize("name", ["Ada\u200b", "\u3164", "\u202eadA", "\ufdfa" * 20])
def test_a_shown_name_shows_what_it_is(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        UserPatch(display_name=name)
    assert refused.value.errors()[0]["loc"] == ("display_name",)


@pytest.mark.parametrize(
    "username", ["", "a", "-ada", "ad a", "ada\n", "ada\x00", "x" * 33, "ädä", "ada."]
)
def test_a_name_that_would_be_hard_to_type_is_refused(username: str) -> None:
    with pytest.raises(ValidationError):
        SignUp(username=username, password=PASSWORD)


@pytest.mark.parametrize("password", ["", "123456789", "x" * 201])
def test_a_password_has_ten_characters_at_least_and_an_end(password: str) -> None:
    with pytest.raises(ValidationError):
        SignUp(username="ada", password=password)

"""Every page of the product and how it comes into each of its states: adding one is a line."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.browser.installation import ADMIN, ANNOTATOR, OWNER, VALIDATORS

# Addresses may name `{full}`, `{bare}`, `{blind}`, `{done}` and `{harsh}` (tasks), `{model}` (of
# the full one), `{guest}` and `{proposal}`.
NO_PAGE: dict[str, object] = {"items": [], "next_cursor": None}


@dataclass(frozen=True, kw_only=True)
class PageCase:
    """One page.

    Attributes:
        name: What the test is called by.
        path: Its address with something on it.
        reader: Who looks at it; None is a visitor.
        empty_path: Its address with nothing on it, where that is another.
        empty_reader: Who sees nothing on it, where that is somebody else.
        empty: Answers with nothing in them, where no address has nothing.
        asks_session_only: Whether who is signed in is all that it asks for.
        asks_nothing: Whether nothing can be loading or fail.
    """

    name: str
    path: str
    reader: str | None = None
    empty_path: str | None = None
    empty_reader: str | None = ""
    empty: Mapping[str, object] = field(default_factory=dict)
    asks_session_only: bool = False
    asks_nothing: bool = False


_VALIDATOR = VALIDATORS[0]
_INVITED_ONLY = {"**/api/v1/session": {"user": None, "registration": "invited"}}

PAGES = (
    PageCase(name="tasks", path="/", empty={"**/api/v1/tasks": [], "**/current-rounds": []}),
    PageCase(name="task", path="/tasks/{full}", empty_path="/tasks/{bare}"),
    PageCase(name="sandbox", path="/tasks/{full}/create", empty_path="/tasks/{bare}/create"),
    PageCase(
        name="create",
        path="/tasks/{full}/create",
        reader=ANNOTATOR,
        empty_path="/tasks/{bare}/create",
    ),
    PageCase(
        name="create-warned",
        path="/tasks/{harsh}/create",
        reader=ANNOTATOR,
        empty_path="/tasks/{dry}/create",
    ),
    PageCase(
        name="validate-review",
        path="/tasks/{full}/validate",
        reader=_VALIDATOR,
        empty_path="/tasks/{bare}/validate",
    ),
    PageCase(
        name="validate-blind",
        path="/tasks/{blind}/validate",
        reader=_VALIDATOR,
        empty_path="/tasks/{dry}/validate",
    ),
    PageCase(
        name="round",
        path="/tasks/{full}/rounds/1",
        empty_path="/tasks/{dry}/rounds/1",
    ),
    PageCase(
        name="round-of-owner",
        path="/tasks/{full}/rounds/1",
        reader=OWNER,
        empty_path="/tasks/{dry}/rounds/1",
    ),
    PageCase(
        name="submit",
        path="/tasks/{full}/submit",
        reader=ANNOTATOR,
        empty_reader=None,
    ),
    PageCase(
        name="model",
        path="/tasks/{full}/models/{model}",
        empty={"**/evaluations": []},
    ),
    PageCase(name="scale", path="/tasks/{full}/scale", empty_path="/tasks/{bare}/scale"),
    PageCase(
        name="compare",
        path="/tasks/{full}/compare?left={model}",
        empty={"**/api/v1/**/models": []},
    ),
    PageCase(
        name="owner-rounds",
        path="/tasks/{full}/owner",
        reader=OWNER,
        empty_path="/tasks/{bare}/owner",
    ),
    PageCase(
        name="owner-next-round",
        path="/tasks/{full}/owner/next-round",
        reader=OWNER,
        empty_path="/tasks/{bare}/owner/next-round",
    ),
    PageCase(
        name="owner-examples",
        path="/tasks/{full}/owner/examples",
        reader=OWNER,
        empty_path="/tasks/{dry}/owner/examples",
    ),
    PageCase(
        name="owner-contexts",
        path="/tasks/{full}/owner/contexts",
        reader=OWNER,
        empty_path="/tasks/{dry}/owner/contexts",
    ),
    PageCase(
        name="owner-models",
        path="/tasks/{full}/owner/models",
        reader=OWNER,
        empty={"**/api/v1/**/models": []},
    ),
    PageCase(
        name="owner-members",
        path="/tasks/{full}/owner/members",
        reader=OWNER,
        empty={"**/api/v1/**/members": [], "**/join-links": []},
    ),
    PageCase(
        name="owner-datasets",
        path="/tasks/{full}/owner/datasets",
        reader=OWNER,
        empty={"**/api/v1/**/datasets*": []},
    ),
    PageCase(
        name="owner-data",
        path="/tasks/{full}/owner/data",
        reader=OWNER,
        empty_path="/tasks/{bare}/owner/data",
    ),
    PageCase(
        name="owner-training",
        path="/tasks/{full}/owner/training",
        reader=OWNER,
        empty_path="/tasks/{bare}/owner/training",
    ),
    PageCase(
        name="owner-config",
        path="/tasks/{full}/owner/config",
        reader=OWNER,
        empty_path="/tasks/{dry}/owner/config",
    ),
    PageCase(
        name="new-task",
        path="/new-task",
        reader=ADMIN,
        empty_reader=ANNOTATOR,
        asks_session_only=True,
    ),
    PageCase(
        name="propose",
        path="/propose",
        reader=ANNOTATOR,
        empty_reader=None,
        asks_session_only=True,
    ),
    PageCase(
        name="proposals",
        path="/proposals",
        reader=ANNOTATOR,
        empty={"**/api/v1/proposals*": NO_PAGE},
    ),
    PageCase(
        name="proposal",
        path="/proposals/{proposal}",
        reader=ADMIN,
        empty_path="/proposals",
        empty_reader=None,
    ),
    PageCase(
        name="notifications",
        path="/notifications",
        reader=ADMIN,
        empty={"**/me/notifications*": {**NO_PAGE, "unread": 0}},
    ),
    PageCase(
        name="sign-in",
        path="/sign-in",
        empty_reader=ANNOTATOR,
        asks_session_only=True,
    ),
    PageCase(name="sign-up", path="/sign-up", empty=_INVITED_ONLY, asks_session_only=True),
    PageCase(name="password-reset", path="/password-reset/a-secret", asks_nothing=True),
    PageCase(
        name="join",
        path="/join/a-secret",
        reader=ANNOTATOR,
        empty_reader=None,
        asks_session_only=True,
    ),
    PageCase(
        name="profile",
        path=f"/users/{ANNOTATOR}",
        reader=OWNER,
        empty_path="/users/{guest}",
    ),
    PageCase(
        name="own-profile",
        path=f"/users/{ANNOTATOR}",
        reader=ANNOTATOR,
        empty_path="/users/{guest}",
        empty_reader="{guest}",
    ),
    PageCase(
        name="admin",
        path="/admin",
        reader=ADMIN,
        empty={"**/users?*": NO_PAGE, "**/invitations": [], "**/jobs*": []},
    ),
    PageCase(name="gallery", path="/gallery", reader=ADMIN, empty={"**/api/v1/gallery": []}),
    PageCase(name="not-found", path="/nothing/here", asks_nothing=True),
)

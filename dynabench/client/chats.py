"""Calls about conversations."""

from collections.abc import Mapping, Sequence

from dynabench.client.addresses import Id, ModelRef, RoundRef, TaskRef
from dynabench.client.calls import create, get, path, post, put, shape
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.loop.chats.schemas import ChatCreate, ChatRead, TurnCreate, TurnPut
from dynabench.loop.examples.schemas import TryRepliesCreate, TryRepliesRead


class ChatCalls(Calls[FaceT]):
    """Conversations with a round's models; an attempt names its own as `{"chat": id}`.

    Example::

        chat = client.chats.create("talk", context_id=lent.context, field_name="chat")
        chat = client.chats.say(chat, "Good morning.")
    """

    @Endpoint
    def create(
        self,
        round_: RoundRef,
        *,
        context_id: Id,
        field_name: str,
        idempotency_key: str | None = None,
    ) -> Steps[ChatRead]:
        """Begin a conversation about a context, or take up one's own unfinished one."""
        body = shape(ChatCreate, {"context_id": context_id, "field_name": field_name})
        return create(path("rounds", round_, "chats"), ChatRead, body, key=idempotency_key)

    @Endpoint
    def get(self, chat_id: Id) -> Steps[ChatRead]:
        """Show a conversation of one's own."""
        return get(path("chats", chat_id), ChatRead)

    @Endpoint
    def say(self, chat_id: Id, text: str, *, idempotency_key: str | None = None) -> Steps[ChatRead]:
        """Say something; it is kept with the replies of all candidates, or not at all."""
        body = shape(TurnCreate, {"text": text})
        return create(path("chats", chat_id, "turns"), ChatRead, body, key=idempotency_key)

    @Endpoint
    def regenerate(
        self, chat_id: Id, number: int, *, idempotency_key: str | None = None
    ) -> Steps[ChatRead]:
        """Ask for other replies to the last message, a few times."""
        where = path("chats", chat_id, "turns", str(number), "regenerate")
        return create(where, ChatRead, key=idempotency_key)

    @Endpoint
    def choose(
        self,
        chat_id: Id,
        number: int,
        *,
        choice: str | None = None,
        ratings: Sequence[int | None] | None = None,
    ) -> Steps[ChatRead]:
        """Say which reply of a turn is the best, and how good each is.

        Args:
            chat_id: The conversation.
            number: The turn, from 1.
            choice: The place of the best reply (`"0"` …), `"tie"` or `"all_bad"`; None takes
                a choice back.
            ratings: One from 1 to 5 a reply, where the task rates replies.
        """
        body = shape(
            TurnPut, {"choice": choice, "ratings": None if ratings is None else [*ratings]}
        )
        return put(path("chats", chat_id, "turns", str(number)), ChatRead, body)

    @Endpoint
    def try_out(
        self,
        task: TaskRef,
        messages: Sequence[Mapping[str, str]],
        *,
        context_id: Id | None = None,
        context: Mapping[str, object] | None = None,
        model: ModelRef | None = None,
    ) -> Steps[TryRepliesRead]:
        """Talk with a task's models without an account; nothing is stored.

        Args:
            task: The task, by its slug.
            messages: What was said so far, `{"role", "text"}` each, a user's message last.
            context_id: What it is about, by its id.
            context: The same, written out.
            model: Who replies; by default the targets of the latest round.
        """
        body = shape(
            TryRepliesCreate,
            {
                "messages": [dict(one) for one in messages],
                "context_id": context_id,
                "context": None if context is None else dict(context),
                "model_id": model,
            },
        )
        return post(path("tasks", task, "tries", "replies"), TryRepliesRead, body)

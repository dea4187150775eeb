"""Tables of people. Secrets are kept as SHA-256 digests only."""

from sqlalchemy import Boolean, Column, ForeignKey, LargeBinary, Table, Text, Uuid, false

from dynabench.kit.db.columns import enum_column, id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.people.values import TokenScope

users = Table(
    "users",
    metadata,
    id_column(),
    Column("username", Text, nullable=False),
    # The name casefolded: two names that differ only in case are one person's.
    Column("username_key", Text, nullable=False, unique=True),
    Column("display_name", Text, nullable=False, server_default=""),
    # Empty for a person who cannot sign in with a password.
    Column("password_hash", Text),
    Column("is_admin", Boolean, nullable=False, server_default=false()),
    # A pseudonym of a replayed collection; it can never sign in.
    Column("is_synthetic", Boolean, nullable=False, server_default=false()),
    utc_now(),
    time_column("disabled_at", nullable=True),
    # A keyed hash of the network address from which the person made the account; null where
    # the operator made it or an invitation was used.
    Column("sign_up_mark", LargeBinary, index=True),
)

sessions = Table(
    "sessions",
    metadata,
    id_column(),
    Column("user_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("secret_digest", LargeBinary, nullable=False, unique=True),
    utc_now(),
    time_column("expires_at"),
    time_column("last_used_at"),
)

api_tokens = Table(
    "api_tokens",
    metadata,
    id_column(),
    Column("user_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    # The token that made it: whoever takes that one back takes back what came of it.
    Column("minted_by", Uuid, ForeignKey("api_tokens.id", ondelete="CASCADE"), index=True),
    enum_column("scope", TokenScope),
    Column("secret_digest", LargeBinary, nullable=False, unique=True),
    utc_now(),
    time_column("expires_at", nullable=True),
    time_column("last_used_at", nullable=True),
)

invitations = Table(
    "invitations",
    metadata,
    id_column(),
    Column("note", Text, nullable=False, server_default=""),
    Column("secret_digest", LargeBinary, nullable=False, unique=True),
    Column("created_by", Uuid, ForeignKey("users.id"), index=True),
    utc_now(),
    time_column("expires_at"),
    Column("accepted_by", Uuid, ForeignKey("users.id"), index=True),
    time_column("accepted_at", nullable=True),
)

password_resets = Table(
    "password_resets",
    metadata,
    id_column(),
    Column("user_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("secret_digest", LargeBinary, nullable=False, unique=True),
    Column("created_by", Uuid, ForeignKey("users.id"), index=True),
    utc_now(),
    time_column("expires_at"),
    time_column("used_at", nullable=True),
)

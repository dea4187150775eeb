from alembic.config import Config
from alembic.script import ScriptDirectory

from dynabench.migrations import head, run


def test_the_newest_revision_by_name_is_alembic_s_head() -> None:
    config = Config()
    config.set_main_option("script_location", "dynabench/migrations")
    config.set_main_option("path_separator", "os")

    assert head.newest_revision() == ScriptDirectory.from_config(config).get_current_head()


def test_only_a_migrated_database_is_at_the_newest(empty_database_url: str) -> None:
    assert not head.is_at_newest(empty_database_url)

    run.upgrade(empty_database_url)

    assert head.is_at_newest(empty_database_url)


def test_a_database_that_cannot_be_asked_is_not() -> None:
    assert not head.is_at_newest("postgresql://nobody@127.0.0.1:1/nothing")

from concurrent.futures import ThreadPoolExecutor

import psycopg

from dynabench.migrations import run


def test_an_empty_database_is_brought_to_the_newest_revision(empty_database_url: str) -> None:
    assert run.current(empty_database_url).revision is None

    state = run.upgrade(empty_database_url)

    assert state.is_current
    assert run.upgrade(empty_database_url) == state


def test_the_migrations_make_what_the_code_s_tables_say(empty_database_url: str) -> None:
    run.upgrade(empty_database_url)

    assert run.check(empty_database_url).differences == ()


def test_a_difference_is_told(empty_database_url: str) -> None:
    run.upgrade(empty_database_url)
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("ALTER TABLE jobs DROP CONSTRAINT ck_jobs_state_is_known")
        connection.execute("ALTER TABLE outbox ADD COLUMN surplus int")

    differences = run.check(empty_database_url).differences

    assert any("ck_jobs_state_is_known" in difference for difference in differences)
    assert any("surplus" in difference for difference in differences)


def test_everything_can_be_undone_and_done_again(empty_database_url: str) -> None:
    run.upgrade(empty_database_url)

    assert run.downgrade(empty_database_url, revision="base").revision is None
    assert run.upgrade(empty_database_url).is_current
    assert run.check(empty_database_url).differences == ()


def test_several_processes_may_migrate_at_once(empty_database_url: str) -> None:
    with ThreadPoolExecutor(3) as threads:
        states = list(threads.map(run.upgrade, [empty_database_url] * 3))

    assert all(state.is_current for state in states)

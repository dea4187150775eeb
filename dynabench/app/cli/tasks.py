"""`dynabench task`: the questions put to models."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from dynabench.app.cli import task_access, task_files, task_members
from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.jobs import wait_for
from dynabench.app.cli.output import (
    AsJson,
    counted,
    notice,
    say,
    show_facts,
    show_json,
    show_table,
)
from dynabench.kit.errors import ForbiddenError, InvalidError
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import ConfigProblem, TaskConfigError

tasks = typer.Typer(
    no_args_is_help=True,
    help="The questions put to models.",
    epilog="Start with a config: dynabench task check my-task.yaml, "
    "then: dynabench task create my-task my-task.yaml --activate",
)

configs = typer.Typer(no_args_is_help=True, help="The versions of a task's config.")

Slug = Annotated[str, typer.Argument(metavar="TASK", help="The task's short name, as in `nli`.")]
ConfigFile = Annotated[
    Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="The config, as YAML.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    tasks.add_typer(configs, name="config")
    task_access.register(tasks)
    task_files.register(tasks)
    task_members.register(tasks)
    app.add_typer(tasks, name="task")


@tasks.command("list")
def list_tasks(*, as_json: AsJson = False) -> None:
    """List the tasks that you may see."""
    with open_client() as client:
        found = client.tasks.list()
    if as_json:
        show_json(found)
        return
    show_table(
        ["task", "title", "status", "language"],
        [(task.slug, task.title, task.status, task.language) for task in found],
        empty="There are no tasks yet. Create one: dynabench task create SLUG FILE",
    )


@tasks.command("show")
def show_task(
    *,
    slug: Slug,
    config: Annotated[
        bool, typer.Option("--config", help="Print the config's YAML (owners).")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show a task."""
    with open_client() as client:
        if config:
            active = [version for version in client.configs.list(slug) if version.is_active]
            typer.echo(active[0].config if active else "", nl=False)
            return
        task = client.tasks.get(slug)
    if as_json:
        show_json(task)
        return
    show_facts(
        [
            ("task", task.slug),
            ("title", task.title),
            ("about", task.description),
            ("status", task.status),
            ("config", f"version {task.config_version}"),
            ("owners", ", ".join(task.owners)),
            ("open to", "everyone" if task.is_open_to_everyone else "members only"),
            ("visitors", "may try its models" if task.visitors_may_try else "may not try"),
            ("your role", task.my_role),
        ]
    )


@tasks.command("check")
def check_task(*, file: ConfigFile, as_json: AsJson = False) -> None:
    """Check a config without a server; every problem is told with its line and column."""
    try:
        config = load_task_config(read_text(file))
    except TaskConfigError as error:
        if as_json:
            _show_check(error.problems)
        else:
            for problem in error.problems:
                say(f"{file}{_place(problem)}: {_words(problem)}")
        raise InvalidError(f"{file} has {counted(len(error.problems), 'problem')}.") from None
    if as_json:
        _show_check([])
        return
    gold = f"the gold answer is {', '.join(config.gold_names)}"
    say(
        f"{file} is good. The model sees {', '.join(config.model_input_names)} and answers "
        f"{', '.join(config.model_output_names)}; "
        f"{gold if config.gold_names else 'there is no gold answer'}."
    )


def _show_check(problems: Sequence[ConfigProblem]) -> None:
    # Most checks are read by people, and need no schemas.
    from dynabench.loop.tasks.schemas import ConfigCheckRead, ConfigProblemRead  # noqa: PLC0415

    told = [ConfigProblemRead.model_validate(problem) for problem in problems]
    show_json(ConfigCheckRead(problems=told, config=None), leave_out={"config", "frozen_changes"})


@tasks.command("convert")
def convert_task(
    *,
    file: ConfigFile,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="OUT", dir_okay=False, help="Where to write it."),
    ] = None,
) -> None:
    """Translate a config of another Dynabench shape; what cannot be carried over is told."""
    if output is not None and output.exists() and output.samefile(file):
        raise InvalidError(f"{output} is the file that is read. Choose another name.")
    # Checking a config does without the writer of YAML.
    from dynabench.science.task_config.conversion.convert import convert  # noqa: PLC0415
    from dynabench.science.task_config.conversion.shapes import Shape  # noqa: PLC0415 - as above

    conversion = convert(read_text(file))
    for problem in conversion.notes:
        notice(f"{file}{_place(problem)}: {_words(problem)}")
    if conversion.config_text is None:
        raise InvalidError(f"No config that can be used came out of {file}.")
    if conversion.shape is Shape.CLASSIC:
        notice(f"{file} is in the shape that is read here; there is nothing to translate.")
    if output is None:
        typer.echo(conversion.config_text, nl=False)
        return
    output.write_text(conversion.config_text, encoding="utf-8")
    notice(
        f"{output} holds the config, with {counted(len(conversion.notes), 'note')}. "
        f"Check it with: dynabench task check {output}"
    )


@tasks.command("create")
def create_task(
    *,
    slug: Slug,
    file: ConfigFile,
    activate: Annotated[bool, typer.Option("--activate", help="Open it at once.")] = False,
) -> None:
    """Create a task from its config (administrators)."""
    config = read_text(file)
    with open_client() as client:
        try:
            client.tasks.create(slug, config)
        except ForbiddenError as refused:
            raise _proposable(refused, slug=slug, file=file) from None
        if activate:
            client.tasks.activate(slug)
    if activate:
        say(f"Task {slug} is active. Next: dynabench contexts upload {slug} FILE")
    else:
        say(f"Task {slug} is a draft. When it is ready: dynabench task activate {slug}")


def _proposable(refused: ForbiddenError, *, slug: str, file: Path) -> ForbiddenError:
    """Say beside a refusal what everybody may do instead."""
    told = ForbiddenError(
        f"{refused.message} You can propose the task: "
        f'dynabench task propose {file} --slug {slug} --reason "what it is for"'
    )
    vars(told)["code"] = refused.code
    return told


@tasks.command("propose")
def propose_task(
    *,
    file: ConfigFile,
    slug: Annotated[str, typer.Option(metavar="TASK", help="The short name it would have.")],
    reason: Annotated[str, typer.Option(help="What it is for, for who decides.")],
) -> None:
    """Propose a task to the administrators (whoever is signed in)."""
    config = read_text(file)
    with open_client() as client:
        proposal = client.proposals.create(slug, config, reason=reason)
    say(f"Proposed {slug}. See what comes of it: dynabench proposals show {proposal.id}")


@tasks.command("gallery")
def show_gallery(*, as_json: AsJson = False) -> None:
    """List the tasks that come with the package (administrators)."""
    with open_client() as client:
        found = client.gallery.list()
    if as_json:
        show_json(found)
        return
    show_table(
        ["name", "title", "about", "metric", "contexts", "added as"],
        [
            (
                entry.name,
                entry.title,
                entry.material,
                entry.principal_metric,
                entry.contexts,
                ", ".join(entry.tasks),
            )
            for entry in found
        ],
        empty="The gallery is empty.",
    )


@tasks.command("add")
def add_gallery_task(
    *,
    name: Annotated[str, typer.Argument(help="As shown by `dynabench task gallery`.")],
    slug: Annotated[
        str | None, typer.Option("--as", metavar="TASK", help="What to call it here.")
    ] = None,
) -> None:
    """Add a task of the gallery: contexts, a target and an open round (administrators)."""
    with open_client() as client:
        job = client.gallery.add(name, slug=slug)
        wait_for(client, job.id, what=f"Adding {name}")
    say(f"Task {slug or name} is open. Next: dynabench task show {slug or name}")


@tasks.command("update")
def update_task(*, slug: Slug, file: ConfigFile) -> None:
    """Give a task a new version of its config (owners)."""
    with open_client() as client:
        task = client.configs.create(slug, read_text(file))
    say(f"Task {slug} has config version {task.config_version}.")


@tasks.command("activate")
def activate_task(*, slug: Slug) -> None:
    """Open a draft task to everyone; fixes the shape of its inputs and outputs (owners)."""
    with open_client() as client:
        client.tasks.activate(slug)
    say(f"Task {slug} is active. Next: dynabench round open {slug} --target URL")


@tasks.command("archive")
def archive_task(*, slug: Slug) -> None:
    """Close a task to everything new; it stays readable (owners)."""
    with open_client() as client:
        client.tasks.archive(slug)
    say(f"Task {slug} is archived.")


@configs.command("list")
def list_configs(*, slug: Slug, as_json: AsJson = False) -> None:
    """List the versions of a task's config, newest first (owners)."""
    with open_client() as client:
        versions = client.configs.list(slug)
    if as_json:
        show_json(versions)
        return
    show_table(
        ["version", "written", "by", "active"],
        [
            (
                str(one.version),
                f"{one.created_at:%Y-%m-%d %H:%M}",
                one.created_by or "",
                "active" if one.is_active else "",
            )
            for one in versions
        ],
        empty="",
    )


@configs.command("pull")
def pull_config(
    *,
    slug: Slug,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", dir_okay=False, help="Where to; - or left out: printed."),
    ] = None,
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="Which version; left out: the active.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
) -> None:
    """Fetch a config's YAML as its author wrote it (owners)."""
    file = None if file is None or str(file) == "-" else file
    if file is not None and file.exists() and not force:
        raise InvalidError(f"{file} is already there. Choose another name, or add --force.")
    with open_client() as client:
        wanted = client.tasks.get(slug).config_version if version is None else version
        found = client.configs.get(slug, wanted)
    if file is None:
        typer.echo(found.config, nl=False)
        return
    file.write_text(found.config, encoding="utf-8")
    say(f"{file} holds version {found.version} of the config of {slug}.")


@configs.command("push")
def push_config(
    *,
    slug: Slug,
    file: ConfigFile,
    activate: Annotated[bool, typer.Option("--activate", help="Use it at once.")] = False,
) -> None:
    """Keep a config as a new version; it is used once it is activated (owners)."""
    text = read_text(file)
    with open_client() as client:
        client.configs.create(slug, text, activate=activate)
        versions = client.configs.list(slug)
    kept = next(one for one in versions if one.config == text)
    if kept.is_active:
        say(f"Version {kept.version} of the config of {slug} is active.")
    else:
        say(
            f"Version {kept.version} of the config of {slug} is kept. "
            f"To use it: dynabench task config activate {slug} {kept.version}"
        )


@configs.command("activate")
def activate_config(
    *,
    slug: Slug,
    version: Annotated[int, typer.Argument(metavar="VERSION", min=1, help="Its number.")],
) -> None:
    """Use a stored version of a config, newer or older (owners)."""
    with open_client() as client:
        client.configs.activate(slug, version)
    say(f"Version {version} of the config of {slug} is active.")


def _place(problem: ConfigProblem) -> str:
    """Return `:line:column` as editors read it, as far as it is known."""
    known = (part for part in (problem.line, problem.column) if part is not None)
    return "".join(f":{part}" for part in known) if problem.line is not None else ""


def _words(problem: ConfigProblem) -> str:
    path = f"{problem.path}: " if problem.path else ""
    hint = f" {problem.suggestion}" if problem.suggestion else ""
    return f"{path}{problem.message}{hint}"


def read_text(file: Path) -> str:
    """Read a file of text.

    Raises:
        InvalidError: If it is not UTF-8, with the place of the first wrong byte.
    """
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InvalidError(f"{file}, line {line}: this is not UTF-8. Save it as UTF-8.") from None

"""What the documents name is there: files, functions, links, commands, settings, words."""

import ast
import inspect
import re
import shlex
from collections.abc import Iterator
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from dynabench.app.cli.main import assemble
from dynabench.app.server.factory import create_application
from dynabench.app.server.problems import all_errors
from dynabench.client.client import DynabenchClient
from dynabench.kit.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
# Read by programs that are not the server.
OTHER_VARIABLES = {
    "DYNABENCH_URL",
    "DYNABENCH_API_KEY",
    "DYNABENCH_PASSWORD",
    "DYNABENCH_REAL_DATA",
}
TOP_FOLDERS = "dynabench|docs|tests|tools|frontend|benchmarks|examples"

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
INLINE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SYMBOL = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)?)`")
REPOSITORY_PATH = re.compile(rf"(?:{TOP_FOLDERS})/[\w./-]+")
# A builder's `dynabench.yaml` is a file of their own.
PYTHON_MODULE = re.compile(r"dynabench(?!\.yaml)(?:\.\w+)+")

DOCUMENTS = sorted(
    [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
        *(ROOT / "docs").rglob("*.md"),
    ]
)


@pytest.fixture(params=DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def document(request: pytest.FixtureRequest) -> Path:
    path = request.param
    assert isinstance(path, Path)
    return path


@cache
def prose(path: Path) -> str:
    return BLOCK.sub("", path.read_text(encoding="utf-8"))


def blocks(path: Path, *languages: str) -> Iterator[str]:
    for found in BLOCK.finditer(path.read_text(encoding="utf-8")):
        if found[1] in languages:
            yield found[2]


def links(path: Path) -> Iterator[tuple[str, str]]:
    for found in LINK.finditer(prose(path)):
        if not found[2].startswith(("http://", "https://", "mailto:")):
            yield found[1], found[2]


@cache
def anchors(path: Path) -> frozenset[str]:
    headings = re.findall(r"^#+ (.+)$", prose(path), flags=re.MULTILINE)
    return frozenset(
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings
    )


def leads_somewhere(document: Path, target: str) -> bool:
    address, _, anchor = target.partition("#")
    path = (document.parent / address).resolve() if address else document
    if not path.exists() or not path.is_relative_to(ROOT):
        return False
    return not anchor or path.suffix != ".md" or anchor in anchors(path)


@cache
def sources() -> str:
    return "".join(path.read_text() for path in (ROOT / "dynabench").rglob("*.py"))


@cache
def known_codes() -> frozenset[str]:
    # Importing the application defines every failure.
    assert callable(create_application)
    return frozenset(all_errors())


@cache
def names_in(path: Path) -> frozenset[str]:
    """Return what a source file defines; of a class's members also as `Class.member`."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        found = re.findall(r"(?:function|const|class|interface|type)\s+(\w+)", text)
        return frozenset(found)
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            members = [one for one in node.body if hasattr(one, "name")]
            names |= {f"{node.name}.{getattr(one, 'name', '')}" for one in members}
        if isinstance(node, ast.Assign):
            names |= {one.id for one in node.targets if isinstance(one, ast.Name)}
    return frozenset(names)


def commands(path: Path) -> Iterator[str]:
    """Give everything in a document that one types at a prompt."""
    for block in blocks(path, "console"):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("$ "):
                yield line.removeprefix("$ ")
    for found in INLINE.finditer(prose(path)):
        if found[1].startswith(("dynabench ", "make ")):
            yield found[1]


def words_of(command: str) -> list[str]:
    try:
        return shlex.split(command, comments=True)
    except ValueError:
        # A command cut short by an ellipsis has open quotes.
        return command.split()


@cache
def command_line() -> Any:
    return get_command(assemble([]))


def wrong_words(words: list[str]) -> list[str]:
    """Return what `dynabench` does not know of a command that is typed after its name."""
    command: Any = command_line()
    while words and hasattr(command, "commands"):
        if words[0] in command.commands:
            command = command.commands[words.pop(0)]
            continue
        by_itself = getattr(command, "by_itself", None)
        if by_itself is not None and not words[0].startswith("-"):
            command = command.commands[by_itself]
            continue
        # A group may be named alone, or shown with a placeholder.
        return [] if words[0].startswith("-") or words[0].isupper() else [words[0]]
    known = {"-h", "--help"}
    for parameter in command.params:
        known |= {*parameter.opts, *parameter.secondary_opts}
    options = [word.partition("=")[0].rstrip(".…") for word in words if word.startswith("-")]
    wrong = [option for option in options if option not in known and option not in {"-", ""}]
    # Without arguments a command is only named; an ellipsis stands for some of them.
    if wrong or "…" in words or not any(not word.startswith("-") for word in words):
        return wrong
    context = command.context_class(command)
    given, too_many, _ = command.make_parser(context).parse_args(words)
    missing = [one.name for one in command.params if one.required and not given.get(one.name)]
    return [*missing, *too_many]


def test_links_lead_to_files_and_headings_that_are_there(document: Path) -> None:
    broken = [target for _, target in links(document) if not leads_somewhere(document, target)]

    assert broken == []


def test_a_function_that_links_to_its_file_is_defined_there(document: Path) -> None:
    missing = []
    for text, target in links(document):
        symbol = SYMBOL.fullmatch(text)
        path = (document.parent / target.partition("#")[0]).resolve()
        if symbol is None or not path.is_file() or path.suffix not in {".py", ".ts", ".tsx"}:
            continue
        if symbol[1] not in {path.name, *names_in(path)}:
            missing.append(f"{symbol[1]} in {target}")

    assert missing == []


def test_paths_of_the_repository_are_there(document: Path) -> None:
    missing = []
    for found in INLINE.finditer(prose(document)):
        text = found[1].partition(":")[0]
        if REPOSITORY_PATH.fullmatch(text) and not (ROOT / text).exists():
            missing.append(text)

    assert missing == []


def test_modules_that_are_named_are_there(document: Path) -> None:
    missing = []
    for found in INLINE.finditer(prose(document)):
        if PYTHON_MODULE.fullmatch(found[1]):
            path = ROOT.joinpath(*found[1].split("."))
            if not path.is_dir() and not path.with_suffix(".py").is_file():
                missing.append(found[1])

    assert missing == []


def test_commands_of_make_and_dynabench_are_there(document: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z.-]+):", makefile, flags=re.MULTILINE))
    wrong = []
    for command in commands(document):
        words = words_of(command)
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
            words.pop(0)
        if words[:1] == ["make"]:
            goals = [word for word in words[1:] if "=" not in word and word.islower()]
            wrong += [command for goal in goals[:1] if goal not in targets]
        if words[:1] == ["dynabench"]:
            wrong += [f"{command}: {word}" for word in wrong_words(words[1:])]

    assert wrong == []


def test_python_code_compiles(document: Path) -> None:
    for block in blocks(document, "python"):
        compile(block, str(document), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_calls_of_the_client_have_its_parameters(document: Path) -> None:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST
    wrong = []
    for block in blocks(document, "python"):
        for node in ast.walk(compile(block, str(document), "exec", flags=flags)):
            match node:
                case ast.Call(func=ast.Attribute() as called):
                    name = ast.unparse(called)
                    # What is called on what came back is not the client's.
                    if not name.startswith("client.") or set("([") & set(name):
                        continue
                    keywords = dict.fromkeys([one.arg for one in node.keywords if one.arg])
                    try:
                        with DynabenchClient() as client:
                            method = attrgetter(name.removeprefix("client."))(client)
                            inspect.signature(method).bind(*node.args, **keywords)
                    except (AttributeError, TypeError) as error:
                        wrong.append(f"{name}: {error}")

    assert wrong == []


def test_settings_that_are_named_are_read_somewhere(document: Path) -> None:
    known = OTHER_VARIABLES | {PREFIX + name.upper() for name in Settings.model_fields}
    named = set(re.findall(r"DYNABENCH_[A-Z_]*[A-Z]", document.read_text(encoding="utf-8")))

    assert named - known == set()


def test_error_codes_that_are_named_are_raised_somewhere(document: Path) -> None:
    known = known_codes()
    areas = {code.partition(".")[0] for code in known if "." in code}
    named = {
        text
        for text in INLINE.findall(prose(document))
        if re.fullmatch(r"[a-z]+\.[a-z_]+", text) and text.partition(".")[0] in areas
        if not text.endswith((".py", ".md"))
    }
    # Of these words some are folders or job names; a code of no failure is in no source.
    unknown = {code for code in named - known if f'"{code}"' not in sources()}
    with DynabenchClient() as client:
        assert [name for name in unknown if not callable(attrgetter(name)(client))] == []


def test_every_page_of_the_documents_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        for _, target in links(path):
            other = (path.parent / target.partition("#")[0]).resolve()
            if other.is_dir():
                waiting += other.rglob("*.md")
            if other.suffix == ".md" and other.is_file():
                waiting.append(other)

    # Reports of measurements are named by their time and machine, and come and go.
    reports = set((ROOT / "docs" / "benchmarks").rglob("*.md"))
    assert set(DOCUMENTS) - reached - reports == set()


def test_the_glossary_names_things_as_the_code_does() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    named = re.findall(r"\| `(\w+)` \|$", glossary, flags=re.MULTILINE)

    assert len(named) > 30
    assert set(named) - set(re.findall(r"\w+", sources())) == set()


def test_every_setting_and_command_is_in_the_reference() -> None:
    settings = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    typed = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")

    def below(command: Any, path: str) -> Iterator[str]:
        if not hasattr(command, "commands"):
            yield path
            return
        for name, child in command.commands.items():
            yield from below(child, f"{path} {name}")

    assert [
        name for name in Settings.model_fields if f"`{PREFIX}{name.upper()}`" not in settings
    ] == []
    assert [path for path in below(command_line(), "dynabench") if f"`{path}`" not in typed] == []

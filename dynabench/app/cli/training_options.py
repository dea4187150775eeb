"""What may be said to `dynabench train TASK`: one option for each decision."""

from typing import Annotated, TypeAlias

import typer

Name: TypeAlias = Annotated[
    str | None, typer.Option(help="What the model will be called; by default as the recipe.")
]
RecipeText: TypeAlias = Annotated[str | None, typer.Option(help="How; by default the task's own.")]
Options: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="Sets something of the recipe.")
]
Data: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--data",
        "--dataset",
        metavar="DATA[:WEIGHT]",
        help="“Round 2”, “all rounds”, “last round”, a set's name or id; “:3” counts each of its "
        "items three times.",
    ),
]
AllRounds: TypeAlias = Annotated[
    bool, typer.Option("--all-rounds", help="The same as --data “all rounds”.")
]
StarterData: TypeAlias = Annotated[bool, typer.Option(help="Learn from the starter data too.")]
StarterWeight: TypeAlias = Annotated[
    int, typer.Option(help="How many times each starter item counts.")
]
OnlyVerified: TypeAlias = Annotated[
    bool, typer.Option("--only-verified", help="Leave out what was not verified.")
]
OnlyFooling: TypeAlias = Annotated[
    bool, typer.Option("--only-fooling", help="Leave out what fooled no target.")
]
WithoutControls: TypeAlias = Annotated[
    bool, typer.Option("--without-controls", help="Leave out what control arms wrote.")
]
Seed: TypeAlias = Annotated[int, typer.Option(help="Seeds everything random.")]
Wait: TypeAlias = Annotated[bool, typer.Option(help="Wait until it is done.")]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Only say what it would learn from.")
]

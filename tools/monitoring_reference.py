"""The page docs/reference/monitoring.md: every figure of /metrics, from the table of families."""

from dynabench.app.monitoring.families import FAMILIES, MOST_TASKS, OTHER_TASKS, Kind, Source

HEAD = f"""\
# Figures for operators

`/metrics` of every server is in Prometheus' text format. It answers programs of the same machine,
and administrators elsewhere (an API token of the scope `read` will do). A request that another
server passed on counts as from elsewhere.

What comes from the database is the same on every server: take the largest, not the sum. It is
read again after five seconds at the earliest, and so seldom that reading takes at most half a
percent of the time; in a large installation a figure may be a few minutes old.

The label `task` has the names of the {MOST_TASKS} oldest tasks that are no drafts. All others
share the name `{OTHER_TASKS}`. Other labels have a handful of values, which the code fixes. No
figure says more of a round than its page: attempts without a model are `control`, and blind votes
are `answer`.

A dashboard for Grafana, alert rules and a small configuration of Prometheus are in
`packaging/monitoring`. How good models are is on another page: [metrics](metrics.md).
"""
TITLES = {
    Source.DATABASE: "Of the database",
    Source.SERVER: "Of one server",
}
TAIL = """\
`process_…` and `python_…` say how the process itself fares: memory, CPU time, open files.
"""


def monitoring_page() -> str:
    """Return the reference of the figures."""
    lines = [HEAD]
    for source, title in TITLES.items():
        lines += [f"## {title}", "", "| name | kind | labels | what it says |"]
        lines += ["| --- | --- | --- | --- |"]
        for family in FAMILIES.values():
            if family.source is source:
                name = f"{family.name}_total" if family.kind is Kind.COUNTER else family.name
                labels = ", ".join(f"`{label}`" for label in family.labels)
                lines.append(f"| `{name}` | {family.kind} | {labels} | {family.about} |")
        lines.append("")
    return "\n".join([*lines, TAIL])

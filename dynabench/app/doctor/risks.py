"""Looks at settings that are dangerous where others than this machine reach the server."""

from collections.abc import Iterator
from ipaddress import ip_network

from dynabench.app.doctor.values import Finding, ok, problem, warning
from dynabench.kit.settings import Registration, Settings

_WIDE_PREFIXES = {4: 8, 6: 32}


def look_at_settings(settings: Settings) -> list[Finding]:
    """Tell each setting that is dangerous; on this machine alone none is."""
    if settings.is_for_this_machine:
        return [ok("settings", f"Only this machine reaches the server ({settings.base_url}).")]
    found = list(_risks(settings))
    if found:
        return found
    return [ok("settings", f"Others reach the server at {settings.base_url}.")]


def _risks(settings: Settings) -> Iterator[Finding]:
    if settings.trust_submitters:
        yield problem(
            "DYNABENCH_TRUST_SUBMITTERS",
            "Uploaded code may run without a sandbox, and others reach the server.",
            do="Unset it, and install bubblewrap: dynabench sandbox",
        )
    if not settings.base_url.startswith("https://"):
        yield warning(
            "DYNABENCH_PUBLIC_URL",
            f"{settings.base_url} is not encrypted: passwords travel in the clear.",
            do="Put a web server with TLS in front, and give its https:// address.",
        )
    elif not settings.trusted_proxies:
        yield warning(
            "DYNABENCH_TRUSTED_PROXIES",
            "The web server in front is not named, so visitors cannot be told apart.",
            do="Give its address, as in DYNABENCH_TRUSTED_PROXIES=127.0.0.1",
        )
    if settings.registration is Registration.OPEN:
        yield warning(
            "DYNABENCH_REGISTRATION",
            "Anybody who reaches the server may make an account.",
            do="Unless this is meant: DYNABENCH_REGISTRATION=invited",
        )
    if settings.request_limits.strip().lower() == "off":
        yield warning(
            "DYNABENCH_REQUEST_LIMITS",
            "Requests are not limited, so one visitor can keep the server busy.",
            do="Set it to on, or change single limits.",
        )
    for name, networks in (
        ("DYNABENCH_UNLIMITED_ADDRESSES", settings.unlimited_addresses),
        ("DYNABENCH_TRUSTED_PROXIES", settings.trusted_proxies),
    ):
        for entry in networks:
            network = ip_network(entry, strict=False)
            if not network.is_loopback and network.prefixlen < _WIDE_PREFIXES[network.version]:
                yield warning(
                    name,
                    f"{entry} stands for a large part of the internet.",
                    do="Name the addresses that are meant.",
                )

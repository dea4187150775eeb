"""What a page says in its console: nothing, unless a test expects it."""

from dataclasses import dataclass, field

from playwright.sync_api import ConsoleMessage, Error, Page


@dataclass
class ConsoleWatch:
    """Collects errors of the pages that are watched."""

    errors: list[str] = field(default_factory=list)
    _expected: list[str] = field(default_factory=list)
    _pages: list[Page] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Listen to a page from now on."""
        page.on("console", self._hear)
        page.on("pageerror", self._crash)
        self._pages.append(page)

    def leave(self) -> None:
        """Listen no longer: others take the pages over."""
        while self._pages:
            page = self._pages.pop()
            page.remove_listener("console", self._hear)
            page.remove_listener("pageerror", self._crash)

    def expect(self, *parts: str) -> None:
        """Let errors pass that contain one of these; the test makes them happen."""
        self._expected += parts

    def unexpected(self) -> list[str]:
        """Return what nobody asked for."""
        return [error for error in self.errors if not any(part in error for part in self._expected)]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _crash(self, error: Error) -> None:
        self.errors.append(f"unhandled: {error}")

"""Why a picture or a sound is not taken."""

from dynabench.kit.errors import InvalidError, UnavailableError


class MediaRefusedError(InvalidError):
    """A file is no picture or sound that is taken here; `reason` is a sentence."""

    code = "media.refused"

    def __init__(self, reason: str) -> None:
        super().__init__(reason, fields={"file": reason})
        self.reason = reason


class MediaTooLargeError(InvalidError):
    """A file has more bytes than are taken."""

    code = "media.too_large"

    def __init__(self, *, limit_bytes: int) -> None:
        sentence = f"The file is larger than {limit_bytes // 1024 // 1024} MB. Send a smaller one."
        super().__init__(sentence, fields={"file": sentence}, limit_bytes=limit_bytes)


class MediaFetchError(InvalidError):
    """An address gave no picture or sound; `reason` is a sentence."""

    code = "media.not_fetched"

    def __init__(self, *, url: str, reason: str) -> None:
        sentence = f"{url[:200]} cannot be used: {reason}"
        super().__init__(sentence, fields={"url": sentence}, url=url[:200])
        self.reason = sentence


class MediaInspectionError(UnavailableError):
    """The process that looks at files could not be started or was ended by the system."""

    code = "media.inspection_failed"

    def __init__(self) -> None:
        super().__init__("The file could not be looked at just now. Try again in a moment.")

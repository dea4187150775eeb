"""Why a stored file cannot be read or kept."""

from dynabench.kit.errors import InvalidError, NotFoundError, UnavailableError


class BlobNotFoundError(NotFoundError):
    """Nothing is stored under this digest."""

    code = "storage.not_found"

    def __init__(self, digest: str) -> None:
        super().__init__(f"No file is stored under {digest}.", digest=digest)


class BlobDamagedError(UnavailableError):
    """What is stored is no longer what was put there."""

    code = "storage.damaged"

    def __init__(self, digest: str) -> None:
        super().__init__(
            f"The file stored under {digest} is damaged. Restore it from a backup.", digest=digest
        )


class FolderRefusedError(InvalidError):
    """A folder holds something that is no plain file."""

    code = "storage.folder_refused"

    def __init__(self, *, path: str) -> None:
        super().__init__(
            f"{path} is a link or a special file. Put plain files and folders only.", path=path
        )


class StorageUnreachableError(UnavailableError):
    """The service that keeps files does not answer, or refuses."""

    code = "storage.unreachable"

    def __init__(self, url: str, *, why: str) -> None:
        super().__init__(
            f"The file store {url} cannot be used just now ({why}). An administrator can check "
            "that the bucket is there and that the AWS_… variables of this server are right.",
            url=url,
            why=why,
        )


class StorageSlowError(UnavailableError):
    """The service that keeps files takes too long to answer."""

    code = "storage.too_slow"

    def __init__(self, *, seconds: float) -> None:
        super().__init__(
            f"The file store has not answered within {seconds:g} seconds. Try again in a minute; "
            "a download goes on where it broke off.",
            seconds=seconds,
        )

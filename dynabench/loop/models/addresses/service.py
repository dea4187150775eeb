"""Reaching models that answer somewhere else: which addresses may be called, and a trial."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

import httpx2

from dynabench.engines.inference.adapters import TargetFactory, build_target
from dynabench.engines.inference.container_tool import ContainerLimits
from dynabench.engines.inference.errors import (
    AddressRefusedError,
    TargetAnswerInvalidError,
    TargetSpecError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.engines.inference.files import Complete
from dynabench.engines.inference.guard import checked_addresses
from dynabench.engines.inference.host import ModelHost
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.launching import Launcher, plain_launcher
from dynabench.engines.inference.protocol import (
    Description,
    Prediction,
    TargetModel,
    TargetSpec,
    require_answer,
)
from dynabench.engines.storage.store import BlobStore
from dynabench.kit.actor import Actor
from dynabench.loop.models.addresses.rules import ADDRESS_OPTIONS, address_of, wire_names
from dynabench.loop.models.errors import (
    ModelCheckFailedError,
    ModelOptionsError,
    PrivateAddressError,
)

# An administrator's leave for one model to lie on a private address: `host:port`.
PRIVATE_HOST = "private_host"

_TRIAL_SECONDS = 30.0
_NO_ADDRESS = "It is not an address; write it like https://models.example.org."
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True)
class TargetAccess:
    """How this process reaches models.

    Attributes:
        host: Where models in the loop are asked.
        factory: Builds a target outside the host, for a trial, a check or an evaluation.
        blobs: Where the folders of handlers lie.
        allowed_hosts: Private hosts that the operator lets every model lie on.
        complete: Puts the bytes of named files into an input; None leaves inputs as they are.
    """

    host: ModelHost
    factory: TargetFactory
    blobs: BlobStore
    allowed_hosts: frozenset[str] = frozenset()
    complete: Complete | None = None


def target_factory(
    http: HttpSettings,
    *,
    launcher: Launcher = plain_launcher,
    sandbox: Launcher | None = None,
    container: ContainerLimits | None = None,
) -> TargetFactory:
    """Return how models are built here: with the operator's hosts and each model's own leave."""

    def build(spec: TargetSpec) -> TargetModel:
        leave = spec.options.get(PRIVATE_HOST)
        allowed = http
        if isinstance(leave, str):
            allowed = replace(http, allowed_hosts=http.allowed_hosts | {leave})
        return build_target(
            spec, http=allowed, launcher=launcher, sandbox=sandbox, container=container
        )

    return build


async def check_address(
    options: Mapping[str, object],
    *,
    actor: Actor,
    may_be_private: bool,
    allowed_hosts: frozenset[str],
) -> str | None:
    """Refuse an address that the server may not call, before anything is stored.

    Returns:
        The `host:port` that an administrator lets be private, or None.

    Raises:
        PrivateAddressError: If it is private, or said to be, and the actor no administrator.
        ModelOptionsError: If it is no address, or an administrator did not say that it may be
            private.
        ModelCheckFailedError: If its name does not resolve.
    """
    if may_be_private and not actor.is_admin:
        raise PrivateAddressError
    try:
        parsed = httpx2.URL(address_of(options))
    except httpx2.InvalidURL as error:
        # As in http://0177.0.0.1: what other programs read as a private address.
        fields = {name: _NO_ADDRESS for name in ADDRESS_OPTIONS if name in options}
        raise ModelOptionsError(fields=wire_names(fields)) from error
    leave = f"{parsed.host}:{parsed.port or _PORTS[parsed.scheme]}" if may_be_private else None
    try:
        await checked_addresses(
            parsed, allowed_hosts=allowed_hosts | ({leave} if leave else frozenset())
        )
    except AddressRefusedError as error:
        if not actor.is_admin:
            raise PrivateAddressError from error
        sentence = "It leads to a private address; say that this is meant."
        raise ModelOptionsError(fields={"allow_private_address": sentence}) from error
    except httpx2.ConnectError as error:
        raise ModelCheckFailedError(reason=f"{parsed.host} is not a known host.") from error
    return leave


async def ask_once(
    spec: TargetSpec, values: Mapping[str, object], *, factory: TargetFactory
) -> tuple[Description, Prediction]:
    """Ask a model one input outside the host, where nothing is remembered.

    Raises:
        ModelOptionsError: If the adapter cannot use the options.
        ModelCheckFailedError: If the model cannot be asked, or its answer not be used.
    """
    try:
        target = factory(spec)
    except TargetSpecError as error:
        raise ModelOptionsError(fields=wire_names(error.fields)) from error
    try:
        async with asyncio.timeout(_TRIAL_SECONDS):
            description = await target.describe()
            (prediction,) = await target.predict([spec.visible(values)])
            return description, require_answer(prediction, name=spec.name)
    except (TargetUnavailableError, TargetAnswerInvalidError) as error:
        raise ModelCheckFailedError(reason=error.reason) from error
    except (TargetTimeoutError, TimeoutError) as error:
        raise ModelCheckFailedError(reason="it did not answer in time.") from error
    finally:
        await target.close()

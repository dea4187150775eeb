"""Settings of one process, read from `DYNABENCH_*` environment variables.

Every setting has a default that suits one laptop. A value that cannot be used is refused
when the process starts, with the name of its variable.
"""

import ipaddress
import os
import re
from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from dynabench.kit.addresses import LOOPBACK, AddressSet
from dynabench.kit.errors import InvalidError
from dynabench.kit.rate_limits.values import RateLimits, rate_limits_of

PREFIX = "DYNABENCH_"
_HOME_NAME = ".dynabench"
_CHECKOUT = Path(__file__).resolve().parents[2]
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/[\w.-]+)*/?", re.ASCII)
_VALIDATION_WAIT_MINUTES = 60
_SAME_ADDRESS_MINUTES = 24 * 60
_DATABASE_SCHEMES = ("postgresql://", "postgresql+psycopg://", "postgres://")


class Registration(StrEnum):
    """Who may make an account."""

    OPEN = "open"
    INVITED = "invited"


class LogLevel(StrEnum):
    """The least important lines that are still written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class EvaluationEngine(StrEnum):
    """Where models are asked the items of an evaluation."""

    LOCAL = "local"
    RAY = "ray"


class BadSettingError(InvalidError):
    """An environment variable holds a value that cannot be used."""

    code = "settings.bad_value"

    def __init__(self, *, variable: str, reason: str) -> None:
        super().__init__(f"{variable} cannot be used: {reason}.", variable=variable)


def _split_list(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _split_pairs(value: object) -> object:
    if not isinstance(value, str):
        return value
    pairs = [part.strip() for part in value.split(",") if part.strip()]
    found = {}
    for pair in pairs:
        variable, sign, host = (part.strip() for part in pair.partition("="))
        if not sign or _VARIABLE.fullmatch(variable) is None or _HOST.fullmatch(host) is None:
            # What is wrong may be a key pasted by mistake, so it is not said again.
            msg = (
                "it must be a list of VARIABLE=host, as in OPENAI_API_KEY=api.openai.com; "
                "the keys themselves stay in their own variables"
            )
            raise ValueError(msg)
        found[variable] = host.lower()
    return found


def default_home() -> Path:
    """Return the folder of the installation that is meant where nothing else is said.

    That is `.dynabench` of the current folder, or of this checkout for who stands in it, if
    it is there (`make run` keeps its data so); and else `.dynabench` of the person's own folder.
    """
    here = Path.cwd()
    around = [here, *(folder for folder in here.parents if folder == _CHECKOUT)]
    found = (folder / _HOME_NAME for folder in around)
    return next((home for home in found if home.is_dir()), Path.home() / _HOME_NAME)


def _is_address(url: str) -> bool:
    try:
        port = urlsplit(url).port
    except ValueError:
        return False
    return port is None or port > 0


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


NameList = Annotated[tuple[str, ...], BeforeValidator(_split_list)]
HostByVariable = Annotated[Mapping[str, str], BeforeValidator(_split_pairs)]


class Settings(BaseModel):
    """What an operator can set; the variable of `log_level` is `DYNABENCH_LOG_LEVEL`.

    Attributes:
        database_url: A PostgreSQL (15 or newer); None starts the embedded one in `home`.
        home: The folder of everything kept on disk: embedded database, files, models. Where it
            is not set, `.dynabench` in the current folder or this checkout counts first, if it
            is there.
        host: The address to listen on; loopback unless the operator says otherwise.
        port: The port to listen on.
        public_url: How browsers reach the server; None means `http://host:port`.
        allowed_hosts: Names that the server answers to besides that of `public_url`, `host`,
            `localhost` and every address; `.example.org` stands for all names below it.
        max_connections: Connections that one server process holds at the same time; those that
            wait longest without a request make room for new ones.
        connections_per_address: Connections that one address, or the /64 of an IPv6 address, may
            hold at the same time; `trusted_proxies` and this machine may hold more.
        request_limits: How often things may be done: `on`, `off`, or what differs from the standard
            as `name=number/seconds` or `name=off`, as in `attempts=60/60, votes=off`. The names
            stand in `docs/design/security.md`.
        unlimited_addresses: Addresses and networks whose requests are not counted, but for failed
            sign-ins.
        registration: Whether anybody may make an account (`open`) or only the invited
            (`invited`). Where it is not set, `open` while the server listens on this machine
            alone and `public_url` names no other, and else `invited`.
        validation_wait_minutes: How long an account that a person made without an invitation
            waits before it may judge examples. Where it is not set, 0 on this machine alone and
            else 60.
        same_address_minutes: Accounts made from one network address within this time, without an
            invitation, do not judge each other's examples; 0 switches this off. Where it is not
            set, 0 on this machine alone and else 1440.
        blobs_url: A bucket of an S3-compatible service for stored files, `s3://bucket/prefix`; its
            region, endpoint and keys come from the usual `AWS_…` variables. None keeps files in
            `home`. Needs the extra `s3`.
        session_days: How long a sign-in lasts without use.
        trusted_proxies: Addresses whose `X-Forwarded-*` headers are believed.
        allowed_target_hosts: Private hosts that target model URLs may name besides public
            ones, each `host` or `host:port`.
        allowed_media_hosts: Private hosts that pictures and sounds may be fetched from by their
            address besides public ones, each `host` or `host:port`.
        target_api_keys: Environment variables that hold keys of chat servers, each with the only
            host that it is sent to: `OPENAI_API_KEY=api.openai.com`, more after commas.
        checkpoints_folder: A folder whose folders models can be fine-tuned from, each as
            `save_pretrained` writes it; None leaves only models of the hub. Needs the extra
            `huggingface`.
        sentencepiece_model: The file of the SentencePiece model that the metric `sp_bleu` needs;
            None leaves that metric out of reach.
        target_timeout_seconds: How long a model may take over one answer; a language model that
            runs without a graphics card may need more.
        max_submission_mb: The largest file of a submitted model, or of predictions, in MB.
        submissions_per_day: How many submissions of one person to one task may pass the checks
            within 24 hours.
        rejected_model_days: So many days after its submission the files of a rejected model are
            deleted.
        files_mb_per_person: Files of submitted models and predictions, in MB, that one person may
            keep; those of deleted models do not count, and a model that passed counts with its
            unpacked folder.
        files_mb_per_task: The same for the models and the dataset files of one task; None sets no
            limit.
        job_hours_per_person: Hours of checks, evaluations and trainings that one person may have
            had within 24 hours before new ones are refused.
        job_hours_per_task: The same for one task; None sets no limit.
        evaluation_retries: How often a submitter may have one evaluation tried again; its task's
            owners always may.
        job_log_days: So many days after a job has ended its log and its steps are deleted.
        trust_submitters: Whether submitted code is run without a sandbox where this machine cannot
            isolate it; only where everybody who may submit is trusted with the whole server.
        submission_memory_mb: Memory, in MiB, that all processes of one submitted model may hold.
        submission_disk_mb: Temporary files, in MiB, that a submitted model may write; they lie in
            its memory.
        submission_processes: Processes and threads that a submitted model may have at once.
        submission_cpu_seconds: CPU time of a submitted model in one check or evaluation.
        submission_wall_seconds: How long one check or evaluation may run a submitted model.
        database_pool_size: Connections that one process keeps open.
        worker_concurrency: Jobs that one worker process runs at the same time.
        worker_memory_mb: Memory, in MB, that a worker may hold between jobs; one that holds more
            ends and is started again.
        evaluation_engine: Where a worker has models evaluated: `local` on its own machine, `ray`
            on all machines of a Ray cluster, for datasets of millions of items. Needs the extra
            `ray`.
        ray_address: The cluster's head, as `host:port`; None starts a Ray of this machine alone.
        log_level: The least important lines written.
        log_json: Whether log lines are JSON instead of text for people.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    database_url: str | None = None
    home: Path = Field(default_factory=default_home)
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    public_url: str | None = None
    allowed_hosts: NameList = ()
    max_connections: int = Field(default=4096, ge=16, le=1_000_000)
    connections_per_address: int = Field(default=400, ge=8, le=1_000_000)
    request_limits: str = "on"
    unlimited_addresses: NameList = LOOPBACK
    registration: Annotated[Registration | None, BeforeValidator(_lower)] = None
    validation_wait_minutes: int | None = Field(default=None, ge=0, le=525_600)
    same_address_minutes: int | None = Field(default=None, ge=0, le=5_256_000)
    blobs_url: str | None = None
    session_days: int = Field(default=30, ge=1, le=365)
    trusted_proxies: NameList = ()
    allowed_target_hosts: NameList = ()
    allowed_media_hosts: NameList = ()
    target_api_keys: HostByVariable = Field(default_factory=dict)
    checkpoints_folder: Path | None = None
    sentencepiece_model: Path | None = None
    target_timeout_seconds: float = Field(default=10.0, gt=0, le=300)
    max_submission_mb: int = Field(default=2048, ge=1, le=1_000_000)
    submissions_per_day: int = Field(default=10, ge=1, le=10_000)
    rejected_model_days: int = Field(default=30, ge=1, le=36_500)
    files_mb_per_person: int = Field(default=20_480, ge=1, le=1_000_000_000)
    files_mb_per_task: int | None = Field(default=None, ge=1, le=1_000_000_000)
    job_hours_per_person: float = Field(default=24.0, gt=0, le=1_000_000)
    job_hours_per_task: float | None = Field(default=None, gt=0, le=1_000_000)
    evaluation_retries: int = Field(default=5, ge=0, le=10_000)
    job_log_days: int = Field(default=90, ge=1, le=36_500)
    trust_submitters: bool = False
    submission_memory_mb: int = Field(default=4096, ge=64)
    submission_disk_mb: int = Field(default=512, ge=1)
    submission_processes: int = Field(default=256, ge=8, le=32_768)
    submission_cpu_seconds: float = Field(default=86_400.0, gt=0)
    submission_wall_seconds: float = Field(default=43_200.0, gt=0)
    database_pool_size: int = Field(default=10, ge=1, le=200)
    worker_concurrency: int = Field(default=2, ge=1, le=64)
    worker_memory_mb: int = Field(default=2048, ge=100)
    evaluation_engine: Annotated[EvaluationEngine, BeforeValidator(_lower)] = EvaluationEngine.LOCAL
    ray_address: str | None = None
    log_level: Annotated[LogLevel, BeforeValidator(_lower)] = LogLevel.INFO
    log_json: bool = False

    @field_validator("database_url")
    @classmethod
    def _is_postgresql(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(_DATABASE_SCHEMES):
            msg = "it must begin with postgresql:// (PostgreSQL 15 or newer)"
            raise ValueError(msg)
        if value is not None and not _is_address(value):
            msg = "its host or port cannot be read; write postgresql://user:password@host:5432/name"
            raise ValueError(msg)
        return value

    @field_validator("blobs_url")
    @classmethod
    def _is_bucket(cls, value: str | None) -> str | None:
        if value is not None and _BUCKET.fullmatch(value) is None:
            msg = "it must be s3://bucket or s3://bucket/prefix, without keys"
            raise ValueError(msg)
        return value.rstrip("/") if value else value

    @field_validator("public_url")
    @classmethod
    def _is_origin(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            msg = "it must begin with http:// or https://"
            raise ValueError(msg)
        return value.rstrip("/") if value else value

    @field_validator("request_limits")
    @classmethod
    def _are_limits(cls, value: str) -> str:
        rate_limits_of(value)
        return value

    @field_validator("trusted_proxies", "unlimited_addresses")
    @classmethod
    def _are_addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        # A name would never match: connections come from addresses.
        AddressSet(value)
        return value

    @field_validator("home")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @property
    def base_url(self) -> str:
        """The address that browsers use, without a slash at its end."""
        if self.public_url:
            return self.public_url
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def is_for_this_machine(self) -> bool:
        """Whether only this machine reaches the server, as far as the settings say."""
        public = urlsplit(self.public_url).hostname if self.public_url else self.host
        return _is_loopback(self.host) and _is_loopback(public or "")

    @property
    def who_may_register(self) -> Registration:
        """Who may make an account."""
        if self.registration is not None:
            return self.registration
        return Registration.OPEN if self.is_for_this_machine else Registration.INVITED

    @property
    def sign_up_note(self) -> str | None:
        """What an operator should know of sign-ups that they did not decide; None: nothing."""
        if self.registration is not None or self.is_for_this_machine:
            return None
        return (
            "Others reach this server, so accounts are by invitation. "
            f"Set {PREFIX}REGISTRATION=open to let anybody make one."
        )

    @property
    def validation_wait(self) -> timedelta:
        """How long an account that a person made themselves waits before it may judge."""
        beyond = 0 if self.is_for_this_machine else _VALIDATION_WAIT_MINUTES
        given = self.validation_wait_minutes
        return timedelta(minutes=beyond if given is None else given)

    @property
    def same_address_window(self) -> timedelta:
        """Within what time accounts made from one address do not judge each other."""
        beyond = 0 if self.is_for_this_machine else _SAME_ADDRESS_MINUTES
        given = self.same_address_minutes
        return timedelta(minutes=beyond if given is None else given)

    @property
    def rate_limits(self) -> RateLimits:
        """How often what may be done; what is missing is not counted."""
        return rate_limits_of(self.request_limits)

    @property
    def blobs_folder(self) -> Path:
        """The folder of stored files; with `blobs_url`, of those that are read here."""
        return self.home / "blobs"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the settings of this process.

        An empty variable counts as not set. A variable of the prefix that is no setting is
        left alone: other parts of the installation (tests, benchmarks) have variables too.

        Raises:
            BadSettingError: For the first variable whose value cannot be used.
        """
        found = os.environ if environment is None else environment
        values = {
            name: found[variable]
            for name in cls.model_fields
            if found.get(variable := PREFIX + name.upper())
        }
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            first = error.errors()[0]
            variable = PREFIX + str(first["loc"][0]).upper()
            reason = first["msg"].removeprefix("Value error, ")
            raise BadSettingError(
                variable=variable, reason=reason[:1].lower() + reason[1:]
            ) from None

from dynabench import errors as errors
from dynabench.client.client import AsyncDynabenchClient as AsyncDynabenchClient
from dynabench.client.client import DynabenchClient as DynabenchClient

__version__: str

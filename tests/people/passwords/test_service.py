import asyncio
import subprocess
import sys

from dynabench.people.passwords.service import Passwords

# In a process of its own: hashing costs as good as nothing in the tests' own.
MADE_BY_THE_PRODUCT = """
import asyncio
from dynabench.people.passwords.service import Passwords
print(asyncio.run(Passwords().hash("correct horse battery")))
"""


def hash_as_the_product() -> str:
    # The program is the one above.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", MADE_BY_THE_PRODUCT], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


async def test_a_password_costs_whoever_guesses_it_what_owasp_recommends() -> None:
    made = await asyncio.to_thread(hash_as_the_product)

    assert made.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await Passwords().matches("correct horse battery", made)
    assert not await Passwords().matches("correct horse", made)


async def test_nobody_s_password_is_never_right() -> None:
    passwords = Passwords()

    assert not await passwords.matches("", None)
    assert not await passwords.matches("correct horse battery", None)

"""Secrets of users: made here, known to the owner of the credentials and to nobody else.

An nkey is a pair of ed25519 keys: the server's file holds the public one and learns nothing by
which anybody could log in. A password is held by the server as a bcrypt hash only.
"""

import secrets
from dataclasses import dataclass, field
from typing import Literal

import bcrypt
import nkeys

from ragsolver_runtime.errors import ConfigError

Kind = Literal["nkeys", "passwords"]

_BCRYPT_ROUNDS = 11
"""A logon costs the server some 100 ms, a guess as much."""


@dataclass(frozen=True)
class Secret:
    """How one user proves who it is.

    Attributes:
        public: what the server's file holds: a public key, or the hash of a password.
        seed: of the nkey; empty for a password.
        password: empty for an nkey.
    """

    public: str
    seed: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


def make_secret(kind: Kind) -> Secret:
    """A new secret of the operating system's random source."""
    if kind == "passwords":
        return known_secret("", secrets.token_urlsafe(32))
    seed = nkeys.encode_seed(secrets.token_bytes(32), nkeys.PREFIX_BYTE_USER)
    return known_secret(seed.decode(), "")


def known_secret(seed: str, password: str) -> Secret:
    """The public half of a secret that is there.

    Raises:
        ConfigError: the seed is none.
    """
    if not seed:
        salt = bcrypt.gensalt(_BCRYPT_ROUNDS, prefix=b"2a")
        return Secret(bcrypt.hashpw(password.encode(), salt).decode(), password=password)
    try:
        pair = nkeys.from_seed(bytearray(seed.encode()))
        return Secret(pair.public_key.decode(), seed=seed)
    except (nkeys.NkeysError, ValueError) as error:
        raise ConfigError(f"the seed in the credentials is none ({error!r})") from None

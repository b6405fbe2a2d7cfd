import bcrypt
import nkeys
import pytest

from ragsolver_runtime.access.secrets import known_secret, make_secret
from ragsolver_runtime.errors import ConfigError


def test_an_nkey_is_a_users_and_its_public_half_is_no_secret():
    made = make_secret("nkeys")
    assert made.public.startswith("U")
    assert made.seed.startswith("SU")
    pair = nkeys.from_seed(bytearray(made.seed.encode()))
    assert pair.public_key.decode() == made.public
    assert known_secret(made.seed, "") == made
    assert made.seed not in repr(made)
    assert make_secret("nkeys") != made


def test_a_password_is_held_as_a_hash():
    made = make_secret("passwords")
    assert bcrypt.checkpw(made.password.encode(), made.public.encode())
    assert len(made.password) >= 40
    assert made.password not in repr(made)


def test_a_seed_that_is_none_is_refused_without_showing_it():
    with pytest.raises(ConfigError) as raised:
        known_secret("SUNONE", "")
    assert "SUNONE" not in str(raised.value)

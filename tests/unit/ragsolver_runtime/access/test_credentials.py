import logging

import pytest

from ragsolver_runtime.access.credentials import (
    Credentials,
    credentials_of,
    credentials_text,
    read_credentials,
    servers_of,
)
from ragsolver_runtime.errors import ConfigError

SEED = "SUAKYRHVIOREXV7EUZTBHUHL7NUMHPMAS7QMDU3GTIUWEI5LDNOXD43IZY"


def written(folder, **values):
    made = Credentials(**({"role": "planner", "servers": ("nats://x:1",), "seed": SEED} | values))
    file = folder / f"{made.role}.toml"
    file.touch(mode=0o600)
    file.write_text(credentials_text(made))
    return file


def test_what_is_written_is_read(tmp_path):
    file = written(tmp_path, password="", tls_first=True, ca="PEM\ntext")
    assert read_credentials(file) == Credentials(
        role="planner", servers=("nats://x:1",), seed=SEED, tls_first=True, ca="PEM\ntext\n"
    )


def test_a_password_with_quotes_comes_back(tmp_path):
    file = written(tmp_path, seed="", password='a"b\\c')
    assert read_credentials(file).password == 'a"b\\c'


def test_no_secret_is_shown(tmp_path):
    shown = repr(read_credentials(written(tmp_path)))
    assert SEED not in shown
    assert "planner" in shown


def test_in_a_folder_the_first_role_that_is_there_is_taken(tmp_path):
    written(tmp_path, role="observer")
    assert credentials_of(tmp_path, ("client", "observer")).role == "observer"
    with pytest.raises(ConfigError, match=r"client\.toml"):
        credentials_of(tmp_path, ("client",))
    assert servers_of(tmp_path) == "nats://x:1"


def test_credentials_of_another_role_are_refused_at_once(tmp_path):
    with pytest.raises(ConfigError, match="role planner, and this process is verifier"):
        credentials_of(written(tmp_path), ("verifier",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("role = 'x'\nseed = 'a'\nsecret = 'b'", "unknown key 'secret'"),
        ("role = 'x'", "either a seed or a password"),
        ("role = 3\nseed = 'SECRET'", "see role"),
        ("seed = SECRET", "no TOML"),
    ],
)
def test_a_bad_file_is_named_and_its_secret_is_not(tmp_path, text, said):
    file = tmp_path / "x.toml"
    file.touch(mode=0o600)
    file.write_text(text)
    with pytest.raises(ConfigError) as raised:
        read_credentials(file)
    assert said in str(raised.value)
    assert "SECRET" not in str(raised.value)


def test_a_file_that_everybody_can_read_is_an_alarm(tmp_path, caplog):
    file = written(tmp_path)
    file.chmod(0o644)
    with caplog.at_level(logging.WARNING):
        read_credentials(file)
    assert "chmod 600" in caplog.text


def test_a_ca_that_is_none_is_a_clear_error():
    with pytest.raises(ConfigError, match="role x: CA"):
        Credentials(role="x", seed=SEED, ca="no PEM").tls()

"""Configuration: TOML file, then environment, then flags; each outranks the one before.

Two kinds. A *run configuration* (`configs/runs/NAME.toml`) decides what a run does, is recorded
in `run_started` and is the same for every worker. *Worker settings* (`configs/workers.toml`, one
table per role, `bus` and `model`) say how a process runs on this machine. A key nobody knows is
an error that names the key and where it stands. A run configuration may begin with
`include = ["other.toml"]`: what it says itself outranks what it includes.

Environment: `RAGSOLVER_RUN__BUDGET__LLM_CALLS=5`, `RAGSOLVER_VERIFIER__SESSIONS=2`.
Flags: `--set budget.llm_calls=5`, `--set verifier.sessions=2`.
"""

import dataclasses
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from ragsolver_contracts.invalid import pointers
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.paths import resource_dir

Table = Mapping[str, Any]
T = TypeVar("T")

_PREFIX = "RAGSOLVER_"
_SEPARATOR = "__"
RUN_TABLE = "run"


def run_config_path(name_or_path: str) -> Path:
    """File of a run configuration: a path as given, or a name among the shipped ones.

    Raises:
        ConfigError: there is no such file.
    """
    path = Path(name_or_path)
    if path.suffix == ".toml":
        if path.is_file():
            return path
        raise ConfigError(f"no run configuration at {path}")
    shipped = resource_dir("configs") / "runs"
    found = shipped / f"{name_or_path}.toml"
    if found.is_file():
        return found
    names = ", ".join(sorted(file.stem for file in shipped.glob("*.toml"))) or "none"
    raise ConfigError(f"no run configuration {name_or_path!r}: shipped ones are {names}")


def load_run_config(
    name_or_path: str,
    *,
    env: Mapping[str, str] | None = None,
    flags: Iterable[str] = (),
) -> RunConfig:
    """The run configuration of a name or file, with environment and flags applied.

    Args:
        name_or_path: a shipped name (`full`) or a `.toml` file.
        env: environment variables; those that begin with `RAGSOLVER_RUN__` count.
        flags: `key=value` with dotted keys.

    Raises:
        ConfigError: unknown key or bad value, with the file, variable or flag that holds it.
    """
    path = run_config_path(name_or_path)
    values = read_including(path)
    values.setdefault("name", path.stem)
    origins = [str(path)]
    from_env = environment(env or {}).get(RUN_TABLE, {})
    if from_env:
        origins.append(f"environment {_PREFIX}RUN{_SEPARATOR}…")
    from_flags = parse_flags(flags)
    if from_flags:
        origins.append("--set")
    merged = merge(merge(values, from_env), from_flags)
    return checked(RunConfig, merged, " + ".join(origins))


def load_worker_settings(
    path: Path | None,
    roles: Iterable[str],
    *,
    env: Mapping[str, str] | None = None,
    flags: Iterable[str] = (),
) -> dict[str, dict[str, Any]]:
    """Tables of worker settings by role, with environment and flags applied.

    Args:
        path: the file; none for the shipped `configs/workers.toml`, if there is one.
        roles: every role that may have a table; `bus` and `model` may always.
        env: environment variables `RAGSOLVER_<ROLE>__<KEY>`.
        flags: `role.key=value`.

    Raises:
        ConfigError: an unknown table, or a value outside of any table.
    """
    if path is None:
        shipped = resource_dir("configs") / "workers.toml"
        path = shipped if shipped.is_file() else None
    known = {"bus", "model", "telemetry", *roles}
    tables: dict[str, Any] = read_toml(path) if path is not None else {}
    _known_tables(tables, known, str(path))
    from_env = environment(env or {})
    from_env.pop(RUN_TABLE, None)
    _known_tables(from_env, known, "the environment")
    from_flags = parse_flags(flags)
    _known_tables(from_flags, known, "--set")
    return merge(merge(tables, from_env), from_flags)


def settings_as(kind: type[T], values: Table, where: str) -> T:
    """One table as a frozen settings class (dataclass or pydantic model).

    Args:
        kind: the class; its fields are the known keys.
        values: the table.
        where: which table and file, for the error.

    Raises:
        ConfigError: unknown key or bad value.
    """
    return checked(kind, values, where)


def checked(kind: type[T], values: Table, where: str) -> T:
    """Validate a table against a class; every unknown key is named."""
    if dataclasses.is_dataclass(kind):
        known = {f.name for f in dataclasses.fields(kind) if f.init}
        unknown = sorted(set(values) - known)
        if unknown:
            listed = ", ".join(sorted(known)) or "none"
            raise ConfigError(f"{where}: unknown key {unknown[0]!r}; known keys are {listed}")
    try:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind.model_validate(dict(values), strict=False)
        return TypeAdapter(kind).validate_python(dict(values))
    except ValidationError as error:
        listed = "; ".join(
            f"{where_.lstrip('/').replace('/', '.')}: {what}" for where_, what in pointers(error)
        )
        raise ConfigError(f"{where}: {listed}") from error


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a table.

    Raises:
        ConfigError: it cannot be read, or is not TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error


def read_including(path: Path, above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """A TOML file over the files that its `include` names, relative to its own folder.

    Args:
        path: the file.
        above: the files that include it, outermost first.

    Raises:
        ConfigError: a file cannot be read, is not TOML, or includes itself.
    """
    here = path.resolve()
    if here in above:
        chain = " includes ".join(file.name for file in (*above, here))
        raise ConfigError(f"{path}: {chain}")
    values = read_toml(path)
    included = values.pop("include", [])
    if not isinstance(included, list) or not all(isinstance(item, str) for item in included):
        raise ConfigError(f"{path}: include is a list of file names")
    base: dict[str, Any] = {}
    for name in included:
        base = merge(base, read_including(path.parent / name, (*above, here)))
    base.pop("name", None)
    return merge(base, values)


def environment(env: Mapping[str, str]) -> dict[str, Any]:
    """Variables `RAGSOLVER_<TABLE>__<KEY>[__<KEY>]` as nested tables, lower-cased."""
    tables: dict[str, Any] = {}
    for name, value in sorted(env.items()):
        if name.startswith(_PREFIX) and _SEPARATOR in name:
            keys = name.removeprefix(_PREFIX).lower().split(_SEPARATOR)
            _put(tables, keys, parse_value(value), f"environment variable {name}")
    return tables


def parse_flags(flags: Iterable[str]) -> dict[str, Any]:
    """`key.key=value` flags as nested tables.

    Raises:
        ConfigError: a flag without `=`.
    """
    tables: dict[str, Any] = {}
    for flag in flags:
        key, equals, value = flag.partition("=")
        if not equals or not key:
            raise ConfigError(f"--set {flag}: write KEY=VALUE, for example budget.llm_calls=5")
        _put(tables, key.strip().split("."), parse_value(value), f"--set {flag}")
    return tables


def parse_value(text: str) -> Any:
    """A value as TOML would read it; what TOML cannot read is a plain string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return text


def merge(base: Table, over: Table) -> dict[str, Any]:
    """Nested tables, the second outranking the first key by key."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        merged[key] = merge(below, value) if both else value  # type: ignore[arg-type]
    return merged


def _put(tables: dict[str, Any], keys: list[str], value: Any, where: str) -> None:
    table = tables
    for key in keys[:-1]:
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{where}: {key!r} is a value, not a table")
    table[keys[-1]] = value


def _known_tables(tables: Table, known: set[str], where: str) -> None:
    for name, value in tables.items():
        if name not in known:
            raise ConfigError(
                f"{where}: unknown table {name!r}; known ones are {', '.join(sorted(known))}"
            )
        if not isinstance(value, Mapping):
            raise ConfigError(f"{where}: {name!r} is a table of settings, not a value")

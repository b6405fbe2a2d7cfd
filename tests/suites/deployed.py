"""What a deployment says, held against the product: command lines, settings, durables, secrets.

Every function returns what is wrong, in words; nothing is run.
"""

import importlib
import re
from collections.abc import Mapping, Sequence

import click

from ragsolver_rag.settings import retriever_settings
from ragsolver_runtime import consume
from ragsolver_runtime.config import load_worker_settings, settings_as
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.intake import ROLE as INTAKE
from ragsolver_runtime.llm.settings import KEY_VARIABLES, ModelSettings
from ragsolver_runtime.roles import asks_model, worker_roles
from ragsolver_runtime.settings import bus_table
from ragsolver_runtime.telemetry.settings import telemetry_settings
from ragsolver_verifier.settings import VerifierSettings

ROLES = (INTAKE, *worker_roles())
HEALTH, METRICS = "/healthz", "/metrics"
_PLACES = {"RAGSOLVER_CACHE", "RAGSOLVER_DATA"}


def command_faults(arguments: Sequence[str]) -> list[str]:
    """What the command line would refuse: the words after `ragsolver`."""
    shown = " ".join(["ragsolver", *arguments])
    command: click.Command = importlib.import_module("ragsolver_runtime.cli.main").ragsolver
    context = click.Context(command, info_name="ragsolver")
    rest = list(arguments)
    while isinstance(command, click.Group):
        found = command.get_command(context, rest[0]) if rest else None
        if found is None:
            return [f"{shown}: no such command"]
        command, rest = found, rest[1:]
        context = click.Context(command, parent=context, info_name=command.name)
    try:
        values, left, _ = command.make_parser(context).parse_args(rest)
        for param in command.get_params(context):
            value = values.get(param.name)
            if param.required and value is None:
                return [f"{shown}: lacks {param.name}"]
            # Files of another machine are not looked for here.
            if not isinstance(param.type, click.Path) and value is not None:
                param.type_cast_value(context, value)
    except click.ClickException as error:
        return [f"{shown}: {error.format_message()}"]
    if left:
        return [f"{shown}: {' '.join(left)} is too much"]
    if arguments[0] == "worker" and values["role"] not in ROLES:
        return [f"{shown}: there is no role {values['role']}"]
    return []


def settings_faults(environment: Mapping[str, str]) -> list[str]:
    """What a worker would refuse in its environment."""
    found = [
        f"{name}: nobody reads it"
        for name in environment
        if name.startswith("RAGSOLVER_") and "__" not in name and name not in _PLACES
    ]
    try:
        tables = load_worker_settings(None, ROLES, env=environment)
        bus_table(tables.get("bus", {}), "environment")
        telemetry_settings(tables)
        settings_as(ModelSettings, tables.get("model", {}), "environment [model]")
        settings_as(VerifierSettings, tables.get("verifier", {}), "environment [verifier]")
        retriever_settings(tables.get("retriever", {}))
    except ConfigError as error:
        found.append(str(error))
    return found


def health_faults(role: str, environment: Mapping[str, str], path: str, port: int) -> list[str]:
    """Whether a probe asks where the worker answers."""
    own = {name: value for name, value in environment.items() if "TELEMETRY" in name}
    settings = telemetry_settings(load_worker_settings(None, ROLES, env=own))
    found = []
    if path not in {HEALTH, METRICS}:
        found.append(f"{role}: nothing answers at {path}")
    if port != settings.metrics_port:
        found.append(f"{role}: asked on port {port}, answers on {settings.metrics_port}")
    return found


def key_faults(role: str, environment: Mapping[str, str]) -> list[str]:
    """Whether exactly those who ask a model get its key."""
    has = any(name in environment for name in KEY_VARIABLES)
    if has is asks_model(role):
        return []
    return [f"{role}: {'has' if has else 'lacks'} the key of the language model"]


def grace_faults(role: str, seconds: float) -> list[str]:
    """Whether a worker may finish or hand back its work before it is killed."""
    drain_s = bus_table(load_worker_settings(None, ROLES).get("bus", {}), "shipped").drain_s
    needed = drain_s + consume._DECIDE_GRACE_S + consume._CLEAN_UP_S
    return [] if seconds >= needed else [f"{role}: {seconds:g} s to stop, may need {needed:g} s"]


def seconds(text: str) -> float:
    """A duration as Go writes it: `1m30s`."""
    units = {"h": 3600, "m": 60, "s": 1}
    return sum(float(n) * units[unit] for n, unit in re.findall(r"([\d.]+)([hms])", text))

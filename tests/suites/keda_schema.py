"""What a KEDA ScaledObject with NATS triggers may say, written from KEDA's documentation.

Fields of https://keda.sh/docs/latest/reference/scaledobject-spec/ and of the trigger
https://keda.sh/docs/latest/scalers/nats-jetstream/; anything else is a mistake.
"""

from typing import Any

_NUMBER = {"type": "string", "pattern": "^[0-9]+$"}
_NAME = {"type": "string", "minLength": 1}

_TRIGGER: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["type", "metadata"],
    "properties": {
        "type": {"const": "nats-jetstream"},
        "name": _NAME,
        "useCachedMetrics": {"type": "boolean"},
        "metricType": {"enum": ["AverageValue", "Value"]},
        "metadata": {
            "type": "object",
            "additionalProperties": False,
            "required": ["natsServerMonitoringEndpoint", "account", "stream", "consumer"],
            "properties": {
                # Host and port, without a scheme.
                "natsServerMonitoringEndpoint": {
                    "type": "string",
                    "pattern": "^[a-z0-9.-]+:[0-9]+$",
                },
                "account": _NAME,
                "stream": _NAME,
                "consumer": _NAME,
                "lagThreshold": _NUMBER,
                "activationLagThreshold": _NUMBER,
                "useHttps": {"enum": ["true", "false"]},
            },
        },
        "authenticationRef": {
            "type": "object",
            "additionalProperties": False,
            "required": ["name"],
            "properties": {"name": _NAME, "kind": _NAME},
        },
    },
}

SCALED_OBJECT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
    "required": ["apiVersion", "kind", "metadata", "spec"],
    "properties": {
        "apiVersion": {"const": "keda.sh/v1alpha1"},
        "kind": {"const": "ScaledObject"},
        "metadata": {"type": "object", "required": ["name"]},
        "spec": {
            "type": "object",
            "additionalProperties": False,
            "required": ["scaleTargetRef", "triggers"],
            "properties": {
                "scaleTargetRef": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["name"],
                    "properties": {
                        "apiVersion": _NAME,
                        "kind": _NAME,
                        "name": _NAME,
                        "envSourceContainerName": _NAME,
                    },
                },
                "pollingInterval": {"type": "integer", "minimum": 1},
                "cooldownPeriod": {"type": "integer", "minimum": 0},
                "initialCooldownPeriod": {"type": "integer", "minimum": 0},
                "idleReplicaCount": {"type": "integer", "minimum": 0},
                "minReplicaCount": {"type": "integer", "minimum": 0},
                "maxReplicaCount": {"type": "integer", "minimum": 1},
                "fallback": {"type": "object"},
                "advanced": {"type": "object"},
                "triggers": {"type": "array", "minItems": 1, "items": _TRIGGER},
            },
        },
    },
}

"""Numbers as the text that Prometheus reads, of one process or of several put together."""

from collections.abc import Iterable, Mapping

from prometheus_client import generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_BIRTHS = "_created"
"""Suffix of the times at which series began: one more for each, of no use here."""


class _Families(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterable[Metric]:
        return self._families


def text_of(numbers: Collector) -> str:
    """Everything that was counted, as text."""
    return _text(numbers.collect())


def put_together(texts: Mapping[str, str]) -> str:
    """The numbers of several processes as one text.

    Args:
        texts: of each process, by its name; `verifier-2` gets the labels `replica="2"` and
            `role="verifier"` where it has no such label, a name without a number no replica.
    """
    families: dict[str, Metric] = {}
    for name, text in texts.items():
        role, dash, number = name.rpartition("-")
        numbered = bool(dash) and number.isdecimal()
        of_role = {"role": role if numbered else name}
        replica = {"replica": number} if numbered else {}
        for found in text_string_to_metric_families(text):
            family = families.setdefault(
                found.name, Metric(found.name, found.documentation, found.type)
            )
            for sample in found.samples:
                labels = {**of_role, **sample.labels, **replica}
                family.samples.append(sample._replace(labels=labels))
    return _text(families[name] for name in sorted(families))


def _text(families: Iterable[Metric]) -> str:
    kept = []
    for family in families:
        if family.name.endswith(_BIRTHS):
            continue
        own = Metric(family.name, family.documentation, family.type)
        own.samples = [item for item in family.samples if not item.name.endswith(_BIRTHS)]
        kept.append(own)
    return generate_latest(_Families(kept)).decode()

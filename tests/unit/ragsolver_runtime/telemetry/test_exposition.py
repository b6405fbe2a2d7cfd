from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.parser import text_string_to_metric_families

from ragsolver_runtime.telemetry.exposition import put_together, text_of


def _text(value, role="critic"):
    registry = CollectorRegistry()
    counter = Counter("done", "What was done.", ["role"], registry=registry)
    counter.labels(role).inc(value)
    Histogram("took", "How long.", registry=registry, buckets=(1,)).observe(value)
    return text_of(registry)


def test_series_have_no_second_one_for_their_birth():
    assert "_created" not in _text(1)
    assert 'done_total{role="critic"} 1.0' in _text(1)


def test_replicas_stand_side_by_side():
    merged = put_together({"critic-1": _text(1), "critic-2": _text(2), "supervisor": _text(4)})
    assert 'done_total{replica="1",role="critic"} 1.0' in merged
    assert 'done_total{replica="2",role="critic"} 2.0' in merged
    assert 'done_total{role="critic"} 4.0' in merged
    assert 'took_bucket{le="1.0",replica="2",role="critic"} 0.0' in merged
    assert 'took_bucket{le="1.0",role="supervisor"} 0.0' in merged


def test_no_series_is_there_twice():
    names = ("critic-1", "verifier-1", "verifier-2")
    merged = put_together({name: _text(1, name.partition("-")[0]) for name in names})
    series = [line.rpartition(" ")[0] for line in merged.splitlines() if line[0] != "#"]
    assert len(series) == len(set(series))


def test_what_is_put_together_can_be_read_again():
    merged = put_together({"critic-1": _text(1), "critic-2": _text(2)})
    names = [family.name for family in text_string_to_metric_families(merged)]
    assert names == ["done", "took"]
    assert merged.count("# TYPE") == 2

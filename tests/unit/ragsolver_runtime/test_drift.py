import pytest
from nats.js.api import StreamConfig, StreamInfo

from ragsolver_runtime.drift import compare, compare_stream, drifted, is_smaller
from ragsolver_runtime.errors import DriftError


@pytest.mark.parametrize(
    ("declared", "actual", "fields"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, []),
        ({"a": 1}, {"a": 2}, ["a"]),
        ({"a": 1}, {}, ["a"]),
        ({"a": None}, {"a": 2}, []),
        ({"a": 0, "b": False}, {}, []),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}, []),
        ({"a": ["x"]}, {"a": ["x", "y"]}, ["a"]),
        ({"a": False}, {"a": True}, ["a"]),
    ],
)
def test_only_declared_fields_are_compared(declared, actual, fields):
    assert [difference.field for difference in compare("stream S", declared, actual)] == fields


@pytest.mark.parametrize(
    ("actual", "fields"), [(99, ["max_bytes"]), (100, []), (101, []), (-1, [])]
)
def test_a_stream_may_hold_more_than_declared_and_not_less(actual, fields):
    declared = StreamConfig(name="S", max_bytes=100)
    info = StreamInfo(config=StreamConfig(name="S", max_bytes=actual), state=None)
    found = compare_stream(declared, info)
    assert [difference.field for difference in found] == fields
    assert all(map(is_smaller, found))


def test_no_other_field_may_be_changed_to_make_a_stream_larger():
    assert not any(map(is_smaller, compare("stream S", {"max_age": 2}, {"max_age": 1})))


def test_a_difference_says_where_what_and_both_values():
    (difference,) = compare("stream S", {"max_age": 0}, {"max_age": 5})
    assert str(difference) == "stream S: max_age is 5, declared 0"


def test_a_bus_that_differs_is_refused_with_every_field():
    drifted([])
    with pytest.raises(DriftError, match="stream S: a is 2, declared 1"):
        drifted(compare("stream S", {"a": 1}, {"a": 2}))

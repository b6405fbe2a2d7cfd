import pytest

from ragsolver_runtime.drift import compare, drifted
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


def test_a_difference_says_where_what_and_both_values():
    (difference,) = compare("stream S", {"max_age": 0}, {"max_age": 5})
    assert str(difference) == "stream S: max_age is 5, declared 0"


def test_a_bus_that_differs_is_refused_with_every_field():
    drifted([])
    with pytest.raises(DriftError, match="stream S: a is 2, declared 1"):
        drifted(compare("stream S", {"a": 1}, {"a": 2}))

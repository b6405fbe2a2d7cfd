import inspect

import pytest

from ragsolver_runtime import errors


@pytest.mark.parametrize("kind", [kind for _, kind in inspect.getmembers(errors, inspect.isclass)])
def test_every_error_is_a_bus_error_and_says_what_it_is(kind):
    assert issubclass(kind, errors.BusError)
    assert kind.__doc__


def test_what_no_retry_mends_is_permanent():
    assert issubclass(errors.SubjectConflictError, errors.PermanentError)
    assert issubclass(errors.BlobError, errors.PermanentError)
    assert not issubclass(errors.PublishError, errors.PermanentError)
    assert not issubclass(errors.StorageFullError, errors.PermanentError)

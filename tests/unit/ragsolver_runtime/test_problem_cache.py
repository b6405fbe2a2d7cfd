from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.testing import event
from ragsolver_runtime.problem_cache import ProblemCache
from ragsolver_runtime.wire import StoredEvent


def stored(count):
    said = [event(LlmReserved(call=n, agent="a", purpose="p")) for n in range(1, count + 1)]
    return tuple(StoredEvent(place, item) for place, item in enumerate(said, start=1))


def test_what_was_put_is_kept_and_the_longer_history_wins():
    cache = ProblemCache()
    assert cache.get("a") == ()
    cache.put("a", stored(3))
    cache.put("a", stored(2))
    assert len(cache.get("a")) == 3
    cache.put("a", stored(4))
    assert len(cache.get("a")) == 4


def test_the_least_recently_used_problem_goes_first():
    cache = ProblemCache(max_events=6)
    for key in ("a", "b"):
        cache.put(key, stored(3))
    cache.get("a")
    cache.put("c", stored(2))
    assert [len(cache.get(key)) for key in ("a", "b", "c")] == [3, 0, 2]


def test_one_problem_above_the_bound_is_not_kept():
    cache = ProblemCache(max_events=2)
    cache.put("a", stored(3))
    assert cache.get("a") == ()

import pytest

from ragsolver_runtime.llm.server_clock import ServerClock


class Server:
    """A clock, and how often it was asked; each question takes two seconds of a process."""

    def __init__(self):
        self.asked, self.counted = 0, 1000.0

    async def ask(self):
        self.asked += 1
        self.counted += 1
        told = self.counted + 5_000_000
        self.counted += 1
        return told


async def test_it_goes_as_the_servers_whatever_clock_the_host_has():
    server = Server()
    clock = ServerClock(server.ask, lambda: server.counted)
    await clock.set()
    assert clock() == pytest.approx(server.counted + 5_000_000)
    server.counted += 30
    assert clock() == pytest.approx(server.counted + 5_000_000)


async def test_it_is_set_again_after_a_while_only():
    server = Server()
    clock = ServerClock(server.ask, lambda: server.counted)
    await clock.set()
    await clock.set()
    assert server.asked == 1
    server.counted += 61
    await clock.set()
    assert server.asked == 2

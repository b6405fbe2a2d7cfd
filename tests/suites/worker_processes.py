"""The child processes of a running `solve` or `up`."""

import subprocess

import psutil


def children(running: subprocess.Popen[bytes]) -> dict[str, int]:
    """Process id by role (the last one of each), and of the server as `nats-server`."""
    found = {}
    for child in psutil.Process(running.pid).children():
        try:
            arguments = child.cmdline()
        except psutil.Error:
            continue
        if "worker" in arguments:
            found[arguments[arguments.index("worker") + 1]] = child.pid
        elif arguments and arguments[0].endswith("nats-server"):
            found["nats-server"] = child.pid
    return found

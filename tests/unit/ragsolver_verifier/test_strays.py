import os
import subprocess
import sys

from ragsolver_verifier.strays import kill_writers, writers

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def test_whoever_can_write_into_a_pipe_is_found_and_killed():
    reading, writing = os.pipe()
    inode = os.fstat(reading).st_ino
    writer = subprocess.Popen(SLEEP, stdout=writing, start_new_session=True)
    reader = subprocess.Popen(SLEEP, stdin=reading)
    try:
        assert list(writers(inode)) == [writer.pid]
        os.close(writing)
        kill_writers(inode)
        assert writer.wait(20) == -9
        assert reader.poll() is None
        assert list(writers(inode)) == []
    finally:
        for process in (writer, reader):
            process.kill()
            process.wait()
        os.close(reading)

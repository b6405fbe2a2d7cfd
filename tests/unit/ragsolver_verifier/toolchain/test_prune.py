import os
import time
from pathlib import Path

import pytest
from filelock import FileLock

from ragsolver_verifier.toolchain.prune import UNUSED_S, mark_used, prune

NOW = time.time()
CURRENT = "0.0.0-9"


def aged(path: Path, days: float) -> Path:
    os.utime(path, (NOW - days * 86_400, NOW - days * 86_400))
    return path


def program(lean: Path, number: int, days: float) -> Path:
    """A compiled program with its joined source and its lock."""
    folder = lean / "programs" / f"{number:032x}"
    folder.mkdir(parents=True)
    (folder / "Program.ir").touch()
    for suffix in (".lean", ".lock"):
        aged_file = folder.with_suffix(suffix)
        aged_file.touch()
        aged(aged_file, days)
    return aged(folder, days)


def layout(lean: Path, number: int, days: float) -> Path:
    folder = lean / "repl" / f"{number:016x}"
    (folder / "bin").mkdir(parents=True)
    return aged(folder, days)


def installation(lean: Path, name: str, days: float) -> Path:
    folder = lean / name
    folder.mkdir()
    (folder / "stamp.json").touch()
    aged(folder / "stamp.json", days)
    return aged(folder, days)


def swept(lean: Path) -> list[Path]:
    return prune(lean, CURRENT, lambda: NOW)


def test_old_programs_go_with_their_source_and_the_newest_stay(tmp_path: Path) -> None:
    made = [program(tmp_path, number, 40 + number) for number in range(6)]
    fresh = program(tmp_path, 99, 1)
    assert sorted(swept(tmp_path)) == made[3:]
    left = {path.name for path in (tmp_path / "programs").iterdir()}
    assert left == {p.name + s for p in (*made[:3], fresh) for s in ("", ".lean", ".lock")}


def test_what_was_used_within_a_month_stays(tmp_path: Path) -> None:
    made = [program(tmp_path, number, 29) for number in range(9)]
    made += [layout(tmp_path, number, 29) for number in range(20)]
    assert swept(tmp_path) == []
    assert all(path.is_dir() for path in made)
    assert 29 * 86_400 < UNUSED_S < 31 * 86_400


def test_old_layouts_go(tmp_path: Path) -> None:
    made = [layout(tmp_path, number, 40 + number) for number in range(10)]
    assert sorted(swept(tmp_path)) == made[8:]
    assert not made[9].exists()


def test_the_current_installation_stays_and_of_others_the_newest(tmp_path: Path) -> None:
    current = installation(tmp_path, CURRENT, 400)
    older, newer = installation(tmp_path, "0.0.0-7", 90), installation(tmp_path, "0.0.0-8", 80)
    assert swept(tmp_path) == [older]
    assert current.is_dir()
    assert newer.is_dir()


def test_nothing_else_is_touched(tmp_path: Path) -> None:
    for name in ("export", "staging", "0.0.0-1.txt", "native"):
        (tmp_path / name).mkdir()
        aged(tmp_path / name, 900)
    for number in range(9):
        (tmp_path / "programs" / f"other-{number}").mkdir(parents=True)
        aged(tmp_path / "programs" / f"other-{number}", 900)
    assert swept(tmp_path) == []
    assert len(list(tmp_path.iterdir())) == 5


def test_using_something_keeps_it(tmp_path: Path) -> None:
    made = [program(tmp_path, number, 40 + number) for number in range(6)]
    mark_used(made[5])
    assert made[5] not in swept(tmp_path)
    assert made[5].is_dir()
    mark_used(tmp_path / "absent")


def test_a_program_that_is_being_compiled_stays(tmp_path: Path) -> None:
    made = [program(tmp_path, number, 40 + number) for number in range(6)]
    with FileLock(made[5].with_suffix(".lock")):
        assert swept(tmp_path) == [made[4]]
    assert made[5].is_dir()


def test_what_was_marked_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [program(tmp_path, number, 40 + number) for number in range(5)]
    acquire = FileLock.acquire

    def mark_first(lock: FileLock, timeout: float) -> object:
        mark_used(made[4])
        return acquire(lock, timeout=timeout)

    monkeypatch.setattr(FileLock, "acquire", mark_first)
    assert swept(tmp_path) == []
    assert made[4].is_dir()


def test_what_a_killed_process_left_goes_after_a_day(tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    left = [tmp_path / "programs" / ".new-a", tmp_path / ".old-0.0.0-3"]
    for path in left:
        path.mkdir()
        aged(path, 2)
    young = tmp_path / "programs" / ".new-b"
    young.touch()
    aged(young, 0.5)
    swept(tmp_path)
    assert not any(path.exists() for path in left)
    assert young.exists()


def test_an_empty_cache_is_fine(tmp_path: Path) -> None:
    assert swept(tmp_path / "absent") == []

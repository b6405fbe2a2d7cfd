from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ragsolver_runtime import roles
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.roles import MissingExtraError, load_role, parse_scale, worker_processes

GROUP = roles.ENTRY_POINT_GROUP


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        EntryPoint("verifier", "suites.simulated_workers:VERIFIER", GROUP),
        EntryPoint("retriever", "ragsolver_rag.handler:WORKER", GROUP),
        EntryPoint("planner", "ragsolver_agents.no_such_module:WORKER", GROUP),
        EntryPoint("odd", "pathlib:Path", GROUP),
    ]
    monkeypatch.setattr(roles, "entry_points", lambda group: found)
    real = EntryPoint.load

    def _load(entry: EntryPoint) -> object:
        if entry.name == "retriever":
            raise ModuleNotFoundError("No module named 'lancedb'", name="lancedb")
        return real(entry)

    monkeypatch.setattr(EntryPoint, "load", _load)


def test_a_role_is_loaded_by_name() -> None:
    assert load_role("verifier").role == "verifier"


def test_an_unknown_role_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="odd, planner, retriever, verifier, intake"):
        load_role("poet")


def test_a_role_whose_extra_is_missing_names_the_command() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'ragsolver\[rag\]'"):
        load_role("retriever")


def test_a_fault_of_our_own_is_not_called_a_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load_role("planner")


def test_an_entry_point_that_is_no_worker_is_refused() -> None:
    with pytest.raises(ConfigError, match="no WorkerSpec"):
        load_role("odd")


def test_scale() -> None:
    counts = parse_scale(("verifier=3",))
    assert counts == {"intake": 1, "odd": 1, "planner": 1, "retriever": 1, "verifier": 3}


@pytest.mark.parametrize(
    "flags",
    [
        ("verifier=4,retriever=2",),
        ("verifier=4", "retriever=2"),
        (" verifier = 4 , retriever=2",),
    ],
)
def test_several_roles_are_scaled_in_one_flag_or_in_several(flags: tuple[str, ...]) -> None:
    counts = parse_scale(flags)
    assert (counts["verifier"], counts["retriever"], counts["planner"]) == (4, 2, 1)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("poet=2",), "'poet=2' is not ROLE=NUMBER with a role of intake, odd"),
        (("verifier",), "ROLE=NUMBER"),
        (("verifier=x",), "ROLE=NUMBER"),
        (("verifier=-1",), "ROLE=NUMBER"),
        (("verifier=²",), "ROLE=NUMBER"),
        (("",), "'nothing' is not"),
        (("verifier=4,",), "'nothing' is not"),
        (("verifier=4;retriever=2",), "stand as verifier=4,retriever=2"),
        (("verifier=4,verifier=2",), "verifier is named twice"),
        (("verifier=4", "verifier=2"), "verifier is named twice"),
    ],
)
def test_a_scale_that_cannot_be_meant_is_refused(wrong: tuple[str, ...], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_scale(wrong)


def test_one_independent_process_per_worker(tmp_path: Path) -> None:
    counts = {"intake": 1, "verifier": 2, "odd": 0}
    found = worker_processes(counts, ("verifier.sessions=2",), tmp_path, "full")
    assert [spec.name for spec in found] == ["intake-1", "verifier-1", "verifier-2"]
    line = " ".join(found[1].arguments)
    assert "worker verifier --log-file" in line
    assert "nats" not in line.split("cli worker")[1].split("--log-file")[0]
    assert line.endswith("--set verifier.sessions=2")
    assert "--config full" in " ".join(found[0].arguments)
    assert len({spec.log for spec in found}) == 3


def test_who_asks_no_model_does_not_get_its_key(tmp_path: Path) -> None:
    counts = dict.fromkeys(("intake", "verifier", "retriever", "critic", "odd"), 1)
    found = worker_processes(counts, (), tmp_path, "full")
    with_key = {spec.name for spec in found if "ANTHROPIC_API_KEY" not in spec.withheld}
    assert with_key == {"critic-1", "odd-1"}

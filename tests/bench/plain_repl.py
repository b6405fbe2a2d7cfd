"""`lean-interact` used plainly: the Lean REPL's `Command`, without any of the checker's looks.

`PlainRepl.lean` beside this file is what answers: the same Lean, elaboration and messages only.
"""

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.toolchain.compile import compile_program
from ragsolver_verifier.toolchain.locate import require
from ragsolver_verifier.toolchain.repl_layout import repl_layout

SOURCE = Path(__file__).with_name("PlainRepl.lean")
TIMEOUT_S = 300.0


class PlainRepl:
    """A REPL that keeps one environment per header, as an agent loop would use it."""

    def __init__(self) -> None:
        from lean_interact import LeanREPLConfig, LeanServer

        toolchain = require()
        compile_program(toolchain, SOURCE, resource_dir("lean_project") / "Loader.lean")
        layout = repl_layout(toolchain, SOURCE)
        config = LeanREPLConfig(
            local_repl_path=str(layout.local_repl_path),
            build_repl=False,
            lake_path=str(layout.lake_path),
            memory_hard_limit_mb=None,
        )
        self._server = LeanServer(config)
        self._environments: dict[str, int] = {}

    @property
    def pid(self) -> int:
        """Process id of what was started."""
        return int(self._server._proc.pid)

    def valid(self, header: str, text: str) -> bool:
        """Whether Lean says nothing against a text after a header; all that is asked."""
        if header not in self._environments:
            self._environments[header] = int(self._run(header or "import Init").env)
        answer = self._run(text, self._environments[header])
        return bool(answer.lean_code_is_valid(allow_sorry=False))

    def _run(self, text: str, env: int | None = None) -> Any:
        from lean_interact import Command

        return self._server.run(Command(cmd=text, env=env), timeout=TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self._server.kill()

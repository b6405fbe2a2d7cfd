"""Write the golden evaluation again; look at the difference before it is committed."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ragsolver_runtime.evaluate.files import write_files
from ragsolver_runtime.evaluate.outcomes import read_runs
from ragsolver_runtime.evaluate.summary import summarize
from suites.evaluated import evaluated

KEPT = ("configurations.csv", "errors.csv", "evaluation.md")

if __name__ == "__main__":
    target = Path(__file__).parent / "evaluation"
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        made = summarize(read_runs(evaluated(Path(folder))))
        for path in write_files(made, Path(folder) / "out"):
            if path.name in KEPT:
                (target / path.name).write_bytes(path.read_bytes())

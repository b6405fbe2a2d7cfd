"""Many problems with eight processes that ask a model, killed at random: `soak_llm.py --help`.

Every request that the server counted must be one recorded call, and no problem may make more
calls than its budget. Lean and the index are simulated, the model is the local Messages API.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from suites.llm_load import Load, loaded


def shown(load: Load) -> str:
    """The figures of a run, one a line."""
    lines = [
        f"problems            {load.problems}",
        f"ended               {dict(load.outcomes)}",
        f"kills               {load.kills}",
        f"requests served     {load.served.total()}",
        f"calls recorded      {load.called.total()}",
        f"of these lost       {load.lost}",
        f"cut by a kill       {load.cut}",
        f"most calls          {load.most_calls} of 20",
        f"seconds             {load.seconds:.0f}",
    ]
    return "\n".join([*lines, *(f"WRONG: {said}" for said in load.wrong()[:20])])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=500)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--delay", type=float, default=0.3, help="seconds of each answer")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between kills")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        found = loaded(
            Path(root),
            given.problems,
            given.kills,
            seed=given.seed,
            delay_s=given.delay,
            every_s=given.every,
            least_s=61.0 if given.kills > 5 else 0.0,
        )
    sys.stdout.write(shown(found) + "\n")
    sys.exit(bool(found.wrong()))

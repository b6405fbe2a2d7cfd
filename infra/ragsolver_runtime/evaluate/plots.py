"""The evaluation as pictures, PNG and SVG. Needs the extra `eval` (matplotlib)."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.evaluate.summary import ConfigurationResult, EvaluationReport

FORMATS = ("png", "svg")
_STYLE: Any = {
    "svg.hashsalt": "ragsolver",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 9,
    "figure.dpi": 130,
    "legend.frameon": False,
}
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444",
            "#999999", "#b07aa1", "#8c6d31")  # fmt: skip
_LINES = ("-", "--", ":", "-.")
_LEAST_S = 0.01


def require_plots() -> None:
    """Refuse to draw where matplotlib is missing.

    Raises:
        ConfigError: with the command that installs it.
    """
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise ConfigError(
            f"plots need matplotlib ({error}): pip install 'ragsolver[eval]', or --no-plots"
        ) from error


def write_plots(report: EvaluationReport, folder: Path) -> list[Path]:
    """Draw every picture that the report has something for.

    Args:
        report: what was found.
        folder: made if missing.
    """
    require_plots()
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with mpl.rc_context(_STYLE):
        for name, draw in _PICTURES.items():
            figure = Figure(layout="constrained")
            FigureCanvasAgg(figure)
            if not draw(figure, report):
                continue
            for form in FORMATS:
                path = folder / f"{name}.{form}"
                metadata = {"Date": None} if form == "svg" else None
                figure.savefig(path, format=form, metadata=metadata)
                written.append(path)
    return written


def _pass_at_1(figure: Any, report: EvaluationReport) -> bool:
    """pass@1 with its interval, and the difference from the baseline."""
    shown = [one for one in report.configurations if one.wilson is not None]
    if not shown:
        return False
    figure.set_size_inches(8, 1.4 + 0.36 * len(shown))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    compared = {item.name: item for item in report.comparisons}
    for row, one in enumerate(shown):
        colour = _COLOURS[row % len(_COLOURS)]
        share = 100 * one.pass_at.get(1, 0.0)
        low, high = (100 * end for end in one.wilson or (0.0, 1.0))
        left.plot([low, high], [row, row], color=colour, linewidth=2, solid_capstyle="butt")
        left.plot(share, row, "o", color=colour)
        left.annotate(f"{share:.0f} %", (share, row), (0, 6), textcoords="offset points",
                      ha="center", color=colour, fontsize=8)  # fmt: skip
        against = compared.get(one.name)
        if against is not None and against.interval is not None:
            ends = [100 * end for end in against.interval]
            right.plot(ends, [row, row], color=colour, linewidth=2, solid_capstyle="butt")
            right.plot(100 * (against.difference or 0.0), row, "o", color=colour)
    left.set_yticks(range(len(shown)), [one.name for one in shown])
    left.set_ylim(len(shown) - 0.5, -0.7)
    left.set_xlim(0, 103)
    left.set_xlabel("pass@1, % of the problems (Wilson 95 %)")
    right.axvline(0, color="#999999", linewidth=0.8)
    right.set_xlabel(f"minus {report.baseline}, points (bootstrap 95 %)")
    reach = max(5.0, *(abs(end) for end in right.get_xlim()))
    right.set_xlim(-reach, reach)
    return True


def _over_time(figure: Any, report: EvaluationReport) -> bool:
    """Samples proved within so many seconds of Lean each."""
    excluded = set(report.excluded)
    figure.set_size_inches(7, 3.6)
    axes = figure.subplots()
    times = {one.name: _proof_times(one.name, report, excluded) for one in report.configurations}
    every = [time for found in times.values() for time in found]
    if not every:
        return False
    first, last = 0.8 * min(every), 1.25 * max(every)
    for number, one in enumerate(report.configurations):
        found = times[one.name]
        shares = [100 * i / one.samples for i in range(len(found) + 1)] if one.samples else [0.0]
        axes.step(
            [first, *found, last],
            [*shares, shares[-1]],
            where="post",
            label=one.name,
            color=_COLOURS[number % len(_COLOURS)],
            linestyle=_LINES[number % len(_LINES)],
            linewidth=1.5,
        )
    axes.set_xscale("log")
    axes.set_ylim(0, 103)
    axes.set_xlabel("seconds of Lean per problem")
    axes.set_ylabel("proved, % of the samples")
    axes.set_xlim(first, last)
    for axis in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        axis(_plain_seconds)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return True


def _proof_times(name: str, report: EvaluationReport, excluded: set[str]) -> list[float]:
    own = [run for run in report.runs if run.config.name == name]
    proofs = [p for r in own for p in r.problems if p.proved and p.name not in excluded]
    return sorted(max(_LEAST_S, p.lean_s) for p in proofs)


def _plain_seconds(value: float, _: object) -> str:
    """Seconds at 1, 2 and 5 times a power of ten; nothing at the other ticks."""
    return f"{value:g}" if f"{value:e}"[0] in "125" else ""


def _errors(figure: Any, report: EvaluationReport) -> bool:
    """Verdicts that are not accepted, by error class."""
    shown = [one for one in report.configurations if one.errors]
    classes = _by_size(shown)
    figure.set_size_inches(8, 1.4 + 0.36 * len(shown))
    axes = figure.subplots()
    starts = [0] * len(shown)
    for number, name in enumerate(classes):
        widths = [one.errors.get(name, 0) for one in shown]
        axes.barh(
            range(len(shown)),
            widths,
            left=starts,
            height=0.65,
            label=name.replace("_", " "),
            color=_COLOURS[number % len(_COLOURS)],
        )
        starts = [start + width for start, width in zip(starts, widths, strict=True)]
    axes.set_yticks(range(len(shown)), [one.name for one in shown])
    axes.invert_yaxis()
    axes.set_xlabel("verdicts that are not accepted")
    if shown:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return bool(shown)


def _by_size(shown: Sequence[ConfigurationResult]) -> list[str]:
    totals: dict[str, int] = {}
    for one in shown:
        for name, count in one.errors.items():
            totals[name] = totals.get(name, 0) + count
    return sorted(totals, key=lambda name: (-totals[name], name))


def _pass_at_k(figure: Any, report: EvaluationReport) -> bool:
    """pass@k by k, where there are repetitions."""
    ks = sorted({k for one in report.configurations for k in one.pass_at})
    if len(ks) < 2:  # one point is no curve
        return False
    figure.set_size_inches(6, 3.4)
    axes = figure.subplots()
    # Curves that lie on each other are drawn side by side.
    aside, middle = 0.02 * (ks[-1] - ks[0]), (len(report.configurations) - 1) / 2
    for number, one in enumerate(report.configurations):
        points = sorted(one.pass_at.items())
        axes.plot(
            [k + aside * (number - middle) for k, _ in points],
            [100 * share for _, share in points],
            marker="o",
            label=one.name,
            color=_COLOURS[number % len(_COLOURS)],
            linestyle=_LINES[number % len(_LINES)],
        )
    axes.set_ylim(0, 103)
    axes.set_xticks(ks)
    axes.set_xlabel("k")
    axes.set_ylabel("pass@k, %")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return True


_PICTURES: dict[str, Callable[[Any, EvaluationReport], bool]] = {
    "pass_at_1": _pass_at_1,
    "proved_over_time": _over_time,
    "errors": _errors,
    "pass_at_k": _pass_at_k,
}

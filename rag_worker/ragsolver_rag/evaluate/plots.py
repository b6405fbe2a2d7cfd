"""The evaluation of a search as a picture. Needs the extra `eval` (matplotlib)."""

from pathlib import Path

from ragsolver_rag.evaluate.report import RetrievalReport
from ragsolver_runtime.evaluate.plots import require_plots


def draw(report: RetrievalReport, path: Path) -> None:
    """Draw the first measure of every variant, overall with its interval and by style.

    Args:
        report: what was found.
        path: a PNG file, written over.

    Raises:
        ConfigError: matplotlib is missing; says what installs it.
    """
    require_plots()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    measure = next(iter(report.variants[0].measures))
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    overall, by_style = figure.subplots(1, 2, width_ratios=(1, 2))
    names = [variant.variant for variant in report.variants]
    found = [variant.measures[measure] for variant in report.variants]
    below = [m.mean - m.low for m in found]
    above = [m.high - m.mean for m in found]
    overall.bar(names, [m.mean for m in found], yerr=[below, above], capsize=3, color="#0072b2")
    overall.tick_params("x", rotation=30)
    overall.set_ylabel(measure)
    overall.set_title(f"{report.benchmark}, {report.queries} queries")
    styles = list(report.variants[0].by_style)
    width = 0.8 / len(names)
    for number, variant in enumerate(report.variants):
        places = [n + number * width for n in range(len(styles))]
        heights = [variant.by_style[style][measure] for style in styles]
        by_style.bar(places, heights, width, label=variant.variant)
    by_style.set_xticks([n + 0.4 - width / 2 for n in range(len(styles))], styles)
    by_style.legend(frameon=False, fontsize=8)
    by_style.set_title("by style of query")
    figure.savefig(path, dpi=130)

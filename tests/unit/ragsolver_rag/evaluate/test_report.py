from ragsolver_rag.evaluate.report import RetrievalReport, comparisons, markdown, variant_report
from suites.retrieval_report import OUTCOMES, report


def test_a_variant_is_summed_up():
    found = variant_report("x", OUTCOMES["hybrid+rerank"])
    measured = found.measures["nDCG@10"]
    assert measured.mean == 0.75
    assert measured.low <= 0.75 <= measured.high
    assert found.by_style["lean"]["R@1"] == 0.5
    assert found.causes == {"ranked low": 1}
    assert found.latency_p50_ms == 2.5


def test_the_last_variant_is_compared_with_the_others():
    only = comparisons(OUTCOMES)[0]
    assert (only.first, only.second, only.measure) == ("lexical", "hybrid+rerank", "nDCG@10")
    assert only.difference > 0


def test_people_read_tables_and_failures():
    said = markdown(report())
    assert "| hybrid+rerank | 0.750 [" in said
    assert "nDCG@10 by style" in said
    assert "Not within ten, hybrid+rerank: ranked low: 1" in said
    assert "wanted `Foo`, rank 30" in said
    assert "75.0% of the queries" in said
    assert RetrievalReport.model_validate_json(report().model_dump_json()) == report()

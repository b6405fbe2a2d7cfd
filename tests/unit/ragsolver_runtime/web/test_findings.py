from ragsolver_runtime.web.findings import findings_of
from suites.web_world import golden_case


def test_retrievals_with_what_they_were_for() -> None:
    case, _ = golden_case("looked_up_after_an_unknown_name")
    first, second = findings_of(case)
    assert (first.plan, first.attempt) == (1, 0)
    assert second.attempt > 0
    assert first.queries
    assert first.goal


def test_hits_carry_the_level_of_the_report() -> None:
    case, _ = golden_case("looked_up_after_an_unknown_name")
    hits = [hit for found in findings_of(case) for hit in found.hits]
    assert hits
    assert [hit.rank for hit in findings_of(case)[0].hits] == sorted(
        hit.rank for hit in findings_of(case)[0].hits
    )
    assert {hit.citation.level for hit in hits} <= {
        "used_in_proof", "used_in_sketch", "consulted", "",
    }  # fmt: skip

from ragsolver_runtime.breach import Breach


def test_a_breach_names_its_rule_and_where_it_shows():
    assert Breach("gap", "said", "e1") != Breach("gap", "said")

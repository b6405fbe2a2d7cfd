from ragsolver_verifier.axioms import beyond_standard


def test_the_three_standard_axioms_are_fine():
    assert beyond_standard(["propext", "Quot.sound", "Classical.choice"]) == ()


def test_a_namesake_in_a_namespace_is_not_standard():
    assert beyond_standard(["Quiet.propext", "propext", "sorryAx"]) == ("Quiet.propext", "sorryAx")

from ragsolver_rag.source.attributes import attributes


def test_attributes_are_read_with_what_belongs_to_them():
    found = attributes('simp, to_additive foo.bar "Said, so." , deprecated old (since := "2025")')
    assert [a.name for a in found] == ["simp", "to_additive", "deprecated"]
    assert found[1].target == "foo.bar"
    assert found[1].doc == "Said, so."
    assert (found[2].target, found[2].since) == ("old", "2025")


def test_nested_attributes_count_and_commas_in_comments_do_not_split():
    found = attributes("to_additive (attr := simp, reassoc) /-- One, two. -/")
    assert [a.name for a in found] == ["to_additive", "simp", "reassoc"]
    assert found[0].doc == "One, two."
    assert found[0].target == ""


def test_words_that_are_no_names_are_no_target():
    assert attributes("simps! (config := x) -isSimp")[0].target == ""
    assert attributes("") == []

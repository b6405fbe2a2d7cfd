from ragsolver_contracts.critique import ErrorClass, Route


def test_routes_and_classes_are_words_on_the_wire() -> None:
    assert Route.RE_RETRIEVE == "re_retrieve"
    assert ErrorClass.UNKNOWN_IDENTIFIER == "unknown_identifier"

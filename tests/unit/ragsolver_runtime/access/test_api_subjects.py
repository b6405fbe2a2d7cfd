from ragsolver_runtime.access import api_subjects as api


def test_subjects_are_those_of_the_server():
    assert api.direct_get("S") == ("$JS.API.DIRECT.GET.S", "$JS.API.DIRECT.GET.S.>")
    assert api.next_message("S", "d") == "$JS.API.CONSUMER.MSG.NEXT.S.d"
    assert api.consumer_info("S", "d") == "$JS.API.CONSUMER.INFO.S.d"
    assert api.consumer_list("S") == "$JS.API.CONSUMER.LIST.S"
    assert api.stream_info("S") == "$JS.API.STREAM.INFO.S"
    assert api.message_get("S") == "$JS.API.STREAM.MSG.GET.S"
    assert api.message_delete("S") == "$JS.API.STREAM.MSG.DELETE.S"
    assert api.acks("S", "d") == "$JS.ACK.S.d.>"

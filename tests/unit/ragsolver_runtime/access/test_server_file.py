from pathlib import PurePosixPath

from ragsolver_runtime.access.server_file import Node, ServerPlan, ServerTls, server_text
from ragsolver_runtime.access.table import Access

TABLE = {"looker": Access("looker", "looks", reads=("S",), responds=True)}
PLAN = ServerPlan("n1", "0.0.0.0:4222", PurePosixPath("store"), 1024)


def test_a_user_has_what_the_table_says_and_nothing_else():
    text = server_text(PLAN, TABLE, {"looker": "UPUBLIC"})
    assert "nkey: UPUBLIC" in text
    assert '"$JS.API.DIRECT.GET.S.>"' in text
    assert '"_INBOX_looker.>"' in text
    assert "allow_responses" in text
    assert "tls {" not in text
    assert "cluster {" not in text


def test_a_password_stands_there_as_its_hash():
    text = server_text(PLAN, TABLE, {"looker": "$2a$11$hash"})
    assert 'user: "looker", password: "$2a$11$hash"' in text


def test_servers_of_a_cluster_show_each_other_certificates():
    tls = ServerTls(PurePosixPath("c"), PurePosixPath("k"), PurePosixPath("ca"), verify=True)
    nodes = (Node("n1", "a"), Node("n2", "b", 7000))
    plan = ServerPlan("n1", "0.0.0.0:4222", PurePosixPath("s"), 1, tls=tls, nodes=nodes)
    text = server_text(plan, TABLE, {"looker": "U"})
    assert 'routes: ["nats-route://b:7000"]' in text
    assert text.count("verify: true") == 2

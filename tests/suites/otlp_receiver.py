"""A collector of our own: takes OTLP over HTTP and keeps the spans."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True)
class Span:
    """One span as it arrived."""

    service: str
    name: str
    trace: str
    span: str
    parent: str
    attributes: dict[str, object]


@dataclass
class Collected:
    """What arrived, and where to send it."""

    url: str = ""
    spans: list[Span] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)

    def take(self, path: str, body: bytes) -> None:
        """One request."""
        self.paths.add(path)
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            about = {item.key: _plain(item.value) for item in resource.resource.attributes}
            for scope in resource.scope_spans:
                self.spans += [
                    Span(
                        service=str(about["service.name"]),
                        name=span.name,
                        trace=span.trace_id.hex(),
                        span=span.span_id.hex(),
                        parent=span.parent_span_id.hex(),
                        attributes={a.key: _plain(a.value) for a in span.attributes},
                    )
                    for span in scope.spans
                ]


def _plain(value) -> object:
    return getattr(value, value.WhichOneof("value"))


@contextmanager
def collector() -> Iterator[Collected]:
    """It listens on a loopback port for the block."""
    collected = Collected()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            collected.take(self.path, body)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    collected.url = f"http://127.0.0.1:{server.server_address[1]}"
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    try:
        yield collected
    finally:
        server.shutdown()
        server.server_close()
        serving.join(5)
